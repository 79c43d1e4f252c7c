#ifndef IDKIOSK_PLATFORM_POSIX_SYSTEM_CLOCK_H_
#define IDKIOSK_PLATFORM_POSIX_SYSTEM_CLOCK_H_

#include "platform/api/clock.h"

namespace idkiosk {

// The kernel's clocks. The wall clock is trusted once it shows a time after this program was
// written.
class SystemClock final : public Clock {
 public:
  [[nodiscard]] MonotonicTime Now() const override;
  [[nodiscard]] WallTime WallNow() const override;
  [[nodiscard]] std::chrono::seconds AheadOfUtc(WallTime time) const override;
  [[nodiscard]] bool WallIsTrusted() const override;
  [[nodiscard]] std::string BootId() const override;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_POSIX_SYSTEM_CLOCK_H_
