#ifndef IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_VECTOR3_H_
#define IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_VECTOR3_H_

#include <array>
#include <cmath>

namespace idkiosk {

// A direction or a place in space.
struct Vector3 {
  float x = 0, y = 0, z = 0;

  Vector3 operator+(const Vector3& o) const { return {x + o.x, y + o.y, z + o.z}; }
  Vector3 operator-(const Vector3& o) const { return {x - o.x, y - o.y, z - o.z}; }
  Vector3 operator*(float factor) const { return {x * factor, y * factor, z * factor}; }
  // Component by component.
  [[nodiscard]] Vector3 Times(const Vector3& o) const { return {x * o.x, y * o.y, z * o.z}; }
  [[nodiscard]] Vector3 Over(const Vector3& o) const { return {x / o.x, y / o.y, z / o.z}; }
  [[nodiscard]] float Dot(const Vector3& o) const { return x * o.x + y * o.y + z * o.z; }
  [[nodiscard, gnu::always_inline]] inline Vector3 Normalised() const {
    return *this * (1 / std::sqrt(Dot(*this)));
  }
};

// Turns a head: first left (about y), then up (about x), then towards a shoulder (about z).
// Radians.
class Rotation {
 public:
  [[nodiscard]] static Rotation FromAngles(double yaw, double pitch, double roll) {
    const auto cy = static_cast<float>(std::cos(yaw)), sy = static_cast<float>(std::sin(yaw));
    const auto cp = static_cast<float>(std::cos(pitch)), sp = static_cast<float>(std::sin(pitch));
    // Clockwise as the camera sees it.
    const auto cr = static_cast<float>(std::cos(-roll)), sr = static_cast<float>(std::sin(-roll));
    Rotation r;
    // Columns are where the head's own axes point.
    const Vector3 x{cy, 0, -sy}, y{0, 1, 0}, z{sy, 0, cy};
    const auto pitched = [&](const Vector3& v) {
      return Vector3{v.x, cp * v.y + sp * v.z, -sp * v.y + cp * v.z};
    };
    const auto rolled = [&](const Vector3& v) {
      return Vector3{cr * v.x - sr * v.y, sr * v.x + cr * v.y, v.z};
    };
    r.axes_ = {rolled(pitched(x)), rolled(pitched(y)), rolled(pitched(z))};
    return r;
  }

  // From the head's own coordinates to the camera's, and back.
  [[nodiscard]] Vector3 Forth(const Vector3& v) const {
    return axes_[0] * v.x + axes_[1] * v.y + axes_[2] * v.z;
  }
  [[nodiscard]] Vector3 Back(const Vector3& v) const {
    return {axes_[0].Dot(v), axes_[1].Dot(v), axes_[2].Dot(v)};
  }

 private:
  std::array<Vector3, 3> axes_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_SYNTHETIC_VECTOR3_H_
