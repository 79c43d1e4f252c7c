#ifndef IDKIOSK_PLATFORM_BASE_TIME_H_
#define IDKIOSK_PLATFORM_BASE_TIME_H_

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace idkiosk {

using Duration = std::chrono::nanoseconds;

// Time since the board booted, counting suspend (CLOCK_BOOTTIME). Every deadline and delay is one.
struct BootTimeline {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<BootTimeline>;
  static constexpr bool is_steady = true;
};
using MonotonicTime = std::chrono::time_point<BootTimeline>;

// UTC, as people and certificates tell it. May jump and may be wrong: for records and for talking
// with the service, never for deadlines. Does not convert to a MonotonicTime.
using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

// "2026-11-20T19:21:47.000Z"
[[nodiscard]] std::string FormatRfc3339(WallTime time);

// Accepts a zone ("Z", "+01:00") and a fraction of a second; nothing for any other text.
[[nodiscard]] std::optional<WallTime> ParseRfc3339(std::string_view text);

// "Fri, 20 Nov 2026 19:21:47 GMT" (RFC 9110 section 5.6.7, the preferred form only).
[[nodiscard]] std::optional<WallTime> ParseHttpDate(std::string_view text);

// "1.5 s", "340 ms", "4 min", for people.
[[nodiscard]] std::string FormatDuration(Duration duration);

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_TIME_H_
