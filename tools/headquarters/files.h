#ifndef IDKIOSK_TOOLS_HEADQUARTERS_FILES_H_
#define IDKIOSK_TOOLS_HEADQUARTERS_FILES_H_

#include <span>
#include <string_view>

// Files of this folder that are put into the programs while building.
namespace idkiosk::headquarters {

[[nodiscard]] std::string_view SchemaSql();

struct PageFile {
  std::string_view path;  // "/", "/map.js"
  std::string_view type;
  std::string_view text;
};
[[nodiscard]] std::span<const PageFile> PageFiles();

}  // namespace idkiosk::headquarters

#endif  // IDKIOSK_TOOLS_HEADQUARTERS_FILES_H_
