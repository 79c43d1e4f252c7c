#ifndef IDKIOSK_APP_CLI_UNKNOWN_CALLS_H_
#define IDKIOSK_APP_CLI_UNKNOWN_CALLS_H_

#include <optional>
#include <string>

#include "app/cli/command_line.h"

// Unknown calls, all of them at once: after an outage there are many.
namespace idkiosk {

// Prints what the service's operator is asked about, as CSV: each attempt in doubt.
[[nodiscard]] CommandResult<ExitCode> ListUnknownAttempts(Components& components);

// Sends every unknown call once more, the oldest first, as long as their prices stay within
// `most_price` (hundredths of the currency; nothing: all). Asks first, unless `yes`.
[[nodiscard]] CommandResult<ExitCode> RetryAllUnknown(Components& components,
                                                      std::optional<int64_t> most_price, bool yes);

// queue import: reads what the service's operator said of them.
[[nodiscard]] Command ImportCommand(CommandLine& line);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CLI_UNKNOWN_CALLS_H_
