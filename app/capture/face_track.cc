#include "app/capture/face_track.h"

#include <algorithm>
#include <cmath>

namespace idkiosk {
namespace {

// How far a face gets between two frames, in widths of its box: at once (the detector is not
// exact), and a second. A quick turn of the head moves the box by half its width in a third of a
// second.
constexpr double kMoveAtOnce = 0.30;
constexpr double kMoveInSecond = 2.5;
constexpr double kGrowAtOnce = 0.40;  // as a share of its size; the cascades are that inexact
constexpr double kGrowInSecond = 1.5;

bool CanBeTheSame(const Box& from, const Box& to, Duration passed) {
  const double seconds = std::chrono::duration<double>(passed).count();
  const double size = std::sqrt(double{from.area()});
  const Point a = from.centre(), b = to.centre();
  const double moved = std::hypot(double{a.x} - double{b.x}, double{a.y} - double{b.y}) / size;
  const double grown = std::sqrt(double{to.area()}) / size;
  const double growth = std::max(grown, 1 / grown) - 1;
  return moved <= std::min(kMoveAtOnce + kMoveInSecond * seconds, 1.0) &&
         growth <= std::min(kGrowAtOnce + kGrowInSecond * seconds, 1.0);
}

}  // namespace

FaceTrack::Verdict FaceTrack::Follow(const FrameObservation& seen) {
  const bool alone = seen.face && seen.other_faces == 0;
  if (!last_) {
    if (!alone) return Verdict::kAway;
    last_ = {seen.face->face.box, seen.captured_at};
    return Verdict::kFollowed;
  }
  const Duration away = seen.captured_at - last_->at;
  if (away > lost_after_) return Verdict::kBroken;
  if (!alone) return Verdict::kAway;
  if (!CanBeTheSame(last_->box, seen.face->face.box, away)) return Verdict::kBroken;
  last_ = {seen.face->face.box, seen.captured_at};
  return Verdict::kFollowed;
}

}  // namespace idkiosk
