#ifndef IDKIOSK_TOOLS_SANDBOX_COMMANDS_COMMANDS_H_
#define IDKIOSK_TOOLS_SANDBOX_COMMANDS_COMMANDS_H_

#include "platform/base/command_line/command.h"

namespace idkiosk::sandbox {

// The exit code, besides 0 and the parser's own 2, of a command that throws Failure.
inline constexpr int kExitFailed = 1;

// Ends a command; what is wrong has been said.
struct Failure {};

// Each returns one command, or a family of them.
[[nodiscard]] Command ServeCommand();
[[nodiscard]] Command OnboardCommand();
[[nodiscard]] Command LedgerCommand();
[[nodiscard]] Command RequestsCommand();
[[nodiscard]] Command InvoiceCommand();
[[nodiscard]] Command ReplyCommand();
[[nodiscard]] Command FaultCommands();
[[nodiscard]] Command PeopleCommands();
[[nodiscard]] Command AccountCommands();

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_COMMANDS_COMMANDS_H_
