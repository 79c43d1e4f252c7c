#ifndef IDKIOSK_APP_CAPTURE_VISION_YUNET_OUTPUTS_H_
#define IDKIOSK_APP_CAPTURE_VISION_YUNET_OUTPUTS_H_

#include <span>
#include <vector>

#include "app/capture/vision/face.h"

namespace idkiosk {

// The network's outputs at one stride: a grid of cells, row by row, each `stride` pixels wide.
struct YunetLevel {
  int stride = 8;
  int columns = 0;
  int rows = 0;
  std::span<const float> cls;  // 1 a cell: is it a face
  std::span<const float> obj;  // 1 a cell: is it anything
  std::span<const float>
      bbox;  // 4 a cell: centre from the cell's corner, in strides; log of the size
  std::span<const float> kps;  // 10 a cell: five landmarks from the cell's corner, in strides
};

// Adds every face with a score, sqrt(cls * obj), of at least `min_score`.
void ReadYunetLevel(const YunetLevel& level, float min_score, std::vector<Face>& faces);

// Keeps the best-scored of faces that overlap by more than `max_overlap`.
void SuppressOverlaps(std::vector<Face>& faces, float max_overlap);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_VISION_YUNET_OUTPUTS_H_
