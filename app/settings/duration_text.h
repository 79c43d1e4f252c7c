#ifndef IDKIOSK_APP_SETTINGS_DURATION_TEXT_H_
#define IDKIOSK_APP_SETTINGS_DURATION_TEXT_H_

#include <optional>
#include <string>
#include <string_view>

#include "platform/base/time.h"

namespace idkiosk {

// "500 ms", "2 s", "1.5 min", "72 h": a number that is not negative and its unit, with or without a
// space between. Nothing for any other text, and for more than a century.
[[nodiscard]] std::optional<Duration> ParseDuration(std::string_view text);

// The same, in the largest unit that gives a whole number: "90 s", "15 min".
[[nodiscard]] std::string DurationText(Duration duration);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_DURATION_TEXT_H_
