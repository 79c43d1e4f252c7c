#ifndef IDKIOSK_APP_SETTINGS_URL_CHECK_H_
#define IDKIOSK_APP_SETTINGS_URL_CHECK_H_

#include <string>
#include <string_view>

#include "platform/base/error.h"

namespace idkiosk {

// The service's base address as requests use it: scheme and host in lower case, no slash at its
// end. A port and a path prefix are allowed. Errors: kInvalid; the message goes on from the key's
// name and does not repeat the address, which may hold a password.
[[nodiscard]] Result<std::string> CheckBaseUrl(std::string_view text);

// The address that results are posted to: as above, but a slash at its end stays. Errors: as above.
[[nodiscard]] Result<std::string> CheckWebhook(std::string_view text);

// The address of a proxy: http, https, socks5 or socks5h, host and port. Errors: as above.
[[nodiscard]] Result<std::string> CheckProxy(std::string_view text);

// Requires an address that CheckBaseUrl or CheckWebhook accepted.
[[nodiscard]] bool IsPlainHttp(std::string_view base_url);
[[nodiscard]] bool IsLoopback(std::string_view base_url);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_URL_CHECK_H_
