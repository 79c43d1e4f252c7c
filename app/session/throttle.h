#ifndef IDKIOSK_APP_SESSION_THROTTLE_H_
#define IDKIOSK_APP_SESSION_THROTTLE_H_

#include <functional>
#include <utility>

#include "platform/api/clock.h"
#include "platform/api/task_runner.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// Work that is done at once, but not again before some time has passed: whatever asks for it
// meanwhile gets it once, then. On the runner's thread.
class Throttle {
 public:
  // All must outlive this.
  Throttle(TaskRunner& runner, const Clock& clock, Duration apart, std::function<void()> work)
      : runner_(runner), clock_(clock), apart_(apart), work_(std::move(work)) {}

  void Ask() {
    thread_.Check();
    if (waiting_) return;
    const MonotonicTime now = clock_.Now();
    if (now >= next_) return Work(now);
    waiting_ = true;
    timer_ = ScopedTimer(runner_, next_, [this] {
      waiting_ = false;
      Work(clock_.Now());
    });
  }

  // Nothing more of what was asked for until now.
  void Cancel() {
    thread_.Check();
    waiting_ = false;
    timer_.Cancel();
  }

 private:
  void Work(MonotonicTime now) {
    next_ = now + apart_;
    work_();
  }

  const ThreadChecker thread_;
  TaskRunner& runner_;
  const Clock& clock_;
  const Duration apart_;
  const std::function<void()> work_;
  MonotonicTime next_{};
  bool waiting_ = false;
  ScopedTimer timer_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_THROTTLE_H_
