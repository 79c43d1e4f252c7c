#ifndef IDKIOSK_APP_QUEUE_POLICY_SPEND_GUARD_H_
#define IDKIOSK_APP_QUEUE_POLICY_SPEND_GUARD_H_

#include <algorithm>
#include <optional>

#include "app/queue/policy/queue_clock.h"
#include "app/queue/storage/attempt_index.h"
#include "app/queue/storage/call_store.h"
#include "app/settings/settings.h"

namespace idkiosk {

// Decides what may be spent: whether the caps and a call's own limit allow an attempt, and when one
// in doubt is sent again; changes nothing.
class SpendGuard {
 public:
  // All must outlive this.
  SpendGuard(const BillingSettings& settings, const AttemptIndex& attempts)
      : settings_(settings), attempts_(attempts) {}

  // Returns the cap of an hour or a day that is reached now, as a hold that lasts until the oldest
  // attempt in that hour or day has left it.
  [[nodiscard]] std::optional<Hold> CapReached(const QueueClock& time) const;

  // Returns whether one more attempt of this call may be billed. It may below the limit, as that is
  // set now, or below what a person granted. A call in doubt needs the grant.
  [[nodiscard]] bool MayBill(const CallRow& row) const {
    if (attempts_.WasDoubted(row.reference)) return row.billed_attempts < row.granted_attempts;
    const int limit = std::max(settings_.max_billed_attempts, 1);
    return row.billed_attempts < std::max(limit, row.granted_attempts);
  }

  // Returns when an unknown call is resent by itself; nothing where only a person may resend it.
  [[nodiscard]] std::optional<int64_t> ResendAt(const CallRow& row, int64_t now) const {
    if (!MayBill(row) || attempts_.WasDoubted(row.reference)) return std::nullopt;
    return now + ToMilliseconds(settings_.settling);
  }

 private:
  const BillingSettings& settings_;
  const AttemptIndex& attempts_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_POLICY_SPEND_GUARD_H_
