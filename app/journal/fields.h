#ifndef IDKIOSK_APP_JOURNAL_FIELDS_H_
#define IDKIOSK_APP_JOURNAL_FIELDS_H_

#include <string>
#include <string_view>

#include "platform/base/bytes.h"
#include "platform/base/time.h"

namespace idkiosk {

// A wall time as it is stored: milliseconds since 1970.
[[nodiscard]] inline int64_t ToMilliseconds(WallTime time) {
  return time.time_since_epoch().count();
}
[[nodiscard]] inline WallTime FromMilliseconds(int64_t since_1970) {
  return WallTime{std::chrono::milliseconds(since_1970)};
}

// Puts the fields of a record's body one behind the other: numbers big endian, a text behind its
// length (4 bytes).
class FieldWriter {
 public:
  FieldWriter& Byte(uint8_t value);
  FieldWriter& Uint32(uint32_t value);
  FieldWriter& Int64(int64_t value);
  FieldWriter& Text(std::string_view text);
  FieldWriter& Blob(ByteSpan bytes) { return Text(AsText(bytes)); }
  [[nodiscard]] Bytes Take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

// Takes them apart again, in the same order. What lies behind the end reads as zero or as nothing,
// and good() is false from then on.
class FieldReader {
 public:
  // `bytes` must outlive this.
  explicit FieldReader(ByteSpan bytes) : rest_(bytes) {}

  [[nodiscard]] uint8_t Byte();
  [[nodiscard]] uint32_t Uint32();
  [[nodiscard]] int64_t Int64();
  [[nodiscard]] std::string Text();
  [[nodiscard]] Bytes Blob();
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  ByteSpan Take(size_t size);

  ByteSpan rest_;
  bool good_ = true;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_JOURNAL_FIELDS_H_
