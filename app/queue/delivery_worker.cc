#include "app/queue/delivery_worker.h"

#include <algorithm>
#include <utility>

#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr Duration kUpkeepEvery = std::chrono::minutes(1);
// Larger ones make certificates and records doubtful.
constexpr Duration kTolerableSkew = std::chrono::minutes(2);

// Whether the service is there, and does not ask for a rest.
bool WasAnswered(const Outcome& outcome) {
  return outcome.disposition == Disposition::kDone || outcome.disposition == Disposition::kLogin ||
         outcome.disposition == Disposition::kReencode;
}

}  // namespace

DeliveryWorker::DeliveryWorker(DurableQueue& queue, ServiceClient& service,
                               BundleShrinker& shrinker, const Clock& clock)
    : queue_(queue), service_(service), shrinker_(shrinker), clock_(clock) {}

Result<DeliveryWorker::Step> DeliveryWorker::DeliverNext(const std::optional<CallReference>& only) {
  thread_.Check();
  std::optional<DurableQueue::Claimed> approved;
  return Deliver(only, false, approved, [] { return false; });
}

Result<DeliveryWorker::Step> DeliveryWorker::DeliverRun(const Run& run) {
  thread_.Check();
  std::optional<DurableQueue::Claimed> approved;
  for (;;) {
    auto step = Deliver(std::nullopt, false, approved, run.go_on);
    if (!step || !step->reference) return step;
    run.report(*step);
    // What is approved is sent, whatever has happened meanwhile.
    if (!approved && !run.go_on()) return step;
  }
}

Result<DeliveryWorker::Step> DeliveryWorker::Deliver(const std::optional<CallReference>& only,
                                                     bool at_once,
                                                     std::optional<DurableQueue::Claimed>& approved,
                                                     const std::function<bool()>& go_on) {
  if (unrecorded_) return Record(approved, go_on);
  if (approved) {
    unrecorded_ = Attempt(*std::exchange(approved, std::nullopt), [] { return Status(); });
    return Record(approved, go_on);
  }
  auto claim = queue_.Claim(only, at_once);
  if (!claim) return std::unexpected(claim.error());
  if (const auto* idle = std::get_if<DurableQueue::Idle>(&*claim)) return Rest(*idle);
  if (std::exchange(told_of_cap_, false)) {
    LogInfo("the cap of spending has room again: what waited for it is sent");
  }
  auto& claimed = std::get<DurableQueue::Claimed>(*claim);
  const CallReference reference = claimed.reference;
  const std::string attempt_id = claimed.attempt_id;
  if (claimed.login_again) service_.TryLoginAgain();
  unrecorded_ =
      Attempt(std::move(claimed), [&] { return queue_.BeginAttempt(reference, attempt_id); });
  return Record(approved, go_on);
}

// What is sealed stays as it was taken: the rung stands in the call's record since the 413, in the
// same commit, so that a full disk or a power failure repeats no request of full size.
DeliveryWorker::Unrecorded DeliveryWorker::Attempt(DurableQueue::Claimed claimed,
                                                   HttpClient::BeforeSend before_send) {
  Unrecorded over;
  over.reference = claimed.reference;
  over.rung = claimed.rung;
  if (claimed.rung > 0) {
    auto smaller = shrinker_.Shrink(claimed.call.pictures, claimed.rung);
    if (!smaller) {
      over.outcome = NothingSent(OutcomeKind::kPicturesRefused, claimed.call.endpoint,
                                 smaller.error().Within("the service found the pictures too large, "
                                                        "and they were not made smaller"));
      return over;
    }
    claimed.call.pictures = std::move(*smaller);
  }
  ServiceClient::Delivery delivery =
      service_.Deliver(claimed.call, std::move(before_send), claimed.attempt_id);
  over.outcome = std::move(delivery.outcome);
  over.answer = std::move(delivery.answer);
  // Where no smaller rung is left, the refusal is the answer.
  const bool last = claimed.rung >= BundleShrinker::kRungs || claimed.call.pictures.empty();
  if (over.outcome.disposition == Disposition::kReencode && last) {
    over.outcome = PicturesRefused(std::move(over.outcome), "there is no smaller size");
  }
  over.endpoint = claimed.call.endpoint;
  LearnServiceTime();
  return over;
}

Result<DeliveryWorker::Step> DeliveryWorker::Record(std::optional<DurableQueue::Claimed>& approved,
                                                    const std::function<bool()>& go_on) {
  const Unrecorded& over = *unrecorded_;
  // Whatever else came of it may ask for a rest, a login, or smaller pictures first.
  if (over.outcome.disposition == Disposition::kDone && service_.ready() && go_on()) {
    auto next = queue_.RecordAndApproveNext(over.reference, over.outcome, over.answer.view());
    if (!next) return std::unexpected(next.error());
    approved = std::move(*next);
  } else if (Status recorded = queue_.Record(over.reference, over.outcome, over.answer.view());
             !recorded) {
    return std::unexpected(recorded.error());
  }
  Unrecorded done = std::move(*std::exchange(unrecorded_, std::nullopt));
  // What was paid for is on the disk by now.
  LogInfo("{} {}: {} ({})", done.reference, Name(done.endpoint), Name(done.outcome.kind),
          done.outcome.engineer);
  Step step;
  step.reference = done.reference;
  step.next = clock_.Now();
  if (done.rung > 0 && done.outcome.disposition == Disposition::kDone &&
      done.outcome.kind != OutcomeKind::kPicturesRefused) {
    shrinker_.Remember(done.rung);
  }
  step.outcome = std::move(done.outcome);
  return step;
}

Result<DeliveryWorker::Step> DeliveryWorker::Rest(const DurableQueue::Idle& idle) {
  const MonotonicTime now = clock_.Now();
  if (!next_upkeep_ || now >= *next_upkeep_) {
    next_upkeep_ = now + kUpkeepEvery;
    LearnServiceTime();
    if (const auto changed = queue_.Expire(); !changed) return std::unexpected(changed.error());
  }
  TellOfCap(idle.hold);
  Step step;
  step.hold = idle.hold;
  step.nothing_ahead = !idle.look_again;
  step.next = std::min(idle.look_again.value_or(*next_upkeep_), *next_upkeep_);
  return step;
}

void DeliveryWorker::TellOfCap(const std::optional<Hold>& hold) {
  if (!hold || hold->reason != HoldReason::kSpendCap || told_of_cap_) return;
  told_of_cap_ = true;
  LogWarning("{}: what waits is not sent before {}", hold->detail,
             hold->until ? FormatRfc3339(*hold->until) : "a person says so");
}

void DeliveryWorker::LearnServiceTime() {
  const auto skew = service_.clock_skew();
  if (!skew) return;
  queue_.LearnServiceTime(*skew);
  if (warned_of_skew_ || std::chrono::abs(*skew) < kTolerableSkew) return;
  warned_of_skew_ = true;
  LogWarning("this clock is {} {} the service's: set it, or give the kiosk a time server",
             FormatDuration(std::chrono::abs(*skew)), *skew > Duration() ? "behind" : "ahead of");
}

Result<CallSummary> DeliveryWorker::DeliverUntil(const CallReference& reference,
                                                 MonotonicTime deadline, const WaitUntil& wait) {
  thread_.Check();
  if (Status hurried = queue_.Hurry(reference); !hurried) return std::unexpected(hurried.error());
  for (;;) {
    auto call = queue_.Show(reference);
    if (!call) return call;
    const bool resends = call->state == CallState::kUnknown && call->next_attempt;
    if ((call->state != CallState::kPending && !resends) || call->hold) return call;
    const auto step = DeliverNext(reference);
    if (!step) return std::unexpected(step.error());
    if (step->reference) continue;
    if (clock_.Now() >= deadline || !wait(std::min(step->next, deadline))) return call;
  }
}

Result<int> DeliveryWorker::DeliverAll(MonotonicTime deadline, const WaitUntil& wait,
                                       const std::function<bool()>& go_on) {
  thread_.Check();
  int attempts = 0;
  bool at_once = true;
  std::optional<DurableQueue::Claimed> approved;
  for (;;) {
    const auto step = Deliver(std::nullopt, at_once, approved, go_on);
    if (!step) return std::unexpected(step.error());
    if (step->reference) {
      ++attempts;
      at_once = at_once && WasAnswered(*step->outcome);
      // What is approved is sent, whatever has happened meanwhile.
      if (!approved && !go_on()) return attempts;
      continue;
    }
    if (step->nothing_ahead || step->next > deadline || !wait(step->next)) return attempts;
  }
}

}  // namespace idkiosk
