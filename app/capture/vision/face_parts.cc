#include "app/capture/vision/face_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace idkiosk {
namespace {

// MediaPipe's numbers of the points. An eye: its outer corner, two of the upper lid, its inner
// corner, two of the lower lid below those.
using Eye = std::array<size_t, 6>;
constexpr Eye kRightEyePoints = {33, 160, 158, 133, 153, 144};
constexpr Eye kLeftEyePoints = {263, 387, 385, 362, 380, 373};
constexpr size_t kUpperLip = 13, kLowerLip = 14, kRightCorner = 78, kLeftCorner = 308;  // inner
constexpr size_t kForehead = 10, kChin = 152;

double Distance(const Point& a, const Point& b) {
  return std::hypot(double{a.x} - double{b.x}, double{a.y} - double{b.y});
}

double Opening(const MeshObservation::Points& at, const Eye& eye) {
  const double high = (Distance(at[eye[1]], at[eye[5]]) + Distance(at[eye[2]], at[eye[4]])) / 2;
  return high / std::max(Distance(at[eye[0]], at[eye[3]]), 1e-3);
}

}  // namespace

FaceParts MeasureParts(const MeshObservation& mesh, int width, int height) {
  const MeshObservation::Points& at = mesh.points;
  FaceParts parts;
  parts.score = mesh.score;
  parts.eyes_open = (Opening(at, kRightEyePoints) + Opening(at, kLeftEyePoints)) / 2;
  parts.mouth_open = Distance(at[kUpperLip], at[kLowerLip]) /
                     std::max(Distance(at[kRightCorner], at[kLeftCorner]), 1e-3);
  parts.roll = mesh.roll;
  const double tall = std::max(Distance(at[kForehead], at[kChin]), 1e-3);
  double room = 1;
  for (const Point& point : at) {
    const double x = double{point.x}, y = double{point.y};
    room = std::min({room, x / tall, y / tall, (width - x) / tall, (height - y) / tall});
  }
  parts.room = room;
  return parts;
}

}  // namespace idkiosk
