#include "app/operator/newest_files.h"

namespace idkiosk {

std::string TimeForName(WallTime time) {
  std::string stamp = FormatRfc3339(time);
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
  return stamp;
}

Status MakeRoom(FileSystem& files, const std::string& folder, const NameEnds& names, size_t kept) {
  if (Status made = files.CreateFolder(folder); !made) return made;
  auto there = files.List(folder);
  if (!there) return std::unexpected(there.error());
  std::erase_if(*there, [&](const std::string& name) {
    return !name.starts_with(names.prefix) || !name.ends_with(names.suffix);
  });
  for (size_t i = 0; i + kept <= there->size(); ++i) {
    if (Status removed = files.Remove(folder + "/" + (*there)[i]); !removed) return removed;
  }
  return {};
}

}  // namespace idkiosk
