#include "app/cli/beside_vault.h"

#include <fmt/format.h>

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

Result<std::string> SetLedgerAside(const std::string& state_folder, const Clock& clock,
                                   FileSystem& files) {
  const std::string folder = state_folder + "/ledger";
  const auto there = files.Exists(folder);
  if (!there) return std::unexpected(there.error());
  if (!*there) return std::string();
  const std::string aside =
      fmt::format("{}.until-{}", folder, clock.WallNow().time_since_epoch().count());
  if (const Status moved = files.Rename(folder, aside); !moved) {
    return std::unexpected(moved.error());
  }
  return aside;
}

}  // namespace idkiosk
