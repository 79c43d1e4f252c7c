#ifndef IDKIOSK_APP_SERVICE_SECRET_WRITER_H_
#define IDKIOSK_APP_SERVICE_SECRET_WRITER_H_

#include <string_view>

#include "platform/base/secret_bytes.h"

namespace idkiosk {

// Builds text or bytes that hold secrets, without leaving a copy in ordinary memory.
class SecretWriter {
 public:
  SecretWriter& Text(std::string_view text) { return Bytes(AsBytes(text)); }
  SecretWriter& Bytes(ByteSpan bytes);
  // The inside of a JSON string. Bytes that are not ASCII pass as they are.
  SecretWriter& JsonEscaped(ByteSpan text);
  // RFC 3986: everything but letters, digits and -._~ becomes %XX.
  SecretWriter& PercentEncoded(ByteSpan text);
  SecretWriter& Uint32(uint32_t value);

  [[nodiscard]] size_t size() const { return size_; }
  // Returns the text; the writer is empty afterwards.
  [[nodiscard]] SecretBytes Take();

 private:
  SecretBytes bytes_;
  size_t size_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_SECRET_WRITER_H_
