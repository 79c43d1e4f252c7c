#include "app/service/token_keeper.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/service/request_codec.h"
#include "app/service/secret_writer.h"
#include "app/settings/credential_store.h"
#include "app/settings/credentials.h"

namespace idkiosk {
namespace {

constexpr Duration kLongestMargin = std::chrono::minutes(1);

// Something before the service answered with a page of its own: a firewall, a captive portal. An
// empty answer may be the service's, and so may any 401: who tries a wrong password too often is
// locked out.
bool IsOfAnother(const HttpAnswer& answer) {
  return answer.status != 401 && !answer.body.empty() && !ParseAnswer(answer.body.view());
}

bool IsRefused(OutcomeKind kind) {
  return kind == OutcomeKind::kUnauthorized || kind == OutcomeKind::kForbidden ||
         kind == OutcomeKind::kRejected;
}

// Whether this says nothing of the credentials. No call was sent then, whatever became of the
// login, so its own kinds ("it is not known whether it went through") would be told of the call. A
// redirection is a captive portal's: it ends by itself, as its page does.
bool IsOutage(OutcomeKind kind, const HttpAnswer& answer) {
  const bool is_redirected = kind == OutcomeKind::kWrongAddress && answer.status < 400;
  const bool may_be_anothers = IsRefused(kind) || kind == OutcomeKind::kWrongAddress;
  return kind == OutcomeKind::kLost || kind == OutcomeKind::kUnreadable ||
         kind == OutcomeKind::kServerFailure || kind == OutcomeKind::kTooLarge || is_redirected ||
         (may_be_anothers && IsOfAnother(answer));
}

}  // namespace

TokenKeeper::TokenKeeper(const ServiceProfile& profile, const ServiceSettings& settings,
                         Environment environment, HttpClient& http, SecureStorage& storage,
                         const Clock& clock)
    : profile_(profile),
      settings_(settings),
      environment_(environment),
      address_(AddressOf(environment, settings.base_url)),
      http_(http),
      storage_(storage),
      clock_(clock) {}

std::expected<SecretBytes, Outcome> TokenKeeper::Token() {
  const MutexLock lock(mutex_);
  if (!Usable(clock_.Now())) {
    held_.reset();
    if (auto failed = LogIn()) return std::unexpected(std::move(*failed));
  }
  held_->last_used = clock_.Now();
  return held_->token.Clone();
}

bool TokenKeeper::usable() const {
  const MutexLock lock(mutex_);
  return Usable(clock_.Now());
}

void TokenKeeper::Refuse(const SecretBytes& token) {
  const MutexLock lock(mutex_);
  if (held_ && held_->token.Equals(token.view())) held_.reset();
}

void TokenKeeper::TryAgain() {
  const MutexLock lock(mutex_);
  refused_credentials_ = SecretBytes();
}

void TokenKeeper::Forget() {
  const MutexLock lock(mutex_);
  held_.reset();
  refused_credentials_ = SecretBytes();
}

int TokenKeeper::logins() const {
  const MutexLock lock(mutex_);
  return logins_;
}

bool TokenKeeper::Usable(MonotonicTime now) const {
  return held_ && now < held_->renew_at && now - held_->last_used < settings_.token_idle;
}

// Both together, to be compared with the ones that were refused.
std::expected<SecretBytes, Outcome> TokenKeeper::Credentials(SecretBytes& login,
                                                             SecretBytes& password) {
  auto secrets = ReadCredentials(storage_, address_, std::array{kLoginSecret, kPasswordSecret});
  if (!secrets) {
    return std::unexpected(
        NothingSent(OutcomeKind::kMissingSecret, Endpoint::kLogin, secrets.error()));
  }
  login = std::move(secrets->front());
  password = std::move(secrets->back());
  SecretWriter both;
  both.Uint32(static_cast<uint32_t>(login.size())).Bytes(login.view()).Bytes(password.view());
  return both.Take();
}

std::optional<Outcome> TokenKeeper::LogIn() {
  if (Status callable = CheckCallable(profile_, Endpoint::kLogin, environment_); !callable) {
    return NothingSent(OutcomeKind::kNotDelivered, Endpoint::kLogin, callable.error());
  }
  SecretBytes login;
  SecretBytes password;
  auto credentials = Credentials(login, password);
  if (!credentials) return std::move(credentials.error());
  if (!refused_credentials_.empty() && credentials->Equals(refused_credentials_.view())) {
    Outcome refused = NothingSent(
        OutcomeKind::kUnauthorized, Endpoint::kLogin,
        {ErrorCode::kUnauthenticated,
         "login: the service has refused these credentials already; set others with 'idkiosk vault "
         "set login' and 'idkiosk vault set password', or lift the hold, which tries these once "
         "more"});
    refused.disposition = Disposition::kHold;
    return refused;
  }
  auto built = BuildRequest(
      profile_.at(Endpoint::kLogin), settings_,
      {{Placeholder::kLogin, login.view()}, {Placeholder::kPassword, password.view()}});
  if (!built) {
    return NothingSent(OutcomeKind::kMissingSecret, Endpoint::kLogin, built.error());
  }
  auto failed = Keep(http_.Send(built->request, {}), std::move(*credentials));
  if (failed) {
    for (const SecretBytes* each : {&login, &password}) DropMessageWith(*failed, each->text());
  }
  return failed;
}

std::optional<Outcome> TokenKeeper::Keep(HttpExchange exchange, SecretBytes credentials) {
  Outcome outcome = Classify(profile_, Endpoint::kLogin, exchange, clock_.WallNow());
  if (outcome.kind == OutcomeKind::kAnswered) {
    auto answer = ReadLogin(profile_.at(Endpoint::kLogin), exchange.answer.body.view());
    if (answer) {
      ++logins_;
      refused_credentials_ = SecretBytes();
      const MonotonicTime renew_at = RenewalTime(exchange.answer, *answer);
      held_ = Held{std::move(answer->token), renew_at, clock_.Now()};
      return std::nullopt;
    }
    outcome.kind = OutcomeKind::kUnreadable;
    outcome.disposition = Disposition::kRetry;
    outcome.engineer += ": " + answer.error().message;
  }
  if (IsOutage(outcome.kind, exchange.answer)) {
    if (IsOfAnother(exchange.answer)) {
      outcome.engineer += ", and a page that is not the service's: something before it answers";
    }
    outcome.kind = OutcomeKind::kUnreachable;
    outcome.disposition = Disposition::kRetry;
    outcome.verdict = Verdict::kNone;
  } else if (IsRefused(outcome.kind)) {
    refused_credentials_ = std::move(credentials);
    outcome.kind = OutcomeKind::kUnauthorized;
    outcome.disposition = Disposition::kHold;
    outcome.verdict = Verdict::kNone;
  }
  return outcome;
}

// A lifetime by the server's clock is true whatever ours says. One that cannot be read, or that is
// over at once, is left to the idle time and to a 401.
MonotonicTime TokenKeeper::RenewalTime(const HttpAnswer& answer, const LoginAnswer& login) const {
  const WallTime server_now =
      ParseHttpDate(answer.header("date").value_or("")).value_or(clock_.WallNow());
  if (!login.expires_at || *login.expires_at <= server_now) return MonotonicTime::max();
  const Duration lifetime =
      std::min<std::chrono::milliseconds>(*login.expires_at - server_now, std::chrono::years(1));
  return clock_.Now() + lifetime - std::min<Duration>(kLongestMargin, lifetime / 10);
}

}  // namespace idkiosk
