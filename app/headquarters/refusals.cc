#include "app/headquarters/refusals.h"

#include <algorithm>
#include <utility>

namespace idkiosk {
namespace {

constexpr const char* kNobody = "unknown signer";

}  // namespace

bool Allowance::Take(MonotonicTime now) {
  const auto earned = (now - counted_) / every_;
  if (left_ + earned >= most_) {
    left_ = most_;
    counted_ = now;
  } else {
    left_ += static_cast<int>(earned);
    counted_ += earned * every_;
  }
  if (left_ == 0) return false;
  --left_;
  return true;
}

bool Refusals::MayLook() {
  const MutexLock lock(mutex_);
  if (looks_.Take(clock_.Now())) return true;
  ++counted_;
  last_why_ = "too many came at once";
  return false;
}

void Refusals::Refuse(const std::string& by, const std::string& why) {
  const MutexLock lock(mutex_);
  if (!lines_.Take(clock_.Now())) {
    ++counted_;
    last_why_ = why;
    return;
  }
  // It stands behind those that came before it.
  PutDownCountedNow();
  audit_.Note(AuditEvent::kFleetRefused, by.empty() ? kNobody : by, why);
}

void Refusals::PutDownCounted() {
  const MutexLock lock(mutex_);
  if (counted_ > 0 && lines_.Take(clock_.Now())) PutDownCountedNow();
}

void Refusals::PutDownCountedNow() {
  if (counted_ == 0) return;
  audit_.Note(AuditEvent::kFleetRefused, kNobody,
              fmt::format("{} more, the last one because: {}", std::exchange(counted_, 0),
                          std::exchange(last_why_, "")));
}

}  // namespace idkiosk
