#include "app/service/service_client.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "app/service/credential_headers.h"
#include "app/service/secret_writer.h"
#include "app/service/service_reference.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr size_t kShortestPassword = 8;
// So long a refusal that would be sent again may be followed by the answer itself. It pauses all
// calls for longer.
constexpr Duration kWatchBehind = std::chrono::milliseconds(500);
constexpr std::string_view kBearer = "Bearer ";

void AddHeader(HttpRequest& request, std::string name, SecretBytes value) {
  request.headers.push_back({std::move(name), std::move(value)});
}

// The header that this credential has for itself.
void AddCredential(HttpRequest& request, std::string_view credential, SecretBytes value) {
  AddHeader(request, std::string(FindCredential(credential)->header), std::move(value));
}

SecretBytes Bearer(const SecretBytes& value) {
  SecretWriter writer;
  writer.Text(kBearer).Bytes(value.view());
  return writer.Take();
}

ErrorCode CodeOf(const Outcome& outcome) {
  switch (outcome.kind) {
    case OutcomeKind::kUnauthorized:
      return ErrorCode::kUnauthenticated;
    case OutcomeKind::kForbidden:
      return ErrorCode::kForbidden;
    case OutcomeKind::kRejected:
    case OutcomeKind::kTooLarge:
    case OutcomeKind::kNoRecord:
      return ErrorCode::kRejected;
    case OutcomeKind::kUnreadable:
      return ErrorCode::kCorrupt;
    case OutcomeKind::kWrongAddress:
      return ErrorCode::kNotFound;
    case OutcomeKind::kNotDelivered:
    case OutcomeKind::kMissingSecret:
      return ErrorCode::kFailedPrecondition;
    case OutcomeKind::kCancelled:
      return ErrorCode::kCancelled;
    case OutcomeKind::kVerified:
    case OutcomeKind::kNotVerified:
    case OutcomeKind::kAnswered:
    case OutcomeKind::kNotFound:
    case OutcomeKind::kUnreachable:
    case OutcomeKind::kCertificate:
    case OutcomeKind::kLost:
    case OutcomeKind::kServerFailure:
    case OutcomeKind::kUnexpected:
    case OutcomeKind::kPicturesRefused:
    case OutcomeKind::kBusy:
    case OutcomeKind::kNotApproved:
      break;
  }
  return ErrorCode::kUnavailable;
}

// With what the service itself said about it.
std::unexpected<Error> InItsWords(const Outcome& outcome) {
  const std::string_view said = outcome.service_message.text();
  return Fail(CodeOf(outcome), "{}{}{}", outcome.engineer, said.empty() ? "" : ": ", said);
}

}  // namespace

ServiceClient::ServiceClient(const ServiceProfile& profile, const ServiceSettings& settings,
                             Environment environment, HttpClient& http, SecureStorage& storage,
                             TokenKeeper& tokens, const Clock& clock)
    : profile_(profile),
      settings_(settings),
      environment_(environment),
      address_(AddressOf(environment, settings.base_url)),
      http_(http),
      storage_(storage),
      tokens_(tokens),
      clock_(clock) {}

bool ServiceClient::connection_is_alive() const {
  return stays_open_ && connection_alive_at_ &&
         clock_.Now() - *connection_alive_at_ < profile_.keep_alive;
}

bool ServiceClient::ready() const {
  thread_.Check();
  return connection_is_alive() && tokens_.usable();
}

ServiceClient::Delivery ServiceClient::Deliver(const VerificationCall& call,
                                               HttpClient::BeforeSend before_send,
                                               std::string_view attempt_id) {
  std::vector<RequestValue> values = ValuesOf(call);
  values.push_back({Placeholder::kAttemptId, AsBytes(attempt_id)});
  Delivery delivery = Exchange(call.endpoint, values, std::move(before_send));
  // What a person is known by is no reference of an answer, whatever the profile says.
  for (const SecretBytes* each : {&call.nin, &call.phone, &call.id_number}) {
    const std::string& reference = delivery.outcome.service_reference;
    if (HoldsNumber(reference, each->text())) DropReference(delivery.outcome);
  }
  return delivery;
}

std::optional<Outcome> ServiceClient::Authenticate(Endpoint endpoint, HttpRequest& request,
                                                   SecretBytes& token) {
  const Authentication authentication = profile_.at(endpoint).authentication;
  if (authentication == Authentication::kNone) return std::nullopt;
  const auto missing = [endpoint](const Error& error) {
    return NothingSent(OutcomeKind::kMissingSecret, endpoint, error);
  };
  if (authentication == Authentication::kApiKeyBearer) {
    auto api_key = ReadCredentials(storage_, address_, std::array{kApiKeySecret});
    if (!api_key) return missing(api_key.error());
    AddHeader(request, kAuthorizationHeader, Bearer(api_key->front()));
    return std::nullopt;
  }
  auto secrets = ReadCredentials(storage_, address_, std::array{kApiKeySecret, kUserIdSecret});
  if (!secrets) return missing(secrets.error());
  auto fresh = tokens_.Token();
  if (!fresh) return std::move(fresh.error());
  token = std::move(*fresh);
  AddCredential(request, kApiKeySecret, std::move(secrets->front()));
  AddCredential(request, kUserIdSecret, std::move(secrets->back()));
  AddHeader(request, kAuthorizationHeader, Bearer(token));
  return std::nullopt;
}

ServiceClient::Delivery ServiceClient::Exchange(Endpoint endpoint,
                                                const std::vector<RequestValue>& values,
                                                HttpClient::BeforeSend before_send) {
  thread_.Check();
  if (Status callable = CheckCallable(profile_, endpoint, environment_); !callable) {
    return {NothingSent(OutcomeKind::kNotDelivered, endpoint, callable.error()), {}, {}};
  }
  auto built = BuildRequest(profile_.at(endpoint), settings_, values);
  if (!built) {
    return {NothingSent(OutcomeKind::kNotDelivered, endpoint, built.error()), {}, {}};
  }
  SecretBytes token;
  if (auto failed = Authenticate(endpoint, built->request, token)) {
    return {std::move(*failed), {}, {}};
  }
  const bool billed = profile_.at(endpoint).billed;
  const auto id = std::ranges::find(values, Placeholder::kAttemptId, &RequestValue::placeholder);
  if (billed && !profile_.attempt_id_header.empty() && id != values.end() && !id->value.empty()) {
    AddHeader(built->request, profile_.attempt_id_header, SecretBytes::CopyOf(AsText(id->value)));
  }
  const bool reuses = billed && connection_is_alive();
  built->request.fresh_connection = billed && !reuses;
  if (billed) {
    built->request.watch_behind = [this](int status) {
      return MayBeSentAgain(profile_, status) ? kWatchBehind : Duration();
    };
  }
  std::optional<Error> refused;
  HttpExchange exchange = http_.Send(built->request, [&]() -> Status {
    Status approved = before_send ? before_send() : Status();
    if (!approved) refused = approved.error();
    return approved;
  });
  if (refused && exchange.stage == SendStage::kNotSent) {
    return {NothingSent(OutcomeKind::kNotApproved, endpoint, *refused), {}, {}};
  }
  LearnFrom(exchange, reuses);
  const std::string_view attempt_id = id != values.end() ? AsText(id->value) : std::string_view();
  Outcome outcome = Classify(profile_, endpoint, exchange, clock_.WallNow(), attempt_id);
  DropSecrets(outcome, built->request);
  if (outcome.is_anothers) {
    // It may hold another person's data, and ours may come next.
    exchange.answer.body = {};
    connection_alive_at_.reset();
  }
  // Also where the refusal is not believed: the next call finds out with a new one.
  if (outcome.disposition == Disposition::kLogin || outcome.http_status == 401) {
    tokens_.Refuse(token);
  }
  return {std::move(outcome), std::move(exchange.answer.body), exchange.timings};
}

void ServiceClient::DropSecrets(Outcome& outcome, const HttpRequest& request) const {
  for (const auto& header : request.headers) {
    if (!IsCredentialHeader(header.name)) continue;
    std::string_view secret = header.value.text();
    if (secret.starts_with(kBearer)) secret.remove_prefix(kBearer.size());
    DropMessageWith(outcome, secret);
    DropReferenceWith(outcome, secret);
  }
  if (outcome.service_reference.empty()) return;
  const auto password = storage_.Get(kPasswordSecret);
  if (password) DropReferenceWith(outcome, password->text());
  // Of a vault that cannot be read nobody knows what the reference holds.
  if (!password && password.error().code != ErrorCode::kNotFound) DropReference(outcome);
}

void ServiceClient::LearnFrom(const HttpExchange& exchange, bool reused) {
  // It was closed sooner than the profile says: a call that met that a moment later would be
  // unknown. Whoever ended it here, by a deadline or a wish to stop, has learnt nothing of the
  // service.
  const bool was_ended_here = exchange.error && (exchange.error->code == ErrorCode::kTimeout ||
                                                 exchange.error->code == ErrorCode::kCancelled);
  const bool was_closed =
      !exchange.met_stale_bytes && !was_ended_here &&
      (exchange.stage == SendStage::kSent || exchange.timings.connected > Duration());
  if (reused && was_closed && std::exchange(stays_open_, false)) {
    LogWarning(
        "the service closes its connections sooner than the profile's keep_alive says: from now on "
        "each billed call opens its own");
  }
  if (exchange.met_stale_bytes) {
    LogWarning(
        "the service sent bytes behind its last answer: they were not read, and its connection was "
        "not used again");
  }
  connection_alive_at_.reset();
  if (exchange.stage != SendStage::kAnswered) return;
  const bool is_open = exchange.answer.header("connection") != "close" && !exchange.answer.early;
  if (is_open) connection_alive_at_ = clock_.Now();
  const auto server_now = ParseHttpDate(exchange.answer.header("date").value_or(""));
  if (server_now) server_time_ = {*server_now, clock_.Now()};
}

std::optional<Duration> ServiceClient::clock_skew() const {
  thread_.Check();
  if (!server_time_) return std::nullopt;
  const auto& [server_now, at] = *server_time_;
  return server_now - clock_.WallNow() + (clock_.Now() - at);
}

std::expected<SecretBytes, Outcome> ServiceClient::Ask(Endpoint endpoint,
                                                       const std::vector<RequestValue>& values) {
  Delivery delivery = Exchange(endpoint, values, {});
  if (delivery.outcome.disposition == Disposition::kLogin) {
    delivery = Exchange(endpoint, values, {});
  }
  if (delivery.outcome.kind == OutcomeKind::kAnswered) return std::move(delivery.answer);
  return std::unexpected(std::move(delivery.outcome));
}

Result<std::vector<RequestReason>> ServiceClient::FetchReasons() {
  const auto answer = Ask(Endpoint::kReasons, {});
  if (!answer) return Fail(CodeOf(answer.error()), "{}", answer.error().engineer);
  return ReadReasons(profile_.at(Endpoint::kReasons), answer->view());
}

Status ServiceClient::Login() {
  tokens_.Forget();
  const auto token = tokens_.Token();
  if (token) return {};
  return InItsWords(token.error());
}

Status ServiceClient::Register(const SecretBytes& login, const SecretBytes& password,
                               const SecretBytes& name) {
  if (Status strong = CheckPassword(password); !strong) return strong;
  const auto answer = Ask(Endpoint::kRegister, {{Placeholder::kLogin, login.view()},
                                                {Placeholder::kPassword, password.view()},
                                                {Placeholder::kName, name.view()}});
  if (!answer) return InItsWords(answer.error());
  return {};
}

Status ServiceClient::ChangePassword(const SecretBytes& new_password) {
  if (Status strong = CheckPassword(new_password); !strong) return strong;
  const auto secrets =
      ReadCredentials(storage_, address_, std::array{kLoginSecret, kPasswordSecret});
  if (!secrets) return std::unexpected(secrets.error());
  const auto answer =
      Ask(Endpoint::kChangePassword, {{Placeholder::kLogin, secrets->front().view()},
                                      {Placeholder::kPassword, secrets->back().view()},
                                      {Placeholder::kNewPassword, new_password.view()}});
  if (!answer) return InItsWords(answer.error());
  tokens_.Forget();
  if (Status stored = storage_.Put(kPasswordSecret, new_password); !stored) {
    return std::unexpected(stored.error().Within(
        "the service has changed the password, but it could not be stored here; set it with "
        "'idkiosk vault set password'"));
  }
  return {};
}

Status CheckPassword(const SecretBytes& password) {
  const auto has = [&password](int (*is)(int)) {
    return std::ranges::any_of(password.view(), [is](uint8_t c) { return is(c) != 0; });
  };
  const auto is_special = [](uint8_t c) { return c > 0x7f || std::ispunct(c) != 0 || c == ' '; };
  std::vector<std::string_view> missing;
  if (password.size() < kShortestPassword) missing.push_back("at least 8 characters");
  if (!has(std::isupper)) missing.push_back("an upper-case letter");
  if (!has(std::islower)) missing.push_back("a lower-case letter");
  if (!has(std::isdigit)) missing.push_back("a digit");
  if (!std::ranges::any_of(password.view(), is_special)) missing.push_back("a special character");
  if (missing.empty()) return {};
  return Fail(ErrorCode::kInvalid, "the password is too weak: it needs {}",
              fmt::join(missing, ", "));
}

}  // namespace idkiosk
