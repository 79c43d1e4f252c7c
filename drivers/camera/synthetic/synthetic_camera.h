#ifndef IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_SYNTHETIC_CAMERA_H_
#define IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_SYNTHETIC_CAMERA_H_

#include <deque>
#include <optional>
#include <string>

#include "drivers/camera/frame_pacer.h"
#include "drivers/camera/synthetic/sitter_motion.h"
#include "drivers/camera/synthetic/sitter_scene.h"
#include "drivers/camera/synthetic/sitter_script.h"
#include "platform/api/camera.h"
#include "platform/api/clock.h"

namespace idkiosk {

// A camera that draws somebody sitting before it, as real MJPEG frames, so that the whole
// program runs on a machine without a camera. The sitter does what Cue asks, a reaction time
// later and at the speed of a human neck, unless its script says otherwise. Draws nobody who lives.
class SyntheticCamera final : public Camera {
 public:
  // `source` is what CameraInfo says. `clock` must outlive this.
  SyntheticCamera(std::string source, const SitterScript& script, Clock& clock,
                  WaitUntil wait_until);

  // Draws at the size asked for, between 320 x 240 and 1920 x 1080, and at most 30 frames a second.
  [[nodiscard]] Result<CameraInfo> Open(const CameraRequest& request) override;
  [[nodiscard]] Result<Frame> NextFrame(MonotonicTime deadline) override;
  [[nodiscard]] std::optional<Duration> Exposure() override;
  void Close() override;

  // Takes the pose and the screen of a script ("yaw=36"; empty: rest, before white) as what the
  // sitter is asked for, until the
  // next cue. Returns false if it is no script. On the thread that asks for frames.
  bool Cue(std::string_view script);

 private:
  // A change of the screen's colour.
  struct ScreenChange {
    MonotonicTime at;
    SitterScreen to;
    Duration fade;
  };

  [[nodiscard]] Duration SinceFirstFrame() const;
  // The colour of the screen at that time.
  [[nodiscard]] SitterScreen ScreenAt(MonotonicTime time) const;
  [[nodiscard]] bool Unplugged() const;

  const std::string source_;
  const SitterScript script_;
  Clock& clock_;
  FramePacer pacer_;
  std::string cue_script_;
  SitterPose cue_;
  std::deque<ScreenChange> screens_;  // the newest last
  Duration latency_{};                // until the camera shows one
  int width_ = 0;
  int height_ = 0;
  std::optional<SitterScene> scene_;  // while open
  SitterMotion motion_;
  std::optional<MonotonicTime> first_frame_;  // of all, across openings
  Frame last_;
  uint64_t sequence_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_SYNTHETIC_CAMERA_H_
