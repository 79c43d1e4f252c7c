#ifndef IDKIOSK_TESTS_FAKES_FAKE_POWER_H_
#define IDKIOSK_TESTS_FAKES_FAKE_POWER_H_

#include <cstddef>

namespace idkiosk {

// The supply that several fake disks hang on: it counts the steps of all of them, and fails for all
// of them at once.
class FakePower {
 public:
  // False once the power has failed.
  bool TakeStep() {
    if (failed_) return false;
    ++steps_;
    if (steps_ == fails_at_) failed_ = true;
    return !failed_;
  }

  [[nodiscard]] size_t steps() const { return steps_; }
  [[nodiscard]] bool failed() const { return failed_; }
  // In the middle of the step `count` from now.
  void FailAtStep(size_t count) { fails_at_ = steps_ + count; }
  void Restore() {
    failed_ = false;
    fails_at_ = 0;
  }

 private:
  size_t steps_ = 0;
  size_t fails_at_ = 0;  // 0: never
  bool failed_ = false;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_FAKE_POWER_H_
