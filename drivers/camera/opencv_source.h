#ifndef IDKIOSK_DRIVERS_CAMERA_OPENCV_SOURCE_H_
#define IDKIOSK_DRIVERS_CAMERA_OPENCV_SOURCE_H_

#include <string>
#include <string_view>
#include <vector>

#include "platform/base/picture_means.h"

namespace idkiosk {

// What a source begins with that OpenCV opens.
inline constexpr std::string_view kOpenCv = "opencv:";

// GStreamer's sources that are known. Any other is taken for no camera, and for one that may need
// the network.
struct SourceElement {
  std::string_view name;
  bool is_live;   // a device, or a stream by a scheme of cameras
  bool is_local;  // a file, a device or a drawing
};
inline constexpr SourceElement kSourceElements[] = {
    {"v4l2src", true, true},          {"libcamerasrc", true, true},
    {"nvarguscamerasrc", true, true}, {"nvv4l2camerasrc", true, true},
    {"rtspsrc", true, false},         {"udpsrc", true, false},
    {"srtsrc", true, false},          {"aravissrc", true, false},
    {"tcpclientsrc", true, false},    {"pipewiresrc", true, false},
    {"filesrc", false, true},         {"multifilesrc", false, true},
    {"splitfilesrc", false, true},    {"imagesequencesrc", false, true},
    {"videotestsrc", false, true},    {"fakesrc", false, true},
    {"appsrc", false, true},
};
// Returns its row, or null.
[[nodiscard]] const SourceElement* SourceElementOf(std::string_view name);

// Returns what stands between the spaces and marks of a pipeline: elements, and settings such as
// "device=/dev/video0".
inline constexpr std::string_view kBetweenWords = " \t\n!()";
[[nodiscard]] std::vector<std::string_view> WordsOf(std::string_view pipeline);

// The name of one of OpenCV's cameras, as it stands behind "opencv:".
struct OpenCvSource {
  enum class Kind {
    kNumber,    // of a device
    kPipeline,  // elements with exclamation marks between them, as gst-launch-1.0 takes them
    kAddress,   // of a stream, by a scheme of kSchemes
    kFile,      // everything else
  };
  Kind kind = Kind::kFile;
  std::string file;  // of kFile: its path, without "file:"
  // What can be said before it is opened. Live is only what is known to be: an address by a scheme
  // of cameras, a pipeline in which each source is a device or such an address.
  PictureMeans means = PictureMeans::kRecorded;
};

[[nodiscard]] OpenCvSource ParseOpenCvSource(std::string_view name);

// What may be said of a name: no password. A pipeline may give one to any of its elements.
[[nodiscard]] std::string ShownOpenCvName(std::string_view name);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_OPENCV_SOURCE_H_
