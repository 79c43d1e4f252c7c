#include "app/queue/storage/call_files.h"

#include <fmt/format.h>

#include <utility>

namespace idkiosk {

Result<std::unique_ptr<FileLock>> LockCalls(const std::string& folder, FileSystem& files) {
  return files.Lock(folder + "/queue.lock");
}

Result<std::vector<std::string>> CallFiles(const std::string& folder, FileSystem& files) {
  std::vector<std::string> paths;
  for (const auto& [place, beginning] : {std::pair(folder, "queue.db"), {folder + "/copies", ""}}) {
    const auto names = files.List(place);
    if (!names && names.error().code == ErrorCode::kNotFound) continue;
    if (!names) return std::unexpected(names.error());
    for (const std::string& name : *names) {
      if (name.starts_with(beginning)) paths.push_back(fmt::format("{}/{}", place, name));
    }
  }
  return paths;
}

Result<int> EraseCallFiles(const std::string& folder, FileSystem& files) {
  const auto lock = LockCalls(folder, files);
  if (!lock) return std::unexpected(lock.error());
  const auto paths = CallFiles(folder, files);
  if (!paths) return std::unexpected(paths.error());
  for (const std::string& path : *paths) {
    if (const Status gone = files.Erase(path); !gone) return std::unexpected(gone.error());
  }
  return static_cast<int>(paths->size());
}

}  // namespace idkiosk
