#ifndef IDKIOSK_DRIVERS_SCANNER_ZXING_SCANNER_H_
#define IDKIOSK_DRIVERS_SCANNER_ZXING_SCANNER_H_

#include "platform/api/code_scanner.h"

namespace idkiosk {

class ZxingScanner final : public CodeScanner {
 public:
  [[nodiscard]] std::vector<SecretBytes> Read(ByteSpan bgr, int width, int height) override;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_SCANNER_ZXING_SCANNER_H_
