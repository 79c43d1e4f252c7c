#include "platform/posix/loop_task_runner.h"

#include <algorithm>

#include "platform/base/secret_bytes.h"

namespace idkiosk {
namespace {

// The condition variable waits on CLOCK_MONOTONIC, which stands still in suspend while timers count
// on: it looks again at least this often.
constexpr Duration kLongestWait = std::chrono::seconds(1);

}  // namespace

void LoopTaskRunner::Run() {
  thread_.Check();
  while (Task task = Next()) {
    task();
    WipeUnusedStack();
  }
}

Task LoopTaskRunner::Next() {
  MutexLock lock(mutex_);
  while (!stopped_) {
    const MonotonicTime now = clock_.Now();
    if (!timers_.empty() && timers_.begin()->first.first <= now) {
      Task task = std::move(timers_.begin()->second);
      timers_.erase(timers_.begin());
      return task;
    }
    if (!tasks_.empty()) {
      Task task = std::move(tasks_.front());
      tasks_.pop_front();
      return task;
    }
    const Duration until_timer =
        timers_.empty() ? kLongestWait : timers_.begin()->first.first - now;
    changed_.WaitFor(lock, std::min(until_timer, kLongestWait));
  }
  return {};
}

void LoopTaskRunner::Stop() {
  const MutexLock lock(mutex_);
  stopped_ = true;
  changed_.NotifyAll();
}

void LoopTaskRunner::Post(Task task) {
  const MutexLock lock(mutex_);
  tasks_.push_back(std::move(task));
  changed_.NotifyAll();
}

TaskRunner::TimerId LoopTaskRunner::PostAt(MonotonicTime when, Task task) {
  const MutexLock lock(mutex_);
  timers_.emplace(TimerKey{when, ++last_id_}, std::move(task));
  changed_.NotifyAll();
  return last_id_;
}

void LoopTaskRunner::Cancel(TimerId timer) {
  thread_.Check();
  const MutexLock lock(mutex_);
  std::erase_if(timers_, [timer](const auto& each) { return each.first.second == timer; });
}

}  // namespace idkiosk
