#include "app/queue/policy/retry_policy.h"

#include <algorithm>
#include <array>

// A stored pace: 8 bytes version, now 1, then the eight numbers in the order of the struct, 8 bytes
// each, big endian; points in time and durations in nanoseconds.

namespace idkiosk {
namespace {

constexpr uint64_t kPaceVersion = 1;
constexpr int kMaxCount = 1'000'000;

// After an outage of D the backlog leaves within kSpread * D. What gathers at a steady rate r in D
// then adds r / kSpread to it; the fleet's simulation in idkiosk-bench shows the sum.
constexpr int kSpread = 4;
constexpr Duration kLongestSpread = std::chrono::hours(2);
// Shorter ones leave no backlog worth spreading.
constexpr Duration kShortestOutage = std::chrono::seconds(30);

// Who says so often, one after the other, that he is busy until a time has not meant that time.
constexpr int kBelieved = 3;
constexpr Duration kLongestPause = std::chrono::minutes(66);  // an hour and its jitter

constexpr Duration kFirstGap = std::chrono::milliseconds(250);
constexpr Duration kLongestGap = std::chrono::seconds(30);

constexpr std::array kTimes = {
    &DeliveryPace::outage_since, &DeliveryPace::retry_at,     &DeliveryPace::pause_until,
    &DeliveryPace::gap,          &DeliveryPace::spread_until, &DeliveryPace::next_in_spread,
};

}  // namespace

RetryPolicy::RetryPolicy(const QueueSettings& settings, Entropy& entropy)
    : first_(settings.backoff_first),
      last_(std::max(settings.backoff_first, settings.backoff_last)),
      entropy_(entropy) {}

Duration RetryPolicy::Between(Duration low, Duration high) const {
  if (high <= low) return low;
  std::array<uint8_t, 8> random{};
  entropy_.Fill(random);
  // 53 bits are what a double holds exactly.
  const double share =
      static_cast<double>(ReadUint64(random) >> 11) / static_cast<double>(1ULL << 53);
  return low + std::chrono::duration_cast<Duration>(std::chrono::duration<double, std::nano>(
                   static_cast<double>((high - low).count()) * share));
}

Duration RetryPolicy::Ceiling(int failures) const {
  Duration ceiling = first_;
  for (int i = 0; i < failures && ceiling < last_; ++i) ceiling *= 2;
  return std::min(ceiling, last_);
}

Duration RetryPolicy::Backoff(int failures) const { return Between(first_, Ceiling(failures)); }

DeliveryPace RetryPolicy::AfterFailure(DeliveryPace pace, Duration now) const {
  // Whoever tries within the pause, as each who has just come, learns nothing new of the outage.
  if (now < pace.retry_at) return pace;
  if (pace.failures == 0) pace.outage_since = now;
  pace.failures = std::min(pace.failures + 1, kMaxCount);
  // Not from 2 s on, as a call's own backoff: the requests of a whole fleet that nobody waits for
  // must not meet the service as it returns.
  const Duration ceiling = Ceiling(pace.failures);
  if (pace.failures > 1) pace.retry_at = now + Between(ceiling / 2, ceiling);
  return pace;
}

DeliveryPace RetryPolicy::AfterBusy(DeliveryPace pace, Duration now,
                                    std::optional<Duration> retry_after) const {
  pace.busy = std::min(pace.busy + 1, kMaxCount);
  // Everybody who was refused in the same second was told the same time.
  Duration wait =
      retry_after ? Between(*retry_after, *retry_after + *retry_after / 10) : Backoff(pace.busy);
  // Each is a whole request, which only its answer says to be free.
  if (pace.busy > kBelieved) wait = std::max(wait, Backoff(pace.busy - kBelieved));
  pace.pause_until = now + wait;
  pace.gap = std::clamp(pace.gap * 2, kFirstGap, kLongestGap);
  return pace;
}

DeliveryPace RetryPolicy::AfterAnswer(DeliveryPace pace, Duration now, int64_t waiting) const {
  const Duration outage = pace.failures > 0 ? now - pace.outage_since : Duration();
  if (outage >= kShortestOutage) {
    pace.spread_until = now + std::min(outage * kSpread, kLongestSpread);
  }
  pace.failures = 0;
  pace.busy = 0;
  pace.outage_since = {};
  pace.retry_at = {};
  pace.gap = pace.gap > kFirstGap / 4 ? pace.gap * 3 / 4 : Duration();
  pace.pause_until = pace.gap > Duration() ? now + pace.gap : Duration();
  if (now < pace.spread_until && waiting > 0) {
    pace.next_in_spread = now + Between({}, 2 * (pace.spread_until - now) / (waiting + 1));
  } else {
    pace.spread_until = {};
    pace.next_in_spread = {};
  }
  return pace;
}

DeliveryPace RetryPolicy::Bounded(DeliveryPace pace, Duration now) const {
  pace.outage_since = std::min(pace.outage_since, now);
  pace.retry_at = std::min(pace.retry_at, now + last_);
  pace.pause_until = std::min(pace.pause_until, now + kLongestPause);
  pace.gap = std::min(pace.gap, kLongestGap);
  pace.spread_until = std::min(pace.spread_until, now + kLongestSpread);
  pace.next_in_spread = std::min(pace.next_in_spread, pace.spread_until);
  return pace;
}

Duration RetryPolicy::EarliestFor(const DeliveryPace& pace, bool at_once) const {
  if (at_once) return pace.pause_until;
  return std::max({pace.pause_until, pace.retry_at, pace.next_in_spread});
}

Bytes SerializePace(const DeliveryPace& pace) {
  Bytes bytes;
  AppendUint64(bytes, kPaceVersion);
  AppendUint64(bytes, static_cast<uint64_t>(pace.failures));
  AppendUint64(bytes, static_cast<uint64_t>(pace.busy));
  for (auto member : kTimes) AppendUint64(bytes, static_cast<uint64_t>((pace.*member).count()));
  return bytes;
}

Result<DeliveryPace> ParsePace(ByteSpan bytes) {
  constexpr size_t kPaceNumbers = 3 + kTimes.size();
  if (bytes.size() != kPaceNumbers * 8 || ReadUint64(bytes.first<8>()) != kPaceVersion) {
    return Fail(ErrorCode::kCorrupt, "the stored pace is not of version {}", kPaceVersion);
  }
  std::array<int64_t, kPaceNumbers> numbers{};
  for (size_t i = 0; i < kPaceNumbers; ++i) {
    numbers[i] = static_cast<int64_t>(ReadUint64(bytes.subspan(i * 8).first<8>()));
    if (numbers[i] < 0) return Fail(ErrorCode::kCorrupt, "the stored pace makes no sense");
  }
  DeliveryPace pace;
  pace.failures = static_cast<int>(std::min<int64_t>(numbers[1], kMaxCount));
  pace.busy = static_cast<int>(std::min<int64_t>(numbers[2], kMaxCount));
  for (size_t i = 0; i < kTimes.size(); ++i) pace.*kTimes[i] = Duration(numbers[3 + i]);
  return pace;
}

}  // namespace idkiosk
