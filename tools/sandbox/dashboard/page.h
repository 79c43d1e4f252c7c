#ifndef IDKIOSK_TOOLS_SANDBOX_DASHBOARD_PAGE_H_
#define IDKIOSK_TOOLS_SANDBOX_DASHBOARD_PAGE_H_

#include <string_view>

namespace idkiosk::sandbox {

// A file of pages/, put into the program when it is built (embed.cmake).
struct Page {
  std::string_view path;  // below /dashboard/, such as "views/keys.js"; "" for index.html
  std::string_view content_type;
  std::string_view content;
};

// Null where there is none.
[[nodiscard]] const Page* FindPage(std::string_view path);

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_DASHBOARD_PAGE_H_
