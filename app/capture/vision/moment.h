#ifndef IDKIOSK_APP_CAPTURE_VISION_MOMENT_H_
#define IDKIOSK_APP_CAPTURE_VISION_MOMENT_H_

#include <vector>

#include "app/capture/image/picture.h"
#include "app/capture/vision/face.h"

namespace idkiosk {

// What tells whether two pictures were made of one, however it was encoded, made smaller or larger,
// cut, turned, mirrored or lit up afterwards: the light and dark around a face, brought to one
// place, size and turn by its landmarks, and then exactly.
class Moment {
 public:
  static constexpr int kSide = 512;  // of the picture that it is made of, the longer one, at most

  Moment() = default;
  // `face` in the picture's own pixels. Without landmarks, its box is what is brought together.
  Moment(const Picture& picture, const Face& face);

  // Returns the mean difference of a cell in the part of the face that differs most (a thirty-sixth
  // of it), where a cell differs by 40 from the mean of its own picture: the smaller one of the
  // picture and its mirror image. 255 where they have too little in common.
  [[nodiscard]] double DifferenceFrom(const Moment& other) const;

  // Returns whether they were made of one picture.
  [[nodiscard]] bool IsThatOf(const Moment& other) const;

 private:
  friend class MomentFit;

  // Lumas of a square around the face, kCells on each side; below zero where there is no
  // picture, or too much light.
  std::vector<float> cells_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_VISION_MOMENT_H_
