#include "drivers/secure_storage/mark_file.h"

#include <algorithm>
#include <utility>

namespace idkiosk {
namespace {

constexpr std::string_view kMarkMagic = "IDKMARK\n";
constexpr uint32_t kMarkVersion = 1;

// Where the fields of a slot begin.
constexpr size_t kNumberAt = 12;
constexpr size_t kMarkLengthAt = 20;
constexpr size_t kValueAt = 24;
constexpr size_t kMacAt = kValueAt + SecureMark::kLargest;
constexpr size_t kSlotSize = kMacAt + Crypto::kDigestSize;

// A slot has a block of its own, so that a torn write of one leaves the other alone.
constexpr size_t kBlock = 4096;
constexpr size_t kFileSize = 2 * kBlock;

size_t PlaceOf(size_t slot) { return slot * kBlock; }

}  // namespace

MarkFile::MarkFile(FileSystem& files, const Crypto& crypto, SecretBytes key, std::string path,
                   MarkSession session)
    : files_(files),
      crypto_(crypto),
      root_(std::move(key)),
      path_(std::move(path)),
      session_(std::move(session)),
      key_(KeyOf(session_.number)) {}

SecretBytes MarkFile::KeyOf(uint64_t session) const {
  if (session == 0) return root_.Clone();
  return crypto_.DeriveKey(root_, {}, fmt::format("vault/mark/v1/{}", session));
}

Result<std::unique_ptr<SecureMark>> MarkFile::Open(FileSystem& files, const Crypto& crypto,
                                                   SecretBytes key, std::string path,
                                                   MarkSession session) {
  std::unique_ptr<MarkFile> mark(
      new MarkFile(files, crypto, std::move(key), std::move(path), std::move(session)));
  const auto bytes = files.Read(mark->path_, kFileSize);
  if (!bytes) {
    const ErrorCode code = bytes.error().code;
    const bool is_no_mark = code == ErrorCode::kNotFound || code == ErrorCode::kInvalid ||
                            code == ErrorCode::kCorrupt || code == ErrorCode::kExhausted;
    if (!is_no_mark) return std::unexpected(bytes.error());
    return mark;
  }
  mark->is_whole_ = bytes->size() == kFileSize;
  if (!mark->is_whole_) return mark;
  for (const size_t slot : {size_t{0}, size_t{1}}) {
    const uint64_t before = mark->number_;
    mark->Take(ByteSpan(*bytes).subspan(PlaceOf(slot), kSlotSize));
    if (mark->number_ != before) mark->newest_ = slot;
  }
  return mark;
}

void MarkFile::Take(ByteSpan slot) {
  const ByteSpan said = slot.first(kMacAt);
  const auto is_genuine = [&](const SecretBytes& key) {
    return std::ranges::equal(crypto_.HmacSha256(key, said), slot.subspan(kMacAt));
  };
  if (!is_genuine(key_) && !is_genuine(KeyOf(session_.number + 1))) return;
  const uint64_t number = ReadUint64(said.subspan<kNumberAt, 8>());
  const size_t length = ReadUint32(said.subspan<kMarkLengthAt, 4>());
  if (number <= number_ || length > kLargest) return;
  number_ = number;
  const ByteSpan value = said.subspan(kValueAt, length);
  value_.assign(value.begin(), value.end());
}

Bytes MarkFile::Slot(uint64_t number, ByteSpan value) const {
  const ByteSpan magic = AsBytes(kMarkMagic);
  Bytes slot(magic.begin(), magic.end());
  AppendUint32(slot, kMarkVersion);
  AppendUint64(slot, number);
  AppendUint32(slot, static_cast<uint32_t>(value.size()));
  slot.insert(slot.end(), value.begin(), value.end());
  slot.resize(kMacAt);
  const Crypto::Digest mac = crypto_.HmacSha256(key_, slot);
  slot.insert(slot.end(), mac.begin(), mac.end());
  return slot;
}

Status MarkFile::Make(ByteSpan slot) {
  Bytes file(kFileSize);
  newest_ = synced_ = 1;
  std::ranges::copy(slot, file.begin() + static_cast<ptrdiff_t>(PlaceOf(newest_)));
  file_.reset();
  if (Status made = files_.WriteDurably(path_, file, FileAccess::kOwnerOnly); !made) return made;
  is_whole_ = true;
  return {};
}

Status MarkFile::OpenToWrite() {
  auto opened = files_.OpenFixed(path_);
  if (!opened) return std::unexpected(opened.error());
  file_ = std::move(*opened);
  return Sync();
}

Status MarkFile::Set(ByteSpan value) {
  if (value.size() > kLargest) {
    return Fail(ErrorCode::kInvalid, "a mark has at most {} bytes", kLargest);
  }
  Status written = is_whole_ && !file_ ? OpenToWrite() : Status();
  const Bytes slot = Slot(number_ + 1, value);
  const size_t next = 1 - synced_;
  if (written) written = is_whole_ ? file_->Write(PlaceOf(next), slot) : Make(slot);
  if (!written) {
    newest_ = synced_;  // nobody knows what the other one holds now
    return std::unexpected(written.error().Within("the vault's mark"));
  }
  if (file_) newest_ = next;
  ++number_;
  value_.assign(value.begin(), value.end());
  return {};
}

Status MarkFile::Sync() {
  if (!file_) return {};  // made whole, or never set
  if (Status synced = file_->Sync(); !synced) {
    return std::unexpected(synced.error().Within("the vault's mark"));
  }
  synced_ = newest_;
  return {};
}

// The new key's slot is synced before the vault holds its number, and the old key's is left alone
// until then: whenever the power fails, one of them is the vault's own, or the next.
Status MarkFile::Renew() {
  key_ = KeyOf(session_.number + 1);
  if (Status set = Set(Bytes(value_)); !set) return set;
  if (Status synced = Sync(); !synced) return synced;
  if (Status remembered = session_.remember(session_.number + 1); !remembered) return remembered;
  ++session_.number;
  return {};
}

}  // namespace idkiosk
