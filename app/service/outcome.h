#ifndef IDKIOSK_APP_SERVICE_OUTCOME_H_
#define IDKIOSK_APP_SERVICE_OUTCOME_H_

#include <optional>
#include <string>
#include <string_view>

#include "app/service/endpoint_profile.h"
#include "platform/api/http_client.h"

namespace idkiosk {

// What became of one attempt, as the service and the network tell it.
enum class OutcomeKind {
  kVerified,
  kNotVerified,
  kRejected,       // 400, or another status that says the question is wrong
  kNoRecord,       // 404 for somebody the service does not know
  kUnreachable,    // no connection: name, route, refused, timed out
  kCertificate,    // the server is not the one we trust
  kUnreadable,     // 200 or 201 that is not the answer we know
  kLost,           // sent, and no whole answer came
  kServerFailure,  // 5xx
  kUnauthorized,   // 401
  kForbidden,      // 403
  kWrongAddress,   // 404 on the path itself, a redirect, a method not allowed
  kTooLarge,       // 413
  kBusy,           // 429
  kNotDelivered,   // the profile does not hold this endpoint yet; nothing was sent
  kMissingSecret,  // a credential is not in the vault; nothing was sent
  kNotApproved,    // the queue said no at the last moment; nothing was sent
};

enum class Disposition { kDone, kRetry, kLogin, kReencode, kPause, kHold, kUnknown };
enum class Billed { kNo, kMaybe, kYes };
enum class Verdict { kNone, kVerified, kNotVerified, kRejected, kGivenUp };

// "kept", "billed" ... as they are stored and printed.
[[nodiscard]] std::string_view Name(OutcomeKind kind);
[[nodiscard]] std::string_view Name(Disposition disposition);
[[nodiscard]] std::string_view Name(Billed billed);
[[nodiscard]] std::string_view Name(Verdict verdict);
[[nodiscard]] std::string_view Name(SendStage stage);
[[nodiscard]] std::optional<OutcomeKind> OutcomeKindOf(std::string_view name);
[[nodiscard]] std::optional<Billed> BilledOf(std::string_view name);
[[nodiscard]] std::optional<Verdict> VerdictOf(std::string_view name);
[[nodiscard]] std::optional<SendStage> SendStageOf(std::string_view name);

struct Outcome {
  OutcomeKind kind = OutcomeKind::kUnreachable;
  Disposition disposition = Disposition::kRetry;
  Billed billed = Billed::kNo;
  Verdict verdict = Verdict::kNone;
  SendStage stage = SendStage::kNotSent;
  int http_status = 0;                  // 0 without an answer
  std::string clerk;                    // one sentence for the person at the counter
  std::string engineer;                 // one for whoever mends it; no personal data
  SecretBytes service_message;          // the service's own words, capped; may hold personal data
  std::optional<Duration> retry_after;  // kPause: 1 s .. 1 h, if the service said
};

// The one table of what a result means. `wall_now` reads a Retry-After that is a date.
[[nodiscard]] Outcome Classify(const ServiceProfile& profile, Endpoint endpoint,
                               const HttpExchange& exchange, WallTime wall_now);

// An outcome of something that was found before the request left: kNotDelivered, kMissingSecret,
// kNotApproved.
[[nodiscard]] Outcome NothingSent(OutcomeKind kind, const Error& error);

// The clerk's sentence of a kind alone, for an outcome that was stored.
[[nodiscard]] std::string_view ClerkSentence(OutcomeKind kind);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_OUTCOME_H_
