#include "platform/base/text/file_path.h"

#include <filesystem>

namespace idkiosk {

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace idkiosk
