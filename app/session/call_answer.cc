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

std::string ReasonOf(OutcomeKind outcome) {
  switch (outcome) {
    case OutcomeKind::kNotVerified:
      return "answer.why.no_match";
    case OutcomeKind::kRejected:
      return "answer.why.number";
    case OutcomeKind::kNoRecord:
      return "answer.why.no_record";
    case OutcomeKind::kPicturesRefused:
      return "answer.why.pictures";
    case OutcomeKind::kUnreachable:
      return "answer.why.network";
    case OutcomeKind::kCertificate:
    case OutcomeKind::kWrongAddress:
      return "answer.why.gateway";
    case OutcomeKind::kBusy:
      return "answer.why.service_busy";
    case OutcomeKind::kServerFailure:
    case OutcomeKind::kUnreadable:
    case OutcomeKind::kLost:
      return "answer.why.service_error";
    case OutcomeKind::kUnauthorized:
    case OutcomeKind::kForbidden:
    case OutcomeKind::kMissingSecret:
      return "answer.why.access";
    case OutcomeKind::kVerified:
    case OutcomeKind::kAnswered:
    case OutcomeKind::kCancelled:
    case OutcomeKind::kNotDelivered:
    case OutcomeKind::kNotApproved:
    case OutcomeKind::kTooLarge:
      return "";
  }
  return "";
}

std::string ReasonOf(HoldReason hold) {
  switch (hold) {
    case HoldReason::kAccess:
    case HoldReason::kMissingSecret:
    case HoldReason::kCredentials:
      return "answer.why.access";
    case HoldReason::kWrongAddress:
      return "answer.why.gateway";
    case HoldReason::kSpendCap:
      return "answer.why.spend_cap";
    case HoldReason::kClock:
      return "answer.why.clock";
    case HoldReason::kNotDelivered:
    case HoldReason::kBreaker:
      return "answer.why.held";
  }
  return "answer.why.held";
}

// The others are tried again at once: with a new token, or with smaller pictures.
bool RestsAfter(OutcomeKind outcome) {
  return outcome == OutcomeKind::kUnreachable || outcome == OutcomeKind::kCertificate ||
         outcome == OutcomeKind::kCancelled || outcome == OutcomeKind::kBusy ||
         outcome == OutcomeKind::kServerFailure;
}

}  // namespace

std::optional<CallAnswer> AnswerOf(const CallSummary& call) {
  const std::string outcome = call.last_outcome ? ReasonOf(*call.last_outcome) : "";
  switch (call.state) {
    case CallState::kDone:
      return CallAnswer{KindOf(call.verdict), outcome};
    case CallState::kPending:
      if (call.hold) return CallAnswer{AnswerKind::kKept, ReasonOf(call.hold->reason)};
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
      return CallAnswer{AnswerKind::kRefused, ""};
  }
  return std::nullopt;
}

}  // namespace idkiosk
