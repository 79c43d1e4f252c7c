#ifndef IDKIOSK_DRIVERS_CAMERA_CAMERA_SOURCE_H_
#define IDKIOSK_DRIVERS_CAMERA_CAMERA_SOURCE_H_

#include <memory>
#include <string>
#include <string_view>

#include "drivers/camera/synthetic/synthetic_camera.h"
#include "drivers/camera/v4l2_camera.h"
#include "platform/api/camera.h"
#include "platform/api/clock.h"
#include "platform/api/file_system.h"

namespace idkiosk {

struct CameraChoice {
  std::unique_ptr<Camera> camera;  // a live one is a SupervisedCamera
  // The drawn sitter in `camera`, where it is one: tell it the prompts, so that it follows
  // them.
  SyntheticCamera* sitter = nullptr;
};

// The camera that `source` names, not open yet:
//   v4l2:/dev/video0     a Linux video device (a path below /dev/v4l/by-id survives re-plugging)
//   opencv:NAME          what OpenCV opens: a number, a video file, an address (needs its module)
//   images:FOLDER        pictures in name order (ImageSequenceCamera)
//   synthetic[:SCRIPT]   the drawn sitter (SyntheticCamera says what a script may hold)
//   auto                 the first real camera, else the drawn sitter
// `kernel`, `clock` and `files` must outlive the camera and its frames.
// Errors: those of LoadOpenCvCamera, kInvalid (no such kind of source, or a script that makes no
// sense; names the part).
[[nodiscard]] Result<CameraChoice> MakeCamera(std::string_view source,
                                              const CameraControls& controls, VideoKernel& kernel,
                                              Clock& clock, FileSystem& files);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_CAMERA_SOURCE_H_
