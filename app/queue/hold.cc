#include <algorithm>
#include <utility>

#include "app/queue/durable_queue.h"
#include "app/queue/queue_internals.h"
#include "platform/base/log.h"

// What stops the calls of an endpoint, and what lets them go on.

namespace idkiosk {
namespace {

// 1: a hold for the credentials was lifted, and no call was claimed since.
constexpr std::string_view kLoginAgain = "login_again";

std::string UrlSetting(Endpoint endpoint) { return fmt::format("url/{}", Name(endpoint)); }

std::string DetailOf(const Breaker::Verdict& verdict, const BreakerState& before,
                     const Outcome& outcome) {
  if (!verdict.for_good) {
    return fmt::format(
        "no answer since the last outage verified anybody ({}): the next call is sent alone, as a "
        "test",
        outcome.engineer);
  }
  if (verdict.hold == HoldReason::kWrongAddress) {
    return fmt::format("two people in a row have no record, or the address is wrong: {}",
                       outcome.engineer);
  }
  if (before.half_open == HalfOpen::kAfterHold) {
    return fmt::format("the first call after a hold was lifted verified nothing: {}",
                       outcome.engineer);
  }
  return fmt::format(
      "{} attempts in a row cost money, or may have, and verified nothing, the last one: {}",
      verdict.state.wasted, outcome.engineer);
}

}  // namespace

Result<BreakerState> DurableQueue::Internals::BreakerOf(Endpoint endpoint) {
  const auto stored = state.Setting(BreakerSetting(endpoint));
  if (!stored) return std::unexpected(stored.error());
  if (!*stored) return BreakerState();
  return ParseBreaker(**stored).value_or(Breaker::Lifted({}));
}

Status DurableQueue::Internals::KeepBreaker(Endpoint endpoint, const BreakerState& kept) {
  return state.SetSetting(BreakerSetting(endpoint), SerializeBreaker(kept));
}

Status DurableQueue::Internals::PullBrake(const CallRow& row, const Outcome& outcome, bool outage) {
  // A login on behalf of the call says nothing about its endpoint.
  if (outcome.endpoint != row.endpoint) return {};
  const auto before = BreakerOf(row.endpoint);
  if (!before) return std::unexpected(before.error());
  bool same_person = false;
  if (!before->not_found.empty()) {
    const auto other = calls.Load(before->not_found);
    same_person = other && !row.question_mac.empty() && other->question_mac == row.question_mac;
  }
  const Breaker::Verdict verdict =
      breaker.After(*before, {row.reference, outcome, same_person, outage});
  if (verdict.state != *before) {
    if (Status kept = KeepBreaker(row.endpoint, verdict.state); !kept) return kept;
  }
  if (verdict.state.doubt && !before->doubt) {
    const auto mark = marks.Of(HoldReason::kWrongAddress, row.endpoint);
    if (!mark) return std::unexpected(mark.error());
    if (Status set = state.SetSetting(DoubtSetting(row.endpoint), *mark); !set) return set;
  }
  if (before->doubt && IsSuccess(outcome)) {
    if (Status erased = EraseDoubtful(row.endpoint); !erased) return erased;
  }
  // What holds the endpoint by itself names the mend.
  if (!verdict.hold || outcome.disposition == Disposition::kHold) return {};
  Hold hold{*verdict.hold, row.endpoint, time.WallNow(), std::nullopt,
            DetailOf(verdict, *before, outcome)};
  if (!verdict.for_good) {
    hold.until = hold.since + std::chrono::milliseconds(
                                  ToMilliseconds(policy.Backoff(verdict.state.wasted + 1)));
  }
  return PutHold(hold);
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
    Close(*row);
    if (Status saved = calls.Save(*row); !saved) return saved;
  }
  return {};
}

Status DurableQueue::Internals::PutHold(const Hold& hold) {
  if (MendMarks::CanMend(hold.reason)) {
    // Empty where the vault cannot be read now: LiftMended takes it as soon as that can.
    const auto mark = marks.Of(hold.reason, hold.endpoint);
    const ByteSpan known = mark ? ByteSpan(*mark) : ByteSpan();
    if (Status set = state.SetSetting(MendSetting(hold), known); !set) return set;
  }
  if (Status put = state.Put(time, hold); !put) return put;
  LogWarning("calls are held ({}): {}", HoldId(hold), hold.detail);
  return {};
}

Status DurableQueue::Internals::Lift(const Hold& hold) {
  if (Status removed = state.Remove(hold); !removed) return removed;
  // In the file, for another process may deliver. The next start tries them anyway.
  if (hold.reason == HoldReason::kCredentials) {
    if (Status set = state.SetNumber(kLoginAgain, 1); !set) return set;
  }
  for (size_t i = 0; i < kEndpointCount; ++i) {
    const auto endpoint = static_cast<Endpoint>(i);
    if (hold.endpoint && *hold.endpoint != endpoint) continue;
    const auto before = BreakerOf(endpoint);
    if (!before) return std::unexpected(before.error());
    if (Status kept = KeepBreaker(endpoint, Breaker::Lifted(*before)); !kept) return kept;
  }
  return {};
}

Result<bool> DurableQueue::Internals::LiftFor(Endpoint endpoint) {
  const auto holds = state.Active(time);
  if (!holds) return std::unexpected(holds.error());
  bool is_lifted = false;
  for (const Hold& hold : *holds) {
    if (!IsLiftedByRetry(hold, endpoint)) continue;
    if (Status lifted = Lift(hold); !lifted) return std::unexpected(lifted.error());
    is_lifted = true;
  }
  return is_lifted;
}

Result<bool> DurableQueue::Internals::TakeLoginAgain(Endpoint endpoint) {
  if (profile.at(endpoint).authentication != Authentication::kThreeHeaders) return false;
  const auto is_set = state.Number(kLoginAgain);
  if (!is_set) return std::unexpected(is_set.error());
  if (*is_set == 0) return false;
  // Once: whoever tries refused credentials each minute may be locked out.
  Status taken = Commit([&]() REQUIRES(mutex) { return state.SetNumber(kLoginAgain, 0); });
  if (!taken) return std::unexpected(taken.error());
  return true;
}

Status DurableQueue::Internals::LiftMended() {
  const auto holds = state.Active(time);
  if (!holds) return std::unexpected(holds.error());
  for (const Hold& hold : *holds) {
    if (!MendMarks::CanMend(hold.reason)) continue;
    const auto mark = state.Setting(MendSetting(hold));
    if (!mark) return std::unexpected(mark.error());
    const auto now = marks.Of(hold.reason, hold.endpoint);
    // A vault that cannot be read for a moment has mended nothing.
    if (!*mark || !now || std::ranges::equal(**mark, *now)) continue;
    if ((*mark)->empty()) {
      if (Status set = state.SetSetting(MendSetting(hold), *now); !set) return set;
      continue;
    }
    if (Status lifted = Lift(hold); !lifted) return lifted;
    LogInfo(
        "the hold {} is lifted: the address, profile or credential that it waited for was changed",
        HoldId(hold));
  }
  for (size_t i = 0; i < kEndpointCount; ++i) {
    if (Status doubted = DoubtAnew(static_cast<Endpoint>(i)); !doubted) return doubted;
  }
  return {};
}

Status DurableQueue::Internals::DoubtAnew(Endpoint endpoint) {
  auto breaker_state = BreakerOf(endpoint);
  if (!breaker_state) return std::unexpected(breaker_state.error());
  if (!breaker_state->doubt) return {};
  const auto mark = state.Setting(DoubtSetting(endpoint));
  if (!mark) return std::unexpected(mark.error());
  const auto now = marks.Of(HoldReason::kWrongAddress, endpoint);
  if (!now) return std::unexpected(now.error());
  if (*mark && std::ranges::equal(**mark, *now)) return {};
  const auto ended = calls.WithPayload(CallState::kDone, endpoint);
  if (!ended) return std::unexpected(ended.error());
  for (const int64_t id : *ended) {
    auto row = calls.LoadById(id);
    if (!row) return std::unexpected(row.error());
    if (row->state != CallState::kDone) continue;
    row->state = CallState::kUnknown;
    row->verdict = Verdict::kNone;
    row->ended_at = std::nullopt;
    if (Status saved = calls.Save(*row); !saved) return saved;
  }
  breaker_state->doubt = false;
  breaker_state->not_found.clear();
  return KeepBreaker(endpoint, *breaker_state);
}

Status DurableQueue::Internals::TryNewPaths(std::string& said) {
  std::vector<std::string_view> endpoints;
  for (const Endpoint each : kEndpoints) {
    const auto is_new = TryNewPath(each);
    if (!is_new) return std::unexpected(is_new.error());
    if (*is_new) endpoints.push_back(Name(each));
  }
  said = endpoints.empty()
             ? ""
             : fmt::format(
                   "calls wait that were accepted when the path was another one ({}): one of each "
                   "goes first, and the others once it is answered",
                   fmt::join(endpoints, ", "));
  return {};
}

// A call belongs to an origin and an account, not to a path: a wrong path is mended by changing it,
// and what waits must go on then. Whether the new one is right, one call finds out for all.
Result<bool> DurableQueue::Internals::TryNewPath(Endpoint endpoint) {
  const std::string now = options.base_url + profile.at(endpoint).path;
  const auto stored = state.Setting(UrlSetting(endpoint));
  if (!stored) return std::unexpected(stored.error());
  const std::string before(*stored ? AsText(**stored) : std::string_view());
  if (before == now) return false;
  if (Status set = state.SetSetting(UrlSetting(endpoint), AsBytes(now)); !set) {
    return std::unexpected(set.error());
  }
  const bool same_origin =
      !before.empty() && AddressOf(options.environment, before) == in_force.address;
  const auto waiting = calls.Count(CallState::kPending, endpoint);
  if (!waiting) return std::unexpected(waiting.error());
  if (!same_origin || *waiting == 0) return false;
  const auto breaker_state = BreakerOf(endpoint);
  if (!breaker_state) return std::unexpected(breaker_state.error());
  if (Status kept = KeepBreaker(endpoint, Breaker::Lifted(*breaker_state)); !kept) {
    return std::unexpected(kept.error());
  }
  return true;
}

Status DurableQueue::Lift(std::string_view hold_id) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  const auto holds = internals.Holds();
  if (!holds) return std::unexpected(holds.error());
  const auto found =
      std::ranges::find_if(*holds, [hold_id](const Hold& hold) { return HoldId(hold) == hold_id; });
  if (found == holds->end()) {
    return Fail(ErrorCode::kNotFound,
                "there is no hold '{}': 'idkiosk hold list' names those there are", hold_id);
  }
  if (!IsLiftable(found->reason)) {
    return Fail(ErrorCode::kFailedPrecondition, "{} cannot be lifted: {}", hold_id, MendOf(*found));
  }
  return internals.Commit([&]() REQUIRES(internals.mutex) { return internals.Lift(*found); });
}

Status DurableQueue::HoldForHeadquarters(const std::string& why) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  return internals.Commit([&]() REQUIRES(internals.mutex) {
    return internals.PutHold(
        {HoldReason::kHeadquarters, std::nullopt, internals.time.WallNow(), std::nullopt, why});
  });
}

std::string DurableQueue::DoubtOfClock() {
  const MutexLock guard(internals_->mutex);
  if (const Status settled = internals_->SettleClock(); !settled) return settled.error().message;
  return internals_->time.DoubtOfWall();
}

}  // namespace idkiosk
