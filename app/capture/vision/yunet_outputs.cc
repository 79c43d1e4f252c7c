#include "app/capture/vision/yunet_outputs.h"

#include <algorithm>
#include <cmath>

namespace idkiosk {

void ReadYunetLevel(const YunetLevel& level, float min_score, std::vector<Face>& faces) {
  const auto stride = static_cast<float>(level.stride);
  for (int row = 0; row < level.rows; ++row) {
    for (int column = 0; column < level.columns; ++column) {
      const auto cell = static_cast<size_t>(row * level.columns + column);
      // Both are probabilities, but arithmetic on a damaged input may leave their range.
      const float cls = std::clamp(level.cls[cell], 0.0F, 1.0F);
      const float obj = std::clamp(level.obj[cell], 0.0F, 1.0F);
      const float score = std::sqrt(cls * obj);
      if (!(score >= min_score)) continue;
      const auto x = static_cast<float>(column), y = static_cast<float>(row);
      const std::span<const float> box = level.bbox.subspan(4 * cell, 4);
      const std::span<const float> points = level.kps.subspan(10 * cell, 10);
      Face face;
      face.score = score;
      face.has_landmarks = true;
      face.box.width = std::exp(box[2]) * stride;
      face.box.height = std::exp(box[3]) * stride;
      face.box.x = (x + box[0]) * stride - face.box.width / 2;
      face.box.y = (y + box[1]) * stride - face.box.height / 2;
      for (size_t i = 0; i < face.landmarks.size(); ++i) {
        face.landmarks[i] = {(x + points[2 * i]) * stride, (y + points[2 * i + 1]) * stride};
      }
      if (std::isfinite(face.box.area())) faces.push_back(face);
    }
  }
}

void SuppressOverlaps(std::vector<Face>& faces, float max_overlap) {
  std::ranges::sort(faces, std::greater(), &Face::score);
  size_t kept = 0;
  for (size_t i = 0; i < faces.size(); ++i) {
    const bool free = std::ranges::none_of(
        faces.begin(), faces.begin() + static_cast<int>(kept),
        [&](const Face& better) { return Overlap(better.box, faces[i].box) > max_overlap; });
    if (free) faces[kept++] = faces[i];
  }
  faces.resize(kept);
}

}  // namespace idkiosk
