#ifndef IDKIOSK_APP_QUEUE_POLICY_RETRY_POLICY_H_
#define IDKIOSK_APP_QUEUE_POLICY_RETRY_POLICY_H_

#include <optional>

#include "app/settings/settings.h"
#include "platform/api/entropy.h"
#include "platform/base/bytes.h"
#include "platform/base/time.h"

namespace idkiosk {

// When the next request may leave. One for the whole queue, because one gateway serves every call.
// Points in time are of the queue's clock, since 1970; zero: at once.
struct DeliveryPace {
  int failures = 0;           // in a row: not reached, or reached and failing
  int busy = 0;               // 429s in a row
  Duration outage_since{};    // the first of the failures
  Duration retry_at{};        // nobody is asked earlier, but for a person who has just come
  Duration pause_until{};     // nobody at all is asked earlier: the service said so
  Duration gap{};             // at least so long between two requests, after 429s
  Duration spread_until{};    // until then the calls that waited out an outage are spread
  Duration next_in_spread{};  // and the next of them leaves then

  bool operator==(const DeliveryPace&) const = default;
};

// The arithmetic of waiting, without a clock of its own.
class RetryPolicy {
 public:
  // `entropy` must outlive this.
  RetryPolicy(const QueueSettings& settings, Entropy& entropy);

  // Returns an exponential backoff with full jitter: uniform between backoff_first and
  // backoff_first * 2^failures, at most backoff_last. `failures` counts from 1.
  [[nodiscard]] Duration Backoff(int failures) const;

  // After the service was not reached, or failed. The first failure delays its own call alone, so
  // that one lost packet does not hold up the others. From the second on all calls wait, between
  // half of what so many failures may delay a call and all of it. One within that pause, of a call
  // that did not wait for it, makes it no longer.
  [[nodiscard]] DeliveryPace AfterFailure(DeliveryPace pace, Duration now) const;

  // After a 429. Everything waits for `retry_after`, or for a backoff where the service says
  // nothing; then requests leave one `gap` apart.
  [[nodiscard]] DeliveryPace AfterBusy(DeliveryPace pace, Duration now,
                                       std::optional<Duration> retry_after) const;

  // After an answer. After an outage the `waiting` calls that nobody waits for are spread over
  // a time in proportion to it: a thousand kiosks come back with their backlogs at once, and the
  // service should hardly notice.
  [[nodiscard]] DeliveryPace AfterAnswer(DeliveryPace pace, Duration now, int64_t waiting) const;

  // Returns whether the service has been away for more than one attempt.
  [[nodiscard]] static bool IsOutage(const DeliveryPace& pace) { return pace.failures > 1; }

  // Returns the pace with nothing further ahead of `now` than this policy sets: the clock may have
  // been put back since the pace was stored.
  [[nodiscard]] DeliveryPace Bounded(DeliveryPace pace, Duration now) const;

  // Returns when a call may leave. `at_once`: somebody stands there and this is the first try, or a
  // person wants this one now. A pause that the service asked for holds for it, too.
  [[nodiscard]] Duration EarliestFor(const DeliveryPace& pace, bool at_once) const;

 private:
  // backoff_first * 2^failures, at most backoff_last.
  [[nodiscard]] Duration Ceiling(int failures) const;
  // Uniform in low .. high.
  [[nodiscard]] Duration Between(Duration low, Duration high) const;

  const Duration first_;
  const Duration last_;
  Entropy& entropy_;
};

// The bytes that are stored; version 1. Errors: kCorrupt.
[[nodiscard]] Bytes SerializePace(const DeliveryPace& pace);
[[nodiscard]] Result<DeliveryPace> ParsePace(ByteSpan bytes);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_POLICY_RETRY_POLICY_H_
