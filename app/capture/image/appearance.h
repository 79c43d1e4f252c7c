#ifndef IDKIOSK_APP_CAPTURE_IMAGE_APPEARANCE_H_
#define IDKIOSK_APP_CAPTURE_IMAGE_APPEARANCE_H_

#include <array>
#include <cstdint>

#include "app/capture/image/picture.h"

namespace idkiosk {

// A picture in a few dozen colours. Too little to know anybody by, enough to notice that from one
// frame to the next somebody else sits there, or that the film was changed.
class Appearance {
 public:
  Appearance() = default;
  explicit Appearance(const PictureView& picture);

  // 0..255: the mean difference of the eighth of the picture that differs most.
  [[nodiscard]] double DifferenceFrom(const Appearance& other) const;

 private:
  static constexpr int kColumns = 10;
  static constexpr int kRows = 8;

  using Colour = std::array<uint8_t, 3>;  // blue, green, red
  std::array<Colour, kColumns * kRows> cells_{};
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_IMAGE_APPEARANCE_H_
