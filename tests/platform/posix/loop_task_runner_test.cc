#include "platform/posix/loop_task_runner.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "platform/posix/system_clock.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;

class LoopTaskRunnerTest : public testing::Test {
 protected:
  SystemClock clock_;
  LoopTaskRunner runner_{clock_};
  std::vector<int> order_;
};

TEST_F(LoopTaskRunnerTest, RunsTasksInTheOrderTheyWerePosted) {
  for (int i = 0; i < 3; ++i) {
    runner_.Post([this, i] { order_.push_back(i); });
  }
  runner_.Post([this] { runner_.Stop(); });
  runner_.Run();
  EXPECT_EQ(order_, (std::vector{0, 1, 2}));
}

TEST_F(LoopTaskRunnerTest, RunsTimersByTimeAndThenByOrder) {
  const MonotonicTime now = clock_.Now();
  runner_.PostAt(now + milliseconds(2), [this] { order_.push_back(2); });
  runner_.PostAt(now + milliseconds(1), [this] { order_.push_back(1); });
  runner_.PostAt(now + milliseconds(2), [this] { order_.push_back(3); });
  runner_.PostAt(now + milliseconds(3), [this] { runner_.Stop(); });
  runner_.Run();
  EXPECT_EQ(order_, (std::vector{1, 2, 3}));
}

TEST_F(LoopTaskRunnerTest, DoesNotRunATimerThatWasCancelled) {
  const MonotonicTime now = clock_.Now();
  {
    const ScopedTimer timer(runner_, now + milliseconds(1), [this] { order_.push_back(1); });
  }
  runner_.PostAt(now + milliseconds(2), [this] { runner_.Stop(); });
  runner_.Run();
  EXPECT_TRUE(order_.empty());
}

TEST_F(LoopTaskRunnerTest, TakesTasksFromOtherThreads) {
  std::thread other([this] { runner_.Post([this] { runner_.Stop(); }); });
  runner_.Run();
  other.join();
}

TEST_F(LoopTaskRunnerTest, CancelsATimerOnItsOwnThreadAlone) {
  const auto timer = runner_.PostAt(clock_.Now(), [] {});
  runner_.Post([this] { runner_.Stop(); });
  runner_.Run();
  EXPECT_DEATH(std::thread([&] { runner_.Cancel(timer); }).join(),
               "LoopTaskRunner::Cancel.* was called on another thread than its own");
}

}  // namespace
}  // namespace idkiosk
