#ifndef IDKIOSK_APP_ACCOUNTS_PERIOD_H_
#define IDKIOSK_APP_ACCOUNTS_PERIOD_H_

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "platform/base/error.h"
#include "platform/base/time.h"

namespace idkiosk {

// Whose clock days and months go by. The kiosk's is the system's, which TZ overrides.
enum class Zone { kKiosk, kUtc };

// From `since` on, and before `until`; nothing: without an end there.
struct Period {
  std::optional<WallTime> since;
  std::optional<WallTime> until;

  [[nodiscard]] bool Has(WallTime time) const {
    return (!since || time >= *since) && (!until || time < *until);
  }
};

// Reads what was typed behind --since, --until and --month; an empty text was not given. A day
// begins at its first moment, however long it is. Errors: kInvalid, naming the option, the text and
// an example.
[[nodiscard]] Result<Period> ReadPeriod(const std::string& since, const std::string& until,
                                        const std::string& month, Zone zone);

// "2026-11-20T20:21:47.000+01:00"; in UTC "2026-11-20T19:21:47.000Z".
[[nodiscard]] std::string FormatIn(Zone zone, WallTime time);

// Reads RFC 3339, and a time without a zone, "2026-11-20 20:21:47", as one of `zone`.
[[nodiscard]] std::optional<WallTime> ParseIn(Zone zone, std::string_view text);

// Returns the moment of that day and time in `zone`, where clocks are moved one of those it may be.
[[nodiscard]] WallTime TimeIn(Zone zone, std::chrono::year_month_day day,
                              std::chrono::milliseconds of_day);

// Returns a sentence where TZ names a zone that this machine does not know, so that its times are
// UTC's; empty where it is known, or not set.
[[nodiscard]] std::string ZoneTrouble();

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ACCOUNTS_PERIOD_H_
