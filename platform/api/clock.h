#ifndef IDKIOSK_PLATFORM_API_CLOCK_H_
#define IDKIOSK_PLATFORM_API_CLOCK_H_

#include <string>

#include "platform/base/time.h"

namespace idkiosk {

// Tells the time. Any thread.
class Clock {
 public:
  virtual ~Clock() = default;

  // Never goes back; counts suspend.
  [[nodiscard]] virtual MonotonicTime Now() const = 0;

  [[nodiscard]] virtual WallTime WallNow() const = 0;

  // How far people here are ahead of UTC at `time`: the system's time zone, as it is set now.
  [[nodiscard]] virtual std::chrono::seconds AheadOfUtc(WallTime time) const = 0;

  // False while the wall clock cannot be right: a board without a battery clock starts in 1970.
  // Certificates cannot be judged then, so nothing is sent.
  [[nodiscard]] virtual bool WallIsTrusted() const = 0;

  // Tells this boot of the board from all others, because Now() begins anew with each; empty where
  // the system does not say.
  [[nodiscard]] virtual std::string BootId() const = 0;
};

// Returns when the local day that `now` is in began.
[[nodiscard]] inline WallTime StartOfDay(const Clock& clock, WallTime now) {
  const auto day = std::chrono::floor<std::chrono::days>(now + clock.AheadOfUtc(now));
  // On the day of a change to or from summer time it began with another difference.
  return day - clock.AheadOfUtc(day - clock.AheadOfUtc(now));
}

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_API_CLOCK_H_
