#include <algorithm>
#include <utility>

#include "app/queue/durable_queue.h"
#include "app/queue/queue_internals.h"

// What stops the calls of an endpoint, and what lets them go on.

namespace idkiosk {
namespace {

std::string BrakeSetting(Endpoint endpoint) { return fmt::format("brake/{}", Name(endpoint)); }

std::string DetailOf(const Brake::Pull& pull, const BrakeState& before, const Outcome& outcome) {
  if (!pull.for_good) {
    return fmt::format(
        "the first answer after an outage verified nothing ({}): one call goes "
        "first again",
        outcome.engineer);
  }
  if (pull.hold == HoldReason::kWrongAddress) {
    return fmt::format("two people in a row have no record, or the address is wrong: {}",
                       outcome.engineer);
  }
  if (before.half_open == HalfOpen::kAfterHold) {
    return fmt::format("the first call after a hold was lifted verified nothing: {}",
                       outcome.engineer);
  }
  return fmt::format("{} attempts in a row cost money and verified nothing, the last one: {}",
                     pull.state.wasted, outcome.engineer);
}

}  // namespace

Result<BrakeState> DurableQueue::Internals::BrakeOf(Endpoint endpoint) {
  const auto stored = state.Setting(BrakeSetting(endpoint));
  if (!stored) return std::unexpected(stored.error());
  if (!*stored) return BrakeState();
  return ParseBrake(**stored).value_or(Brake::Lifted({}));
}

Status DurableQueue::Internals::KeepBrake(Endpoint endpoint, const BrakeState& kept) {
  return state.SetSetting(BrakeSetting(endpoint), SerializeBrake(kept));
}

Status DurableQueue::Internals::PullBrake(const CallRow& row, const Outcome& outcome, bool outage) {
  // A login on behalf of the call says nothing about its endpoint.
  if (outcome.endpoint != row.endpoint) return {};
  const auto before = BrakeOf(row.endpoint);
  if (!before) return std::unexpected(before.error());
  bool same_person = false;
  if (!before->not_found.empty()) {
    const auto other = calls.Load(before->not_found);
    same_person = other && !row.question_mac.empty() && other->question_mac == row.question_mac;
  }
  const Brake::Pull pull = brake.After(*before, {row.reference, outcome, same_person, outage});
  if (pull.state != *before) {
    if (Status kept = KeepBrake(row.endpoint, pull.state); !kept) return kept;
  }
  if (before->doubt && IsSuccess(outcome)) {
    if (Status erased = EraseDoubtful(row.endpoint); !erased) return erased;
  }
  // What holds the endpoint by itself names the mend.
  if (!pull.hold || outcome.disposition == Disposition::kHold) return {};
  Hold hold{*pull.hold, row.endpoint, time.WallNow(), std::nullopt,
            DetailOf(pull, *before, outcome)};
  if (!pull.for_good) {
    hold.until = hold.since +
                 std::chrono::milliseconds(ToMilliseconds(policy.Backoff(pull.state.wasted + 1)));
  }
  return state.Put(time, hold);
}

Status DurableQueue::Internals::EraseDoubtful(Endpoint endpoint) {
  const auto ended = calls.WithPayload(CallState::kDone, endpoint);
  if (!ended) return std::unexpected(ended.error());
  for (const int64_t id : *ended) {
    auto row = calls.LoadById(id);
    if (!row) return std::unexpected(row.error());
    if (row->state != CallState::kDone) continue;
    if (Status erased = ErasePayload(*row); !erased) return erased;
    KeepForRetention(*row);
    if (Status saved = calls.Save(*row); !saved) return saved;
  }
  return {};
}

Status DurableQueue::Internals::LiftFor(Endpoint endpoint) {
  const auto holds = state.Active(time);
  if (!holds) return std::unexpected(holds.error());
  if (Status lifted = state.LiftFor(endpoint); !lifted) return lifted;
  for (size_t i = 0; i < kEndpointCount; ++i) {
    const auto each = static_cast<Endpoint>(i);
    const bool was_held = std::ranges::any_of(*holds, [&](const Hold& hold) {
      return hold.endpoint ? *hold.endpoint == each && each == endpoint : true;
    });
    if (!was_held) continue;
    const auto before = BrakeOf(each);
    if (!before) return std::unexpected(before.error());
    if (Status kept = KeepBrake(each, Brake::Lifted(*before)); !kept) return kept;
  }
  return {};
}

}  // namespace idkiosk
