#include "tools/sandbox/service/rate_limit.h"

#include <algorithm>
#include <cmath>

namespace idkiosk::sandbox {
namespace {

using FloatSeconds = std::chrono::duration<double>;

// Callers are accounts and addresses: enough for any training room, and bounded.
constexpr size_t kMaxBuckets = 10'000;

double PerSecond(int calls_a_minute) { return calls_a_minute / 60.0; }

std::optional<std::chrono::seconds> WaitOf(double calls, int calls_a_minute) {
  if (calls >= 1) return std::nullopt;
  const double wait = std::ceil((1 - calls) / PerSecond(calls_a_minute));
  return std::chrono::seconds(std::max<int64_t>(1, std::llround(wait)));
}

}  // namespace

RateLimit::Bucket& RateLimit::Fill(std::string_view caller, int calls_a_minute, WallTime now) {
  if (buckets_.size() >= kMaxBuckets) {
    std::erase_if(buckets_, [&](const auto& entry) {
      return now - entry.second.filled >= std::chrono::minutes(1);
    });
  }
  const double most = calls_a_minute;
  Bucket& bucket = buckets_.try_emplace(std::string(caller), Bucket{most, now}).first->second;
  const double passed = std::max(0.0, FloatSeconds(now - bucket.filled).count());
  bucket.calls = std::min(most, bucket.calls + passed * PerSecond(calls_a_minute));
  bucket.filled = now;
  return bucket;
}

std::optional<std::chrono::seconds> RateLimit::Ask(std::string_view caller, int calls_a_minute,
                                                   WallTime now) {
  if (calls_a_minute <= 0) return std::nullopt;
  const MutexLock lock(mutex_);
  return WaitOf(Fill(caller, calls_a_minute, now).calls, calls_a_minute);
}

std::optional<std::chrono::seconds> RateLimit::Take(std::string_view caller, int calls_a_minute,
                                                    WallTime now) {
  if (calls_a_minute <= 0) return std::nullopt;
  const MutexLock lock(mutex_);
  Bucket& bucket = Fill(caller, calls_a_minute, now);
  const auto wait = WaitOf(bucket.calls, calls_a_minute);
  if (!wait) bucket.calls -= 1;
  return wait;
}

}  // namespace idkiosk::sandbox
