#ifndef IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_SITTER_MOTION_H_
#define IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_SITTER_MOTION_H_

#include <array>

#include "drivers/camera/synthetic/sitter_script.h"

namespace idkiosk {

// How a sitter moves from frame to frame: to what the last cue asks, a reaction time after it, as
// fast as a neck does; never quite still, and blinking now and then.
class SitterMotion {
 public:
  explicit SitterMotion(const SitterScript& script);

  // The pose at `time`, which never goes back, with `cue` in force since this call or an earlier
  // one: angles are added to those of the sitter's rest, and its distance is a share of that one.
  [[nodiscard]] SitterPose Advance(Duration time, const SitterPose& cue);

 private:
  // A value that is drawn to its target like a weight on a damped spring.
  struct Spring {
    double value = 0;
    double speed = 0;
    void Step(double target, double seconds);
  };

  [[nodiscard]] SitterPose Target() const;

  const SitterScript script_;
  SitterPose cue_;      // being followed
  SitterPose noticed_;  // seen, not reacted to yet
  Duration noticed_at_{};
  Duration now_{};
  std::array<Spring, 5> springs_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_SITTER_MOTION_H_
