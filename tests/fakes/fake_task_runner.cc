#include "tests/fakes/fake_task_runner.h"

namespace idkiosk {

FakeTaskRunner::FakeTaskRunner(FakeClock& clock) : clock_(clock) {
  clock.AddListener({
      [this] {
        if (!tasks_.empty()) return clock_.Now();
        return timers_.empty() ? MonotonicTime::max() : timers_.begin()->first.first;
      },
      [this] { RunUntilIdle(); },
  });
}

TaskRunner::TimerId FakeTaskRunner::PostAt(MonotonicTime when, Task task) {
  timers_.emplace(TimerKey{when, ++last_id_}, std::move(task));
  return last_id_;
}

void FakeTaskRunner::Cancel(TimerId timer) {
  std::erase_if(timers_, [timer](const auto& each) { return each.first.second == timer; });
}

void FakeTaskRunner::RunUntilIdle() {
  for (;;) {
    if (!tasks_.empty()) {
      Task task = std::move(tasks_.front());
      tasks_.pop_front();
      task();
    } else if (!timers_.empty() && timers_.begin()->first.first <= clock_.Now()) {
      Task task = std::move(timers_.begin()->second);
      timers_.erase(timers_.begin());
      task();
    } else {
      return;
    }
  }
}

}  // namespace idkiosk
