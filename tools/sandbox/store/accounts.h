#ifndef IDKIOSK_TOOLS_SANDBOX_STORE_ACCOUNTS_H_
#define IDKIOSK_TOOLS_SANDBOX_STORE_ACCOUNTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/error.h"
#include "platform/base/time.h"
#include "tools/sandbox/store/database.h"

namespace idkiosk::sandbox {

enum class Environment { kSandbox, kProduction };
[[nodiscard]] std::string_view Name(Environment environment);
[[nodiscard]] std::optional<Environment> ParseEnvironment(std::string_view name);

struct Account {
  int64_t id = 0;
  std::string user_id;  // what X-USER-ID holds
  std::string email;
  std::string name;
  std::string level;  // see service/endpoint.h
  Environment environment = Environment::kSandbox;
  bool trainer = false;  // may use the fault switches and the people of the dashboard
};

struct NewAccount {
  std::string email;
  std::string name;
  std::string password;
  std::string level = "full";
  Environment environment = Environment::kSandbox;
  bool trainer = false;
};

struct ApiKey {
  int64_t id = 0;
  std::string name;
  std::string ending;  // the last four characters, to tell keys apart
  WallTime created;
  std::optional<WallTime> revoked;
};

struct MadeKey {
  ApiKey key;
  std::string value;  // kept nowhere: this is the one time that it is seen
};

// Customers, their passwords (hashed) and API keys (hashed). Any thread.
class Accounts {
 public:
  explicit Accounts(Database& database) : database_(database) {}

  // Errors: kInvalid for a bad e-mail address or password, kFailedPrecondition for an address that
  // has an account.
  [[nodiscard]] Result<Account> Create(const NewAccount& account, WallTime now);

  [[nodiscard]] std::optional<Account> Find(int64_t id);
  [[nodiscard]] std::optional<Account> FindByEmail(std::string_view email);
  [[nodiscard]] std::vector<Account> All();
  // The account that a key, not revoked, belongs to.
  [[nodiscard]] std::optional<Account> FindByKey(std::string_view value);

  // Takes as long for an address without an account as for a wrong password.
  [[nodiscard]] std::optional<Account> Authenticate(std::string_view email,
                                                    std::string_view password);
  // Errors: kRejected when `current` is not the password, kInvalid when `fresh` is weak.
  [[nodiscard]] Status ChangePassword(int64_t account, std::string_view current,
                                      std::string_view fresh);
  // Errors: kNotFound.
  [[nodiscard]] Status SetLevel(std::string_view email, std::string_view level);

  [[nodiscard]] Result<MadeKey> CreateKey(int64_t account, std::string_view name, WallTime now);
  [[nodiscard]] std::vector<ApiKey> Keys(int64_t account);
  // Both fail with kNotFound where the account has no such key in use. A regenerated key keeps its
  // name; its old value ends at once.
  [[nodiscard]] Result<MadeKey> RegenerateKey(int64_t account, int64_t key, WallTime now);
  [[nodiscard]] Status RevokeKey(int64_t account, int64_t key, WallTime now);

 private:
  [[nodiscard]] std::string PasswordHash(int64_t account);
  Database& database_;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_STORE_ACCOUNTS_H_
