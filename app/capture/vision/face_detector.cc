#include "app/capture/vision/face_detector.h"

#include <algorithm>
#include <cmath>

namespace idkiosk {
namespace {

bool MayBe(const Face& face, const PictureView& picture) {
  const Box& box = face.box;
  const Point middle = box.centre();
  const auto width = static_cast<float>(picture.width), height = static_cast<float>(picture.height);
  // No comparison with what is no number holds.
  const bool placed = middle.x >= 0 && middle.x <= width && middle.y >= 0 && middle.y <= height;
  const bool sized = box.width >= 1 && box.width <= 2 * width && box.height >= 1 &&
                     box.height <= 2 * height && std::isfinite(face.score);
  const bool marked =
      !face.has_landmarks || std::ranges::all_of(face.landmarks, [](const Point& p) {
        return std::isfinite(p.x) && std::isfinite(p.y);
      });
  return placed && sized && marked;
}

}  // namespace

Status FaceDetector::Detect(const PictureView& bgr, FaceList& faces) {
  if (Status found = Find(bgr, faces); !found) return found;
  const bool sound =
      std::ranges::all_of(faces.all(), [&bgr](const Face& face) { return MayBe(face, bgr); });
  if (sound) return {};
  const FaceList told = faces;
  faces.Clear();
  for (const Face& face : told.all()) {
    if (MayBe(face, bgr)) faces.Add(face);
  }
  return {};
}

}  // namespace idkiosk
