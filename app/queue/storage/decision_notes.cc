#include "app/queue/storage/decision_notes.h"

#include <utility>

#include "app/queue/storage/proven_head.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr std::string_view kNoteMark = "IKNOTE1\n";

}  // namespace

Status DecisionNotes::Write(const std::string& name, const LedgerEntry& entry) {
  if (Status made = files_.CreateFolder(folder_); !made) return made;
  std::vector<LedgerEntry> entries;
  entries.push_back(entry.Copy());
  return files_.WriteDurably(
      fmt::format("{}/{}", folder_, name),
      WriteProvenHead(kNoteMark, SerializeLedgerEntries(entries), 0, crypto_, mac_key_),
      FileAccess::kOwnerOnly);
}

Result<LedgerEntry> DecisionNotes::Parse(ByteSpan file) const {
  const auto parts = ReadProvenHead(kNoteMark, file, crypto_, mac_key_);
  if (!parts) return std::unexpected(parts.error());
  auto entries = ParseLedgerEntries(parts->head);
  if (!entries) return std::unexpected(entries.error());
  if (entries->size() == 1) return std::move(entries->front());
  return Fail(ErrorCode::kCorrupt, "it holds {} decisions", entries->size());
}

Result<std::vector<DecisionNotes::Note>> DecisionNotes::List() {
  constexpr size_t kLargestNote = 64 << 10;
  std::vector<Note> notes;
  const auto names = files_.List(folder_);
  if (!names && names.error().code == ErrorCode::kNotFound) return notes;
  if (!names) return std::unexpected(names.error());
  for (const std::string& name : *names) {
    // One that is being written; what a power failure leaves of it, nobody was told of.
    if (name.contains('.')) continue;
    const auto file = files_.Read(fmt::format("{}/{}", folder_, name), kLargestNote);
    if (!file && file.error().code == ErrorCode::kNotFound) continue;
    // What cannot be read now may be that a person cancelled a call. A pipe or a folder is not.
    if (!file && file.error().code != ErrorCode::kInvalid) return std::unexpected(file.error());
    auto entry = file ? Parse(*file) : std::unexpected(file.error());
    if (entry) {
      notes.push_back({name, std::move(*entry)});
      continue;
    }
    LogWarning("{}/{} is no note of a decision, and is removed: {}", folder_, name,
               entry.error().message);
    // A folder stays, and nothing waits for it.
    (void)Erase(name);
  }
  return notes;
}

Status DecisionNotes::Erase(const std::string& name) {
  const Status removed = files_.Remove(fmt::format("{}/{}", folder_, name));
  return removed || removed.error().code == ErrorCode::kNotFound ? Status() : removed;
}

}  // namespace idkiosk
