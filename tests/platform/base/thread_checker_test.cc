#include "platform/base/thread_checker.h"

#include <gtest/gtest.h>

#include <thread>

namespace idkiosk {
namespace {

class CheckedCounter {
 public:
  int Count() {
    thread_.Check();
    return ++count_;
  }

 private:
  const ThreadChecker thread_;
  int count_ GUARDED_BY(thread_) = 0;
};

class LateCounter {
 public:
  int Count() {
    thread_.Check();
    return ++count_;
  }

 private:
  const ThreadChecker thread_ = ThreadChecker::Detached();
  int count_ GUARDED_BY(thread_) = 0;
};

void OnAnotherThread(auto work) { std::thread(work).join(); }

TEST(ThreadCheckerTest, LetsTheThreadThatMadeItIn) {
  CheckedCounter counter;
  EXPECT_EQ(counter.Count(), 1);
  EXPECT_EQ(counter.Count(), 2);
}

TEST(ThreadCheckerTest, EndsTheProgramOnAnotherThreadAndNamesClassAndFunction) {
  CheckedCounter counter;
  EXPECT_DEATH(
      OnAnotherThread([&] { counter.Count(); }),
      "level=error msg=\".*CheckedCounter::Count.* was called on another thread than its own");
}

TEST(ThreadCheckerTest, BelongsToTheFirstThreadThatChecksWhenDetached) {
  LateCounter counter;
  OnAnotherThread([&] { EXPECT_EQ(counter.Count(), 1); });
  EXPECT_DEATH(counter.Count(), "LateCounter::Count.* was called on another thread than its own");
}

}  // namespace
}  // namespace idkiosk
