#ifndef IDKIOSK_APP_SETTINGS_CREDENTIALS_H_
#define IDKIOSK_APP_SETTINGS_CREDENTIALS_H_

#include <algorithm>
#include <array>
#include <string_view>

namespace idkiosk {

// Names in SecureStorage: `idkiosk vault set api_key`.
inline constexpr std::string_view kLoginSecret = "login";
inline constexpr std::string_view kPasswordSecret = "password";
inline constexpr std::string_view kUserIdSecret = "user_id";
inline constexpr std::string_view kApiKeySecret = "api_key";

struct CredentialTraits {
  std::string_view name;     // in SecureStorage
  std::string_view pointer;  // its field of an onboarding message
  std::string_view what;     // for a question
  bool in_header = false;    // of a request: no space, no control character, ASCII only
};

// All that the service must be shown: onboarding asks for each, `vault set` takes each, the doctor
// and the console look for each, and a change of one may mend a hold. Staff's PINs, which the vault
// holds too, are named by app/session/staff/pin_record.h.
inline constexpr std::array kAllCredentials = {
    CredentialTraits{kLoginSecret, "/login/email",
                     "the login (an e-mail address) of the dashboard"},
    CredentialTraits{kPasswordSecret, "/login/password", "the password of the dashboard"},
    CredentialTraits{kUserIdSecret, "/user_id", "the user ID (the dashboard shows it)", true},
    CredentialTraits{kApiKeySecret, "/api_key", "the API key (the dashboard shows it once)", true},
};

// Those that tell one account from another: some profiles ask by the API key alone.
inline constexpr std::array kAccountSecrets = {kLoginSecret, kUserIdSecret, kApiKeySecret};

// Null: no credential has that name.
[[nodiscard]] constexpr const CredentialTraits* FindCredential(std::string_view name) {
  const auto found = std::ranges::find(kAllCredentials, name, &CredentialTraits::name);
  return found == kAllCredentials.end() ? nullptr : &*found;
}

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_CREDENTIALS_H_
