#ifndef IDKIOSK_PLATFORM_API_CAMERA_H_
#define IDKIOSK_PLATFORM_API_CAMERA_H_

#include <optional>
#include <string>

#include "platform/base/error.h"
#include "platform/base/frame.h"
#include "platform/base/picture_means.h"

namespace idkiosk {

// The format that the program asks for; a camera comes as near as it can.
struct CameraRequest {
  int width = 1280;  // pixels
  int height = 720;  // pixels
  int frames_per_second = 30;
};

// The format that the camera delivers.
struct CameraInfo {
  std::string name;    // for people: "Integrated Webcam"
  std::string source;  // as it is written on the command line: "v4l2:/dev/video0"
  PixelFormat format = PixelFormat::kJpeg;
  int width = 0;   // pixels; 0 until the first frame where the source does not say
  int height = 0;  // pixels
  double frames_per_second = 0;
  bool live = true;    // false for pictures that were taken before
  bool drawn = false;  // nobody sits there
  // It has shown colours before, since the program began: whoever opens it notes that.
  bool coloured = false;
};

// What a source will show, as far as that can be said before it is opened.
struct CameraPromise {
  PictureMeans means = PictureMeans::kLive;
  std::string says;         // for people: "images:/film shows a recording"
  bool may_change = false;  // another camera may be there the next time
  std::string reads = {};   // the file or folder that this process reads for it; empty: none
};

// By what means an open camera's pictures come about.
[[nodiscard]] constexpr PictureMeans MeansOf(const CameraInfo& camera) {
  if (camera.drawn) return PictureMeans::kDrawn;
  return camera.live ? PictureMeans::kLive : PictureMeans::kRecorded;
}

// A source of frames. One thread at a time.
class Camera {
 public:
  virtual ~Camera() = default;

  // Starts streaming. Also re-opens after an error or Close.
  // Errors: kNotFound (no such device or folder), kUnavailable (busy), kForbidden, kInvalid (no
  // format that we read, or a source that makes no sense).
  [[nodiscard]] virtual Result<CameraInfo> Open(const CameraRequest& request) = 0;

  // The newest frame, waiting for one until `deadline`. The frame may hold one of the device's few
  // buffers: let go of it soon.
  // Errors: kTimeout (silent until the deadline), kUnavailable (unplugged), kCorrupt (this frame
  // alone), kNotFound (pictures that were taken before: there are no more), kFailedPrecondition
  // (not open).
  [[nodiscard]] virtual Result<Frame> NextFrame(MonotonicTime deadline) = 0;

  // How long the newest frame was exposed; nothing where the camera does not say.
  [[nodiscard]] virtual std::optional<Duration> Exposure() { return std::nullopt; }

  // Stops streaming. Frames that are still held stay valid.
  virtual void Close() = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_API_CAMERA_H_
