#ifndef IDKIOSK_APP_WORKERS_HEARTBEAT_H_
#define IDKIOSK_APP_WORKERS_HEARTBEAT_H_

#include <atomic>

#include "platform/api/clock.h"

namespace idkiosk {

// Within this a thread has the next frame of a camera, or knows that none comes: opening one that
// hangs takes longest.
inline constexpr Duration kCameraBeat = std::chrono::seconds(15);

// A worker's word on when it will have moved on at the latest. Any thread.
class Heartbeat {
 public:
  // `clock` must outlive this. Rests at first.
  explicit Heartbeat(const Clock& clock) : clock_(clock) {}

  // The worker has moved on, and will again within `good_for`.
  void Beat(Duration good_for) { until_ = (clock_.Now() + good_for).time_since_epoch().count(); }
  // The worker waits for work, and owes nothing.
  void Rest() { until_ = kResting; }

  // False once it has broken its word.
  [[nodiscard]] bool alive() const { return clock_.Now().time_since_epoch().count() <= until_; }

 private:
  static constexpr Duration::rep kResting = MonotonicTime::max().time_since_epoch().count();

  const Clock& clock_;
  std::atomic<Duration::rep> until_ = kResting;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_WORKERS_HEARTBEAT_H_
