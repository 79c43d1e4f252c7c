#ifndef IDKIOSK_APP_JOURNAL_JOURNAL_FORMAT_H_
#define IDKIOSK_APP_JOURNAL_JOURNAL_FORMAT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "platform/api/crypto.h"

namespace idkiosk {

// What a file has from its length, and nobody has written yet.
[[nodiscard]] bool AllZero(ByteSpan bytes);

// A place in a journal: the number of a record, from 1, and the MAC that proves it and all before
// it. Number 0: before the first.
struct JournalPosition {
  uint64_t number = 0;
  Crypto::Digest mac{};
  bool operator==(const JournalPosition&) const = default;
};

// For storing a place elsewhere: its number (8 bytes, big endian) and its MAC (32). Errors of
// parsing: kCorrupt.
[[nodiscard]] Bytes SerializePosition(const JournalPosition& position);
[[nodiscard]] Result<JournalPosition> ParsePosition(ByteSpan bytes);

// A record as it lies in its file. The views are into the file's bytes.
struct JournalRecord {
  JournalPosition position;
  Crypto::Digest mac_before{};
  ByteSpan body;
  ByteSpan attachment;     // empty too in a file that keeps none
  size_t stored_size = 0;  // with what fills it up
};

// The bytes of a journal. README.md says in prose what they are.
class JournalFormat {
 public:
  static constexpr size_t kHeaderSize = 96;
  static constexpr size_t kMaxBody = 64 * 1024;
  static constexpr size_t kMaxAttachment = 64 * 1024;

  // `label` tells one journal from another that has the same key. All must outlive this.
  JournalFormat(const Crypto& crypto, const SecretBytes& key, std::string label)
      : crypto_(crypto), key_(key), label_(std::move(label)) {}

  // What a record takes in its file.
  [[nodiscard]] static size_t StoredSize(size_t body, size_t attachment);

  // The bytes of the record behind `before`. Sets `position` to its place.
  [[nodiscard]] Bytes Write(const JournalPosition& before, ByteSpan body, ByteSpan attachment,
                            JournalPosition& position) const;
  // The record that `stored` begin with, as a file holds it that keeps no attachments.
  [[nodiscard]] static Bytes WithoutAttachment(const JournalRecord& record, ByteSpan stored);
  // The record that `bytes` begin with; nothing where they begin with none that is proven.
  [[nodiscard]] std::optional<JournalRecord> Read(ByteSpan bytes, bool keeps_attachments) const;

  struct Header {
    uint32_t size = 0;  // of the whole file
    bool keeps_attachments = true;
    JournalPosition before;  // the record before its first
  };
  [[nodiscard]] Bytes WriteHeader(const Header& header) const;
  [[nodiscard]] std::optional<Header> ReadHeader(ByteSpan file) const;
  // Whether it is the proven head of a later version, of which all but the mark stays as it is.
  [[nodiscard]] bool IsNewer(ByteSpan file) const;

 private:
  const Crypto& crypto_;
  const SecretBytes& key_;
  const std::string label_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_JOURNAL_JOURNAL_FORMAT_H_
