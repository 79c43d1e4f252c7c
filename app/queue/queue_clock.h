#ifndef IDKIOSK_APP_QUEUE_QUEUE_CLOCK_H_
#define IDKIOSK_APP_QUEUE_QUEUE_CLOCK_H_

#include "platform/api/clock.h"

namespace idkiosk {

// As they are stored. A duration is rounded up.
[[nodiscard]] inline int64_t ToMilliseconds(Duration duration) {
  return std::chrono::ceil<std::chrono::milliseconds>(duration).count();
}
[[nodiscard]] inline WallTime FromMilliseconds(int64_t since_1970) {
  return WallTime{std::chrono::milliseconds(since_1970)};
}

// The time that the queue stores: the wall clock as it stood when it was first trusted, moved on
// by the monotonic clock. Comparable across restarts, and does not jump within one run.
class QueueClock {
 public:
  // `clock` must outlive this.
  explicit QueueClock(const Clock& clock) : clock_(clock) { Anchor(); }

  // True once: when the wall clock has become trusted since the last call.
  [[nodiscard]] bool BecameTrusted() {
    if (trusted_ || !clock_.WallIsTrusted()) return false;
    Anchor();
    return true;
  }
  [[nodiscard]] bool trusted() const { return trusted_; }

  [[nodiscard]] WallTime Now() const {
    return wall_ + std::chrono::floor<std::chrono::milliseconds>(clock_.Now() - monotonic_);
  }
  [[nodiscard]] int64_t Milliseconds() const { return Now().time_since_epoch().count(); }
  // When the queue's time is `time`.
  [[nodiscard]] MonotonicTime MonotonicOf(WallTime time) const {
    return monotonic_ + (time - wall_);
  }

 private:
  void Anchor() {
    trusted_ = clock_.WallIsTrusted();
    wall_ = clock_.WallNow();
    monotonic_ = clock_.Now();
  }

  const Clock& clock_;
  bool trusted_ = false;
  WallTime wall_;
  MonotonicTime monotonic_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_QUEUE_CLOCK_H_
