#ifndef IDKIOSK_TOOLS_SANDBOX_SERVICE_MEMBERSHIPS_H_
#define IDKIOSK_TOOLS_SANDBOX_SERVICE_MEMBERSHIPS_H_

#include "tools/sandbox/service/call.h"
#include "tools/sandbox/service/onboarding.h"
#include "tools/sandbox/service/rate_limit.h"
#include "tools/sandbox/service/settings.h"
#include "tools/sandbox/service/tokens.h"

namespace idkiosk::sandbox {

// Login, registration and password change. Any thread.
class Memberships {
 public:
  Memberships(Accounts& accounts, Tokens& tokens, const CurrentSettings& settings,
              const Onboarding& onboarding)
      : accounts_(accounts), tokens_(tokens), settings_(settings), onboarding_(onboarding) {}

  [[nodiscard]] Reply LogIn(const Call& call);
  // The onboarding message goes to the state folder's outbox; the account starts at level basic.
  // Thirty a minute from one network address.
  [[nodiscard]] Reply Register(const Call& call);
  // Ends every access token of the account.
  [[nodiscard]] Reply ChangePassword(const Call& call);

  // For the API and the dashboard alike: the account, or a refusal. After ten wrong passwords in a
  // minute whoever is at the network address `from` has to wait, and the owner elsewhere has not;
  // after a hundred from all addresses everybody has.
  [[nodiscard]] std::expected<Account, Reply> Authenticate(std::string_view email,
                                                           std::string_view password,
                                                           std::string_view from, WallTime now);

 private:
  Accounts& accounts_;
  Tokens& tokens_;
  const CurrentSettings& settings_;
  const Onboarding& onboarding_;
  RateLimit wrong_passwords_;  // by e-mail address, and by that and network address
  RateLimit registrations_;    // by network address
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_SERVICE_MEMBERSHIPS_H_
