#ifndef IDKIOSK_APP_CLI_LEDGER_ROWS_H_
#define IDKIOSK_APP_CLI_LEDGER_ROWS_H_

#include <string>

#include "app/accounts/ledger_lines.h"
#include "app/cli/command_line.h"
#include "app/queue/call_record.h"

namespace idkiosk {

// An attempt as it is exported.
[[nodiscard]] LedgerLine LineOf(const LedgerRow& row, const std::string& currency);

// `ledger match`: one of the group `ledger`.
[[nodiscard]] Command MatchCommand(CommandLine& line);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CLI_LEDGER_ROWS_H_
