#include "app/queue/call_meaning.h"

#include "app/service/outcome.h"

namespace idkiosk {
namespace {

std::string_view MeaningOfVerdict(Verdict verdict, std::optional<OutcomeKind> last_outcome) {
  switch (verdict) {
    case Verdict::kVerified:
    case Verdict::kNotVerified:
    case Verdict::kRejected:
      // What the last attempt came to says more, unless something else has decided since.
      return last_outcome && VerdictOf(*last_outcome) == verdict ? ClerkSentence(*last_outcome)
                                                                 : ClerkSentence(verdict);
    case Verdict::kGivenUp:
      return "Given up by a person: it is not known whether the service carried this check out, "
             "and it may have been billed.";
    case Verdict::kNone:
      break;
  }
  return "Ended without a verdict.";
}

// The service's operator may have said since what became of it (settle.cc).
std::string_view MeaningOfGivenUp(const CallSummary& call) {
  if (call.last_outcome && VerdictOf(*call.last_outcome) != Verdict::kNone) {
    return "Given up by a person. The service's operator has said since that it was carried out, "
           "so it was billed.";
  }
  if (!call.last_outcome && call.attempts > 0 && call.billed_attempts == 0) {
    return "Given up by a person. The service's operator has said since that it never arrived, so "
           "it was not billed.";
  }
  return MeaningOfVerdict(Verdict::kGivenUp, std::nullopt);
}

std::string_view MeaningOfHeld(const CallSummary& call) {
  if (call.billed_attempts > 0) {
    return "Sent, and perhaps billed, without an answer that counts: the check is kept until what "
           "holds it is mended.";
  }
  // Where nobody answered, nothing left.
  return call.http_status > 0
             ? "Sent, and not taken: the check is kept until what holds it is mended."
             : "Not sent: the check is kept until what holds it is mended.";
}

std::string_view MeaningOfUnknown(const CallSummary& call) {
  if (call.next_attempt) {
    return "Sent, without an answer that counts: it is not known whether the check went through. "
           "It is sent again by itself, and may be billed for that again.";
  }
  return ClerkSentence(call.last_outcome.value_or(OutcomeKind::kLost));
}

}  // namespace

std::string_view MeaningOfEnd(CallState state, Verdict verdict,
                              std::optional<OutcomeKind> last_outcome) {
  if (state == CallState::kCancelled) {
    return "Ended by a person before the service had answered. Make a new check if it is still "
           "wanted.";
  }
  if (state == CallState::kExpired) {
    return "Ended because it had waited too long to be sent. Make a new check if it is still "
           "wanted.";
  }
  return MeaningOfVerdict(verdict, last_outcome);
}

std::string_view MeaningOf(const CallSummary& call) {
  switch (call.state) {
    case CallState::kPending:
      return call.hold ? MeaningOfHeld(call) : "The check is kept, and goes out by itself.";
    case CallState::kSending:
      return "The check is on its way to the service.";
    case CallState::kUnknown:
      return MeaningOfUnknown(call);
    case CallState::kDamaged:
      return "What is kept of this check is damaged, so it is never sent. Tell the administrator.";
    case CallState::kDone:
    case CallState::kCancelled:
    case CallState::kExpired:
      break;
  }
  if (call.verdict == Verdict::kGivenUp) return MeaningOfGivenUp(call);
  return MeaningOfEnd(call.state, call.verdict, call.last_outcome);
}

}  // namespace idkiosk
