#ifndef IDKIOSK_APP_WORKERS_DELIVERY_LOOP_H_
#define IDKIOSK_APP_WORKERS_DELIVERY_LOOP_H_

#include <deque>
#include <functional>

#include "app/queue/delivery_worker.h"
#include "app/workers/step_loop.h"
#include "platform/api/task_runner.h"
#include "platform/base/mutex.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// Delivers calls on a thread of its own, for as long as the program runs.
class DeliveryLoop {
 public:
  struct Dependencies {
    DeliveryWorker& worker;
    const Clock& clock;
    Heartbeat& heartbeat;
    Duration longest_exchange;  // service.total_timeout, connecting included
    // Hears of every attempt; on the delivery's thread.
    std::function<void(const DeliveryWorker::Step&)> report;
    // Unbilled work that shares the connection: done between calls when it is due. Says when next.
    std::function<MonotonicTime()> chore;
    // Ends the exchange under way; any thread.
    std::function<void()> give_up;
    std::chrono::milliseconds grace{15000};
  };

  // All must outlive this.
  explicit DeliveryLoop(Dependencies deps)
      : deps_(std::move(deps)), loop_(deps_.clock, deps_.heartbeat) {}
  ~DeliveryLoop() { End(); }

  void Start();
  // Ends the thread, and waits for the exchange under way, which may have been billed: for `grace`,
  // if need be, and then it is given up. Called by an owner of anything that an errand uses and
  // that goes before this loop does.
  void End();
  // Any thread: a call has come, or a person has decided.
  void Wake() { loop_.Wake(); }

  // Any thread: unbilled work that somebody waits for, done on the delivery's thread before
  // anything else. False if kMostErrands wait already; then it is not done.
  bool Do(Task errand);
  static constexpr size_t kMostErrands = 4;

  // Nothing is sent or asked any more by this loop. For an errand, which so ends everything.
  void Halt();

  // One errand, or the calls that can be sent now, or the chore, or nothing. Returns when to do it
  // again. What the thread repeats.
  [[nodiscard]] MonotonicTime StepOnce(const std::stop_token& stop = {});

 private:
  [[nodiscard]] Task TakeErrand();
  [[nodiscard]] bool errand_waits();

  const Dependencies deps_;
  const ThreadChecker delivery_thread_ = ThreadChecker::Detached();
  MonotonicTime chore_due_ GUARDED_BY(delivery_thread_){};
  bool halted_ GUARDED_BY(delivery_thread_) = false;
  Mutex mutex_;
  std::deque<Task> errands_ GUARDED_BY(mutex_);
  StepLoop loop_;  // goes first: its thread uses all of the above
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_WORKERS_DELIVERY_LOOP_H_
