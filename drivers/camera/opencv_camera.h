#ifndef IDKIOSK_DRIVERS_CAMERA_OPENCV_CAMERA_H_
#define IDKIOSK_DRIVERS_CAMERA_OPENCV_CAMERA_H_

#include <memory>
#include <string>

#include "platform/api/camera.h"
#include "platform/api/clock.h"

namespace idkiosk {

// Whatever cv::VideoCapture opens: an index ("0"), a video file, or an address. A file is a film
// that was taken before: its frames come as fast as they are asked for, with the times they have in
// it. OpenCV cannot be told a deadline for each frame: for an address it gives up after five
// seconds by itself.
class OpenCvCamera final : public Camera {
 public:
  // `clock` must outlive this.
  OpenCvCamera(std::string name, Clock& clock);
  ~OpenCvCamera() override;

  [[nodiscard]] Result<CameraInfo> Open(const CameraRequest& request) override;
  [[nodiscard]] Result<Frame> NextFrame(MonotonicTime deadline) override;
  void Close() override;

 private:
  struct Capture;

  const std::string name_;
  Clock& clock_;
  std::unique_ptr<Capture> capture_;  // while open
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_OPENCV_CAMERA_H_
