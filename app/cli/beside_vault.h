#ifndef IDKIOSK_APP_CLI_BESIDE_VAULT_H_
#define IDKIOSK_APP_CLI_BESIDE_VAULT_H_

#include <string>

#include "platform/api/clock.h"
#include "platform/api/file_system.h"

namespace idkiosk {

// Erases what lies in the state folder beside a vault that is erased: the files of waiting calls,
// and the counts of wrong PINs, which name staff. Returns how many files of calls there were.
// Errors: EraseCallFiles', FileSystem's.
[[nodiscard]] Result<int> EraseBesideVault(const std::string& state_folder, FileSystem& files);

// Renames the ledger of a vault that is gone to `ledger.until-MS`, milliseconds since 1970: a new
// vault proves no record of it. Requires that no file of a call is there (CallFiles), so that what
// was approved cannot be sent again, and that nobody uses the queue. Returns the path; empty: there
// is no ledger. Errors: FileSystem's; it stays where it is then.
[[nodiscard]] Result<std::string> SetLedgerAside(const std::string& state_folder,
                                                 const Clock& clock, FileSystem& files);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CLI_BESIDE_VAULT_H_
