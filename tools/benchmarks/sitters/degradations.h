#ifndef IDKIOSK_TOOLS_BENCHMARKS_SITTERS_DEGRADATIONS_H_
#define IDKIOSK_TOOLS_BENCHMARKS_SITTERS_DEGRADATIONS_H_

#include <opencv2/core.hpp>
#include <string_view>
#include <vector>

#include "app/capture/vision/face_mesh.h"

namespace idkiosk {

// A good picture of one person.
struct Subject {
  cv::Mat picture;  // blue green red
  MeshObservation::Points points{};
};

// One way to make a picture of a person worse, or to change it in a way that must not matter.
struct Degradation {
  std::string_view name;
  bool refuse = true;
  // Exactly one of them: what is done to any picture, or the words of a drawn sitter's script.
  cv::Mat (*apply)(const Subject& subject) = nullptr;
  std::string_view script = {};
};

[[nodiscard]] const std::vector<Degradation>& Degradations();

}  // namespace idkiosk

#endif  // IDKIOSK_TOOLS_BENCHMARKS_SITTERS_DEGRADATIONS_H_
