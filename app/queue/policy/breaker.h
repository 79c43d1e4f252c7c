#ifndef IDKIOSK_APP_QUEUE_POLICY_BREAKER_H_
#define IDKIOSK_APP_QUEUE_POLICY_BREAKER_H_

#include <optional>

#include "app/queue/call_record.h"
#include "app/settings/settings.h"
#include "platform/base/bytes.h"

namespace idkiosk {

// How carefully an endpoint is asked: whether one call must succeed before the others follow.
enum class HalfOpen {
  kNo,
  kAfterOutage,  // the service was away, and the first answer since was no success
  kAfterHold,    // a hold was lifted
};

// The results of one endpoint's attempts. Kept from one start to the next.
struct BreakerState {
  int wasted = 0;  // attempts in a row that cost and verified nothing
  HalfOpen half_open = HalfOpen::kNo;
  CallReference not_found;  // the last call since a success that was answered 404; empty: none
  bool doubt = false;       // calls have ended whose payload stays until there is a success

  bool operator==(const BreakerState&) const = default;
};

// The arithmetic of the breaker, which stops an endpoint whose attempts cost money and verify
// nothing. The caller keeps the state, and holds the endpoint.
class Breaker {
 public:
  // Uses breaker_after of `settings`: with 0, only two uncertain 404s in a row stop an endpoint,
  // and the first call behind a lifted hold.
  explicit Breaker(const BillingSettings& settings) : limit_(settings.breaker_after) {}

  // One attempt that is over.
  struct Attempt {
    const CallReference& reference;
    const Outcome& outcome;
    bool same_person = false;  // as BreakerState::not_found asked about
    bool outage = false;       // the service was away before
  };
  struct Verdict {
    BreakerState state;              // to be kept
    std::optional<HoldReason> hold;  // to be put on the endpoint
    bool for_good = true;            // the hold: until somebody lifts it; false: for one backoff
  };
  // Returns the state to keep after an attempt, and the hold to put on its endpoint.
  [[nodiscard]] Verdict After(BreakerState state, const Attempt& attempt) const;

  // Returns what is to be kept once the endpoint's hold is lifted: one call goes first.
  [[nodiscard]] static BreakerState Lifted(BreakerState state);

 private:
  const int limit_;
};

// Returns whether the reason for which a call ended needs a success of its endpoint to be believed:
// nobody was found, if the address is right; its pictures were refused, if others are taken.
[[nodiscard]] bool IsDoubtful(const Outcome& outcome);
// Returns whether the service did what it was asked: it looked, whatever it found.
[[nodiscard]] bool IsSuccess(const Outcome& outcome);
// Returns whether an attempt cost, or may have cost, and verified nothing. A 413 counts even where
// it cost nothing: each sends the whole bundle.
[[nodiscard]] bool IsWaste(const Outcome& outcome);

// The bytes that are stored; version 1. Errors: kCorrupt.
[[nodiscard]] Bytes SerializeBreaker(const BreakerState& state);
[[nodiscard]] Result<BreakerState> ParseBreaker(ByteSpan bytes);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_POLICY_BREAKER_H_
