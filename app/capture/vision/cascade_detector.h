#ifndef IDKIOSK_APP_CAPTURE_VISION_CASCADE_DETECTOR_H_
#define IDKIOSK_APP_CAPTURE_VISION_CASCADE_DETECTOR_H_

#include <memory>
#include <string>
#include <string_view>

#include "app/capture/vision/face_detector.h"

namespace idkiosk {

// OpenCV's Haar cascades, for where the network's model is not to be had. Some ten times slower,
// and without landmarks: of the pose it tells only whether a head is turned to a side, by the
// cascade for profiles.
class CascadeDetector final : public FaceDetector {
 public:
  // `folder` is Debian's, of the package opencv-data.
  // Errors: kNotFound, kCorrupt; each names the file.
  [[nodiscard]] static Result<std::unique_ptr<CascadeDetector>> Load(const std::string& folder,
                                                                     FileSystem& files);

  ~CascadeDetector() override;

  [[nodiscard]] int preferred_side() const override { return 320; }
  [[nodiscard]] bool finds_landmarks() const override { return false; }
  [[nodiscard]] std::string_view name() const override { return "OpenCV cascade frontalface_alt2"; }

 private:
  [[nodiscard]] Status Find(const PictureView& bgr, FaceList& faces) override;
  struct Cascades;
  explicit CascadeDetector(std::unique_ptr<Cascades> cascades);

  std::unique_ptr<Cascades> cascades_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_VISION_CASCADE_DETECTOR_H_
