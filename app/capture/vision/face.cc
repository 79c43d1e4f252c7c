#include "app/capture/vision/face.h"

#include <algorithm>

namespace idkiosk {

float Overlap(const Box& a, const Box& b) {
  const float width = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
  const float height = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  if (width <= 0 || height <= 0) return 0;
  const float shared = width * height;
  return shared / (a.area() + b.area() - shared);
}

Face Face::MovedBy(float x, float y) const {
  Face moved = *this;
  moved.box.x += x;
  moved.box.y += y;
  for (Point& point : moved.landmarks) point = {point.x + x, point.y + y};
  return moved;
}

void FaceList::Add(const Face& face) {
  if (count_ == kCapacity && face.box.area() <= faces_[count_ - 1].box.area()) return;
  size_t place = std::min(count_, kCapacity - 1);
  count_ = place + 1;
  for (; place > 0 && faces_[place - 1].box.area() < face.box.area(); --place) {
    faces_[place] = faces_[place - 1];
  }
  faces_[place] = face;
}

void FaceList::Scale(float factor) {
  for (Face& face : std::span(faces_).first(count_)) {
    face.box = {face.box.x * factor, face.box.y * factor, face.box.width * factor,
                face.box.height * factor};
    for (Point& point : face.landmarks) point = {point.x * factor, point.y * factor};
  }
}

}  // namespace idkiosk
