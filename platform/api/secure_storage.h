#ifndef IDKIOSK_PLATFORM_API_SECURE_STORAGE_H_
#define IDKIOSK_PLATFORM_API_SECURE_STORAGE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/error.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// A handful of named secrets that survive a power cut, and the keys derived from the same root.
// One thread at a time.
//
// Errors of every function: kFailedPrecondition (not initialised; the message names the mend),
// kUnauthenticated (opened with another key), kCorrupt (damaged beyond its spare copy),
// kExhausted (disk full: the old content stays), kForbidden, kUnavailable.
class SecureStorage {
 public:
  struct Info {
    std::string
        protection;  // one sentence on what guards the root key, and against what it does not
    uint64_t generation = 0;  // counts the writes
    std::vector<std::string> names;
    bool repaired = false;  // one of the copies was damaged and has been written anew
  };

  virtual ~SecureStorage() = default;

  // Also kNotFound, naming the secret and the command that sets it.
  [[nodiscard]] virtual Result<SecretBytes> Get(std::string_view name) = 0;

  // Acknowledged only after it was synced and read back.
  [[nodiscard]] virtual Status Put(std::string_view name, const SecretBytes& value) = 0;

  // Also kNotFound.
  [[nodiscard]] virtual Status Remove(std::string_view name) = 0;

  [[nodiscard]] virtual Result<Info> Describe() = 0;

  // 32 bytes that depend on the root key and `label` alone, the same at every start.
  [[nodiscard]] virtual Result<SecretBytes> DeriveKey(std::string_view label) = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_API_SECURE_STORAGE_H_
