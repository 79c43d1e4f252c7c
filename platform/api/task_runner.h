#ifndef IDKIOSK_PLATFORM_API_TASK_RUNNER_H_
#define IDKIOSK_PLATFORM_API_TASK_RUNNER_H_

#include <cstdint>
#include <functional>
#include <utility>

#include "platform/base/time.h"

namespace idkiosk {

using Task = std::move_only_function<void()>;

// Runs tasks one after the other, on one thread of its own.
//
// Promises:
//   1. Tasks posted from one thread run in the order they were posted.
//   2. No task runs inside Post or PostAt.
//   3. A timer never runs before its time; timers of the same time run in the order they were
//   posted.
//   4. A cancelled timer does not run.
class TaskRunner {
 public:
  using TimerId = uint64_t;

  virtual ~TaskRunner() = default;

  // Any thread.
  virtual void Post(Task task) = 0;
  virtual TimerId PostAt(MonotonicTime when, Task task) = 0;
  // On the runner's thread: in a task, or before the first.
  virtual void Cancel(TimerId timer) = 0;
};

// A TaskRunner on the thread that calls Run.
class TaskLoop : public TaskRunner {
 public:
  // Runs tasks until Stop. What is left then is dropped with the loop.
  virtual void Run() = 0;
  // Any thread, or inside a task.
  virtual void Stop() = 0;
};

// A timer that is cancelled when it goes out of scope. Lives on the runner's thread.
class ScopedTimer {
 public:
  ScopedTimer() = default;
  // `runner` must outlive this.
  ScopedTimer(TaskRunner& runner, MonotonicTime when, Task task)
      : runner_(&runner), id_(runner.PostAt(when, std::move(task))) {}
  ~ScopedTimer() { Cancel(); }
  ScopedTimer(ScopedTimer&& other) noexcept
      : runner_(std::exchange(other.runner_, nullptr)), id_(other.id_) {}
  ScopedTimer& operator=(ScopedTimer&& other) noexcept {
    if (this != &other) {
      Cancel();
      runner_ = std::exchange(other.runner_, nullptr);
      id_ = other.id_;
    }
    return *this;
  }

  void Cancel() {
    if (runner_ != nullptr) std::exchange(runner_, nullptr)->Cancel(id_);
  }

 private:
  TaskRunner* runner_ = nullptr;
  TaskRunner::TimerId id_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_API_TASK_RUNNER_H_
