#ifndef IDKIOSK_APP_UI_PAGE_FILES_H_
#define IDKIOSK_APP_UI_PAGE_FILES_H_

#include <span>
#include <string_view>

namespace idkiosk {

// One file of the page, as it lies in the program.
struct PageFile {
  std::string_view path;  // "/page.js"; index.html is "/"
  std::string_view content_type;
  std::string_view bytes;
  bool gzipped = false;
};

// Returns the files of app/ui/web.
[[nodiscard]] std::span<const PageFile> EmbeddedPage();

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_PAGE_FILES_H_
