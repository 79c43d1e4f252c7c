#ifndef IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_CAMERA_H_
#define IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_CAMERA_H_

#include <memory>
#include <string_view>

#include "drivers/camera/frame_pacer.h"
#include "drivers/camera/sitter_script.h"
#include "platform/api/camera.h"
#include "platform/api/clock.h"

namespace idkiosk {

// What the sitter is asked to do.
enum class SitterCue { kLookAhead, kTurnLeft, kTurnRight, kLookUp, kComeCloser, kSmile };

// A camera that draws somebody sitting before it, as real MJPEG frames at 30 a second, so that the
// whole program runs on a machine without a camera. The sitter does what Cue asks, a reaction time
// later and at the speed of a human neck, unless its script says otherwise. Draws nobody who lives.
class SyntheticCamera final : public Camera {
 public:
  // `clock` must outlive this.
  SyntheticCamera(const SitterScript& script, Clock& clock, WaitUntil wait_until);
  ~SyntheticCamera() override;

  [[nodiscard]] Result<CameraInfo> Open(const CameraRequest& request) override;
  [[nodiscard]] Result<Frame> NextFrame(MonotonicTime deadline) override;
  void Close() override;

  // Any thread. Holds until the next cue; the same cue again changes nothing.
  void Cue(SitterCue cue);

 private:
  struct Scene;
  std::unique_ptr<Scene> scene_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_CAMERA_H_
