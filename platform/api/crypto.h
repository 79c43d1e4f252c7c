#ifndef IDKIOSK_PLATFORM_API_CRYPTO_H_
#define IDKIOSK_PLATFORM_API_CRYPTO_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "platform/base/bytes.h"
#include "platform/base/error.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// The few primitives that sealing is made of. Any thread.
class Crypto {
 public:
  static constexpr size_t kKeySize = 32;
  static constexpr size_t kNonceSize = 12;
  static constexpr size_t kTagSize = 16;
  static constexpr size_t kDigestSize = 32;
  using Nonce = std::array<uint8_t, kNonceSize>;
  using Digest = std::array<uint8_t, kDigestSize>;

  virtual ~Crypto() = default;

  // HKDF-SHA-256 (RFC 5869), 32 bytes. `salt` may be empty.
  [[nodiscard]] virtual SecretBytes DeriveKey(const SecretBytes& key, ByteSpan salt,
                                              std::string_view label) const = 0;

  // PBKDF2-HMAC-SHA-256 (RFC 8018), 32 bytes: slow on purpose, `iterations` (at least 1) times
  // over, so that what people can remember is not soon guessed.
  [[nodiscard]] virtual SecretBytes Stretch(const SecretBytes& secret, ByteSpan salt,
                                            uint32_t iterations) const = 0;

  // AES-256-GCM: the ciphertext with its tag of 16 bytes behind it. A nonce is used once for a key.
  [[nodiscard]] virtual Bytes Seal(const SecretBytes& key, const Nonce& nonce,
                                   ByteSpan associated_data, ByteSpan plaintext) const = 0;

  // Errors: kCorrupt if the tag does not fit; nothing unverified leaves.
  [[nodiscard]] virtual Result<SecretBytes> Open(const SecretBytes& key, const Nonce& nonce,
                                                 ByteSpan associated_data,
                                                 ByteSpan sealed) const = 0;

  [[nodiscard]] virtual Digest Sha256(ByteSpan bytes) const = 0;
  [[nodiscard]] virtual Digest HmacSha256(const SecretBytes& key, ByteSpan bytes) const = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_API_CRYPTO_H_
