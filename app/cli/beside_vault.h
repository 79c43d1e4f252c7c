#ifndef IDKIOSK_APP_CLI_BESIDE_VAULT_H_
#define IDKIOSK_APP_CLI_BESIDE_VAULT_H_

#include <string>

#include "platform/api/file_system.h"

namespace idkiosk {

// Erases what lies in the state folder beside a vault that is erased: the files of waiting calls,
// and the counts of wrong PINs, which name staff. Returns how many files of calls there were.
// Errors: EraseCallFiles', FileSystem's.
[[nodiscard]] Result<int> EraseBesideVault(const std::string& state_folder, FileSystem& files);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CLI_BESIDE_VAULT_H_
