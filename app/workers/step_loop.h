#ifndef IDKIOSK_APP_WORKERS_STEP_LOOP_H_
#define IDKIOSK_APP_WORKERS_STEP_LOOP_H_

#include <chrono>
#include <functional>
#include <thread>

#include "app/workers/heartbeat.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// Repeats a step on a thread of its own: when the step says, and when it is woken.
class StepLoop {
 public:
  // On this loop's thread. Beats the heartbeat for as long as it may take, and returns when to come
  // again.
  using Step = std::function<MonotonicTime(const std::stop_token& stop)>;

  // Both must outlive this.
  StepLoop(const Clock& clock, Heartbeat& heartbeat) : clock_(clock), heartbeat_(heartbeat) {}

  void Start(Step step);
  // Ends the thread. The step under way has `patience` to end by itself; then `give_up` is called
  // until it has.
  void End(std::chrono::milliseconds patience, const std::function<void()>& give_up);
  // Any thread: there is something to do.
  void Wake();

 private:
  void Work(const std::stop_token& stop, const Step& step);
  // Returns once `next` is there, or it is woken or asked to stop.
  void Nap(const std::stop_token& stop, MonotonicTime next);

  const Clock& clock_;
  Heartbeat& heartbeat_;
  Mutex mutex_;
  ConditionVariable changed_;
  bool woken_ GUARDED_BY(mutex_) = false;
  bool ended_ GUARDED_BY(mutex_) = false;
  std::jthread thread_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_WORKERS_STEP_LOOP_H_
