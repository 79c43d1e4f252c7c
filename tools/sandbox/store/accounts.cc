#include "tools/sandbox/store/accounts.h"

#include <algorithm>

#include "tools/sandbox/store/digest.h"
#include "tools/sandbox/store/password.h"

namespace idkiosk::sandbox {
namespace {

constexpr size_t kMaxEmail = 200;
constexpr size_t kKeyLength = 40;
constexpr size_t kEndingLength = 4;

Account AccountOf(const SqlRow& row) {
  return {.id = row.Integer(0),
          .user_id = row.Text(1),
          .email = row.Text(2),
          .name = row.Text(3),
          .level = row.Text(4),
          .environment = ParseEnvironment(row.Text(5)).value_or(Environment::kSandbox),
          .trainer = row.Integer(6) != 0};
}

// Good enough to tell a typing error; only a message sent there would prove more.
bool LooksLikeEmail(std::string_view text) {
  const size_t at = text.find('@');
  if (at == 0 || at == std::string_view::npos || text.size() > kMaxEmail) return false;
  const std::string_view host = text.substr(at + 1);
  if (host.find('.') == std::string_view::npos || host.starts_with('.') || host.ends_with('.')) {
    return false;
  }
  return host.find('@') == std::string_view::npos &&
         std::ranges::all_of(text, [](unsigned char c) { return c > ' ' && c < 127; });
}

}  // namespace

std::string_view Name(Environment environment) {
  return environment == Environment::kSandbox ? "sandbox" : "production";
}

std::optional<Environment> ParseEnvironment(std::string_view name) {
  if (name == "sandbox") return Environment::kSandbox;
  if (name == "production") return Environment::kProduction;
  return std::nullopt;
}

Result<Account> Accounts::Create(const NewAccount& account, WallTime now) {
  if (!LooksLikeEmail(account.email)) {
    return Fail(ErrorCode::kInvalid, "This is no e-mail address: one is like name@example.org.");
  }
  if (account.name.empty() || account.name.size() > kLongestName) {
    return Fail(ErrorCode::kInvalid, "The name must have 1 to {} characters.", kLongestName);
  }
  if (const std::string weakness = PasswordWeakness(account.password); !weakness.empty()) {
    return Fail(ErrorCode::kInvalid, "{}", weakness);
  }
  const std::string user_id = "USR-" + RandomText(16);
  const std::string hash = HashPassword(account.password);
  const auto inserted = database_.Run(
      "INSERT INTO account(user_id, email, name, password_hash, level, environment, trainer, "
      "created) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
      {user_id, account.email, account.name, hash, account.level, Name(account.environment),
       int64_t{account.trainer}, NumberOf(now)});
  if (!inserted && inserted.error().code == ErrorCode::kFailedPrecondition) {
    return Fail(ErrorCode::kFailedPrecondition, "There is an account for this address already.");
  }
  if (!inserted) return std::unexpected(inserted.error());
  const auto made = FindByEmail(account.email);
  if (!made) return Fail(ErrorCode::kInternal, "the new account is not in the database");
  return *made;
}

std::optional<Account> Accounts::Find(int64_t id) {
  std::optional<Account> found;
  (void)database_.Run(
      "SELECT id, user_id, email, name, level, environment, trainer FROM account WHERE id=?", {id},
      [&](const SqlRow& row) { found = AccountOf(row); });
  return found;
}

std::optional<Account> Accounts::FindByEmail(std::string_view email) {
  std::optional<Account> found;
  (void)database_.Run(
      "SELECT id, user_id, email, name, level, environment, trainer FROM account WHERE email=?",
      {email}, [&](const SqlRow& row) { found = AccountOf(row); });
  return found;
}

std::vector<Account> Accounts::All() {
  std::vector<Account> all;
  (void)database_.Run(
      "SELECT id, user_id, email, name, level, environment, trainer FROM account ORDER BY id", {},
      [&](const SqlRow& row) { all.push_back(AccountOf(row)); });
  return all;
}

std::optional<Account> Accounts::FindByKey(std::string_view value) {
  std::optional<Account> found;
  (void)database_.Run(
      "SELECT a.id, a.user_id, a.email, a.name, a.level, a.environment, a.trainer "
      "FROM api_key k JOIN account a ON a.id=k.account WHERE k.hash=? AND k.revoked IS NULL",
      {Sha256(value)}, [&](const SqlRow& row) { found = AccountOf(row); });
  return found;
}

std::string Accounts::PasswordHash(int64_t account) {
  std::string hash;
  (void)database_.Run("SELECT password_hash FROM account WHERE id=?", {account},
                      [&](const SqlRow& row) { hash = row.Text(0); });
  return hash;
}

std::optional<Account> Accounts::Authenticate(std::string_view email, std::string_view password) {
  static const std::string nobody = HashPassword("nobody has this password");
  const auto account = FindByEmail(email);
  const bool matches = PasswordMatches(password, account ? PasswordHash(account->id) : nobody);
  return account && matches ? account : std::nullopt;
}

Status Accounts::ChangePassword(int64_t account, std::string_view current, std::string_view fresh) {
  if (!PasswordMatches(current, PasswordHash(account))) {
    return Fail(ErrorCode::kRejected, "The current password is not right.");
  }
  if (const std::string weakness = PasswordWeakness(fresh); !weakness.empty()) {
    return Fail(ErrorCode::kInvalid, "{}", weakness);
  }
  if (current == fresh) {
    return Fail(ErrorCode::kInvalid, "The new password is the one in use.");
  }
  return database_.Run("UPDATE account SET password_hash=? WHERE id=?",
                       {HashPassword(fresh), account});
}

Status Accounts::SetLevel(std::string_view email, std::string_view level) {
  return database_.InTransaction([&](Database::Transaction& transaction) -> Status {
    auto updated = transaction.Run("UPDATE account SET level=? WHERE email=?", {level, email});
    if (updated && transaction.changed_rows() == 0) {
      return Fail(ErrorCode::kNotFound, "There is no account for the address {}.", email);
    }
    return updated;
  });
}

Result<MadeKey> Accounts::CreateKey(int64_t account, std::string_view name, WallTime now) {
  if (name.empty() || name.size() > kLongestName) {
    return Fail(ErrorCode::kInvalid, "The key's name must have 1 to {} characters.", kLongestName);
  }
  MadeKey made{.key = {.id = 0,
                       .name = std::string(name),
                       .ending = "",
                       .created = now,
                       .revoked = std::nullopt},
               .value = "sbx_" + RandomText(kKeyLength)};
  made.key.ending = made.value.substr(made.value.size() - kEndingLength);
  const auto inserted = database_.InTransaction([&](Database::Transaction& transaction) -> Status {
    auto run = transaction.Run(
        "INSERT INTO api_key(account, name, hash, ending, created) VALUES(?, ?, ?, ?, ?)",
        {account, name, Sha256(made.value), made.key.ending, NumberOf(now)});
    made.key.id = transaction.last_row();
    return run;
  });
  if (!inserted) return std::unexpected(inserted.error());
  return made;
}

std::vector<ApiKey> Accounts::Keys(int64_t account) {
  std::vector<ApiKey> keys;
  (void)database_.Run(
      "SELECT id, name, ending, created, revoked FROM api_key WHERE account=? ORDER BY id DESC",
      {account}, [&](const SqlRow& row) {
        keys.push_back(
            {.id = row.Integer(0),
             .name = row.Text(1),
             .ending = row.Text(2),
             .created = TimeOf(row.Integer(3)),
             .revoked = row.IsNull(4) ? std::nullopt : std::optional(TimeOf(row.Integer(4)))});
      });
  return keys;
}

Result<MadeKey> Accounts::RegenerateKey(int64_t account, int64_t key, WallTime now) {
  std::string name;
  (void)database_.Run("SELECT name FROM api_key WHERE id=? AND account=? AND revoked IS NULL",
                      {key, account}, [&](const SqlRow& row) { name = row.Text(0); });
  if (auto revoked = RevokeKey(account, key, now); !revoked) {
    return std::unexpected(revoked.error());
  }
  return CreateKey(account, name, now);
}

Status Accounts::RevokeKey(int64_t account, int64_t key, WallTime now) {
  return database_.InTransaction([&](Database::Transaction& transaction) -> Status {
    auto updated =
        transaction.Run("UPDATE api_key SET revoked=? WHERE id=? AND account=? AND revoked IS NULL",
                        {NumberOf(now), key, account});
    if (updated && transaction.changed_rows() == 0) {
      return Fail(ErrorCode::kNotFound, "There is no such key in use.");
    }
    return updated;
  });
}

}  // namespace idkiosk::sandbox
