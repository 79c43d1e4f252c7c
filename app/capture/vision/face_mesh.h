#ifndef IDKIOSK_APP_CAPTURE_VISION_FACE_MESH_H_
#define IDKIOSK_APP_CAPTURE_VISION_FACE_MESH_H_

#include <array>
#include <memory>
#include <string_view>

#include "app/capture/image/picture.h"
#include "app/capture/vision/face.h"
#include "platform/base/bytes.h"
#include "platform/base/error.h"

namespace idkiosk {

// A face by MediaPipe's numbers of its points. The network puts them on a covered face as on a bare
// one; its score falls only where no upright face is.
struct MeshObservation {
  static constexpr size_t kPoints = 468;
  using Points = std::array<Point, kPoints>;

  Points points;  // in pixels of the picture that was looked at
  double score = 0;

  // The same face upright, with a margin of a quarter on each side: what the network saw. Valid
  // until the next look.
  PictureView upright;
  Points in_upright;
  double roll = 0;  // degrees over the full circle, as HeadPose::roll
};

// MediaPipe's FaceMesh on OpenCV's dnn. Keeps its buffers. One thread at a time.
class FaceMesh {
 public:
  // The hash of facemesh_468.onnx, which tools/setup makes.
  static constexpr std::string_view kModelSha256 =
      "fca79c37e9212aba93d7373a753c6e57b62973fcd38d07da4be6d442e4637a15";
  static constexpr std::string_view kFileName = "facemesh_468.onnx";
  static constexpr std::string_view kName = "FaceMesh 468";
  static constexpr int kSide = 192;  // pixels of what the network sees

  // `model` is the ONNX file's content, whose digest the caller has checked.
  // Errors: kCorrupt (OpenCV cannot read it, or its outputs are not those of FaceMesh).
  [[nodiscard]] static Result<std::unique_ptr<FaceMesh>> Load(ByteSpan model);
  ~FaceMesh();

  // Requires `face` in pixels of `picture`. Errors: kInternal, kInvalid (the face has no size).
  [[nodiscard]] Result<MeshObservation> Look(const PictureView& picture, const Face& face);

 private:
  struct Network;
  explicit FaceMesh(std::unique_ptr<Network> network);

  std::unique_ptr<Network> network_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_VISION_FACE_MESH_H_
