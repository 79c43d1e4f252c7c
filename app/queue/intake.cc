#include "app/queue/intake.h"

namespace idkiosk {
namespace {

// Returns nothing for a hold under which calls are taken in all the same, and wait.
std::optional<Obstacle::Kind> KindOf(const Hold& hold) {
  switch (hold.reason) {
    case HoldReason::kClock:         // ends by itself once the network is there
    case HoldReason::kOtherAddress:  // of another call
    case HoldReason::kHeadquarters:  // only what is sent costs
      return std::nullopt;
    case HoldReason::kSpendCap:
      return Obstacle::Kind::kSpendCap;
    case HoldReason::kAccess:
    case HoldReason::kWrongAddress:
    case HoldReason::kUnexpected:
    case HoldReason::kNotDelivered:
    case HoldReason::kMissingSecret:
    case HoldReason::kCredentials:
    case HoldReason::kNoRoom:
    case HoldReason::kLedger:
    case HoldReason::kNewProvisioning:
      return Obstacle::Kind::kHeld;
    case HoldReason::kBreaker:  // after an outage it ends by itself
      return hold.until ? std::nullopt : std::optional(Obstacle::Kind::kHeld);
  }
  return Obstacle::Kind::kHeld;
}

std::optional<Obstacle> FindHold(const IntakeFacts& facts, Obstacle::Kind kind) {
  for (const Hold& hold : facts.holds) {
    if (KindOf(hold) != kind) continue;
    return Obstacle{{ErrorCode::kFailedPrecondition, hold.detail}, kind, hold};
  }
  return std::nullopt;
}

std::optional<Obstacle> NoRoom(const IntakeFacts& facts) {
  if (facts.room) return std::nullopt;
  return Obstacle{facts.room.error(), Obstacle::Kind::kNoRoom};
}

std::optional<Obstacle> Held(const IntakeFacts& facts) {
  return FindHold(facts, Obstacle::Kind::kHeld);
}

std::optional<Obstacle> SpendCap(const IntakeFacts& facts) {
  return FindHold(facts, Obstacle::Kind::kSpendCap);
}

std::optional<Obstacle> AskedBefore(const IntakeFacts& facts) {
  if (!facts.before || facts.confirmed) return std::nullopt;
  return Obstacle{{ErrorCode::kFailedPrecondition,
                   fmt::format("the same was asked before: {} is {}; asking again is billed again",
                               facts.before->reference, StateWord(*facts.before))},
                  Obstacle::Kind::kAskedBefore,
                  std::nullopt,
                  facts.before};
}

using Check = std::optional<Obstacle> (*)(const IntakeFacts&);
// In the order of Obstacle::Kind.
constexpr Check kChecks[] = {&NoRoom, &Held, &SpendCap, &AskedBefore};

}  // namespace

std::optional<Obstacle> Intake(const IntakeFacts& facts) {
  for (const Check check : kChecks) {
    if (auto found = check(facts)) return found;
  }
  return std::nullopt;
}

}  // namespace idkiosk
