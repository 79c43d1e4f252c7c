#include "app/capture/camera_watch.h"

namespace idkiosk {
namespace {

constexpr Duration kTellEvery = std::chrono::seconds(2);
constexpr Duration kGiveUpAfter = std::chrono::seconds(10);

// Standard deviation of the small picture's luma. A covered lens leaves less than one, once noise
// is averaged; the darkest room with anything in it gives more than two.
constexpr double kBlankContrast = 1.5;
constexpr double kBlackLuma = 24;
// Cameras begin with a black frame or two.
constexpr Duration kBlankFor = std::chrono::seconds(1);

}  // namespace

CameraWatch::Verdict CameraWatch::Trouble(const Error& error, MonotonicTime now) {
  if (!trouble_) {
    trouble_ = error;
    since_ = told_at_ = now;
    return {.tell = true};
  }
  const bool again = now - told_at_ >= kTellEvery;
  if (again) told_at_ = now;
  return {.tell = again, .give_up = now - since_ >= kGiveUpAfter};
}

CameraWatch::Verdict CameraWatch::Seen(const FrameObservation& seen, MonotonicTime now) {
  if (seen.contrast >= kBlankContrast) {
    trouble_.reset();
    blank_since_.reset();
    return {};
  }
  if (!blank_since_) blank_since_ = now;
  if (now - *blank_since_ < kBlankFor) return {};
  const bool black = seen.luma < kBlackLuma;
  return Trouble({ErrorCode::kUnavailable,
                  fmt::format("the picture of the camera {} is {}", source_,
                              black ? "black: is its lens covered?"
                                    : "one colour and nothing else: is the camera broken?")},
                 now);
}

}  // namespace idkiosk
