#include "app/capture/vision/face_track.h"

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
// A dark head before a bright wall changes it more when it comes closer or turns: at five frames a
// second up to 73, where somebody else who sits just as still is 55 and more. So a head that was
// seen to move may, as far as a head can in that time; one that kept still may not. Only landmarks
// tell the one from the other: the cascades' boxes jump by themselves.
constexpr double kChangeByNearing = 120;  // for twice the size
constexpr double kChangeByTurning = 0.8;  // a degree
constexpr double kTurnInSecond = 150;     // degrees
// A camera that gives no frame for so long may have been exchanged for a film.
constexpr Duration kGap = std::chrono::milliseconds(500);

// 0 for boxes of the same size, 1 where one is twice as large.
double GrowthBetween(const Box& a, const Box& b) {
  const double ratio = std::sqrt(double{a.area()} / double{b.area()});
  return std::max(ratio, 1 / ratio) - 1;
}

double InSeconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

bool FaceTrack::CanBeTheSame(const Box& to, Duration passed) const {
  const Box& from = last_->box;
  const double size = std::sqrt(double{from.area()});
  const Point a = from.centre(), b = to.centre();
  const double moved = std::hypot(double{a.x} - double{b.x}, double{a.y} - double{b.y}) / size;
  const double growth = GrowthBetween(from, to);
  if (kind_ == Kind::kTakenBefore) return moved <= kMostMove && growth <= kMostGrowth;
  const double seconds = InSeconds(passed);
  return moved <= std::min(kMoveAtOnce + kMoveInSecond * seconds, kMostMove) &&
         growth <= std::min(kGrowAtOnce + kGrowInSecond * seconds, kMostGrowth);
}

double FaceTrack::MostChange(const FrameObservation& seen, Duration passed) const {
  const double seconds = InSeconds(passed);
  const double most = kChangeAtOnce + kChangeInSecond * seconds;
  const auto exact = [](const auto& face) { return face && face->face.has_landmarks; };
  if (!exact(seen.face) || !exact(scene_->face)) return most;
  const double grown = GrowthBetween(seen.face->face.box, scene_->face->face.box);
  const double turned =
      std::abs(seen.face->pose.yaw.value_or(0) - scene_->face->pose.yaw.value_or(0));
  return most + kChangeByNearing * std::min(grown, kGrowInSecond * seconds) +
         kChangeByTurning * std::min(turned, kTurnInSecond * seconds);
}

bool FaceTrack::FilmWasCut(const FrameObservation& seen) const {
  if (kind_ == Kind::kTakenBefore || !scene_) return false;
  const Duration passed = seen.captured_at - scene_->at;
  return passed > kGap ||
         seen.appearance.DifferenceFrom(scene_->appearance) > MostChange(seen, passed);
}

FaceTrack::Verdict FaceTrack::Follow(const FrameObservation& seen) {
  const bool cut = FilmWasCut(seen);
  scene_ = {seen.appearance, seen.face, seen.captured_at};
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
