#ifndef IDKIOSK_PLATFORM_API_CODE_SCANNER_H_
#define IDKIOSK_PLATFORM_API_CODE_SCANNER_H_

#include <vector>

#include "platform/base/bytes.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// Reads the codes that are printed on papers: QR and PDF417. One thread at a time.
class CodeScanner {
 public:
  virtual ~CodeScanner() = default;

  // The text of each code in the picture, as far as it can be read; it may be personal. The pixels
  // are blue, green and red, rows without gaps. Fewer bytes than the size needs: no codes.
  [[nodiscard]] virtual std::vector<SecretBytes> Read(ByteSpan bgr, int width, int height) = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_API_CODE_SCANNER_H_
