#ifndef IDKIOSK_APP_SERVICE_SERVICE_CLIENT_H_
#define IDKIOSK_APP_SERVICE_SERVICE_CLIENT_H_

#include <optional>
#include <vector>

#include "app/service/answer_codec.h"
#include "app/service/outcome.h"
#include "app/service/request_codec.h"
#include "app/service/token_keeper.h"
#include "app/service/verification_call.h"
#include "app/settings/credential_store.h"
#include "app/settings/credentials.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// The service's endpoints. Joins credentials at send time; sends each request at most once. One
// thread: the first that asks.
class ServiceClient {
 public:
  // All must outlive this.
  ServiceClient(const ServiceProfile& profile, const ServiceSettings& settings,
                Environment environment, HttpClient& http, SecureStorage& storage,
                TokenKeeper& tokens, const Clock& clock);

  struct Delivery {
    Outcome outcome;
    SecretBytes answer;  // the body of whatever came back; empty for another attempt's answer
    HttpTimings timings;
  };

  // Whether a call can leave at once: over a connection that was used a moment ago, with a token
  // that needs no login first.
  [[nodiscard]] bool ready() const;

  // Sends one billed call. `before_send` runs once, when the connection stands and before the first
  // byte leaves; its error stops the call with nothing sent (kNotApproved). `attempt_id` must be
  // given where the profile has a place for it (ServiceProfile::TakesAttemptId). A 401 makes the
  // token be dropped; whether to send again is the caller's decision.
  [[nodiscard]] Delivery Deliver(const VerificationCall& call, HttpClient::BeforeSend before_send,
                                 std::string_view attempt_id = {});

  // The unbilled ones. Errors: kUnavailable (network, or a service that fails, is busy or cannot
  // prove who it is), kUnauthenticated, kForbidden, kRejected (the service refused what was asked),
  // kCorrupt (an answer that makes no sense), kNotFound (nothing is at that address),
  // kFailedPrecondition (profile or secret missing), kInvalid (a weak password).
  [[nodiscard]] Result<std::vector<RequestReason>> FetchReasons();

  // TokenKeeper::TryAgain.
  void TryLoginAgain() { tokens_.TryAgain(); }

  // The same for a person at a terminal: the message ends in the service's own words, where it
  // has any. They may hold personal data, and are for no log.
  [[nodiscard]] Status Login();
  [[nodiscard]] Status Register(const SecretBytes& login, const SecretBytes& password,
                                const SecretBytes& name);
  // The stored password is the current one; the new one is stored once the service has taken it.
  // Errors also: those of SecureStorage, and then the message says that the service has changed it.
  [[nodiscard]] Status ChangePassword(const SecretBytes& new_password);

  // Server time minus what our clock says now, by the last answer that had a Date header; true to a
  // second or so.
  [[nodiscard]] std::optional<Duration> clock_skew() const;

 private:
  // Adds what the endpoint's authentication asks for; `token` is the bearer token that was used.
  [[nodiscard]] std::optional<Outcome> Authenticate(Endpoint endpoint, HttpRequest& request,
                                                    SecretBytes& token);
  [[nodiscard]] Delivery Exchange(Endpoint endpoint, const std::vector<RequestValue>& values,
                                  HttpClient::BeforeSend before_send);
  // Sends once more if the token had expired. Returns the answer, or the outcome without one.
  [[nodiscard]] std::expected<SecretBytes, Outcome> Ask(Endpoint endpoint,
                                                        const std::vector<RequestValue>& values);
  // A billed call goes over a connection that was used before only while the profile says that it
  // is open: one that dies under the call leaves it unknown.
  [[nodiscard]] bool connection_is_alive() const;
  // What a server may have sent back of what it was sent.
  void DropSecrets(Outcome& outcome, const HttpRequest& request) const;
  // `reused`: it was to go over such a connection.
  void LearnFrom(const HttpExchange& exchange, bool reused);

  const ThreadChecker thread_ = ThreadChecker::Detached();
  const ServiceProfile& profile_;
  const ServiceSettings& settings_;
  const Environment environment_;
  const ServiceAddress address_;
  HttpClient& http_;
  SecureStorage& storage_;
  TokenKeeper& tokens_;
  const Clock& clock_;
  // The server's time at a time of ours that does not jump.
  std::optional<std::pair<WallTime, MonotonicTime>> server_time_;
  std::optional<MonotonicTime> connection_alive_at_;  // when the last answer left it open
  bool stays_open_ = true;  // none was found closed that should have been open
};

// Checks what the document calls typical: at least 8 characters, upper and lower case, a digit and
// a special character. Errors: kInvalid, naming what is missing.
[[nodiscard]] Status CheckPassword(const SecretBytes& password);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_SERVICE_CLIENT_H_
