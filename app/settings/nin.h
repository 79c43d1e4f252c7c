#ifndef IDKIOSK_APP_SETTINGS_NIN_H_
#define IDKIOSK_APP_SETTINGS_NIN_H_

#include <cstddef>
#include <string_view>

namespace idkiosk {

// A national identification number of Nigeria has so many digits and nothing else.
inline constexpr size_t kNinDigits = 11;

[[nodiscard]] constexpr bool IsNin(std::string_view text) {
  return text.size() == kNinDigits &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_NIN_H_
