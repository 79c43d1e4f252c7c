#include "drivers/camera/colour_planes.h"

#include <csetjmp>
#include <cstdio>
// jpeglib.h wants cstdio before it.
#include <jpeglib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>

namespace idkiosk {
namespace {

// One pass of a running mean of 2 * radius + 1 samples, `step` bytes apart; edges are repeated.
void BoxBlurLine(uint8_t* line, int count, ptrdiff_t step, int radius, std::vector<uint8_t>& copy) {
  copy.resize(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) copy[static_cast<size_t>(i)] = line[i * step];
  const auto at = [&](int i) {
    return static_cast<int>(copy[static_cast<size_t>(std::clamp(i, 0, count - 1))]);
  };
  const int length = 2 * radius + 1;
  int sum = 0;
  for (int i = -radius; i <= radius; ++i) sum += at(i);
  for (int i = 0; i < count; ++i) {
    line[i * step] = static_cast<uint8_t>((sum + length / 2) / length);
    sum += at(i + radius + 1) - at(i - radius);
  }
}

void BlurPlane(std::vector<uint8_t>& plane, int width, int height, double deviation) {
  // Three running means of 2r + 1 samples have together the variance r (r + 1).
  const int radius = static_cast<int>(std::lround(std::sqrt(deviation * deviation + 0.25) - 0.5));
  if (radius < 1) return;
  std::vector<uint8_t> copy;
  for (int pass = 0; pass < 3; ++pass) {
    for (int row = 0; row < height; ++row) {
      BoxBlurLine(plane.data() + ptrdiff_t{row} * width, width, 1, radius, copy);
    }
    for (int column = 0; column < width; ++column) {
      BoxBlurLine(plane.data() + column, height, width, radius, copy);
    }
  }
}

struct JpegFailure {
  jpeg_error_mgr manager;
  std::jmp_buf escape;
};

[[noreturn]] void Escape(j_common_ptr info) {
  std::longjmp(reinterpret_cast<JpegFailure*>(info->err)->escape, 1);
}

// Nothing in here has a destructor: libjpeg leaves by longjmp.
bool Compress(jpeg_compress_struct& info, JpegFailure& failure, ColourPlanes& planes, int width,
              int height, int quality, unsigned char** out, unsigned long* size) {
  info.err = jpeg_std_error(&failure.manager);
  failure.manager.error_exit = Escape;
  if (setjmp(failure.escape) != 0) return false;
  jpeg_create_compress(&info);
  jpeg_mem_dest(&info, out, size);
  info.image_width = static_cast<JDIMENSION>(width);
  info.image_height = static_cast<JDIMENSION>(height);
  info.input_components = 3;
  info.in_color_space = JCS_YCbCr;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  info.raw_data_in = TRUE;
  jpeg_start_compress(&info, TRUE);
  JSAMPROW luma[16], cb[8], cr[8];
  JSAMPARRAY rows[3] = {luma, cb, cr};
  while (info.next_scanline < info.image_height) {
    const int top = static_cast<int>(info.next_scanline);
    for (int i = 0; i < 16; ++i) luma[i] = planes.luma_row(top + i);
    for (int i = 0; i < 8; ++i) cb[i] = planes.cb_row(top / 2 + i);
    for (int i = 0; i < 8; ++i) cr[i] = planes.cr_row(top / 2 + i);
    jpeg_write_raw_data(&info, rows, 16);
  }
  jpeg_finish_compress(&info);
  return true;
}

}  // namespace

void ColourPlanes::Resize(int new_width, int new_height) {
  width = new_width;
  height = new_height;
  const auto pixels = static_cast<size_t>(width) * static_cast<size_t>(height);
  y.resize(pixels);
  cb.resize(pixels / 4);
  cr.resize(pixels / 4);
}

void ColourPlanes::Fill(uint8_t luma) {
  std::ranges::fill(y, luma);
  std::ranges::fill(cb, uint8_t{128});
  std::ranges::fill(cr, uint8_t{128});
}

void Blur(ColourPlanes& planes, double deviation) {
  BlurPlane(planes.y, planes.width, planes.height, deviation);
  BlurPlane(planes.cb, planes.width / 2, planes.height / 2, deviation / 2);
  BlurPlane(planes.cr, planes.width / 2, planes.height / 2, deviation / 2);
}

void AddNoise(ColourPlanes& planes, double deviation, uint32_t seed) {
  if (deviation <= 0) return;
  std::minstd_rand random(seed + 1);
  std::normal_distribution<float> normal(0, static_cast<float>(deviation));
  // One table, read from a random place for every row: nobody sees that it repeats.
  static constexpr int kTable = 8192;
  std::array<int8_t, kTable> table;
  for (int8_t& each : table) {
    each = static_cast<int8_t>(std::clamp(std::lround(normal(random)), -100L, 100L));
  }
  for (int row = 0; row < planes.height; ++row) {
    uint8_t* line = planes.luma_row(row);
    for (int done = 0; done < planes.width;) {
      const auto start = static_cast<int>(random() % (kTable / 2));
      const int count = std::min(planes.width - done, kTable / 2);
      for (int i = 0; i < count; ++i) {
        const int value = line[done + i] + table[static_cast<size_t>(start + i)];
        line[done + i] = static_cast<uint8_t>(std::clamp(value, 0, 255));
      }
      done += count;
    }
  }
}

Result<Bytes> EncodeMjpeg(ColourPlanes& planes, int width, int height, int quality) {
  // A little more than such a frame takes, so that libjpeg rarely has to grow it.
  unsigned long size = static_cast<unsigned long>(planes.y.size() / 4 + 4096);
  auto* const room = static_cast<unsigned char*>(std::malloc(size));
  if (room == nullptr) return Fail(ErrorCode::kInternal, "no memory for a frame");
  unsigned char* out = room;
  jpeg_compress_struct info{};
  JpegFailure failure{};
  const bool done = Compress(info, failure, planes, width, height, quality, &out, &size);
  jpeg_destroy_compress(&info);
  Bytes bytes;
  if (done) bytes.assign(out, out + size);
  if (out != room) std::free(out);
  std::free(room);
  if (!done) return Fail(ErrorCode::kInternal, "libjpeg could not encode a drawn frame");
  return bytes;
}

}  // namespace idkiosk
