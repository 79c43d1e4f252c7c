#include "tools/sandbox/service/portrait.h"

#include <cstdio>  // jpeglib.h needs it first
#include <cstdlib>

#include <jpeglib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tools/sandbox/store/digest.h"

namespace idkiosk::sandbox {
namespace {

constexpr int kWidth = 96;
constexpr int kHeight = 120;
constexpr int kQuality = 70;

struct Colour {
  double red, green, blue;
};

struct Palette {
  Colour background, skin, hair, clothes;
};

Palette PaletteOf(std::string_view seed) {
  constexpr std::array<Colour, 4> kSkins = {
      {{94, 62, 44}, {133, 90, 62}, {176, 125, 92}, {214, 168, 136}}};
  const std::string digest = Sha256(seed);
  const auto number = [&](size_t at) { return digest[at] % 16 / 15.0; };
  const double tint = number(0);
  return {.background = {200 + 30 * tint, 215, 235 - 30 * tint},
          .skin = kSkins[static_cast<size_t>(digest[1]) % kSkins.size()],
          .hair = {25 + 40 * number(2), 20 + 20 * number(2), 20},
          .clothes = {40 + 120 * number(3), 60 + 100 * number(4), 80 + 120 * number(5)}};
}

double Ellipse(double x, double y, double centre_y, double radius_x, double radius_y) {
  return std::hypot((x - kWidth / 2.0) / radius_x, (y - centre_y) / radius_y);
}

Colour ColourAt(const Palette& palette, double x, double y) {
  const bool head = Ellipse(x, y, 50, 20, 26) < 1;
  const bool hair = Ellipse(x, y, 44, 23, 26) < 1 && y < 40;
  const bool neck = std::abs(x - kWidth / 2.0) < 9 && y > 60 && y < 92;
  const bool shoulders = Ellipse(x, y, 122, 42, 36) < 1;
  if (hair) return palette.hair;
  if (head || (neck && Ellipse(x, y, 76, 12, 16) < 1)) return palette.skin;
  return shoulders ? palette.clothes : palette.background;
}

}  // namespace

Bytes DrawPortrait(std::string_view seed) {
  const Palette palette = PaletteOf(seed);
  jpeg_compress_struct encoder{};
  jpeg_error_mgr errors{};
  encoder.err = jpeg_std_error(&errors);
  jpeg_create_compress(&encoder);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&encoder, &buffer, &size);
  encoder.image_width = kWidth;
  encoder.image_height = kHeight;
  encoder.input_components = 3;
  encoder.in_color_space = JCS_RGB;
  jpeg_set_defaults(&encoder);
  jpeg_set_quality(&encoder, kQuality, TRUE);
  jpeg_start_compress(&encoder, TRUE);
  std::vector<JSAMPLE> row(kWidth * 3);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const Colour colour = ColourAt(palette, x + 0.5, y + 0.5);
      auto* pixel = &row[static_cast<size_t>(x) * 3];
      pixel[0] = static_cast<JSAMPLE>(colour.red);
      pixel[1] = static_cast<JSAMPLE>(colour.green);
      pixel[2] = static_cast<JSAMPLE>(colour.blue);
    }
    JSAMPROW line = row.data();
    jpeg_write_scanlines(&encoder, &line, 1);
  }
  jpeg_finish_compress(&encoder);
  jpeg_destroy_compress(&encoder);
  Bytes jpeg(buffer, buffer + size);
  std::free(buffer);
  return jpeg;
}

}  // namespace idkiosk::sandbox
