#include "app/queue/policy/breaker.h"

#include <algorithm>

// A stored state: 8 bytes version, now 1, then `wasted`, `half_open` and `doubt`, 8 bytes each, big
// endian; what follows is `not_found`.

namespace idkiosk {
namespace {

constexpr uint64_t kBreakerVersion = 1;
constexpr size_t kBreakerNumbers = 4 * 8;
constexpr int kMaxWasted = 1'000'000;
constexpr int kPayloadTooLarge = 413;

}  // namespace

bool IsDoubtful(const Outcome& outcome) {
  return outcome.kind == OutcomeKind::kNotFound || outcome.kind == OutcomeKind::kPicturesRefused;
}

bool IsSuccess(const Outcome& outcome) {
  return outcome.kind == OutcomeKind::kVerified || outcome.kind == OutcomeKind::kNotVerified ||
         outcome.kind == OutcomeKind::kAnswered;
}

bool IsWaste(const Outcome& outcome) {
  if (IsSuccess(outcome) || outcome.stage == SendStage::kNotSent) return false;
  return outcome.billed != Billed::kNo || outcome.http_status == kPayloadTooLarge;
}

Breaker::Verdict Breaker::After(BreakerState state, const Attempt& attempt) const {
  const Outcome& outcome = attempt.outcome;
  if (IsSuccess(outcome)) return {.state = {}, .hold = {}};
  state.doubt = state.doubt || IsDoubtful(outcome);
  if (!IsWaste(outcome)) return {.state = std::move(state), .hold = {}};
  Verdict verdict{.state = std::move(state), .hold = {}};
  BreakerState& now = verdict.state;
  const bool lost_way = outcome.kind == OutcomeKind::kNotFound;
  const bool no_record = lost_way || outcome.kind == OutcomeKind::kNoRecord;
  const bool again_lost = lost_way && !now.not_found.empty() && !attempt.same_person;
  // Asking for the same person again says nothing new.
  const bool counts = !no_record || !attempt.same_person;
  if (counts) now.wasted = std::min(now.wasted + 1, kMaxWasted);
  if (no_record) now.not_found = attempt.reference;
  if (again_lost) {
    verdict.hold = HoldReason::kWrongAddress;
    return verdict;
  }
  // Whoever lifts a hold is told that one call goes first, whatever the limit.
  const bool is_first = now.half_open == HalfOpen::kAfterHold;
  if (is_first || (limit_ > 0 && now.wasted >= limit_)) {
    verdict.hold = HoldReason::kBreaker;
  } else if (limit_ <= 0) {
    return verdict;
  } else if (attempt.outage || now.half_open == HalfOpen::kAfterOutage) {
    now.half_open = HalfOpen::kAfterOutage;
    verdict.hold = HoldReason::kBreaker;
    verdict.for_good = false;
  }
  return verdict;
}

BreakerState Breaker::Lifted(BreakerState state) {
  state.wasted = 0;
  state.half_open = HalfOpen::kAfterHold;
  state.not_found.clear();
  return state;
}

Bytes SerializeBreaker(const BreakerState& state) {
  Bytes bytes;
  AppendUint64(bytes, kBreakerVersion);
  AppendUint64(bytes, static_cast<uint64_t>(state.wasted));
  AppendUint64(bytes, static_cast<uint64_t>(state.half_open));
  AppendUint64(bytes, state.doubt ? 1 : 0);
  bytes.insert(bytes.end(), state.not_found.begin(), state.not_found.end());
  return bytes;
}

Result<BreakerState> ParseBreaker(ByteSpan bytes) {
  const auto number = [&](size_t index) { return ReadUint64(bytes.subspan(index * 8).first<8>()); };
  if (bytes.size() < kBreakerNumbers || number(0) != kBreakerVersion) {
    return Fail(ErrorCode::kCorrupt, "the stored breaker is not of version {}", kBreakerVersion);
  }
  if (number(1) > kMaxWasted || number(2) > static_cast<uint64_t>(HalfOpen::kAfterHold) ||
      number(3) > 1) {
    return Fail(ErrorCode::kCorrupt, "the stored breaker makes no sense");
  }
  return BreakerState{.wasted = static_cast<int>(number(1)),
                      .half_open = static_cast<HalfOpen>(number(2)),
                      .not_found = CallReference(AsText(bytes.subspan(kBreakerNumbers))),
                      .doubt = number(3) == 1};
}

}  // namespace idkiosk
