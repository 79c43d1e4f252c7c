#ifndef IDKIOSK_DRIVERS_OPENCV_CAMERA_OPENCV_CAMERA_H_
#define IDKIOSK_DRIVERS_OPENCV_CAMERA_OPENCV_CAMERA_H_

#include <memory>
#include <string>

#include "drivers/camera/opencv_source.h"
#include "platform/api/camera.h"
#include "platform/api/clock.h"

namespace idkiosk {

// Whatever cv::VideoCapture opens: an index ("0"), a video file, an address ("rtsp://camera/live")
// or a GStreamer pipeline ("v4l2src ! videoconvert ! appsink"). A file is a film that was taken
// before: its frames come as fast as they are asked for, with the times they have in it. All else
// is live: it is read in a thread of its own, and the newest frame is given. Opening an address may
// take five seconds, closing it two: so long OpenCV waits for it. Of an error the code counts:
// RemoteCamera makes a sentence of it.
class OpenCvCamera final : public Camera {
 public:
  // Pictures are written into `memory`, at its beginning; a frame is good until the next is asked
  // for. Both must outlive this.
  OpenCvCamera(std::string name, MutableByteSpan memory, Clock& clock);
  ~OpenCvCamera() override;

  [[nodiscard]] Result<CameraInfo> Open(const CameraRequest& request) override;
  [[nodiscard]] Result<Frame> NextFrame(MonotonicTime deadline) override;
  void Close() override;

 private:
  struct Capture;

  [[nodiscard]] Status OpenVideo(Capture& capture, const CameraRequest& request) const;
  [[nodiscard]] Status Grab(Capture& capture) const;
  [[nodiscard]] Result<Frame> Retrieve(Capture& capture) const;

  const std::string name_;
  const OpenCvSource source_;
  const MutableByteSpan memory_;
  Clock& clock_;
  std::unique_ptr<Capture> capture_;  // while open
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_OPENCV_CAMERA_OPENCV_CAMERA_H_
