#include "app/journal/journal_format.h"

#include <algorithm>

namespace idkiosk {
namespace {

constexpr std::string_view kRecordMark = "IKR1";
constexpr std::string_view kFileMark = "IKJRNL1\n";
constexpr size_t kVersionAt = 6;  // of the mark

constexpr size_t kFill = 16;             // a record begins at a multiple of this
constexpr size_t kNumberAt = 4 + 4 + 4;  // behind the mark and two lengths
constexpr size_t kMacBeforeAt = kNumberAt + 8;
constexpr size_t kBodyAt = kMacBeforeAt + Crypto::kDigestSize;

size_t FilledUp(size_t size) { return (size + kFill - 1) / kFill * kFill; }

void Append(Bytes& out, ByteSpan bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }

Crypto::Digest DigestAt(ByteSpan bytes, size_t at) {
  Crypto::Digest digest;
  std::ranges::copy(bytes.subspan(at, digest.size()), digest.begin());
  return digest;
}

Crypto::Digest Prove(const Crypto& crypto, const SecretBytes& key, std::string_view kind,
                     std::string_view label, ByteSpan bytes) {
  Bytes proven;
  proven.reserve(kind.size() + label.size() + bytes.size() + 2);
  for (std::string_view part : {kind, label}) {
    Append(proven, AsBytes(part));
    proven.push_back(0);
  }
  Append(proven, bytes);
  return crypto.HmacSha256(key, proven);
}

constexpr std::string_view kRecordKind = "idkiosk/journal-record/1";
constexpr std::string_view kHeaderKind = "idkiosk/journal-file/1";
constexpr size_t kProven = 8 + 4 + 4 + 8 + Crypto::kDigestSize;  // of a head

}  // namespace

bool AllZero(ByteSpan bytes) {
  return std::ranges::all_of(bytes, [](uint8_t each) { return each == 0; });
}

Bytes SerializePosition(const JournalPosition& position) {
  Bytes bytes;
  AppendUint64(bytes, position.number);
  bytes.insert(bytes.end(), position.mac.begin(), position.mac.end());
  return bytes;
}

Result<JournalPosition> ParsePosition(ByteSpan bytes) {
  JournalPosition position;
  if (bytes.size() < 8 + position.mac.size()) {
    return Fail(ErrorCode::kCorrupt, "a place of a journal is cut short");
  }
  position.number = ReadUint64(bytes.first<8>());
  std::ranges::copy(bytes.subspan(8, position.mac.size()), position.mac.begin());
  return position;
}

size_t JournalFormat::StoredSize(size_t body, size_t attachment) {
  const size_t digest = attachment > 0 ? Crypto::kDigestSize : 0;
  return FilledUp(kBodyAt + body + digest + Crypto::kDigestSize + attachment);
}

Bytes JournalFormat::Write(const JournalPosition& before, ByteSpan body, ByteSpan attachment,
                           JournalPosition& position) const {
  Bytes out;
  out.reserve(StoredSize(body.size(), attachment.size()));
  Append(out, AsBytes(kRecordMark));
  AppendUint32(out, static_cast<uint32_t>(body.size()));
  AppendUint32(out, static_cast<uint32_t>(attachment.size()));
  AppendUint64(out, before.number + 1);
  Append(out, before.mac);
  Append(out, body);
  if (!attachment.empty()) Append(out, crypto_.Sha256(attachment));
  position.number = before.number + 1;
  position.mac = Prove(crypto_, key_, kRecordKind, label_, out);
  Append(out, position.mac);
  Append(out, attachment);
  out.resize(FilledUp(out.size()));
  return out;
}

Bytes JournalFormat::WithoutAttachment(const JournalRecord& record, ByteSpan stored) {
  if (record.attachment.empty()) {
    const ByteSpan same = stored.first(record.stored_size);
    return {same.begin(), same.end()};
  }
  const ByteSpan kept = stored.first(static_cast<size_t>(record.attachment.data() - stored.data()));
  Bytes out(kept.begin(), kept.end());
  out.resize(FilledUp(out.size()));
  return out;
}

std::optional<JournalRecord> JournalFormat::Read(ByteSpan bytes, bool keeps_attachments) const {
  if (bytes.size() < kBodyAt + Crypto::kDigestSize) return std::nullopt;
  if (AsText(bytes.first(kRecordMark.size())) != kRecordMark) return std::nullopt;
  const size_t body = ReadUint32(bytes.subspan<4, 4>());
  const size_t attachment = ReadUint32(bytes.subspan<8, 4>());
  if (body > kMaxBody || attachment > kMaxAttachment) return std::nullopt;
  const size_t mac_at = kBodyAt + body + (attachment > 0 ? Crypto::kDigestSize : 0);
  const size_t attachment_at = mac_at + Crypto::kDigestSize;
  const size_t end = attachment_at + (keeps_attachments ? attachment : 0);
  JournalRecord record;
  record.stored_size = FilledUp(end);
  if (record.stored_size > bytes.size()) return std::nullopt;
  record.position.number = ReadUint64(bytes.subspan<kNumberAt, 8>());
  record.position.mac = DigestAt(bytes, mac_at);
  record.mac_before = DigestAt(bytes, kMacBeforeAt);
  record.body = bytes.subspan(kBodyAt, body);
  record.attachment = bytes.subspan(attachment_at, end - attachment_at);
  const bool proven =
      Prove(crypto_, key_, kRecordKind, label_, bytes.first(mac_at)) == record.position.mac &&
      (record.attachment.empty() ||
       crypto_.Sha256(record.attachment) == DigestAt(bytes, kBodyAt + body)) &&
      AllZero(bytes.subspan(end, record.stored_size - end));
  return proven ? std::optional(record) : std::nullopt;
}

Bytes JournalFormat::WriteHeader(const Header& header) const {
  Bytes out;
  out.reserve(kHeaderSize);
  Append(out, AsBytes(kFileMark));
  AppendUint32(out, header.size);
  AppendUint32(out, header.keeps_attachments ? 1 : 0);
  AppendUint64(out, header.before.number + 1);
  Append(out, header.before.mac);
  Append(out, Prove(crypto_, key_, kHeaderKind, label_, out));
  out.resize(kHeaderSize);
  return out;
}

std::optional<JournalFormat::Header> JournalFormat::ReadHeader(ByteSpan file) const {
  if (file.size() < kHeaderSize || AsText(file.first<8>()) != kFileMark) return std::nullopt;
  if (Prove(crypto_, key_, kHeaderKind, label_, file.first(kProven)) != DigestAt(file, kProven)) {
    return std::nullopt;
  }
  constexpr size_t kEnd = kProven + Crypto::kDigestSize;
  if (!AllZero(file.subspan(kEnd, kHeaderSize - kEnd))) return std::nullopt;
  Header header;
  header.size = ReadUint32(file.subspan<8, 4>());
  header.keeps_attachments = ReadUint32(file.subspan<12, 4>()) == 1;
  header.before.number = ReadUint64(file.subspan<16, 8>()) - 1;
  header.before.mac = DigestAt(file, 24);
  return header;
}

bool JournalFormat::IsNewer(ByteSpan file) const {
  if (file.size() < kHeaderSize) return false;
  const std::string_view mark = AsText(file.first<8>());
  const char version = mark[kVersionAt];
  if (version <= kFileMark[kVersionAt] || version > '9') return false;
  if (!mark.starts_with(kFileMark.substr(0, kVersionAt)) || !mark.ends_with('\n')) return false;
  return Prove(crypto_, key_, kHeaderKind, label_, file.first(kProven)) == DigestAt(file, kProven);
}

}  // namespace idkiosk
