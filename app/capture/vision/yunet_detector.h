#ifndef IDKIOSK_APP_CAPTURE_VISION_YUNET_DETECTOR_H_
#define IDKIOSK_APP_CAPTURE_VISION_YUNET_DETECTOR_H_

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/capture/vision/face_detector.h"

namespace idkiosk {

// The YuNet network (2023mar) on OpenCV's dnn, its twelve outputs read by ourselves: OpenCV 4.6's
// own FaceDetectorYN expects an older model.
class YunetDetector final : public FaceDetector {
 public:
  // The hash of face_detection_yunet_2023mar.onnx, the only file that ReadYunetLevel's arithmetic
  // was checked with.
  static constexpr std::string_view kModelSha256 =
      "8f2383e4dd3cfbb4553ea8718107fc0423210dc964f9f4280604804ed2552fa4";

  // `model` is the ONNX file's content, whose digest the caller has checked.
  // Errors: kCorrupt (OpenCV cannot read it, or its outputs are not those of YuNet).
  [[nodiscard]] static Result<std::unique_ptr<YunetDetector>> Load(ByteSpan model);

  ~YunetDetector() override;

  [[nodiscard]] int preferred_side() const override { return 160; }
  [[nodiscard]] bool finds_landmarks() const override { return true; }
  [[nodiscard]] std::string_view name() const override { return "YuNet 2023mar"; }

 private:
  [[nodiscard]] Status Find(const PictureView& bgr, FaceList& faces) override;
  struct Network;
  YunetDetector();
  // The one that was set up for this size; else the one that was used less recently.
  [[nodiscard]] Network& NetworkFor(int width, int height);

  // Two, because a capture looks at whole frames and at the face in them by turns: setting one up
  // for the other's size took a tenth of the network's time.
  std::array<std::unique_ptr<Network>, 2> networks_;
  std::vector<std::string> output_names_;
  std::vector<Face> candidates_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_VISION_YUNET_DETECTOR_H_
