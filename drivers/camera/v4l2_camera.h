#ifndef IDKIOSK_DRIVERS_CAMERA_V4L2_CAMERA_H_
#define IDKIOSK_DRIVERS_CAMERA_V4L2_CAMERA_H_

#include <memory>
#include <string>
#include <vector>

#include "drivers/camera/v4l2_format.h"
#include "drivers/camera/v4l2_stream.h"
#include "drivers/camera/video_kernel.h"
#include "platform/api/camera.h"
#include "platform/api/clock.h"

namespace idkiosk {

// The camera's configuration beside its source.
struct CameraControls {
  std::string power_line = "50hz";             // off, 50hz, 60hz, auto
  std::string exposure = "auto";               // auto, or the device's own number
  Duration silence = std::chrono::seconds(2);  // no frame for so long: it is opened again
};

// A Linux video device: MJPEG, NV12, YUYV or GREY by mapped buffers.
class V4l2Camera final : public Camera {
 public:
  // `path` is a device, by its number or below /dev/v4l. `kernel` must outlive every frame, `clock`
  // this.
  V4l2Camera(std::string path, CameraControls controls, VideoKernel& kernel, Clock& clock);

  // Once opened, the device is looked for by its stable path: it may come back with another number.
  [[nodiscard]] Result<CameraInfo> Open(const CameraRequest& request) override;
  [[nodiscard]] Result<Frame> NextFrame(MonotonicTime deadline) override;
  [[nodiscard]] std::optional<Duration> Exposure() override;
  void Close() override;

 private:
  [[nodiscard]] Result<int> OpenDevice();
  [[nodiscard]] Result<std::string> NameOf(int fd) const;
  [[nodiscard]] Status SetFormat(int fd, const CameraRequest& request);
  [[nodiscard]] Status SetControls(int fd) const;
  void SetRate(int fd, int frames_per_second);
  [[nodiscard]] MonotonicTime TimeOf(Duration stamp) const;

  const std::string path_;
  const CameraControls controls_;
  VideoKernel& kernel_;
  Clock& clock_;
  std::string stable_path_;  // empty until found
  V4l2Format format_;
  int stride_ = 0;
  std::shared_ptr<V4l2Stream> stream_;  // while open
};

struct VideoDevice {
  std::string path;  // the stable one where there is one
  std::string name;
};

// The devices that give frames which we read, in the order of their numbers.
[[nodiscard]] std::vector<VideoDevice> ListCameras(VideoKernel& kernel);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_V4L2_CAMERA_H_
