#ifndef IDKIOSK_TOOLS_BENCHMARKS_SITTERS_ATTACK_FILM_H_
#define IDKIOSK_TOOLS_BENCHMARKS_SITTERS_ATTACK_FILM_H_

#include <array>
#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/capture/challenges.h"
#include "platform/base/frame.h"
#include "platform/base/time.h"

namespace idkiosk {

// A recording of somebody who looks straight ahead and then shows each challenge once, at
// kStageRate and of kStageSize. About 300 frames, 12 MB.
class Film {
 public:
  // Draws the person of that script. With `colours`, the recording is of a visit whose screen went
  // through the colours of that seed.
  explicit Film(const std::string& script, std::optional<uint32_t> colours = std::nullopt);

  // Returns the frame of that number, played again and again.
  [[nodiscard]] cv::Mat At(size_t number) const;

  // Frames that show one thing: `rest` is where the person has come to rest in it.
  struct Scene {
    size_t first = 0, rest = 0, end = 0;
  };
  [[nodiscard]] const Scene& SceneOf(Prompt prompt) const {
    return scenes_.at(static_cast<size_t>(prompt));
  }

 private:
  std::vector<Frame> frames_;
  std::array<Scene, std::size(kPrompts)> scenes_{};
};

}  // namespace idkiosk

#endif  // IDKIOSK_TOOLS_BENCHMARKS_SITTERS_ATTACK_FILM_H_
