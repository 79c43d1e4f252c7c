#ifndef IDKIOSK_DRIVERS_CAMERA_CAMERA_SOURCE_H_
#define IDKIOSK_DRIVERS_CAMERA_CAMERA_SOURCE_H_

#include <memory>
#include <string>
#include <string_view>

#include "drivers/camera/camera_program.h"
#include "drivers/camera/synthetic/synthetic_camera.h"
#include "drivers/camera/v4l2_camera.h"
#include "platform/api/camera.h"
#include "platform/api/clock.h"
#include "platform/api/file_system.h"

namespace idkiosk {

struct CameraChoice {
  std::unique_ptr<Camera> camera;  // a live one is a SupervisedCamera
  // What is in `camera`, where that is a drawn sitter: tell it the prompts, so that it follows
  // them.
  SyntheticCamera* sitter = nullptr;
};

// How a source may be written, for people: "v4l2:/dev/video0, opencv:URL-OR-FILE, ... or auto".
[[nodiscard]] std::string CameraForms();

// Whether `source` has one of these forms. Errors: kInvalid, with all of them.
[[nodiscard]] Status CheckCameraSource(std::string_view source);

// What `source` would show if it were opened now. Opens nothing. Errors: kInvalid, as above.
[[nodiscard]] Result<CameraPromise> PromiseOf(std::string_view source, VideoKernel& kernel);

// Whether a camera of `source` is taken by another process, which CameraProgram starts.
[[nodiscard]] bool NeedsCameraProgram(std::string_view source);

// The camera that `source` names, not open yet. `kernel`, `program`, `clock` and `files` must
// outlive the camera and its frames.
// Errors: those of CheckCameraSource and CameraProgram::Start, kInvalid (a script that makes no
// sense; names the part).
[[nodiscard]] Result<CameraChoice> MakeCamera(std::string_view source,
                                              const CameraControls& controls, VideoKernel& kernel,
                                              CameraProgram& program, Clock& clock,
                                              FileSystem& files);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_CAMERA_SOURCE_H_
