#ifndef IDKIOSK_PLATFORM_BASE_TEXT_FILE_PATH_H_
#define IDKIOSK_PLATFORM_BASE_TEXT_FILE_PATH_H_

#include <string>

namespace idkiosk {

// Returns the folder that the path of a file or folder names before it; "." if it names none.
[[nodiscard]] std::string FolderOf(const std::string& path);

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_TEXT_FILE_PATH_H_
