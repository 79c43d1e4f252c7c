#ifndef IDKIOSK_APP_CLI_MATCH_COMMAND_H_
#define IDKIOSK_APP_CLI_MATCH_COMMAND_H_

#include "app/cli/command_line.h"

namespace idkiosk {

// `ledger match`: one of the group `ledger`.
[[nodiscard]] Command MatchCommand(CommandLine& line);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CLI_MATCH_COMMAND_H_
