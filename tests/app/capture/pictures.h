#ifndef IDKIOSK_TESTS_APP_CAPTURE_PICTURES_H_
#define IDKIOSK_TESTS_APP_CAPTURE_PICTURES_H_

#include <memory>
#include <string>
#include <string_view>

#include "app/capture/image/picture.h"
#include "app/capture/vision/face_detector.h"
#include "app/capture/vision/frame_analyzer.h"
#include "drivers/camera/synthetic/synthetic_camera.h"
#include "platform/base/frame.h"
#include "tests/fakes/fake_clock.h"

namespace idkiosk {

// A JPEG of four flat quarters: upper left red, upper right green, lower left blue, lower right
// white. `width` and `height` in pixels, multiples of 32.
[[nodiscard]] Bytes QuartersJpeg(int width, int height);

// The same with an EXIF segment that names `orientation` and a comment.
[[nodiscard]] Bytes WithOrientation(const Bytes& jpeg, int orientation);

// Without its Huffman tables, as many webcams send them.
[[nodiscard]] Bytes WithoutHuffmanTables(const Bytes& jpeg);

// With another size in the header of a baseline JPEG.
[[nodiscard]] Bytes WithSize(Bytes jpeg, int width, int height);

[[nodiscard]] Frame JpegFrame(Bytes jpeg);

// 'r', 'g', 'b', 'w' or '?' for what is in the middle of a quarter of the picture, row by row.
[[nodiscard]] std::string QuartersOf(const Picture& picture);

// The drawn sitter before a camera, on a clock that waiting moves.
class Studio {
 public:
  explicit Studio(std::string_view script, int width = 480, int height = 270,
                  int frames_per_second = 15);

  [[nodiscard]] Frame Shoot();
  [[nodiscard]] SyntheticCamera& camera() { return camera_; }
  [[nodiscard]] const CameraInfo& info() const { return info_; }
  [[nodiscard]] FakeClock& clock() { return clock_; }

 private:
  FakeClock clock_;
  SyntheticCamera camera_;
  CameraInfo info_;
};

// Detectors on the real files of this machine. The network's model is looked for where set-up puts
// it; it may not be there.
[[nodiscard]] std::string YunetPath();
[[nodiscard]] bool HasYunet();
[[nodiscard]] std::string MeshPath();
[[nodiscard]] bool HasMesh();
[[nodiscard]] ChosenDetector MakeDetector(const std::string& name);

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_CAPTURE_PICTURES_H_
