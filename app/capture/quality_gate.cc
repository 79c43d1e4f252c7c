#include "app/capture/quality_gate.h"

#include <algorithm>
#include <cmath>

namespace idkiosk {
namespace {

// How much better than its threshold a refused value must get.
constexpr double kHysteresis = 0.06;

// Dark skin in good light is dark in the mean, but has its highlights, and the whites of the eyes
// are bright; a face in the dark has neither. So both have to be missing.
constexpr double kHighlight = 1.6;  // times the least mean
constexpr double kBlack = 0.4;      // below this share of it nothing can be seen, highlights or not

constexpr double kMaxClipped = 0.12;  // share of the face that is white
constexpr double kLightBehind = 2.5;  // surroundings against face

// A turned or tilted head loses detail to motion and to the side of the face.
constexpr double kLivenessSharpness = 0.5;

// A still must have pixels enough to recognise somebody by. ISO/IEC 29794-5 asks for 90 px between
// the eyes; the service's own limit is not known, so only what is hopeless is refused.
constexpr double kMinStillFace = 48;  // pixels of the box's width

// Light from the side: measured 0.7 and more, and 0.26 at most in every other light (drawn sitters
// of all tones). The network then sees little of the dark half, and the box of a dark face is up to
// a fifth too small: that is nothing a person should come closer for.
constexpr double kFromTheSide = 0.5;
constexpr double kHalfSeen = 0.75;

// A face may stand out of the frame by this share of its size: a box is not exact.
constexpr double kMayStandOut = 0.06;
constexpr double kMiddle =
    0.27;  // of the frame's width: how far the face's centre may be from its own

}  // namespace

double QualityGate::AtLeast(double threshold, Guidance guidance) const {
  return last_ == guidance ? threshold * (1 + kHysteresis) : threshold;
}

double QualityGate::AtMost(double threshold, Guidance guidance) const {
  return last_ == guidance ? threshold * (1 - kHysteresis) : threshold;
}

Guidance QualityGate::CheckPlace(const FrameObservation& seen, Purpose purpose) const {
  const FaceObservation& face = *seen.face;
  const Box& box = face.face.box;
  if (purpose == Purpose::kSelfieStill || purpose == Purpose::kLivenessStill) {
    return box.width < kMinStillFace ? Guidance::kMoveCloser : Guidance::kNone;
  }
  if (purpose == Purpose::kSelfie) {
    const double least =
        settings_.min_face_area * (face.light.imbalance > kFromTheSide ? kHalfSeen : 1);
    if (face.area < AtLeast(least, Guidance::kMoveCloser)) {
      return Guidance::kMoveCloser;
    }
    if (face.area > AtMost(settings_.max_face_area, Guidance::kMoveBack))
      return Guidance::kMoveBack;
  }
  const double out =
      std::max({-double{box.x}, -double{box.y}, double{box.x} + box.width - seen.width,
                double{box.y} + box.height - seen.height});
  if (out > AtMost(kMayStandOut, Guidance::kMoveToTheMiddle) * box.height) {
    return purpose == Purpose::kLiveness ? Guidance::kNone : Guidance::kMoveToTheMiddle;
  }
  const double aside = std::abs(double{box.centre().x} / std::max(seen.width, 1) - 0.5);
  return aside > AtMost(kMiddle, Guidance::kMoveToTheMiddle) ? Guidance::kMoveToTheMiddle
                                                             : Guidance::kNone;
}

Guidance QualityGate::CheckLight(const FaceLight& light) const {
  const Guidance how =
      light.surround > kLightBehind * light.mean ? Guidance::kLightBehind : Guidance::kMoreLight;
  const double least = AtLeast(settings_.min_luma, how);
  if (light.mean < kBlack * least || (light.mean < least && light.high < kHighlight * least)) {
    return how;
  }
  if (light.mean > AtMost(settings_.max_luma, Guidance::kLessLight) ||
      light.clipped > AtMost(kMaxClipped, Guidance::kLessLight)) {
    return Guidance::kLessLight;
  }
  return Guidance::kNone;
}

bool QualityGate::LooksStraight(const HeadPose& pose) const {
  const auto within = [&](const std::optional<double>& angle, double most) {
    return !angle || std::abs(*angle) <= AtMost(most, Guidance::kLookStraight);
  };
  return within(pose.yaw, settings_.max_yaw) && within(pose.pitch, settings_.max_pitch) &&
         within(pose.roll, settings_.max_roll);
}

Guidance QualityGate::Check(const FrameObservation& seen, Purpose purpose) const {
  if (!seen.face) return Guidance::kNoFace;
  if (seen.other_faces > 0) return Guidance::kOnePersonOnly;
  if (const Guidance place = CheckPlace(seen, purpose); place != Guidance::kNone) return place;
  if (const Guidance light = CheckLight(seen.face->light); light != Guidance::kNone) return light;
  const bool selfie = purpose == Purpose::kSelfie || purpose == Purpose::kSelfieStill;
  if (selfie && !LooksStraight(seen.face->pose)) {
    return Guidance::kLookStraight;
  }
  const double sharp = settings_.min_sharpness * (selfie ? 1 : kLivenessSharpness);
  if (seen.face->sharpness && *seen.face->sharpness < AtLeast(sharp, Guidance::kHoldStill)) {
    return Guidance::kHoldStill;
  }
  return Guidance::kNone;
}

Guidance QualityGate::Judge(const FrameObservation& seen, Purpose purpose) {
  last_ = Check(seen, purpose);
  return last_;
}

}  // namespace idkiosk
