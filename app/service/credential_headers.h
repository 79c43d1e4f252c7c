#ifndef IDKIOSK_APP_SERVICE_CREDENTIAL_HEADERS_H_
#define IDKIOSK_APP_SERVICE_CREDENTIAL_HEADERS_H_

#include <algorithm>
#include <string_view>

#include "app/settings/credentials.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {

// The header of the token, or of the API key where a profile asks by that alone.
inline constexpr const char* kAuthorizationHeader = "Authorization";

// Returns whether a request's header of this name, in any case, holds a secret. What the service
// repeats of it is dropped, and a profile may not give the name to something else.
[[nodiscard]] inline bool IsCredentialHeader(std::string_view name) {
  return EqualsIgnoringCase(name, kAuthorizationHeader) ||
         std::ranges::any_of(kAllCredentials, [name](const CredentialTraits& each) {
           return !each.header.empty() && EqualsIgnoringCase(name, each.header);
         });
}

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_CREDENTIAL_HEADERS_H_
