#ifndef IDKIOSK_DRIVERS_SECURE_STORAGE_MBEDTLS_CRYPTO_H_
#define IDKIOSK_DRIVERS_SECURE_STORAGE_MBEDTLS_CRYPTO_H_

#include <string_view>

#include "platform/api/crypto.h"

namespace idkiosk {

// Crypto on mbedTLS 3.6. Holds no state. A key that is not kKeySize long where AES needs one, or
// memory that has run out, ends the process: going on would leave something unsealed.
class MbedtlsCrypto final : public Crypto {
 public:
  [[nodiscard]] SecretBytes DeriveKey(const SecretBytes& key, ByteSpan salt,
                                      std::string_view label) const override;
  [[nodiscard]] SecretBytes Stretch(const SecretBytes& secret, ByteSpan salt,
                                    uint32_t iterations) const override;
  [[nodiscard]] Bytes Seal(const SecretBytes& key, const Nonce& nonce, ByteSpan associated_data,
                           ByteSpan plaintext) const override;
  [[nodiscard]] Result<SecretBytes> Open(const SecretBytes& key, const Nonce& nonce,
                                         ByteSpan associated_data, ByteSpan sealed) const override;
  [[nodiscard]] Digest Sha256(ByteSpan bytes) const override;
  [[nodiscard]] Digest HmacSha256(const SecretBytes& key, ByteSpan bytes) const override;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_SECURE_STORAGE_MBEDTLS_CRYPTO_H_
