#ifndef IDKIOSK_TESTS_FAKES_FAKE_TASK_RUNNER_H_
#define IDKIOSK_TESTS_FAKES_FAKE_TASK_RUNNER_H_

#include <deque>
#include <map>
#include <utility>

#include "platform/api/task_runner.h"
#include "tests/fakes/fake_clock.h"

namespace idkiosk {

// Runs on the test's own thread, when the test says so or the clock moves.
class FakeTaskRunner final : public TaskRunner {
 public:
  // `clock` must outlive this.
  explicit FakeTaskRunner(FakeClock& clock);

  void Post(Task task) override { tasks_.push_back(std::move(task)); }
  TimerId PostAt(MonotonicTime when, Task task) override;
  void Cancel(TimerId timer) override;

  // Runs what is due now, and whatever that posts, until nothing is left.
  void RunUntilIdle();

  [[nodiscard]] size_t pending_timers() const { return timers_.size(); }

 private:
  using TimerKey = std::pair<MonotonicTime, TimerId>;

  FakeClock& clock_;
  std::deque<Task> tasks_;
  std::map<TimerKey, Task> timers_;
  TimerId last_id_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_FAKE_TASK_RUNNER_H_
