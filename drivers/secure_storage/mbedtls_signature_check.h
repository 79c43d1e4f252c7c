#ifndef IDKIOSK_DRIVERS_SECURE_STORAGE_MBEDTLS_SIGNATURE_CHECK_H_
#define IDKIOSK_DRIVERS_SECURE_STORAGE_MBEDTLS_SIGNATURE_CHECK_H_

#include "platform/api/signature_check.h"

namespace idkiosk {

// SignatureCheck on mbedTLS 3.6. Holds no state.
class MbedtlsSignatureCheck final : public SignatureCheck {
 public:
  [[nodiscard]] Status CheckKey(ByteSpan public_key) const override;
  [[nodiscard]] bool IsGood(ByteSpan public_key, ByteSpan message,
                            ByteSpan signature) const override;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_SECURE_STORAGE_MBEDTLS_SIGNATURE_CHECK_H_
