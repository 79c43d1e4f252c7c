#ifndef IDKIOSK_APP_API_OPENAPI_TEXT_H_
#define IDKIOSK_APP_API_OPENAPI_TEXT_H_

#include <string_view>

namespace idkiosk {

// openapi.json, as it stands beside this file.
[[nodiscard]] std::string_view OpenApiText();

}  // namespace idkiosk

#endif  // IDKIOSK_APP_API_OPENAPI_TEXT_H_
