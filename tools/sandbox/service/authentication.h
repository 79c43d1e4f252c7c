#ifndef IDKIOSK_TOOLS_SANDBOX_SERVICE_AUTHENTICATION_H_
#define IDKIOSK_TOOLS_SANDBOX_SERVICE_AUTHENTICATION_H_

#include <expected>
#include <string>
#include <string_view>

#include "tools/sandbox/http/http.h"
#include "tools/sandbox/service/clock.h"
#include "tools/sandbox/service/endpoint.h"
#include "tools/sandbox/service/settings.h"
#include "tools/sandbox/service/tokens.h"
#include "tools/sandbox/store/accounts.h"

namespace idkiosk::sandbox {

// The token of "Authorization: Bearer TOKEN"; empty for anything else.
[[nodiscard]] std::string_view BearerOf(const HttpRequest& request);

// Finds the account that sent a request. Any thread.
class Authentication {
 public:
  Authentication(Accounts& accounts, Tokens& tokens, const CurrentSettings& settings,
                 const SandboxClock& clock)
      : accounts_(accounts), tokens_(tokens), settings_(settings), clock_(clock) {}

  // Looks at one header after the other. The error is the sentence that goes with the 401.
  [[nodiscard]] std::expected<Account, std::string> Caller(const HttpRequest& request,
                                                           Credentials credentials);

 private:
  [[nodiscard]] std::expected<Account, std::string> ByThreeHeaders(const HttpRequest& request);
  [[nodiscard]] std::expected<Account, std::string> ByKeyAsBearer(const HttpRequest& request);

  Accounts& accounts_;
  Tokens& tokens_;
  const CurrentSettings& settings_;
  const SandboxClock& clock_;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_SERVICE_AUTHENTICATION_H_
