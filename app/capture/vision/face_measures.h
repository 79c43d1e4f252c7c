#ifndef IDKIOSK_APP_CAPTURE_VISION_FACE_MEASURES_H_
#define IDKIOSK_APP_CAPTURE_VISION_FACE_MEASURES_H_

#include <memory>

#include "app/capture/image/picture.h"
#include "app/capture/vision/observation.h"
#include "platform/base/error.h"

namespace idkiosk {

// `box` is in pixels of `picture`; it may stand out beyond the edge.
[[nodiscard]] FaceLight MeasureLight(const PictureView& picture, const Box& box);

// FaceObservation::tint and tint_behind.
struct FaceTints {
  std::optional<Tint> face, behind;
};
[[nodiscard]] FaceTints MeasureTints(const PictureView& picture, const Box& box);

// Of the whole picture.
struct PictureLook {
  double luma = 0;       // mean
  double deviation = 0;  // of the luma
  double colour = 0;     // mean distance of the strongest channel from the weakest
};
[[nodiscard]] PictureLook MeasureLook(const PictureView& picture);

struct FaceDetail {
  double sharpness = 0;  // variance of the Laplacian
  Grain grain;
};

// Measures the detail of a face, cut out without margin: brought to 112 px width (a smaller one
// stays as it is), its luma stretched so that the middle 90 % span half the scale (at most four
// times), so that dark skin in good light counts no less than light skin.
// Keeps its buffers. One thread at a time.
class SharpnessMeter {
 public:
  SharpnessMeter();
  ~SharpnessMeter();

  // Errors: kInternal.
  [[nodiscard]] Result<FaceDetail> Measure(const PictureView& face);

 private:
  struct Buffers;
  std::unique_ptr<Buffers> buffers_;
};
inline constexpr int kSharpnessWidth = 112;

// FaceObservation::area.
[[nodiscard]] double AreaInPortraitWindow(const Box& box, int frame_width, int frame_height);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_VISION_FACE_MEASURES_H_
