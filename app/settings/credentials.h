#ifndef IDKIOSK_APP_SETTINGS_CREDENTIALS_H_
#define IDKIOSK_APP_SETTINGS_CREDENTIALS_H_

#include <algorithm>
#include <array>
#include <ranges>
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
  // The header of a request that it has for itself; empty: none. What goes into a header has no
  // space, no control character, and is ASCII only.
  std::string_view header = {};
  bool of_account = false;  // it tells one account from another
};

// All that the service must be shown: onboarding asks for each, `vault set` takes each, the doctor
// and the console look for each, and a change of one may mend a hold. Staff's PINs, which the vault
// holds too, are named by app/session/staff/pin_record.h.
inline constexpr std::array kAllCredentials = {
    CredentialTraits{.name = kLoginSecret,
                     .pointer = "/login/email",
                     .what = "the login (an e-mail address) of the dashboard",
                     .of_account = true},
    CredentialTraits{.name = kPasswordSecret,
                     .pointer = "/login/password",
                     .what = "the password of the dashboard"},
    CredentialTraits{.name = kUserIdSecret,
                     .pointer = "/user_id",
                     .what = "the user ID (the dashboard shows it)",
                     .header = "X-USER-ID",
                     .of_account = true},
    CredentialTraits{.name = kApiKeySecret,
                     .pointer = "/api_key",
                     .what = "the API key (the dashboard shows it once)",
                     .header = "X-API-KEY",
                     .of_account = true},
};

// The names of those that tell one account from another: some profiles ask by the API key alone.
inline constexpr auto kAccountSecrets = [] {
  constexpr auto kCount = std::ranges::count(kAllCredentials, true, &CredentialTraits::of_account);
  std::array<std::string_view, kCount> names;
  auto of_account = kAllCredentials | std::views::filter(&CredentialTraits::of_account);
  std::ranges::transform(of_account, names.begin(), &CredentialTraits::name);
  return names;
}();

// Null: no credential has that name.
[[nodiscard]] constexpr const CredentialTraits* FindCredential(std::string_view name) {
  const auto found = std::ranges::find(kAllCredentials, name, &CredentialTraits::name);
  return found == kAllCredentials.end() ? nullptr : &*found;
}

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_CREDENTIALS_H_
