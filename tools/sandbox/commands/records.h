#ifndef IDKIOSK_TOOLS_SANDBOX_COMMANDS_RECORDS_H_
#define IDKIOSK_TOOLS_SANDBOX_COMMANDS_RECORDS_H_

#include <optional>
#include <string>

#include "tools/sandbox/store/ledger.h"

// What the server has recorded, straight from its database, so that it need not run. Whatever is
// wrong ends the command.
namespace idkiosk::sandbox {

using RecordReader = Result<std::string> (Ledger::*)(const LedgerQuery&);

// Returns the records as JSON. `state`: the server's folder.
[[nodiscard]] std::string ReadRecords(const std::string& state, RecordReader read,
                                      const LedgerQuery& query);

// Returns the time of an option; nothing where it was not given.
[[nodiscard]] std::optional<WallTime> SinceOf(const std::string& text);

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_COMMANDS_RECORDS_H_
