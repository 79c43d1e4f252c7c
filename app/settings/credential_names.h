#ifndef IDKIOSK_APP_SETTINGS_CREDENTIAL_NAMES_H_
#define IDKIOSK_APP_SETTINGS_CREDENTIAL_NAMES_H_

#include <string_view>

namespace idkiosk {

// The credentials in SecureStorage: `idkiosk vault set api_key`.
inline constexpr std::string_view kApiKeySecret = "api_key";
inline constexpr std::string_view kUserIdSecret = "user_id";
inline constexpr std::string_view kLoginSecret = "login";
inline constexpr std::string_view kPasswordSecret = "password";

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_CREDENTIAL_NAMES_H_
