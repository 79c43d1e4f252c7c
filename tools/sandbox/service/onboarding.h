#ifndef IDKIOSK_TOOLS_SANDBOX_SERVICE_ONBOARDING_H_
#define IDKIOSK_TOOLS_SANDBOX_SERVICE_ONBOARDING_H_

#include <string>

#include "tools/sandbox/store/accounts.h"
#include "tools/sandbox/store/state_folder.h"

namespace idkiosk::sandbox {

// Where the server is to be reached.
struct ServerAddress {
  std::string base_url;  // "https://127.0.0.1:8443"
  std::string ca_file;   // empty for plain HTTP
  int port = 0;
};

[[nodiscard]] Status WriteServerAddress(const StateFolder& folder, const ServerAddress& address);
// Returns the address of the last server on this folder. Errors: kNotFound where there was none.
[[nodiscard]] Result<ServerAddress> ReadServerAddress(const StateFolder& folder);

struct OnboardOptions {
  std::string email;  // empty: a made-up one
  std::string name = "Sandbox customer";
  std::string level = "full";
  Environment environment = Environment::kSandbox;
  bool with_key = true;  // the real service leaves this to its dashboard
};

// Makes customers, and the messages that tell them of it.
class Onboarding {
 public:
  Onboarding(const StateFolder& folder, ServerAddress address)
      : folder_(folder), address_(std::move(address)) {}

  // A new account with a random password, a trainer's, and its onboarding message as JSON text:
  // {"base_url","environment","login":{"email","password"},"user_id","api_key","ca_file",
  // "test_nin"}
  [[nodiscard]] Result<std::string> Onboard(Accounts& accounts, const OnboardOptions& options,
                                            WallTime now) const;

  // Puts the message of an account that registered itself into the outbox, in place of an e-mail.
  // It names neither the password, which the account's owner chose, nor a key.
  [[nodiscard]] Status SendTo(const Account& account) const;

 private:
  [[nodiscard]] std::string Message(const Account& account, std::string_view password,
                                    std::string_view api_key) const;
  const StateFolder& folder_;
  const ServerAddress address_;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_SERVICE_ONBOARDING_H_
