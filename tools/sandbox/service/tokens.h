#ifndef IDKIOSK_TOOLS_SANDBOX_SERVICE_TOKENS_H_
#define IDKIOSK_TOOLS_SANDBOX_SERVICE_TOKENS_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "platform/base/mutex.h"
#include "platform/base/time.h"

namespace idkiosk::sandbox {

// Bearer tokens in use: access tokens of the API and sessions of the dashboard. They live in memory
// alone, so a server that starts again has none, and die after a time without use. Any thread.
class Tokens {
 public:
  // A new token for `account`, good until `now` + `lifetime` and, when it is used, for longer.
  [[nodiscard]] std::string Issue(int64_t account, WallTime now, std::chrono::seconds lifetime);

  // The account of a token that is good at `now`; its time starts anew.
  [[nodiscard]] std::optional<int64_t> Use(std::string_view token, WallTime now,
                                           std::chrono::seconds lifetime);

  void Revoke(std::string_view token);
  void RevokeAllOf(int64_t account);

 private:
  struct Entry {
    int64_t account;
    WallTime expires;
  };

  Mutex mutex_;
  std::unordered_map<std::string, Entry> entries_ GUARDED_BY(mutex_);  // by the token's SHA-256
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_SERVICE_TOKENS_H_
