#include "tools/sandbox/service/service.h"

#include <algorithm>
#include <cctype>

#include "tools/sandbox/service/distortion.h"
#include "tools/sandbox/service/reasons.h"

namespace idkiosk::sandbox {
namespace {

constexpr size_t kLongestLoggedPath = 120;

// The path of an unknown endpoint as the log may keep it: digits in a row could be a NIN.
std::string PathForLog(std::string_view path) {
  constexpr size_t kHarmlessDigits = 4;
  std::string shown;
  size_t digits = 0;
  for (const char c : path.substr(0, kLongestLoggedPath)) {
    digits = std::isdigit(static_cast<unsigned char>(c)) != 0 ? digits + 1 : 0;
    shown += digits > kHarmlessDigits ? '#' : c;
  }
  return shown;
}

// What a request is about: the number that tells one call from another in the log.
std::string SubjectOf(Endpoint endpoint, const Form& form) {
  switch (endpoint) {
    case Endpoint::kCheck:
      return form.TextOrNothing("id_number");
    case Endpoint::kVerify:
    case Endpoint::kLookupNin:
      return form.TextOrNothing("nin");
    case Endpoint::kLookupPhone:
    case Endpoint::kLookupNinPhone:
      return LocalPhone(form.TextOrNothing("phone")).value_or("");
    case Endpoint::kReasons:
    case Endpoint::kLogin:
    case Endpoint::kRegister:
    case Endpoint::kChangePassword:
      return {};
  }
  return {};
}

constexpr std::string_view kAttemptHeader = "X-Attempt-Id";
constexpr size_t kLongestAttemptId = 64;

// The caller's own number of a request, in a header or a field: what is longer is none.
std::string AttemptIdOf(const HttpRequest& request, const Form& form) {
  std::string id(request.Header(kAttemptHeader));
  if (id.empty()) id = form.TextOrNothing("attemptId");
  return id.size() > kLongestAttemptId ? "" : id;
}

// What tells two bodies apart. The boundary of a multipart body is another each time.
std::string ContentOf(const HttpRequest& request) {
  std::string content(request.body);
  for (const HttpPart& part : request.parts) {
    content.append(part.name).append("=").append(part.content).append("\n");
  }
  return content;
}

// Assumed: the document bills a failed verification, and in these five nothing was verified.
bool IsBilled(const HttpAnswer& answer) {
  const int status = answer.status;
  const bool asks_to_wait =
      status == 503 && std::ranges::any_of(answer.headers, [](const auto& header) {
        return header.first == "Retry-After";
      });
  return status != 401 && status != 403 && status != 413 && status != 429 && !asks_to_wait;
}

std::string_view SentenceOf(int status) {
  switch (status) {
    case 400:
      return "The request is not HTTP as it should be, or it was cut short.";
    case 413:
      return "The request is too large.";
    case 414:
      return "The address is too long.";
    default:
      return "The request was refused.";
  }
}

}  // namespace

Service::Service(const Dependencies& deps)
    : deps_(deps),
      authentication_(deps.accounts, deps.tokens, deps.settings, deps.clock),
      verifications_(deps.people),
      memberships_(deps.accounts, deps.tokens, deps.settings, deps.onboarding) {}

std::optional<HttpAnswer> Service::BeforeBody(const HttpRequest& request) {
  const EndpointRow* row = FindEndpoint(request.method, request.path);
  if (row == nullptr) return std::nullopt;
  const auto fault = deps_.faults.Take(row->name, Faults::Stage::kBeforeBody);
  if (!fault) return std::nullopt;
  (void)deps_.ledger.Record({.time = deps_.clock.Now(),
                             .account = std::nullopt,
                             .endpoint = row->name,
                             .method = row->method,
                             .path = std::string(row->path),
                             .status = 0,
                             .message = {},
                             .fault = std::string(Name(fault->kind)),
                             .body_bytes = 0,
                             .body_read = false,
                             .attempt_id = std::string(request.Header(kAttemptHeader)),
                             .subject = {},
                             .content = {}},
                            std::nullopt);
  HttpAnswer answer;
  answer.delivery = Delivery::kDropped;
  answer.delay = fault->delay;
  return answer;
}

HttpAnswer Service::Handle(const HttpRequest& request) {
  const EndpointRow* row = FindEndpoint(request.method, request.path);
  if (row == nullptr) return Refuse(request, 404);
  const auto fault = deps_.faults.Take(row->name, Faults::Stage::kAfterBody);
  if (fault && fault->kind == FaultKind::kStaleToken) deps_.tokens.Revoke(BearerOf(request));
  const Form form(request);
  const std::string subject = SubjectOf(row->endpoint, form);
  const std::string content = ContentOf(request);
  Progress progress = Admit(*row, request, form);
  const std::string attempt_id = AttemptIdOf(request, form);
  if (fault) Distort(*fault, deps_.clock.Now(), progress.reply);
  RepeatAttemptId(attempt_id, fault && fault->kind == FaultKind::kAnothersAnswer, progress.reply);
  const Reply& reply = progress.reply;
  const auto recorded = deps_.ledger.Record(
      {.time = deps_.clock.Now(),
       .account = progress.caller ? std::optional(progress.caller->id) : std::nullopt,
       .endpoint = row->name,
       .method = row->method,
       .path = std::string(row->path),
       .status = reply.http.status,
       .message = reply.message,
       .fault = fault ? std::string(Name(fault->kind)) : std::string(),
       .body_bytes = request.BodySize(),
       .body_read = true,
       .attempt_id = attempt_id,
       .subject = subject,
       .content = content},
      ChargeFor(*row, progress, fault));
  if (!recorded)
    return Refusal(500, "The sandbox cannot write its ledger: " + recorded.error().message);
  return progress.reply.http;
}

HttpAnswer Service::Refuse(const HttpRequest& request, int status) {
  const EndpointRow* row = FindEndpoint(request.method, request.path);
  const std::string path = PathForLog(request.path);
  const std::string message = status == 404
                                  ? fmt::format("There is no endpoint {} {}.", request.method, path)
                                  : std::string(SentenceOf(status));
  (void)deps_.ledger.Record({.time = deps_.clock.Now(),
                             .account = std::nullopt,
                             .endpoint = row == nullptr ? "unknown" : row->name,
                             .method = request.method,
                             .path = path,
                             .status = status,
                             .message = message,
                             .fault = {},
                             .body_bytes = request.BodySize(),
                             .body_read = status == 404,
                             .attempt_id = {},
                             .subject = {},
                             .content = {}},
                            std::nullopt);
  return Refusal(status, message);
}

Service::Progress Service::Admit(const EndpointRow& row, const HttpRequest& request,
                                 const Form& form) {
  Progress progress;
  auto caller = authentication_.Caller(request, row.credentials);
  if (!caller) {
    progress.reply = sandbox::Refuse(401, std::move(caller.error()));
    progress.reply.http.headers.emplace_back("WWW-Authenticate", "Bearer");
    return progress;
  }
  const WallTime now = deps_.clock.Now();
  if (row.credentials != Credentials::kNone) {
    progress.caller = *caller;
    const int rate = deps_.settings.Get().rate_limit;
    if (const auto wait = rate_.Take(caller->user_id, rate, now)) {
      progress.reply = RefuseForNow(*wait, "Too many requests. Wait, then try again.");
      return progress;
    }
    if (!LevelAllows(caller->level, row.endpoint)) {
      progress.reply = sandbox::Refuse(
          403, fmt::format("The access level '{}' of this account does not include {}.",
                           caller->level, row.path));
      return progress;
    }
  }
  progress.admitted = true;
  progress.reply =
      form.defect().empty()
          ? CarryOut(row.endpoint,
                     {.request = request, .form = form, .account = *caller, .now = now})
          : sandbox::Refuse(400, form.defect());
  return progress;
}

Reply Service::CarryOut(Endpoint endpoint, const Call& call) {
  switch (endpoint) {
    case Endpoint::kCheck:
      return verifications_.Check(call, deps_.settings.Get().check_wants_reason);
    case Endpoint::kReasons:
      return {.http = Success(200, "The reasons there are.",
                              ReasonsJson(deps_.settings.Get().reason_form)),
              .message = {},
              .reference = {}};
    case Endpoint::kVerify:
      return verifications_.VerifyFace(call);
    case Endpoint::kLookupPhone:
      return verifications_.LookUpPhone(call);
    case Endpoint::kLookupNin:
      return verifications_.LookUpNin(call);
    case Endpoint::kLookupNinPhone:
      return verifications_.LookUpNinByPhone(call);
    case Endpoint::kLogin:
      return memberships_.LogIn(call);
    case Endpoint::kRegister:
      return memberships_.Register(call);
    case Endpoint::kChangePassword:
      return memberships_.ChangePassword(call);
  }
  return sandbox::Refuse(404, "There is no such endpoint.");
}

std::optional<Charge> Service::ChargeFor(const EndpointRow& row, const Progress& progress,
                                         const std::optional<Fault>& fault) const {
  if (!row.billed || !progress.admitted) return std::nullopt;
  const bool by_rule = IsBilled(progress.reply.http);
  const bool billed = fault && fault->billed ? *fault->billed : by_rule;
  if (!billed) return std::nullopt;
  return Charge{.outcome = progress.reply.outcome,
                .reference = progress.reply.reference,
                .amount = row.price};
}

}  // namespace idkiosk::sandbox
