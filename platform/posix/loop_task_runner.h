#ifndef IDKIOSK_PLATFORM_POSIX_LOOP_TASK_RUNNER_H_
#define IDKIOSK_PLATFORM_POSIX_LOOP_TASK_RUNNER_H_

#include <deque>
#include <map>
#include <utility>

#include "platform/api/clock.h"
#include "platform/api/task_runner.h"
#include "platform/base/mutex.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// A TaskLoop that waits on a condition variable.
class LoopTaskRunner final : public TaskLoop {
 public:
  // `clock` must outlive this.
  explicit LoopTaskRunner(const Clock& clock) : clock_(clock) {}

  void Run() override;
  void Stop() override;

  void Post(Task task) override;
  TimerId PostAt(MonotonicTime when, Task task) override;
  void Cancel(TimerId timer) override;

 private:
  using TimerKey = std::pair<MonotonicTime, TimerId>;

  // The next task that is due, waiting for one; an empty task after Stop.
  Task Next() EXCLUDES(mutex_);

  const Clock& clock_;
  mutable Mutex mutex_;
  ConditionVariable changed_;
  std::deque<Task> tasks_ GUARDED_BY(mutex_);
  std::map<TimerKey, Task> timers_ GUARDED_BY(mutex_);
  TimerId last_id_ GUARDED_BY(mutex_) = 0;
  bool stopped_ GUARDED_BY(mutex_) = false;
  // Runs it, and before that cancels its timers.
  const ThreadChecker thread_ = ThreadChecker::Detached();
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_POSIX_LOOP_TASK_RUNNER_H_
