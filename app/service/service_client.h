#ifndef IDKIOSK_APP_SERVICE_SERVICE_CLIENT_H_
#define IDKIOSK_APP_SERVICE_SERVICE_CLIENT_H_

#include <optional>
#include <string_view>
#include <vector>

#include "app/service/answer_codec.h"
#include "app/service/outcome.h"
#include "app/service/request_codec.h"
#include "app/service/token_keeper.h"
#include "app/service/verification_call.h"

namespace idkiosk {

// Names of the credentials in SecureStorage.
inline constexpr std::string_view kApiKeySecret = "api_key";
inline constexpr std::string_view kUserIdSecret = "user_id";
inline constexpr std::string_view kLoginSecret = "login";
inline constexpr std::string_view kPasswordSecret = "password";

// The service's endpoints. Joins credentials at send time; sends each request at most once. One
// thread.
class ServiceClient {
 public:
  // All must outlive this.
  ServiceClient(const ServiceProfile& profile, const ServiceSettings& settings,
                Environment environment, HttpClient& http, SecureStorage& storage,
                TokenKeeper& tokens, const Clock& clock);

  struct Delivery {
    Outcome outcome;
    SecretBytes answer;  // the raw body of whatever came back
    HttpTimings timings;
  };

  // Sends one billed call. `before_send` runs once, when the connection stands and before the
  // first byte leaves; its error stops the call with nothing sent (kNotApproved). A 401 has made
  // the token be dropped; sending again is the caller's decision.
  [[nodiscard]] Delivery Deliver(const VerificationCall& call, HttpClient::BeforeSend before_send);

  // Unbilled. Errors of these: kUnavailable and kTimeout (network, service failing or busy),
  // kUnauthenticated, kForbidden, kRejected (the message carries the service's own words),
  // kCorrupt, kFailedPrecondition (profile or secret missing), kInvalid (a weak password).
  [[nodiscard]] Result<std::vector<RequestReason>> FetchReasons();
  [[nodiscard]] Status Login();
  [[nodiscard]] Status Register(const SecretBytes& login, const SecretBytes& password,
                                const SecretBytes& full_name);
  // Uses the stored password as the current one and stores the new one once the service took it.
  [[nodiscard]] Status ChangePassword(const SecretBytes& new_password);

  // Server time minus ours, measured on the last answer that had a Date header.
  [[nodiscard]] std::optional<Duration> clock_skew() const { return clock_skew_; }

 private:
  const ServiceProfile& profile_;
  const ServiceSettings& settings_;
  const Environment environment_;
  HttpClient& http_;
  SecureStorage& storage_;
  TokenKeeper& tokens_;
  const Clock& clock_;
  std::optional<Duration> clock_skew_;
};

// Checked before it is sent: at least 8 characters, upper and lower case, a digit, a special one.
// Errors: kInvalid, naming what is missing.
[[nodiscard]] Status CheckPassword(const SecretBytes& password);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_SERVICE_CLIENT_H_
