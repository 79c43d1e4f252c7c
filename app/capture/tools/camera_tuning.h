#ifndef IDKIOSK_APP_CAPTURE_TOOLS_CAMERA_TUNING_H_
#define IDKIOSK_APP_CAPTURE_TOOLS_CAMERA_TUNING_H_

#include <vector>

#include "app/capture/measures.h"
#include "app/capture/vision/observation.h"
#include "app/settings/settings.h"
#include "platform/base/error.h"

namespace idkiosk {

// Thresholds that fit one camera in its place.
struct TunedThresholds {
  struct Limit {
    const MeasureLimit* of;
    double value;
  };
  std::vector<Limit> limits;

  // The measurements that the limits were made of.
  int frames = 0;        // seen
  int used = 0;          // of those, with one straight face in them
  double sharpness = 0;  // median; the next one the tenth percentile
  double least_sharpness = 0;
  double luma = 0;      // of the face, median
  double surround = 0;  // median
};

// Measures a camera while somebody sits in front. The sharpness that a good frame has depends on
// the lens and on what the camera does to its pictures; so does its threshold. Of light, only as
// much is learnt as holds for everybody: the person who sits there has one skin, those who come
// have others. So the limits of light are widened where the place asks for it, never narrowed.
class CameraTuning {
 public:
  // `settings` say what a straight face is and are the limits that are widened; must outlive this.
  explicit CameraTuning(const CaptureSettings& settings) : settings_(settings) {}

  // One frame, with detail (Detail::kFace).
  void Add(const FrameObservation& seen);

  [[nodiscard]] int used() const { return static_cast<int>(sharpness_.size()); }
  // Whether it has seen too little to judge, however long that took: slow machines show little.
  [[nodiscard]] bool needs_more() const;

  // Errors: kFailedPrecondition, with what was wrong and what to do: nobody or too many people
  // there, too dark, too bright, a changing light, an unsharp camera.
  [[nodiscard]] Result<TunedThresholds> Finish() const;

 private:
  [[nodiscard]] Status CheckPeople() const;
  [[nodiscard]] Status CheckLight() const;

  const CaptureSettings& settings_;
  int frames_ = 0;
  int crowded_ = 0;
  std::vector<double> sharpness_, luma_, surround_, clipped_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_TOOLS_CAMERA_TUNING_H_
