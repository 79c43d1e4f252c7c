#ifndef IDKIOSK_APP_QUEUE_RETRY_POLICY_H_
#define IDKIOSK_APP_QUEUE_RETRY_POLICY_H_

#include <optional>

#include "app/settings/settings.h"
#include "platform/api/entropy.h"
#include "platform/base/time.h"

namespace idkiosk {

// When the next request may leave, for the whole queue: one gateway serves every call. Times are
// on any timeline that does not jump, in whatever zero; kept across restarts.
struct DeliveryPace {
  int failures = 0;         // in a row
  Duration outage_since{};  // while failures > 0
  Duration not_before{};    // nothing leaves earlier
  Duration spread_until{};  // calls that waited out an outage leave until then
  Duration gap{};           // at least so long between two requests after a 429
};

// The arithmetic of waiting. Pure but for the random numbers.
class RetryPolicy {
 public:
  // `entropy` must outlive this.
  RetryPolicy(const QueueSettings& settings, Entropy& entropy);

  // Exponential with full jitter: between backoff_first and what the number of failures in a row
  // (from 1) allows, at most backoff_last.
  [[nodiscard]] Duration Backoff(int failures) const;

  // The service could not be reached or failed.
  [[nodiscard]] DeliveryPace AfterFailure(DeliveryPace pace, Duration now) const;
  // 429: everything waits for `retry_after` (clamped to 1 s .. 1 h) or a backoff.
  [[nodiscard]] DeliveryPace AfterBusy(DeliveryPace pace, Duration now,
                                       std::optional<Duration> retry_after) const;
  // An answer came. `waiting` calls that nobody waits for are spread over a time in proportion to
  // the outage, so that a fleet does not come back all at once.
  [[nodiscard]] DeliveryPace AfterAnswer(DeliveryPace pace, Duration now, int64_t waiting) const;

 private:
  // Uniform in low .. high.
  [[nodiscard]] Duration Between(Duration low, Duration high) const;

  const Duration first_;
  const Duration last_;
  Entropy& entropy_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_RETRY_POLICY_H_
