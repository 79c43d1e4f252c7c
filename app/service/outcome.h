#ifndef IDKIOSK_APP_SERVICE_OUTCOME_H_
#define IDKIOSK_APP_SERVICE_OUTCOME_H_

#include <optional>
#include <string>
#include <string_view>

#include "app/service/endpoint_profile.h"
#include "platform/api/http_client.h"

namespace idkiosk {

// The result of one attempt, as the service and the network tell it.
enum class OutcomeKind {
  kVerified,
  kNotVerified,
  kAnswered,         // 200 or 201 of a request that verifies nobody
  kRejected,         // 400 from the service itself
  kNoRecord,         // 404 for somebody the service does not know, as the profile shows it
  kNotFound,         // 404 for that, or for a wrong address: the profile does not say
  kUnreachable,      // no connection: name, route, refused, timed out
  kCertificate,      // the server is not the one we trust
  kCancelled,        // stopped by us before anything was sent
  kUnreadable,       // a success that is not the answer we know, or a refusal that is not believed
  kLost,             // sent, and no whole answer came
  kServerFailure,    // 5xx
  kUnauthorized,     // 401, or a login that was refused
  kForbidden,        // 403
  kWrongAddress,     // 404 on the path itself, a redirect
  kUnexpected,       // a 4xx that nobody foresaw, or that is not from the service itself
  kTooLarge,         // 413
  kPicturesRefused,  // 413 for pictures that cannot be made smaller
  kBusy,             // 429, or 503 that says when to come back
  kNotDelivered,     // the profile does not hold this endpoint yet; nothing was sent
  kMissingSecret,    // a credential is not in the vault; nothing was sent
  kNotApproved,      // the caller's before_send said no; nothing was sent
};

enum class Disposition {
  kDone,      // final
  kRetry,     // not sent; again after a backoff
  kLogin,     // again with a new token
  kReencode,  // again with smaller pictures
  kPause,     // again when the service has time
  kHold,      // somebody must mend something first
  kUnknown,   // it may have been billed: a rule or a person decides
};
enum class Verdict { kNone, kVerified, kNotVerified, kRejected, kGivenUp };

// Words for storing and printing: "not_verified", "maybe", "sent", and back.
[[nodiscard]] std::string_view Name(OutcomeKind kind);
[[nodiscard]] std::string_view Name(Disposition disposition);
[[nodiscard]] std::string_view Name(Billed billed);
[[nodiscard]] std::string_view Name(Verdict verdict);
[[nodiscard]] std::string_view Name(SendStage stage);
[[nodiscard]] std::optional<OutcomeKind> OutcomeKindOf(std::string_view name);
[[nodiscard]] std::optional<Disposition> DispositionOf(std::string_view name);
[[nodiscard]] std::optional<Billed> BilledOf(std::string_view name);
[[nodiscard]] std::optional<Verdict> VerdictOf(std::string_view name);
[[nodiscard]] std::optional<SendStage> SendStageOf(std::string_view name);

struct Outcome {
  OutcomeKind kind = OutcomeKind::kUnreachable;
  // The endpoint it is about: that of the call, or kLogin where the login on its behalf failed.
  Endpoint endpoint = Endpoint::kVerify;
  Disposition disposition = Disposition::kRetry;
  Billed billed = Billed::kNo;
  Verdict verdict = Verdict::kNone;
  SendStage stage = SendStage::kNotSent;
  int http_status = 0;   // 0 without an answer
  std::string engineer;  // one sentence for whoever mends it; no personal data
  // The service's own reference of the attempt, where the profile says where it is: at most 64
  // letters, digits and signs of ASCII, and none that may be a person's (see MayBePersonal).
  std::string service_reference;
  SecretBytes service_message;          // the service's own words; may hold personal data
  std::optional<Duration> retry_after;  // of kBusy, where the service says it: 1 s .. 1 h
  // The answer repeats another attempt's number, so nothing in it is about this one.
  bool is_anothers = false;
};

// Returns the meaning of an exchange with `endpoint`: the one place that decides it. `wall_now`
// stands in for the server's time where a Retry-After is a date and the answer has none.
// `attempt_id`: the number that went out with the request; empty: none, or it is not compared.
[[nodiscard]] Outcome Classify(const ServiceProfile& profile, Endpoint endpoint,
                               const HttpExchange& exchange, WallTime wall_now,
                               std::string_view attempt_id = {});

// Returns whether what is refused with this status may be free, and so be sent again: by itself, or
// once its hold is lifted.
[[nodiscard]] bool MayBeSentAgain(const ServiceProfile& profile, int status);

// The same as Classify for something that was found before any byte left: kNotDelivered,
// kMissingSecret, kNotApproved.
[[nodiscard]] Outcome NothingSent(OutcomeKind kind, Endpoint endpoint, const Error& error);

// What an answer asks for by its header Retry-After.
struct RetryAfter {
  std::optional<Duration> wait;  // 1 s .. 1 h; nothing: it does not say how long
  // What is odd about how it is said, to be put behind a sentence: "; its Retry-After is ...".
  // Empty: nothing. Holds no byte of the header.
  std::string oddity;
};
// `wall_now`: Classify's. Of several headers the longest wait holds.
[[nodiscard]] RetryAfter ReadRetryAfter(const HttpAnswer& answer, WallTime wall_now);

// The end of a 413 whose pictures cannot be made smaller, for the reason in `why`.
[[nodiscard]] Outcome PicturesRefused(Outcome too_large, std::string_view why);

// What the service itself says of an outcome, to be put behind a hold's detail; empty where it says
// nothing. Of its words those alone that refusals are made of (see WordsOfRefusals).
[[nodiscard]] std::string SaidByService(const Outcome& outcome);

// Forgets what the service says where that holds this secret: it is put on screens and into files.
void DropMessageWith(Outcome& outcome, std::string_view secret);

// Forgets the service's reference, which stays in the ledger, and says so.
void DropReference(Outcome& outcome);
// The same where it holds this secret, of eight signs or more.
void DropReferenceWith(Outcome& outcome, std::string_view secret);

// One sentence for the person at the counter.
[[nodiscard]] std::string_view ClerkSentence(OutcomeKind kind);
// Returns what that says where only the verdict is known; empty for kNone and kGivenUp, which no
// outcome has.
[[nodiscard]] std::string_view ClerkSentence(Verdict verdict);

// Returns the verdict of a call that ends by such an outcome; kNone: it does not end by it.
[[nodiscard]] Verdict VerdictOf(OutcomeKind kind);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_OUTCOME_H_
