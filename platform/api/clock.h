#ifndef IDKIOSK_PLATFORM_API_CLOCK_H_
#define IDKIOSK_PLATFORM_API_CLOCK_H_

#include "platform/base/time.h"

namespace idkiosk {

// Tells the time. Any thread.
class Clock {
 public:
  virtual ~Clock() = default;

  // Never goes back; counts suspend.
  [[nodiscard]] virtual MonotonicTime Now() const = 0;

  [[nodiscard]] virtual WallTime WallNow() const = 0;

  // False while the wall clock cannot be right: a board without a battery clock starts in 1970.
  // Certificates cannot be judged then, so nothing is sent.
  [[nodiscard]] virtual bool WallIsTrusted() const = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_API_CLOCK_H_
