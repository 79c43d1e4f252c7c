#include "app/capture/vision/head_pose.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace idkiosk {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

// How far the nose's tip stands out before the eyes, in distances between the eyes; fitted on
// turned heads.
constexpr double kNoseOut = 0.63;

// The nose's place: how far down it lies from eyes to mouth, plus how far down in the box. Its
// value on heads that look straight ahead and its loss for each degree that they are raised; fitted
// on the drawn sitter and on photographs turned in space.
constexpr double kNosePlaceStraight = 1.18;
constexpr double kNosePlacePerDegree = 0.0066;

// The network sees heads straighter than they are; fitted on tilted heads.
constexpr double kRollGain = 1.4;

// Places in the head's own upright axes, seen from `origin`.
class Upright {
 public:
  Upright(const Point& origin, double across_x, double across_y)
      : origin_(origin), length_(std::max(std::hypot(across_x, across_y), 1e-3)) {
    x_ = across_x / length_;
    y_ = across_y / length_;
  }
  [[nodiscard]] double Across(const Point& p) const {
    return (double{p.x} - double{origin_.x}) * x_ + (double{p.y} - double{origin_.y}) * y_;
  }
  [[nodiscard]] double Down(const Point& p) const {
    return (double{p.y} - double{origin_.y}) * x_ - (double{p.x} - double{origin_.x}) * y_;
  }
  [[nodiscard]] double length() const { return length_; }

 private:
  Point origin_;
  double length_, x_, y_;
};

Point Middle(const Point& a, const Point& b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }

}  // namespace

HeadPose PoseOf(const Face& face) {
  const Point& right_eye = face.landmarks[kRightEye];
  const Point& left_eye = face.landmarks[kLeftEye];
  const double across_x = double{left_eye.x} - double{right_eye.x};
  const double across_y = double{left_eye.y} - double{right_eye.y};
  const Upright head(Middle(right_eye, left_eye), across_x, across_y);
  const Point& nose = face.landmarks[kNoseTip];
  const Point mouth = Middle(face.landmarks[kRightMouthCorner], face.landmarks[kLeftMouthCorner]);
  HeadPose pose;
  pose.roll = kRollGain * std::atan2(across_y, across_x) / kDegree;
  pose.yaw = std::atan(head.Across(nose) / head.length() / kNoseOut) / kDegree;
  const double between = head.Down(nose) / std::max(head.Down(mouth), 0.2 * head.length());
  const double in_box =
      0.5 + (head.Down(nose) - head.Down(face.box.centre())) / std::max(face.box.height, 1.0F);
  pose.pitch = (kNosePlaceStraight - between - in_box) / kNosePlacePerDegree;
  return pose;
}

double InterEyeDistance(const FrameObservation& seen) {
  const Face& face = seen.face->face;
  if (!face.has_landmarks) return std::numeric_limits<double>::quiet_NaN();
  // Beyond this, one eye hides behind the nose.
  constexpr double kMostYaw = 60;
  const double yaw =
      std::min(std::abs(seen.face->pose.yaw.value_or(0)), kMostYaw) * 3.14159265 / 180;
  const Point& right = face.landmarks[kRightEye];
  const Point& left = face.landmarks[kLeftEye];
  return std::hypot(double{left.x} - double{right.x}, double{left.y} - double{right.y}) /
         std::cos(yaw);
}

}  // namespace idkiosk
