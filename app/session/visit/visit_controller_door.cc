// The part of VisitController that lets people in, or turns them away.
#include <utility>

#include "app/session/page_session.h"
#include "app/session/visit/visit_controller.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr Duration kDoorEvery = std::chrono::seconds(10);

// Returns nothing where the person may go on all the same.
std::optional<StopReason> StopReasonOf(Obstacle::Kind kind) {
  switch (kind) {
    case Obstacle::Kind::kNoRoom:
      return StopReason::kQueueFull;
    case Obstacle::Kind::kHeld:
      return StopReason::kHeld;
    case Obstacle::Kind::kSpendCap:
      return StopReason::kSpendCap;
    case Obstacle::Kind::kAskedBefore:
      return std::nullopt;
  }
  return std::nullopt;
}

// The same for somebody who does not decide about asking again.
StopReason WhyNot(const Obstacle& obstacle) {
  return StopReasonOf(obstacle.kind).value_or(StopReason::kNeedsHelp);
}

// What became of a check. Whoever stands there may be anybody: the verdict itself is for the one
// who has the reference.
EarlierCheck BecameOf(const std::optional<CallSummary>& before) {
  if (!before || !HasEnded(before->state)) {
    const bool is_lost = before && CourseOf(before->state) == CallCourse::kNeedsPerson;
    return is_lost ? EarlierCheck::kNoAnswer : EarlierCheck::kWaiting;
  }
  switch (before->verdict) {
    case Verdict::kVerified:
    case Verdict::kNotVerified:
      return EarlierCheck::kAnswered;
    case Verdict::kRejected:
      return EarlierCheck::kRefused;
    case Verdict::kGivenUp:
    case Verdict::kNone:
      return EarlierCheck::kNoAnswer;
  }
  return EarlierCheck::kNoAnswer;
}

}  // namespace

void VisitController::Begin(const Visit& visit) {
  control_thread_.Check();
  End();
  view_.session = NewSessionId(deps_.entropy);
  view_.language = visit.language;
  view_.sound = visit.sound;
  person_.visits = true;
  person_.endpoint = visit.question.endpoint;
  (void)person_.number.Replace(visit.question.nin.text());  // it was checked
  person_.reason = visit.question.reason;
  person_.confirmed = visit.confirmed;
  person_.shows_answer = visit.shows_answer;
  person_.order = visit.order;
  EnterConsent();
  Touched();
  Publish();
}

void VisitController::End() {
  control_thread_.Check();
  if (view_.screen != Screen::kWelcome) EndSession();
}

void VisitController::TurnAway(const Obstacle& obstacle) {
  const auto why = StopReasonOf(obstacle.kind);
  if (!why && !person_.order) {
    Show(Screen::kRepeated);
    view_.repeated = BecameOf(obstacle.before);
    return;
  }
  LogWarning("a person was turned away: {}", obstacle.message);
  EnterStopped(WhyNot(obstacle), false);
  view_.opens_at = EndOf(obstacle);
}

std::optional<WallTime> VisitController::EndOf(const Obstacle& obstacle) const {
  const bool is_known = obstacle.kind == Obstacle::Kind::kSpendCap && obstacle.hold;
  return is_known && deps_.clock.WallIsTrusted() ? obstacle.hold->until : std::nullopt;
}

void VisitController::OnAcceptedLate(const Accepted& accepted,
                                     const std::shared_ptr<const VisitOrder>& order) {
  if (accepted) return deps_.queue.NobodyWaits(*accepted);
  if (order) deps_.order_over({.why = WhyNot(accepted.error()), .order = order});
}

// --- The welcome ---

void VisitController::LookAtDoor() {
  // A desk has no welcome.
  if (view_.screen != Screen::kWelcome || deps_.settings.mode == Mode::kBranch) return;
  LookAtCamera();
  opens_at_.reset();
  if (ReasonsHere().empty()) {
    obstacle_ = StopReason::kNotReady;
    return SayWhetherOpen();
  }
  deps_.queue.FindObstacle(Question(), false, [this, session = view_.session](const auto& looked) {
    if (session != view_.session || view_.screen != Screen::kWelcome) return;
    obstacle_ = looked.obstacle ? StopReasonOf(looked.obstacle->kind) : std::nullopt;
    opens_at_ = looked.obstacle ? EndOf(*looked.obstacle) : std::nullopt;
    SayWhetherOpen();
  });
}

void VisitController::SayWhetherOpen() {
  const bool no_camera = !obstacle_ && camera_is_there_ == false;
  SetClosed(no_camera ? StopReason::kCameraAway : obstacle_);
}

void VisitController::SetClosed(std::optional<StopReason> why) {
  door_timer_.Cancel();
  if (why) {
    door_timer_ =
        ScopedTimer(deps_.runner, deps_.clock.Now() + kDoorEvery, [this] { LookAtDoor(); });
  }
  const auto opens_at = why == StopReason::kSpendCap ? opens_at_ : std::nullopt;
  if (view_.closed == why && view_.opens_at == opens_at) return;
  view_.closed = why;
  view_.opens_at = opens_at;
  Publish();
}

}  // namespace idkiosk
