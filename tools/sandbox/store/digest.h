#ifndef IDKIOSK_TOOLS_SANDBOX_STORE_DIGEST_H_
#define IDKIOSK_TOOLS_SANDBOX_STORE_DIGEST_H_

#include <string>
#include <string_view>

#include "platform/base/bytes.h"

namespace idkiosk::sandbox {

// From the kernel's generator. Ends the process if there is none.
[[nodiscard]] Bytes RandomBytes(size_t count);
// `bytes` random bytes as lower-case hexadecimal.
[[nodiscard]] std::string RandomHex(size_t bytes);
// Letters and digits that are not mistaken for one another; no character needs escaping anywhere.
[[nodiscard]] std::string RandomText(size_t length);

// Lower-case hexadecimal. For values that nobody can guess: keys and tokens, never passwords.
[[nodiscard]] std::string Sha256(std::string_view text);

// Takes time that depends on the lengths alone.
[[nodiscard]] bool EqualInConstantTime(std::string_view a, std::string_view b);

// Tells values apart without showing them: HMAC-SHA-256 under a key of this state folder, the first
// 16 bytes in hexadecimal. Eleven digits are guessed easily without the key.
class KeyedDigest {
 public:
  explicit KeyedDigest(std::string key) : key_(std::move(key)) {}
  // Empty for an empty text.
  [[nodiscard]] std::string Of(std::string_view text) const;

 private:
  std::string key_;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_STORE_DIGEST_H_
