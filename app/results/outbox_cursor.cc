#include "app/results/outbox_cursor.h"

#include <fmt/format.h>

#include "app/journal/fields.h"

namespace idkiosk {
namespace {

constexpr uint8_t kVersion = 1;
constexpr size_t kLargestFile = 4096;
constexpr size_t kLongestTrouble = 1000;

}  // namespace

OutboxCursorFile::OutboxCursorFile(const std::string& state_folder, std::string_view destination,
                                   const Crypto& crypto, const SecretBytes& key, FileSystem& files)
    : path_(fmt::format("{}/results-{}.cursor", state_folder, destination)),
      destination_(destination),
      crypto_(crypto),
      key_(key),
      files_(files) {}

// The name of the destination is proven too: one file does not stand in for the other.
Crypto::Digest OutboxCursorFile::MacOf(ByteSpan bytes) const {
  const Bytes named = FieldWriter().Text("cursor").Text(destination_).Text(AsText(bytes)).Take();
  return crypto_.HmacSha256(key_, named);
}

Result<std::optional<OutboxCursor>> OutboxCursorFile::Load() const {
  const auto file = files_.Read(path_, kLargestFile);
  if (!file && file.error().code == ErrorCode::kNotFound) return std::nullopt;
  if (!file) return std::unexpected(file.error());
  const auto damaged = [this] { return Fail(ErrorCode::kCorrupt, "{} is damaged", path_); };
  if (file->size() <= Crypto::kDigestSize) return damaged();
  const ByteSpan fields = ByteSpan(*file).first(file->size() - Crypto::kDigestSize);
  const Crypto::Digest mac = MacOf(fields);
  const SecretBytes expected = SecretBytes::CopyOf(ByteSpan(mac));
  if (!expected.Equals(ByteSpan(*file).last(Crypto::kDigestSize))) return damaged();
  FieldReader in(fields);
  if (in.Byte() != kVersion) {
    return Fail(ErrorCode::kFailedPrecondition,
                "{} was written by a newer idkiosk: install that one", path_);
  }
  OutboxCursor cursor;
  cursor.place = static_cast<uint64_t>(in.Int64());
  cursor.id = in.Text();
  cursor.gone = in.Byte() == 1;
  cursor.trouble = in.Text();
  cursor.trouble_since = FromMilliseconds(in.Int64());
  if (!in.good() || !in.at_end()) return damaged();
  return cursor;
}

Status OutboxCursorFile::Save(const OutboxCursor& cursor) const {
  Bytes bytes = FieldWriter()
                    .Byte(kVersion)
                    .Int64(static_cast<int64_t>(cursor.place))
                    .Text(cursor.id)
                    .Byte(cursor.gone ? 1 : 0)
                    .Text(std::string_view(cursor.trouble).substr(0, kLongestTrouble))
                    .Int64(ToMilliseconds(cursor.trouble_since))
                    .Take();
  const Crypto::Digest mac = MacOf(bytes);
  bytes.insert(bytes.end(), mac.begin(), mac.end());
  return files_.WriteDurably(path_, bytes, FileAccess::kOwnerOnly);
}

}  // namespace idkiosk
