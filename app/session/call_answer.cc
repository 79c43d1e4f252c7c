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

std::optional<AnswerReason> ReasonOf(OutcomeKind outcome) {
  switch (outcome) {
    case OutcomeKind::kNotVerified:
      return AnswerReason::kNoMatch;
    case OutcomeKind::kRejected:
      return AnswerReason::kNumber;
    case OutcomeKind::kNoRecord:
    case OutcomeKind::kNotFound:
      return AnswerReason::kNoRecord;
    case OutcomeKind::kPicturesRefused:
      return AnswerReason::kPictures;
    case OutcomeKind::kUnreachable:
      return AnswerReason::kNetwork;
    case OutcomeKind::kCertificate:
    case OutcomeKind::kWrongAddress:
      return AnswerReason::kGateway;
    case OutcomeKind::kBusy:
      return AnswerReason::kServiceBusy;
    case OutcomeKind::kServerFailure:
    case OutcomeKind::kUnexpected:
    case OutcomeKind::kUnreadable:
    case OutcomeKind::kLost:
      return AnswerReason::kServiceError;
    case OutcomeKind::kUnauthorized:
    case OutcomeKind::kForbidden:
    case OutcomeKind::kMissingSecret:
      return AnswerReason::kAccess;
    case OutcomeKind::kVerified:
    case OutcomeKind::kAnswered:
    case OutcomeKind::kCancelled:
    case OutcomeKind::kNotDelivered:
    case OutcomeKind::kNotApproved:
    case OutcomeKind::kTooLarge:
      return std::nullopt;
  }
  return std::nullopt;
}

AnswerReason ReasonOf(HoldReason hold) {
  switch (hold) {
    case HoldReason::kAccess:
    case HoldReason::kMissingSecret:
    case HoldReason::kCredentials:
      return AnswerReason::kAccess;
    case HoldReason::kWrongAddress:
      return AnswerReason::kGateway;
    case HoldReason::kSpendCap:
      return AnswerReason::kSpendCap;
    case HoldReason::kClock:
      return AnswerReason::kClock;
    case HoldReason::kUnexpected:
      return AnswerReason::kServiceError;
    case HoldReason::kNotDelivered:
    case HoldReason::kNoRoom:
    case HoldReason::kBreaker:
    case HoldReason::kLedger:
    case HoldReason::kOtherAddress:
    case HoldReason::kNewProvisioning:
    case HoldReason::kHeadquarters:
      return AnswerReason::kHeld;
  }
  return AnswerReason::kHeld;
}

// The others are tried again at once: with a new token, or with smaller pictures.
bool RestsAfter(OutcomeKind outcome) {
  return outcome == OutcomeKind::kUnreachable || outcome == OutcomeKind::kCertificate ||
         outcome == OutcomeKind::kCancelled || outcome == OutcomeKind::kBusy ||
         outcome == OutcomeKind::kServerFailure;
}

}  // namespace

std::optional<CallAnswer> AnswerOf(const CallSummary& call) {
  const std::optional<AnswerReason> outcome =
      call.last_outcome ? ReasonOf(*call.last_outcome) : std::nullopt;
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
      return CallAnswer{AnswerKind::kRefused, std::nullopt};
  }
  return std::nullopt;
}

}  // namespace idkiosk
