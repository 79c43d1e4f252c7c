#ifndef IDKIOSK_APP_CAPTURE_VISION_FACE_H_
#define IDKIOSK_APP_CAPTURE_VISION_FACE_H_

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace idkiosk {

// A place in a picture: pixels from its upper left corner, x to the right, y down. Left and right
// of a face are the person's own: the right eye is the one on the left of the picture.
struct Point {
  float x = 0;
  float y = 0;
};

struct Box {
  float x = 0;
  float y = 0;
  float width = 0;
  float height = 0;

  [[nodiscard]] float area() const { return width * height; }
  [[nodiscard]] Point centre() const { return {x + width / 2, y + height / 2}; }
};

// The area that two boxes share over the area that they cover together: 0..1.
[[nodiscard]] float Overlap(const Box& a, const Box& b);

// Places in Face::landmarks.
enum Landmark { kRightEye, kLeftEye, kNoseTip, kRightMouthCorner, kLeftMouthCorner };

struct Face {
  Box box;
  std::array<Point, 5> landmarks;  // meaningful where has_landmarks
  bool has_landmarks = false;
  // Degrees, from a detector that sees heads turn but finds no landmarks.
  std::optional<float> yaw;
  float score = 0;  // 0..1, the detector's confidence

  [[nodiscard]] Face MovedBy(float x, float y) const;
};

// The faces of one picture, largest first. Holds a fixed number, so that filling it allocates
// nothing; the weakest of a crowd are left out.
class FaceList {
 public:
  static constexpr size_t kCapacity = 16;

  void Clear() { count_ = 0; }
  // Keeps the order by size.
  void Add(const Face& face);
  // Multiplies every coordinate.
  void Scale(float factor);

  [[nodiscard]] size_t size() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] const Face& operator[](size_t index) const { return faces_[index]; }
  [[nodiscard]] std::span<const Face> all() const { return std::span(faces_).first(count_); }

 private:
  std::array<Face, kCapacity> faces_;
  size_t count_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_VISION_FACE_H_
