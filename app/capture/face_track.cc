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
constexpr double kMostMove = 1, kMostGrowth = 1;

// How much a scene changes between two frames: heads that turn and come closer reach 17 within a
// tenth of a second, somebody else in the same place is 40 and more.
constexpr double kChangeAtOnce = 22;
constexpr double kChangeInSecond = 100;
// A camera that gives no frame for so long may have been exchanged for a film.
constexpr Duration kGap = std::chrono::milliseconds(500);

double InSeconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

bool FaceTrack::CanBeTheSame(const Box& to, Duration passed) const {
  const Box& from = last_->box;
  const double size = std::sqrt(double{from.area()});
  const Point a = from.centre(), b = to.centre();
  const double moved = std::hypot(double{a.x} - double{b.x}, double{a.y} - double{b.y}) / size;
  const double grown = std::sqrt(double{to.area()}) / size;
  const double growth = std::max(grown, 1 / grown) - 1;
  if (kind_ == Kind::kTakenBefore) return moved <= kMostMove && growth <= kMostGrowth;
  const double seconds = InSeconds(passed);
  return moved <= std::min(kMoveAtOnce + kMoveInSecond * seconds, kMostMove) &&
         growth <= std::min(kGrowAtOnce + kGrowInSecond * seconds, kMostGrowth);
}

bool FaceTrack::FilmWasCut(const FrameObservation& seen) const {
  if (kind_ == Kind::kTakenBefore || !scene_) return false;
  const Duration passed = seen.captured_at - scene_->at;
  return passed > kGap || seen.appearance.DifferenceFrom(scene_->appearance) >
                              kChangeAtOnce + kChangeInSecond * InSeconds(passed);
}

FaceTrack::Verdict FaceTrack::Follow(const FrameObservation& seen) {
  const bool cut = FilmWasCut(seen);
  scene_ = {seen.appearance, seen.captured_at};
  const bool alone = seen.face && seen.other_faces == 0;
  if (!last_) {
    if (!alone) return Verdict::kAway;
    last_ = {seen.face->face.box, seen.captured_at};
    return Verdict::kFollowed;
  }
  const Duration away = seen.captured_at - last_->at;
  if (cut || away > lost_after_) return Verdict::kBroken;
  if (!alone) return Verdict::kAway;
  if (!CanBeTheSame(seen.face->face.box, away)) return Verdict::kBroken;
  last_ = {seen.face->face.box, seen.captured_at};
  return Verdict::kFollowed;
}

}  // namespace idkiosk
