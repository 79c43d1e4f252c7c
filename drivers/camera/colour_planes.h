#ifndef IDKIOSK_DRIVERS_CAMERA_COLOUR_PLANES_H_
#define IDKIOSK_DRIVERS_CAMERA_COLOUR_PLANES_H_

#include <cstdint>
#include <vector>

#include "platform/base/bytes.h"
#include "platform/base/error.h"

namespace idkiosk {

// A picture as JPEG stores it: full-range YCbCr (JFIF), the two chroma planes at half size.
struct ColourPlanes {
  int width = 0;   // pixels, a multiple of 16
  int height = 0;  // pixels, a multiple of 16
  std::vector<uint8_t> y, cb, cr;

  void Resize(int new_width, int new_height);
  void Fill(uint8_t luma);

  [[nodiscard]] uint8_t* luma_row(int row) { return y.data() + ptrdiff_t{row} * width; }
  [[nodiscard]] uint8_t* cb_row(int row) { return cb.data() + ptrdiff_t{row} * (width / 2); }
  [[nodiscard]] uint8_t* cr_row(int row) { return cr.data() + ptrdiff_t{row} * (width / 2); }
};

// Out of focus: about a Gaussian of `deviation` pixels on every plane.
void Blur(ColourPlanes& planes, double deviation);

// Gaussian noise of `deviation` on the luma, other for every `seed`.
void AddNoise(ColourPlanes& planes, double deviation, uint32_t seed);

// The top left `width` x `height` pixels as a baseline JPEG, 4:2:0, with the standard Huffman
// tables, as webcams make them. Errors: kInternal.
[[nodiscard]] Result<Bytes> EncodeMjpeg(ColourPlanes& planes, int width, int height, int quality);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_COLOUR_PLANES_H_
