#ifndef IDKIOSK_APP_UI_BRAND_LOGO_H_
#define IDKIOSK_APP_UI_BRAND_LOGO_H_

#include <string>
#include <string_view>

#include "platform/api/file_system.h"

namespace idkiosk {

// A bank's logo, as it is shown beside its name.
struct BrandLogo {
  std::string bytes;
  std::string_view content_type;
};

// Read once, at the start. A PNG of at most 4096 pixels a side, or an SVG that holds nothing but
// drawing; at most 256 kB. Errors: FileSystem::Read's, kInvalid (what is wrong, and the mend).
[[nodiscard]] Result<BrandLogo> LoadBrandLogo(FileSystem& files, const std::string& path);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_BRAND_LOGO_H_
