#include "app/queue/storage/call_files.h"

#include <fmt/format.h>

#include <utility>

namespace idkiosk {

Result<int> EraseCallFiles(const std::string& folder, FileSystem& files) {
  const auto lock = files.Lock(folder + "/queue.lock");
  if (!lock) return std::unexpected(lock.error());
  int erased = 0;
  for (const auto& [place, beginning] : {std::pair(folder, "queue.db"), {folder + "/copies", ""}}) {
    const auto names = files.List(place);
    if (!names && names.error().code == ErrorCode::kNotFound) continue;
    if (!names) return std::unexpected(names.error());
    for (const std::string& name : *names) {
      if (!name.starts_with(beginning)) continue;
      const Status gone = files.Erase(fmt::format("{}/{}", place, name));
      if (!gone) return std::unexpected(gone.error());
      ++erased;
    }
  }
  return erased;
}

}  // namespace idkiosk
