#ifndef IDKIOSK_TESTS_FAKES_FAKE_POWER_H_
#define IDKIOSK_TESTS_FAKES_FAKE_POWER_H_

#include <cstddef>

#include "platform/base/mutex.h"

namespace idkiosk {

// The supply that several fake disks hang on: it counts the steps of all of them, and fails for all
// of them at once. Any thread.
class FakePower {
 public:
  // False once the power has failed.
  bool TakeStep() {
    const MutexLock lock(mutex_);
    if (failed_) return false;
    ++steps_;
    if (steps_ == fails_at_) failed_ = true;
    return !failed_;
  }

  [[nodiscard]] size_t steps() {
    const MutexLock lock(mutex_);
    return steps_;
  }
  [[nodiscard]] bool failed() {
    const MutexLock lock(mutex_);
    return failed_;
  }
  // In the middle of the step `count` from now.
  void FailAtStep(size_t count) {
    const MutexLock lock(mutex_);
    fails_at_ = steps_ + count;
  }
  // Between two steps.
  void Fail() {
    const MutexLock lock(mutex_);
    failed_ = true;
  }
  void Restore() {
    const MutexLock lock(mutex_);
    failed_ = false;
    fails_at_ = 0;
  }

 private:
  Mutex mutex_;
  size_t steps_ GUARDED_BY(mutex_) = 0;
  size_t fails_at_ GUARDED_BY(mutex_) = 0;  // 0: never
  bool failed_ GUARDED_BY(mutex_) = false;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_FAKE_POWER_H_
