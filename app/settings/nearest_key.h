#ifndef IDKIOSK_APP_SETTINGS_NEAREST_KEY_H_
#define IDKIOSK_APP_SETTINGS_NEAREST_KEY_H_

#include <span>
#include <string>
#include <string_view>

namespace idkiosk {

// The key or section of a configuration that a mistaken one was probably meant to be; empty if none
// is near. Knows baseUrl for base_url, and a right name in the wrong section.
[[nodiscard]] std::string NearestKey(std::string_view mistaken);

// The same among other dotted names than the configuration's.
[[nodiscard]] std::string NearestKey(std::string_view mistaken,
                                     std::span<const std::string_view> keys);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_NEAREST_KEY_H_
