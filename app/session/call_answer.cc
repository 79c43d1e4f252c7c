#include "app/session/call_answer.h"

namespace idkiosk {
namespace {

AnswerKind KindOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kVerified:
      return AnswerKind::kVerified;
    case Verdict::kNotVerified:
      return AnswerKind::kNotVerified;
    case Verdict::kRejected:
      return AnswerKind::kRefused;
    case Verdict::kGivenUp:
    case Verdict::kNone:
      return AnswerKind::kUnknown;
  }
  return AnswerKind::kUnknown;
}

// The others are tried again at once: with a new token, or with smaller pictures.
bool RestsAfter(OutcomeKind outcome) {
  return outcome == OutcomeKind::kUnreachable || outcome == OutcomeKind::kCertificate ||
         outcome == OutcomeKind::kCancelled || outcome == OutcomeKind::kBusy ||
         outcome == OutcomeKind::kServerFailure;
}

}  // namespace

std::optional<CallAnswer> AnswerOf(const CallSummary& call) {
  const std::string outcome(call.last_outcome ? Name(*call.last_outcome) : "");
  switch (call.state) {
    case CallState::kDone:
      return CallAnswer{KindOf(call.verdict), outcome};
    case CallState::kPending:
      if (call.hold) return CallAnswer{AnswerKind::kKept, std::string(Name(call.hold->reason))};
      if (call.last_outcome && RestsAfter(*call.last_outcome)) {
        return CallAnswer{AnswerKind::kKept, outcome};
      }
      return std::nullopt;
    case CallState::kSending:
      return std::nullopt;
    case CallState::kUnknown:
    case CallState::kDamaged:
      return CallAnswer{AnswerKind::kUnknown, outcome};
    case CallState::kCancelled:
    case CallState::kExpired:
      return CallAnswer{AnswerKind::kRefused, std::string(Name(call.state))};
  }
  return std::nullopt;
}

}  // namespace idkiosk
