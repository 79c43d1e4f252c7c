#include "app/queue/storage/ledger_witness.h"

#include <algorithm>

#include "app/journal/journal_format.h"
#include "platform/base/bytes.h"

namespace idkiosk {
namespace {

constexpr std::string_view kMagic = "IKWITN2\n";
// Each in a page of its own, so that a torn one leaves the other.
constexpr size_t kSlot = 4096;
constexpr size_t kSlots = 2;
constexpr size_t kPlaceSize = sizeof(uint64_t) + JournalPosition().mac.size();
constexpr size_t kSaid = kMagic.size() + sizeof(uint64_t) + kPlaceSize;
constexpr size_t kWhole = kSaid + Crypto::Digest().size();

}  // namespace

Crypto::Digest LedgerWitness::MacOf(ByteSpan said) const {
  constexpr std::string_view kLabel = "idkiosk/ledger-witness/1";
  Bytes bytes(kLabel.begin(), kLabel.end());
  bytes.insert(bytes.end(), said.begin(), said.end());
  return crypto_.HmacSha256(key_, bytes);
}

std::optional<LedgerWitness::Said> LedgerWitness::Parse(ByteSpan slot) const {
  if (slot.size() < kWhole || !AsText(slot).starts_with(kMagic)) return std::nullopt;
  if (!std::ranges::equal(MacOf(slot.first(kSaid)), slot.subspan(kSaid, Crypto::Digest().size()))) {
    return std::nullopt;
  }
  const auto newest = ParsePosition(slot.subspan(kSaid - kPlaceSize, kPlaceSize));
  if (!newest) return std::nullopt;
  return Said{ReadUint64(slot.subspan<kMagic.size(), sizeof(uint64_t)>()), *newest};
}

Result<std::optional<JournalPosition>> LedgerWitness::Read() {
  turn_ = 0;
  const auto bytes = files_.ReadPart(path_, 0, kSlots * kSlot);
  if (!bytes) {
    // A pipe, a folder or a link that somebody put there proves nothing.
    const bool is_none =
        bytes.error().code == ErrorCode::kNotFound || bytes.error().code == ErrorCode::kInvalid;
    if (is_none) return std::nullopt;
    return std::unexpected(bytes.error());
  }
  std::optional<JournalPosition> newest;
  for (size_t at = 0; at + kSlot <= bytes->size(); at += kSlot) {
    const auto said = Parse(ByteSpan(*bytes).subspan(at, kSlot));
    if (!said || said->turn < turn_) continue;
    turn_ = said->turn;
    newest = said->newest;
  }
  return newest;
}

Status LedgerWitness::Set(const JournalPosition& newest) {
  Bytes slot(kMagic.begin(), kMagic.end());
  AppendUint64(slot, turn_ + 1);
  const Bytes place = SerializePosition(newest);
  slot.insert(slot.end(), place.begin(), place.end());
  const Crypto::Digest mac = MacOf(slot);
  slot.insert(slot.end(), mac.begin(), mac.end());
  const uint64_t at = (turn_ + 1) % kSlots * kSlot;
  // All that is written over is proven.
  Status written = turn_ > 0 ? Status() : std::unexpected(Error{ErrorCode::kNotFound, ""});
  if (written && !file_) written = Open();
  if (written) written = file_->Write(at, slot);
  // Not there, cut short, or not to be written: another one takes its place.
  if (!written) written = MakeAnew(slot);
  if (written) ++turn_;
  return written;
}

Status LedgerWitness::Open() {
  auto file = files_.OpenFixed(path_);
  if (!file) return std::unexpected(file.error());
  file_ = std::move(*file);
  return {};
}

Status LedgerWitness::MakeAnew(ByteSpan slot) {
  file_.reset();
  if (Status made = files_.CreateFolder(path_.substr(0, path_.rfind('/'))); !made) return made;
  Bytes whole(kSlots * kSlot);
  for (size_t at = 0; at < whole.size(); at += kSlot) {
    std::ranges::copy(slot, whole.begin() + static_cast<ptrdiff_t>(at));
  }
  Status written = files_.WriteDurably(path_, whole, FileAccess::kOwnerOnly);
  if (!written && written.error().code == ErrorCode::kInvalid) {
    // A pipe or a link holds nothing; a folder may.
    Status away = files_.Remove(path_);
    if (!away) away = files_.Rename(path_, path_ + ".aside");
    if (!away) return away;
    written = files_.WriteDurably(path_, whole, FileAccess::kOwnerOnly);
  }
  return written ? Open() : written;
}

Status LedgerWitness::Sync() { return file_ ? file_->Sync() : Status(); }

}  // namespace idkiosk
