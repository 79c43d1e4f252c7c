#ifndef IDKIOSK_TOOLS_SANDBOX_SERVICE_RATE_LIMIT_H_
#define IDKIOSK_TOOLS_SANDBOX_SERVICE_RATE_LIMIT_H_

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "platform/base/mutex.h"
#include "platform/base/time.h"

namespace idkiosk::sandbox {

// Lets each caller make so many calls a minute: a bucket that holds a minute's worth and fills
// evenly. Any thread.
class RateLimit {
 public:
  // Nothing when the call may go on, and then it is counted; else how long to wait, in whole
  // seconds, at least one. `calls_a_minute` of 0 or less lets everything through.
  [[nodiscard]] std::optional<std::chrono::seconds> Take(std::string_view caller,
                                                         int calls_a_minute, WallTime now);

  // The same question without counting.
  [[nodiscard]] std::optional<std::chrono::seconds> Ask(std::string_view caller, int calls_a_minute,
                                                        WallTime now);

 private:
  struct Bucket {
    double calls;
    WallTime filled;
  };
  [[nodiscard]] Bucket& Fill(std::string_view caller, int calls_a_minute, WallTime now)
      REQUIRES(mutex_);

  Mutex mutex_;
  std::unordered_map<std::string, Bucket> buckets_ GUARDED_BY(mutex_);
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_SERVICE_RATE_LIMIT_H_
