#include "app/cli/beside_vault.h"

#include "app/queue/storage/call_files.h"
#include "app/session/staff/pin_tries.h"

namespace idkiosk {

Result<int> EraseBesideVault(const std::string& state_folder, FileSystem& files) {
  for (const Staff each : {Staff::kClerk, Staff::kOperator}) {
    const std::string path = PinTries::Path(state_folder, each);
    const auto there = files.Exists(path);
    if (!there) return std::unexpected(there.error());
    if (!*there) continue;
    if (const Status gone = files.Erase(path); !gone) return std::unexpected(gone.error());
  }
  return EraseCallFiles(state_folder, files);
}

}  // namespace idkiosk
