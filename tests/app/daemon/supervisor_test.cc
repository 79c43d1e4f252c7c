#include "app/daemon/supervisor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/assembly/components_fixture.h"
#include "tests/fakes/fake_task_runner.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::Gt;
using testing::IsEmpty;
using testing::Lt;
using testing::Not;

// A loop that has nothing to wait for: time passes while it runs.
class VirtualLoop final : public TaskLoop {
 public:
  explicit VirtualLoop(FakeClock& clock) : clock_(clock), runner_(clock) {}

  void Run() override {
    while (!stopped_) clock_.Advance(10ms);
  }
  void Stop() override { stopped_ = true; }
  void Post(Task task) override { runner_.Post(std::move(task)); }
  TimerId PostAt(MonotonicTime when, Task task) override {
    return runner_.PostAt(when, std::move(task));
  }
  void Cancel(TimerId timer) override { runner_.Cancel(timer); }

 private:
  FakeClock& clock_;
  FakeTaskRunner runner_;
  bool stopped_ = false;
};

class SupervisorTest : public testing::Test {
 protected:
  SupervisorTest() {
    watchdog_.patient_for = 8s;
    watchdog_.on_feed = [this] { fed_.push_back(clock_.Now() - start_); };
  }

  // Runs for so long, until the process is asked to stop; the storage thread works while it is not
  // stuck.
  void RunFor(Duration time) {
    Supervisor({.watchdog = watchdog_,
                .clock = clock_,
                .control = control_,
                .storage_runner = storage_,
                .storage_heartbeat = storage_heartbeat_,
                .stopping =
                    [this, end = clock_.Now() + time] {
                      if (clock_.Now() - start_ < stuck_after_) storage_.RunUntilIdle();
                      return clock_.Now() >= end;
                    },
                .watched = {{camera_, "camera"}}})
        .Run();
  }

  FakeClock clock_;
  FakeClock storage_time_;  // stands still: nothing runs there but in RunFor
  const MonotonicTime start_ = clock_.Now();
  VirtualLoop control_{clock_};
  FakeTaskRunner storage_{storage_time_};
  Heartbeat storage_heartbeat_{clock_};
  Heartbeat camera_{clock_};
  FakeWatchdog watchdog_;
  Duration stuck_after_ = 1h;
  std::vector<Duration> fed_;
};

TEST_F(SupervisorTest, FeedsTheWatchdogInGoodTimeWhileEveryThreadMovesOn) {
  RunFor(60s);
  EXPECT_EQ(watchdog_.ready, 1);
  ASSERT_GE(fed_.size(), 2U);
  EXPECT_EQ(fed_.front(), 0s);
  for (size_t i = 1; i < fed_.size(); ++i) EXPECT_LE(fed_[i] - fed_[i - 1], 4s);
  EXPECT_GE(fed_.back(), 56s);
}

TEST_F(SupervisorTest, AWorkerThatBreaksItsWordIsFedForNoMore) {
  camera_.Beat(20s);
  RunFor(60s);
  ASSERT_FALSE(fed_.empty());
  EXPECT_GE(fed_.back(), 16s);
  EXPECT_LE(fed_.back(), 20s);
}

TEST_F(SupervisorTest, AWorkerThatMovesOnAgainIsFedForAgain) {
  camera_.Beat(1s);
  ScopedTimer later(control_, start_ + 30s, [this] { camera_.Rest(); });
  RunFor(60s);
  EXPECT_THAT(fed_, Not(Contains(AllOf(Gt(Duration(1s)), Lt(Duration(30s))))));
  EXPECT_GE(fed_.back(), 56s);
}

TEST_F(SupervisorTest, AStorageThreadThatTakesNoTaskIsStuck) {
  stuck_after_ = 10s;
  RunFor(120s);
  EXPECT_GE(fed_.back(), 30s) << "its disk may take a while";
  EXPECT_LE(fed_.back(), 10s + 25s);
}

TEST_F(SupervisorTest, WhereNobodyWatchesNothingIsFedAndNoThreadIsAsked) {
  watchdog_.patient_for.reset();
  stuck_after_ = 0s;
  RunFor(120s);
  EXPECT_THAT(fed_, IsEmpty());
  EXPECT_TRUE(storage_heartbeat_.alive());
}

TEST_F(SupervisorTest, SaysThatItStopsOnlyWhereTheProcessDoes) {
  RunFor(1s);
  EXPECT_EQ(watchdog_.stopping, 1);
}

TEST_F(SupervisorTest, ALoopThatIsStoppedOtherwiseBeginsAnew) {
  ScopedTimer anew(control_, start_ + 5s, [this] { control_.Stop(); });
  RunFor(60s);
  EXPECT_LT(clock_.Now() - start_, 6s);
  EXPECT_EQ(watchdog_.stopping, 0);
}

}  // namespace
}  // namespace idkiosk
