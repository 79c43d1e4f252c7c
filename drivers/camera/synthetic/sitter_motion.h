#ifndef IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_SITTER_MOTION_H_
#define IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_SITTER_MOTION_H_

#include <array>
#include <string_view>

#include "drivers/camera/synthetic/sitter_script.h"

namespace idkiosk {

// The action that the sitter is asked for.
enum class SitterCue { kLookAhead, kTurnLeft, kTurnRight, kLookUp, kComeCloser, kSmile };

// turn_left, turn_right, look_up, come_closer, smile; whatever else it hears, it looks ahead.
[[nodiscard]] SitterCue CueNamed(std::string_view name);

// How a sitter moves from frame to frame: towards what the last cue asks, a reaction time after it,
// as fast as a neck does; never quite still, and blinking now and then.
class SitterMotion {
 public:
  explicit SitterMotion(const SitterScript& script);

  // The pose at `time`, which never goes back, with `cue` in force since this call or an earlier
  // one.
  [[nodiscard]] SitterPose Advance(Duration time, SitterCue cue);

 private:
  // A value that is drawn to its target like a weight on a damped spring.
  struct Spring {
    double value = 0;
    double speed = 0;
    void Step(double target, double seconds);
  };

  [[nodiscard]] SitterPose Target() const;

  const SitterScript script_;
  SitterCue cue_ = SitterCue::kLookAhead;      // being followed
  SitterCue noticed_ = SitterCue::kLookAhead;  // seen, not reacted to yet
  Duration noticed_at_{};
  Duration now_{};
  std::array<Spring, 5> springs_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_SITTER_MOTION_H_
