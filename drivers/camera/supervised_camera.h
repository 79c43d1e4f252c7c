#ifndef IDKIOSK_DRIVERS_CAMERA_SUPERVISED_CAMERA_H_
#define IDKIOSK_DRIVERS_CAMERA_SUPERVISED_CAMERA_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "drivers/camera/frame_pacer.h"
#include "platform/api/camera.h"
#include "platform/api/clock.h"

namespace idkiosk {

// A live camera that nobody has to look after: silent, frozen or unplugged, it is opened again and
// again until it is back. Never gives the same picture twice: a real sensor's noise differs from
// frame to frame, so what repeats is no new look at anybody.
class SupervisedCamera final : public Camera {
 public:
  struct Patience {
    Duration silence = std::chrono::seconds(2);         // no frame for so long
    Duration frozen = std::chrono::milliseconds(1500);  // the same bytes for so long
    Duration retry = std::chrono::milliseconds(250);    // between two attempts to open
  };

  // `clock` must outlive this.
  SupervisedCamera(std::unique_ptr<Camera> camera, const Patience& patience, Clock& clock,
                   WaitUntil wait_until);

  // Errors: those of the camera; the first opening is not tried again.
  [[nodiscard]] Result<CameraInfo> Open(const CameraRequest& request) override;

  // Also kTimeout (silent or frozen; the message says which, and it has been closed to be opened
  // again) and kUnavailable (away, for as long as `deadline` was waited; the message says why it
  // does not open). Calling again goes on trying.
  [[nodiscard]] Result<Frame> NextFrame(MonotonicTime deadline) override;
  [[nodiscard]] std::optional<Duration> Exposure() override { return camera_->Exposure(); }
  void Close() override;

 private:
  [[nodiscard]] Status OpenAgain(MonotonicTime deadline);
  [[nodiscard]] Result<Frame> Lost(Error error);

  const std::unique_ptr<Camera> camera_;
  const Patience patience_;
  Clock& clock_;
  WaitUntil wait_until_;
  std::optional<CameraRequest> request_;  // while open, or away
  CameraInfo info_;
  bool away_ = false;
  uint64_t last_picture_ = 0;    // a digest of its bytes
  MonotonicTime last_new_at_{};  // when the last new picture came
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_SUPERVISED_CAMERA_H_
