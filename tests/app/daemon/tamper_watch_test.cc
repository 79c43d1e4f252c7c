#include "app/daemon/tamper_watch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>
#include <vector>

#include "platform/base/mutex.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;

// A case that a test opens.
struct Case {
  Mutex mutex;
  ConditionVariable changed;
  bool open = false;
  bool broken = false;
  int opened = 0;  // how often it began to be watched
};

class FakeTamperSwitch final : public TamperSwitch {
 public:
  explicit FakeTamperSwitch(Case& of) : case_(of) {}
  Status Open() override {
    const MutexLock lock(case_.mutex);
    if (case_.broken) return Fail(ErrorCode::kNotFound, "no such chip");
    ++case_.opened;
    case_.changed.NotifyAll();
    return {};
  }
  Result<bool> Wait(Duration patience) override {
    MutexLock lock(case_.mutex);
    (void)case_.changed.WaitFor(lock, patience, [this] { return case_.open || case_.broken; });
    if (std::exchange(case_.broken, false)) return Fail(ErrorCode::kUnavailable, "gone");
    return case_.open;
  }

 private:
  Case& case_;
};

class TamperWatchTest : public testing::Test {
 protected:
  void Set(bool Case::* member, bool value) {
    const MutexLock lock(case_.mutex);
    case_.*member = value;
    case_.changed.NotifyAll();
  }
  // `answers`: of each try, in turn; the last one again and again.
  TamperWatch::Dependencies Dependencies(std::vector<Status> answers) {
    return {std::make_unique<FakeTamperSwitch>(case_),
            [this, said = std::move(answers)]() -> Status {
              const size_t at = std::min<size_t>(static_cast<size_t>(tries_++), said.size() - 1);
              return said[at];
            },
            [this] { erased_.set_value(); }};
  }

  Case case_;
  std::atomic<int> tries_ = 0;
  std::promise<void> erased_;
};

TEST_F(TamperWatchTest, ErasesTheKeysOnceWhenTheCaseIsOpened) {
  TamperWatch watch(Dependencies({Status()}));
  ASSERT_TRUE(watch.Start());
  EXPECT_EQ(tries_, 0);
  Set(&Case::open, true);
  ASSERT_EQ(erased_.get_future().wait_for(1min), std::future_status::ready);
  EXPECT_EQ(tries_, 1);
}

TEST_F(TamperWatchTest, ErasesWhatWasOpenedWhileItWasOff) {
  Set(&Case::open, true);
  TamperWatch watch(Dependencies({Status()}));
  ASSERT_TRUE(watch.Start());
  EXPECT_EQ(erased_.get_future().wait_for(1min), std::future_status::ready);
}

TEST_F(TamperWatchTest, TriesAgainUntilTheyAreGone) {
  TamperWatch watch(Dependencies(
      {Fail(ErrorCode::kUnavailable, "busy"), Fail(ErrorCode::kUnavailable, "busy"), Status()}));
  ASSERT_TRUE(watch.Start());
  Set(&Case::open, true);
  ASSERT_EQ(erased_.get_future().wait_for(1min), std::future_status::ready);
  EXPECT_EQ(tries_, 3);
}

TEST_F(TamperWatchTest, WaitsForAVaultToEraseWhereThereIsNone) {
  TamperWatch watch(Dependencies({Fail(ErrorCode::kFailedPrecondition, "no vault"),
                                  Fail(ErrorCode::kFailedPrecondition, "no vault"), Status()}));
  Set(&Case::open, true);
  ASSERT_TRUE(watch.Start());
  ASSERT_EQ(erased_.get_future().wait_for(1min), std::future_status::ready);
  EXPECT_EQ(tries_, 3);
}

TEST_F(TamperWatchTest, IsWatchedAgainOnceTheChipIsBack) {
  TamperWatch watch(Dependencies({Status()}));
  ASSERT_TRUE(watch.Start());
  Set(&Case::broken, true);
  {
    MutexLock lock(case_.mutex);
    ASSERT_TRUE(case_.changed.WaitFor(lock, 1min, [this] { return case_.opened >= 2; }));
  }
  Set(&Case::open, true);
  EXPECT_EQ(erased_.get_future().wait_for(1min), std::future_status::ready);
}

TEST_F(TamperWatchTest, SaysAtTheStartThatItCannotBeWatched) {
  Set(&Case::broken, true);
  TamperWatch watch(Dependencies({Status()}));
  EXPECT_FALSE(watch.Start());
}

TEST_F(TamperWatchTest, EndsWhileTheCaseIsOpenAndNothingCanBeErased) {
  Set(&Case::open, true);
  {
    TamperWatch watch(Dependencies({Fail(ErrorCode::kUnavailable, "busy")}));
    ASSERT_TRUE(watch.Start());
    while (tries_ < 2) std::this_thread::yield();
  }
  const int tries = tries_;
  EXPECT_GE(tries, 2);
}

}  // namespace
}  // namespace idkiosk
