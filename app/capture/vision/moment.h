#ifndef IDKIOSK_APP_CAPTURE_VISION_MOMENT_H_
#define IDKIOSK_APP_CAPTURE_VISION_MOMENT_H_

#include <array>

#include "app/capture/image/picture.h"
#include "app/capture/vision/face.h"

namespace idkiosk {

// What tells whether two pictures are of one moment, however one was encoded, made smaller or lit
// up afterwards: the light and dark of a face, cell by cell.
class Moment {
 public:
  static constexpr int kSide = 512;  // of the picture that it is made of, the longer one, at most

  Moment() = default;
  // `face` in the picture's own pixels.
  Moment(Picture picture, const Box& face);

  // The mean difference of a cell where the face of this one is, in both pictures, where a cell
  // differs by 40 from the mean of its own picture. 255 for pictures of different shapes.
  [[nodiscard]] double DifferenceFrom(const Moment& other) const;

  // Whether they are one picture.
  [[nodiscard]] bool IsThatOf(const Moment& other) const;

 private:
  static constexpr int kCells = 32;
  using Cells = std::array<float, kCells * kCells>;
  // `face` in shares of the picture.
  [[nodiscard]] Cells CellsAt(const Box& face) const;

  Picture picture_;
  Box face_;  // in shares of the picture
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_VISION_MOMENT_H_
