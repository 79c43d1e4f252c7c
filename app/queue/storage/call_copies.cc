#include "app/queue/storage/call_copies.h"

#include <algorithm>
#include <utility>

#include "app/journal/fields.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr std::string_view kCallMark = "IKCALL2\n";
constexpr std::string_view kCallMarkWithoutService = "IKCALL1\n";
constexpr std::string_view kNoteMark = "IKNOTE1\n";
constexpr std::string_view kRefused = ".refused";
constexpr std::string_view kUnfinished = ".new";  // FileSystem::WriteDurably
constexpr size_t kMacSize = Crypto::Digest().size();
constexpr size_t kLargest = 64 << 20;

int64_t OrMinusOne(const std::optional<int64_t>& time) { return time.value_or(-1); }
std::optional<int64_t> TimeOf(int64_t stored) {
  return stored == -1 ? std::nullopt : std::optional(stored);
}
Bytes BytesOf(const std::string& text) {
  const ByteSpan bytes = AsBytes(text);
  return {bytes.begin(), bytes.end()};
}

ByteSpan TagOf(ByteSpan sealed) { return sealed.last(std::min(sealed.size(), Crypto::kTagSize)); }

// A mark, the length of the head, the head, and the MAC of all that.
Bytes ProvenHead(std::string_view mark, const Bytes& head, size_t room, const Crypto& crypto,
                 const SecretBytes& key) {
  Bytes file;
  file.reserve(mark.size() + sizeof(uint32_t) + head.size() + kMacSize + room);
  file.insert(file.end(), mark.begin(), mark.end());
  AppendUint32(file, static_cast<uint32_t>(head.size()));
  file.insert(file.end(), head.begin(), head.end());
  const Crypto::Digest mac = crypto.HmacSha256(key, file);
  file.insert(file.end(), mac.begin(), mac.end());
  return file;
}

struct Parts {
  ByteSpan head;
  ByteSpan rest;
};

// Errors: kCorrupt.
Result<Parts> Proven(std::string_view mark, ByteSpan file, const Crypto& crypto,
                     const SecretBytes& key) {
  const size_t before = mark.size() + sizeof(uint32_t);
  if (file.size() < before + kMacSize || !AsText(file).starts_with(mark)) {
    return Fail(ErrorCode::kCorrupt, "the file is cut short, or no such file");
  }
  const size_t size = ReadUint32(file.subspan(mark.size()).first<4>());
  if (size > file.size() - before - kMacSize) {
    return Fail(ErrorCode::kCorrupt, "the file is cut short");
  }
  const ByteSpan said = file.first(before + size);
  if (!std::ranges::equal(crypto.HmacSha256(key, said), file.subspan(said.size(), kMacSize))) {
    return Fail(ErrorCode::kCorrupt, "the file does not prove genuine");
  }
  return Parts{said.subspan(before), file.subspan(said.size() + kMacSize)};
}

// All but the chunks: of each its size and the tag that seals it, which proves the rest.
Bytes SerializeHead(const SealedCall& call) {
  const CallRow& row = call.row;
  FieldWriter out;
  out.Text(row.reference).Text(Name(row.endpoint)).Text(row.operator_id);
  out.Byte(row.person_waits ? 1 : 0).Int64(row.accepted_at);
  out.Int64(OrMinusOne(row.due_at)).Int64(OrMinusOne(row.age_at));
  out.Uint32(static_cast<uint32_t>(row.attempts));
  out.Uint32(static_cast<uint32_t>(row.billed_attempts));
  out.Text(AsText(row.sealed_key)).Text(AsText(row.question_mac)).Text(row.made_for);
  for (const auto& [field, chunks] : call.fields) {
    out.Byte(static_cast<uint8_t>(field)).Uint32(static_cast<uint32_t>(chunks.size()));
    for (const Bytes& each : chunks) {
      out.Uint32(static_cast<uint32_t>(each.size())).Text(AsText(TagOf(each)));
    }
  }
  return out.Take();
}

// Takes the chunks from `rest`. Nothing: written by another idkiosk, or not whole.
std::optional<SealedCall> Parse(ByteSpan head, ByteSpan rest, bool with_service) {
  FieldReader in(head);
  SealedCall call;
  CallRow& row = call.row;
  row.reference = in.Text();
  const auto endpoint = EndpointOf(in.Text());
  row.operator_id = in.Text();
  row.person_waits = in.Byte() == 1;
  row.accepted_at = in.Int64();
  row.due_at = TimeOf(in.Int64());
  row.age_at = TimeOf(in.Int64());
  row.attempts = static_cast<int>(in.Uint32());
  row.billed_attempts = static_cast<int>(in.Uint32());
  row.sealed_key = BytesOf(in.Text());
  row.question_mac = BytesOf(in.Text());
  if (with_service) row.made_for = in.Text();
  row.has_payload = true;
  while (in.good() && !in.at_end()) {
    const uint8_t field = in.Byte();
    if (field >= kSealedFieldCount) return std::nullopt;
    std::vector<Bytes>& chunks = call.fields[static_cast<SealedField>(field)];
    for (uint32_t left = in.Uint32(); in.good() && left > 0; --left) {
      const size_t size = in.Uint32();
      const Bytes tag = BytesOf(in.Text());
      if (size > rest.size()) return std::nullopt;
      const ByteSpan chunk = rest.first(size);
      rest = rest.subspan(size);
      if (!std::ranges::equal(TagOf(chunk), tag)) return std::nullopt;
      chunks.emplace_back(chunk.begin(), chunk.end());
    }
  }
  if (!endpoint || !in.good() || !rest.empty()) return std::nullopt;
  row.endpoint = *endpoint;
  return call;
}

}  // namespace

std::string CallCopies::PathOf(const CallReference& reference) const {
  return fmt::format("{}/{}", folder_, reference);
}

Status CallCopies::Write(const SealedCall& call) {
  if (Status made = files_.CreateFolder(folder_); !made) return made;
  size_t size = 0;
  for (const auto& [field, chunks] : call.fields) {
    for (const Bytes& each : chunks) size += each.size();
  }
  Bytes file = ProvenHead(kCallMark, SerializeHead(call), size, crypto_, mac_key_);
  for (const auto& [field, chunks] : call.fields) {
    for (const Bytes& each : chunks) file.insert(file.end(), each.begin(), each.end());
  }
  return files_.WriteDurably(PathOf(call.row.reference), file, FileAccess::kOwnerOnly);
}

Result<SealedCall> CallCopies::Read(const CallReference& reference) const {
  const auto file = files_.Read(PathOf(reference), kLargest);
  if (!file) return std::unexpected(file.error());
  const bool with_service = !AsText(*file).starts_with(kCallMarkWithoutService);
  const auto parts =
      Proven(with_service ? kCallMark : kCallMarkWithoutService, *file, crypto_, mac_key_);
  if (!parts) return std::unexpected(parts.error().Within("the copy of " + reference));
  auto call = Parse(parts->head, parts->rest, with_service);
  if (!call || call->row.reference != reference) {
    return Fail(ErrorCode::kCorrupt, "the copy of {} is not whole, or of another call", reference);
  }
  return std::move(*call);
}

Result<CallCopies::Found> CallCopies::List() {
  Found found;
  const auto names = files_.List(folder_);
  if (!names && names.error().code == ErrorCode::kNotFound) return found;
  if (!names) return std::unexpected(names.error());
  for (const std::string& each : *names) {
    if (ParseReference(each) == each) {
      found.calls.insert(each);
    } else if (each.ends_with(kRefused) || each.ends_with(kUnfinished)) {
      found.strays.push_back(each);
    }
  }
  return found;
}

bool CallCopies::Has(const CallReference& reference) {
  return files_.Exists(PathOf(reference)).value_or(false);
}

void CallCopies::EraseStrays(const Found& found) {
  for (const std::string& each : found.strays) {
    (void)files_.Erase(fmt::format("{}/{}", folder_, each));
  }
}

Status CallCopies::Erase(const CallReference& reference) {
  Status erased = files_.Erase(PathOf(reference));
  // A pipe or a link that somebody put there: it holds nothing to overwrite.
  if (!erased && erased.error().code == ErrorCode::kInvalid) {
    erased = files_.Remove(PathOf(reference));
  }
  return erased || erased.error().code == ErrorCode::kNotFound ? Status() : erased;
}

Status CallCopies::Withdraw(const CallReference& reference) {
  const std::string refused = PathOf(reference) + std::string(kRefused);
  (void)files_.Rename(PathOf(reference), refused);
  const Status erased = files_.Erase(refused);
  const Status gone = Erase(reference);
  return gone && !erased && erased.error().code != ErrorCode::kNotFound ? erased : gone;
}

Status DecisionNotes::Write(const std::string& name, const LedgerEntry& entry) {
  if (Status made = files_.CreateFolder(folder_); !made) return made;
  std::vector<LedgerEntry> entries;
  entries.push_back(entry.Copy());
  return files_.WriteDurably(
      fmt::format("{}/{}", folder_, name),
      ProvenHead(kNoteMark, SerializeLedgerEntries(entries), 0, crypto_, mac_key_),
      FileAccess::kOwnerOnly);
}

Result<LedgerEntry> DecisionNotes::Parse(ByteSpan file) const {
  const auto parts = Proven(kNoteMark, file, crypto_, mac_key_);
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
