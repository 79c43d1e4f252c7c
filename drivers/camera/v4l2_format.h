#ifndef IDKIOSK_DRIVERS_CAMERA_V4L2_FORMAT_H_
#define IDKIOSK_DRIVERS_CAMERA_V4L2_FORMAT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drivers/camera/video_kernel.h"
#include "platform/api/camera.h"

namespace idkiosk {

// A format that a device offers, or is set to.
struct V4l2Format {
  uint32_t fourcc = 0;
  int width = 0;                 // pixels
  int height = 0;                // pixels
  double frames_per_second = 0;  // 0 where the device does not say
};

// Ours for a format of theirs; nothing for one that we do not read.
[[nodiscard]] std::optional<PixelFormat> PixelFormatOf(uint32_t fourcc);

// "MJPG"
[[nodiscard]] std::string FourccName(uint32_t fourcc);

// Everything that an open device offers, each size with its highest frame rate. A device that names
// formats but no sizes is taken to offer the size asked for.
[[nodiscard]] std::vector<V4l2Format> ListFormats(VideoKernel& kernel, int fd,
                                                  const CameraRequest& request);

// The one that comes nearest to `request`: first enough frames a second to follow a face, then the
// size, then what is cheapest to read. Nothing if none can be read.
[[nodiscard]] std::optional<V4l2Format> ChooseFormat(const std::vector<V4l2Format>& offered,
                                                     const CameraRequest& request);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_V4L2_FORMAT_H_
