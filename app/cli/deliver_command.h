#ifndef IDKIOSK_APP_CLI_DELIVER_COMMAND_H_
#define IDKIOSK_APP_CLI_DELIVER_COMMAND_H_

#include "app/cli/command_line.h"

namespace idkiosk {

// queue deliver: has everything sent that may be, by this process or by the kiosk that runs, and
// says what waits then, and why.
[[nodiscard]] Command DeliverCommand(CommandLine& line);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CLI_DELIVER_COMMAND_H_
