#ifndef IDKIOSK_TOOLS_SANDBOX_SERVICE_CLOCK_H_
#define IDKIOSK_TOOLS_SANDBOX_SERVICE_CLOCK_H_

#include <atomic>
#include <chrono>
#include <functional>

#include "platform/base/time.h"

namespace idkiosk::sandbox {

// The sandbox's time: the machine's, and as far ahead of it as a test has moved it. Any thread.
class SandboxClock {
 public:
  using Source = std::function<WallTime()>;
  explicit SandboxClock(Source source =
                            [] {
                              return std::chrono::floor<std::chrono::milliseconds>(
                                  std::chrono::system_clock::now());
                            })
      : source_(std::move(source)) {}

  [[nodiscard]] WallTime Now() const {
    return source_() + std::chrono::milliseconds(ahead_.load());
  }
  void Advance(std::chrono::milliseconds by) { ahead_ += by.count(); }

 private:
  const Source source_;
  std::atomic<int64_t> ahead_{0};
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_SERVICE_CLOCK_H_
