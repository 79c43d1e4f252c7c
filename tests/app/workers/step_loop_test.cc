#include "app/workers/step_loop.h"

#include <gtest/gtest.h>

#include <latch>

#include "platform/posix/system_clock.h"

namespace idkiosk {
namespace {

class StepLoopTest : public testing::Test {
 protected:
  void End(const std::function<void()>& give_up = [] {}) {
    loop_.End(std::chrono::milliseconds(0), give_up);
  }

  SystemClock clock_;
  Heartbeat heartbeat_{clock_};
  StepLoop loop_{clock_, heartbeat_};
};

TEST_F(StepLoopTest, StepsWhenItIsTimeAndWhenItIsWoken) {
  std::latch third(3);
  std::latch fourth(1);
  int steps = 0;
  loop_.Start([&](const std::stop_token&) {
    if (++steps <= 3) third.count_down();
    if (steps == 4) fourth.count_down();
    return steps < 3 ? clock_.Now() : MonotonicTime::max();
  });
  third.wait();
  loop_.Wake();
  fourth.wait();
  EXPECT_TRUE(heartbeat_.alive());
  End();
}

// A receiver that does not answer holds no end up, whenever the exchange began.
TEST_F(StepLoopTest, CutsOffWhatIsUnderWayAtItsEnd) {
  Mutex mutex;
  ConditionVariable changed;
  bool given_up = false;
  std::latch sending(1);
  loop_.Start([&](const std::stop_token&) {
    sending.count_down();
    MutexLock lock(mutex);
    while (!given_up) changed.WaitFor(lock, std::chrono::seconds(1));
    return MonotonicTime::max();
  });
  sending.wait();
  const auto give_up = [&] {
    const MutexLock lock(mutex);
    given_up = true;
    changed.NotifyAll();
  };
  End(give_up);
  End(give_up);
}

TEST_F(StepLoopTest, LetsWhatIsUnderWayEndByItself) {
  std::latch sending(1);
  loop_.Start([&](const std::stop_token& stop) {
    sending.count_down();
    while (!stop.stop_requested()) std::this_thread::yield();
    return MonotonicTime::max();
  });
  sending.wait();
  bool gave_up = false;
  loop_.End(std::chrono::hours(1), [&] { gave_up = true; });
  EXPECT_FALSE(gave_up);
}

TEST_F(StepLoopTest, EndsWhereItWasNeverStarted) {
  loop_.Wake();
  End();
}

}  // namespace
}  // namespace idkiosk
