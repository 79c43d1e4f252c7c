#ifndef IDKIOSK_PLATFORM_API_SIGNATURE_CHECK_H_
#define IDKIOSK_PLATFORM_API_SIGNATURE_CHECK_H_

#include "platform/base/bytes.h"
#include "platform/base/error.h"

namespace idkiosk {

// Checks signatures of others: ECDSA on the curve P-256 with SHA-256. Any thread.
class SignatureCheck {
 public:
  virtual ~SignatureCheck() = default;

  // Whether a public key (a SubjectPublicKeyInfo, DER) can be used. Errors: kInvalid.
  [[nodiscard]] virtual Status CheckKey(ByteSpan public_key) const = 0;
  // Whether the owner of the key has signed that message. `signature`: a DER sequence of two
  // numbers, as RFC 3279 has it. False also for a key that cannot be used.
  [[nodiscard]] virtual bool IsGood(ByteSpan public_key, ByteSpan message,
                                    ByteSpan signature) const = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_API_SIGNATURE_CHECK_H_
