#ifndef IDKIOSK_APP_CAPTURE_QUALITY_GATE_H_
#define IDKIOSK_APP_CAPTURE_QUALITY_GATE_H_

#include "app/capture/guidance.h"
#include "app/capture/vision/observation.h"
#include "app/settings/settings.h"

namespace idkiosk {

// The use of a picture, which decides its limits.
enum class Purpose {
  kSelfie,       // live: everything
  kLiveness,     // live: the prompt asks for another pose and distance
  kSelfieStill,  // taken elsewhere: nobody can move any more, and its background is cut off
  kLivenessStill,
};

// Says whether a picture is good enough, and if not, the one thing to do about it first. What it
// refused once it takes back only after the value has got clearly better, so that a person on the
// edge of a threshold does not see two sentences flicker.
class QualityGate {
 public:
  // `settings` must outlive this.
  explicit QualityGate(const CaptureSettings& settings) : settings_(settings) {}

  // kNone for a good picture. Without detail, sharpness and pitch count as good.
  [[nodiscard]] Guidance Judge(const FrameObservation& seen, Purpose purpose);

  // Forgets what it refused.
  void Reset() { last_ = Guidance::kNone; }

 private:
  [[nodiscard]] Guidance Check(const FrameObservation& seen, Purpose purpose) const;
  [[nodiscard]] Guidance CheckPlace(const FrameObservation& seen, Purpose purpose) const;
  [[nodiscard]] Guidance CheckLight(const FaceLight& light) const;
  [[nodiscard]] bool LooksStraight(const HeadPose& pose) const;
  [[nodiscard]] double AtLeast(double threshold, Guidance guidance) const;
  [[nodiscard]] double AtMost(double threshold, Guidance guidance) const;

  const CaptureSettings& settings_;
  Guidance last_ = Guidance::kNone;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_QUALITY_GATE_H_
