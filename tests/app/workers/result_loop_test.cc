#include "app/workers/result_loop.h"

#include <gtest/gtest.h>

#include <latch>

#include "platform/posix/system_clock.h"

namespace idkiosk {
namespace {

class ResultLoopTest : public testing::Test {
 protected:
  ResultLoop::Dependencies Loop(
      std::function<MonotonicTime()> step, std::function<void()> give_up = [] {}) {
    return {.step = std::move(step),
            .give_up = std::move(give_up),
            .clock = clock_,
            .heartbeat = heartbeat_,
            .longest_step = std::chrono::seconds(15)};
  }

  SystemClock clock_;
  Heartbeat heartbeat_{clock_};
};

TEST_F(ResultLoopTest, StepsWhenItIsTimeAndWhenItIsWoken) {
  std::latch third(3);
  std::latch fourth(1);
  int steps = 0;
  ResultLoop loop(Loop([&] {
    if (++steps <= 3) third.count_down();
    if (steps == 4) fourth.count_down();
    return steps < 3 ? clock_.Now() : MonotonicTime::max();
  }));
  loop.Start();
  third.wait();
  loop.Wake();
  fourth.wait();
  EXPECT_TRUE(heartbeat_.alive());
}

// A receiver that does not answer holds no end up, whenever the exchange began.
TEST_F(ResultLoopTest, CutsOffWhatIsUnderWayAtItsEnd) {
  Mutex mutex;
  ConditionVariable changed;
  bool given_up = false;
  std::latch sending(1);
  ResultLoop loop(Loop(
      [&] {
        sending.count_down();
        MutexLock lock(mutex);
        while (!given_up) changed.WaitFor(lock, std::chrono::seconds(1));
        return MonotonicTime::max();
      },
      [&] {
        const MutexLock lock(mutex);
        given_up = true;
        changed.NotifyAll();
      }));
  loop.Start();
  sending.wait();
  loop.End();
  loop.End();
}

TEST_F(ResultLoopTest, EndsWhereItWasNeverStarted) {
  ResultLoop loop(Loop([] { return MonotonicTime::max(); }));
  loop.Wake();
  loop.End();
}

}  // namespace
}  // namespace idkiosk
