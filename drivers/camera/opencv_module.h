#ifndef IDKIOSK_DRIVERS_CAMERA_OPENCV_MODULE_H_
#define IDKIOSK_DRIVERS_CAMERA_OPENCV_MODULE_H_

#include <memory>
#include <string>

#include "platform/api/camera.h"
#include "platform/api/clock.h"

namespace idkiosk {

// OpenCV's video input drags in some 250 shared libraries, which cost 70 MB and 100 ms before a
// program does anything. So it is a module, loaded when a camera of it is first asked for, that
// lies beside the program or in /usr/lib/idkiosk. Program and module are built from one tree: they
// share C++ types, and the number says which.
inline constexpr const char* kOpenCvModuleFile = "idkiosk-opencv-camera.so";
inline constexpr const char* kOpenCvModuleEntry = "idkiosk_make_opencv_camera";
inline constexpr int kOpenCvModuleVersion = 1;

// The entry: a camera that the caller owns, or nothing where `version` is another one. `clock`
// outlives it.
extern "C" {
using MakeOpenCvCameraEntry = Camera* (*)(int version, const char* name, Clock* clock);
}

// FFmpeg, by which OpenCV reads addresses, writes what it meets to standard error, addresses
// included: not unless OPENCV_FFMPEG_LOGLEVEL is set. Sets the environment: before any thread.
void QuietOpenCvCameras();

// A camera of whatever cv::VideoCapture opens: a number, a file, an address such as
// rtsp://HOST/PATH or a GStreamer pipeline. A module once loaded stays. `clock` must outlive the
// camera. Errors: kNotFound (the module is not there; says where it was looked for and the mend),
// kInvalid (it is another version's, or cannot be loaded).
[[nodiscard]] Result<std::unique_ptr<Camera>> LoadOpenCvCamera(const std::string& name,
                                                               Clock& clock);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_OPENCV_MODULE_H_
