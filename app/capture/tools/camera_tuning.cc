#include "app/capture/tools/camera_tuning.h"

#include <algorithm>
#include <cmath>

#include "app/capture/quality_gate.h"

namespace idkiosk {
namespace {

constexpr int kLeastFrames = 30;
constexpr double kLeastShare = 0.5;     // of all frames must show one straight face
constexpr double kMostCrowded = 0.1;    // of all frames may show somebody else
constexpr double kDarkest = 35;         // median luma of the face: below it noise is measured
constexpr double kBrightest = 225;      // median luma
constexpr double kMostClipped = 0.2;    // median share of white
constexpr double kSteady = 2;           // 90th percentile of luma over the 10th
constexpr double kLeastSharpness = 22;  // median; the drawn sitter has 172, 3 px out of focus 19

// A threshold leaves room for faces with less detail than this one (the eight tones of the drawn
// sitter differ by a third) and for the camera's worse moments. Blur by 3 px leaves a tenth.
constexpr double kOfMedian = 0.3, kOfLeast = 0.6;
// The darkest skin has 0.3 of the luma of the lightest in the same light (the drawn sitter's tones:
// 54 and 181).
constexpr double kDarkestSkin = 0.3;
constexpr double kLowestMinLuma = 30, kHighestMaxLuma = 240;

double Percentile(std::vector<double> values, double share) {
  const auto at = static_cast<ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + at);
  return values[static_cast<size_t>(at)];
}

bool IsStraight(const FrameObservation& seen, const CaptureSettings& settings) {
  return std::ranges::none_of(kMeasures, [&](const MeasureTraits& each) {
    return each.most.otherwise == Guidance::kLookStraight &&
           FlawOf(each, seen, Purpose::kSelfie, settings);
  });
}

}  // namespace

void CameraTuning::Add(const FrameObservation& seen) {
  ++frames_;
  if (seen.other_faces > 0) ++crowded_;
  if (!seen.face || seen.other_faces > 0 || !seen.face->sharpness) return;
  const FaceObservation& face = *seen.face;
  if (face.area < settings_.min_face_area || !IsStraight(seen, settings_)) return;
  sharpness_.push_back(*face.sharpness);
  luma_.push_back(face.light.mean);
  surround_.push_back(face.light.surround);
  clipped_.push_back(face.light.clipped);
}

bool CameraTuning::needs_more() const {
  return frames_ < kLeastFrames || (used() < kLeastFrames && frames_ < 2 * kLeastFrames);
}

Status CameraTuning::CheckPeople() const {
  if (crowded_ > kMostCrowded * frames_) {
    return Fail(
        ErrorCode::kFailedPrecondition,
        "{} of {} frames show more than one person: only one may sit in front of the camera",
        crowded_, frames_);
  }
  if (frames_ < kLeastFrames) {
    return Fail(ErrorCode::kFailedPrecondition,
                "only {} frames came, and {} are needed: take more pictures", frames_,
                kLeastFrames);
  }
  if (used() < kLeastFrames || used() < kLeastShare * frames_) {
    return Fail(ErrorCode::kFailedPrecondition,
                "only {} of {} frames show somebody who looks into the camera from near enough: "
                "sit in front of it as people will, and try again",
                used(), frames_);
  }
  return {};
}

Status CameraTuning::CheckLight() const {
  const double luma = Percentile(luma_, 0.5);
  if (luma < kDarkest) {
    return Fail(ErrorCode::kFailedPrecondition,
                "it is too dark to measure anything (luma of the face {:.0f}, at least {:.0f} is "
                "needed): switch on the lights that will be on later",
                luma, kDarkest);
  }
  if (luma > kBrightest || Percentile(clipped_, 0.5) > kMostClipped) {
    return Fail(ErrorCode::kFailedPrecondition,
                "the face is too bright to measure anything (luma {:.0f}, {:.0f} % of it white): "
                "dim the light, or set camera.exposure",
                luma, 100 * Percentile(clipped_, 0.5));
  }
  if (Percentile(luma_, 0.9) > kSteady * std::max(Percentile(luma_, 0.1), 1.0)) {
    return Fail(ErrorCode::kFailedPrecondition,
                "the light changed while it was measured (luma of the face {:.0f} to {:.0f}): try "
                "again in steady light",
                Percentile(luma_, 0.1), Percentile(luma_, 0.9));
  }
  return {};
}

Result<TunedThresholds> CameraTuning::Finish() const {
  if (Status there = CheckPeople(); !there) return std::unexpected(there.error());
  if (Status lit = CheckLight(); !lit) return std::unexpected(lit.error());
  TunedThresholds tuned;
  tuned.frames = frames_;
  tuned.used = used();
  tuned.sharpness = Percentile(sharpness_, 0.5);
  tuned.least_sharpness = Percentile(sharpness_, 0.1);
  tuned.luma = Percentile(luma_, 0.5);
  tuned.surround = Percentile(surround_, 0.5);
  if (tuned.sharpness < kLeastSharpness) {
    return Fail(ErrorCode::kFailedPrecondition,
                "the camera's picture is not sharp (sharpness {:.0f}, at least {:.0f} is needed): "
                "clean its lens and focus it",
                tuned.sharpness, kLeastSharpness);
  }
  // Whole numbers: nobody should believe in more.
  constexpr const MeasureTraits& kLuma = MeasureNamed("luma");
  const double darkest = std::max(kLowestMinLuma, kDarkestSkin * Percentile(luma_, 0.1));
  const double brightest = std::min(kHighestMaxLuma, 1.1 * Percentile(luma_, 0.9));
  tuned.limits = {
      {&MeasureNamed("sharpness").least,
       std::floor(std::min(kOfMedian * tuned.sharpness, kOfLeast * tuned.least_sharpness))},
      {&kLuma.least, std::floor(std::min(settings_.min_luma, darkest))},
      {&kLuma.most, std::ceil(std::max(settings_.max_luma, brightest))}};
  return tuned;
}

}  // namespace idkiosk
