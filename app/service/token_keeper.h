#ifndef IDKIOSK_APP_SERVICE_TOKEN_KEEPER_H_
#define IDKIOSK_APP_SERVICE_TOKEN_KEEPER_H_

#include <expected>
#include <optional>

#include "app/service/answer_codec.h"
#include "app/service/outcome.h"
#include "app/settings/service_address.h"
#include "platform/api/clock.h"
#include "platform/api/secure_storage.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// The bearer token: logs in when one is needed, keeps it in memory only.
//
// Any thread, if nobody else uses `http` and `storage` meanwhile; whoever comes while a login is
// under way waits for it and shares its token. Credentials that the service refused are not tried
// again until the vault holds others, or somebody says that they are right.
class TokenKeeper {
 public:
  // All must outlive this.
  TokenKeeper(const ServiceProfile& profile, const ServiceSettings& settings,
              Environment environment, HttpClient& http, SecureStorage& storage,
              const Clock& clock);

  // A token that should still be good. It is renewed before `expires_at`, which is counted on the
  // monotonic clock from the server's own time, and after `service.token_idle` without use.
  // Where there is none, the Outcome says what to do: retry, pause or hold.
  [[nodiscard]] std::expected<SecretBytes, Outcome> Token();

  // Whether there is one that Token() would give without a login.
  [[nodiscard]] bool usable() const;

  // The service answered 401 to this token: the next Token() logs in again. A token that has been
  // replaced meanwhile is left alone, so that many calls cost one login.
  void Refuse(const SecretBytes& token);

  // The credentials that were refused are right, a person says: the next Token() tries them again.
  void TryAgain();

  // Forgets the token and which credentials were refused.
  void Forget();

  // Logins that the service granted.
  [[nodiscard]] int logins() const;

 private:
  struct Held {
    SecretBytes token;
    MonotonicTime renew_at;
    MonotonicTime last_used;
  };

  [[nodiscard]] bool Usable(MonotonicTime now) const REQUIRES(mutex_);
  [[nodiscard]] std::optional<Outcome> LogIn() REQUIRES(mutex_);
  [[nodiscard]] std::expected<SecretBytes, Outcome> Credentials(SecretBytes& login,
                                                                SecretBytes& password)
      REQUIRES(mutex_);
  [[nodiscard]] std::optional<Outcome> Keep(HttpExchange exchange, SecretBytes credentials)
      REQUIRES(mutex_);
  [[nodiscard]] MonotonicTime RenewalTime(const HttpAnswer& answer, const LoginAnswer& login) const;

  const ServiceProfile& profile_;
  const ServiceSettings& settings_;
  const Environment environment_;
  const ServiceAddress address_;
  HttpClient& http_;
  SecureStorage& storage_;
  const Clock& clock_;

  mutable Mutex mutex_;
  std::optional<Held> held_ GUARDED_BY(mutex_);
  SecretBytes refused_credentials_ GUARDED_BY(mutex_);
  int logins_ GUARDED_BY(mutex_) = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_TOKEN_KEEPER_H_
