#include "tests/app/capture/pictures.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "app/capture/image/jpeg_encoder.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "platform/posix/posix_file_system.h"

namespace idkiosk {
namespace {

char ColourOf(const uint8_t* bgr) {
  const auto high = [&](int i) { return bgr[i] > 170; };
  const auto low = [&](int i) { return bgr[i] < 85; };
  if (high(0) && high(1) && high(2)) return 'w';
  if (low(0) && low(1) && high(2)) return 'r';
  if (low(0) && high(1) && low(2)) return 'g';
  if (high(0) && low(1) && low(2)) return 'b';
  return '?';
}

std::string ModelPath(std::string_view name) {
  const char* const deps = std::getenv("IDKIOSK_DEPS");
  return fmt::format("{}/models/{}", deps == nullptr ? ".deps" : deps, name);
}

}  // namespace

Bytes QuartersJpeg(int width, int height) {
  Picture picture;
  picture.Resize(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const bool right = x >= width / 2, lower = y >= height / 2;
      uint8_t* const bgr = picture.row(y) + ptrdiff_t{3} * x;
      bgr[0] = lower ? 255 : 0;
      bgr[1] = right ? 255 : 0;
      bgr[2] = right == lower ? 255 : 0;
    }
  }
  const auto jpeg = JpegEncoder().Encode(picture.view(), 90);
  return {jpeg->view().begin(), jpeg->view().end()};
}

Bytes WithOrientation(const Bytes& jpeg, int orientation) {
  const Bytes segments = {0xff, 0xe1, 0, 34, 'E', 'x', 'i', 'f', 0, 0,
                          // TIFF, big endian, one entry: Orientation, a short.
                          'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0,
                          static_cast<uint8_t>(orientation), 0, 0, 0, 0, 0, 0,
                          // A comment.
                          0xff, 0xfe, 0, 7, 'h', 'e', 'l', 'l', 'o'};
  Bytes tagged(jpeg.begin(), jpeg.begin() + 2);
  tagged.insert(tagged.end(), segments.begin(), segments.end());
  tagged.insert(tagged.end(), jpeg.begin() + 2, jpeg.end());
  return tagged;
}

Bytes WithoutHuffmanTables(const Bytes& jpeg) {
  Bytes bare(jpeg.begin(), jpeg.begin() + 2);
  size_t at = 2;
  while (jpeg[at + 1] != 0xda) {
    const size_t length = 2 + (static_cast<size_t>(jpeg[at + 2]) << 8 | jpeg[at + 3]);
    if (jpeg[at + 1] != 0xc4) {
      bare.insert(bare.end(), jpeg.begin() + static_cast<ptrdiff_t>(at),
                  jpeg.begin() + static_cast<ptrdiff_t>(at + length));
    }
    at += length;
  }
  bare.insert(bare.end(), jpeg.begin() + static_cast<ptrdiff_t>(at), jpeg.end());
  return bare;
}

Bytes WithSize(Bytes jpeg, int width, int height) {
  for (size_t at = 2; at + 9 < jpeg.size(); ++at) {
    if (jpeg[at] != 0xff || jpeg[at + 1] != 0xc0) continue;
    jpeg[at + 5] = static_cast<uint8_t>(height >> 8);
    jpeg[at + 6] = static_cast<uint8_t>(height);
    jpeg[at + 7] = static_cast<uint8_t>(width >> 8);
    jpeg[at + 8] = static_cast<uint8_t>(width);
    break;
  }
  return jpeg;
}

Frame JpegFrame(Bytes jpeg) { return Frame::Owning(PixelFormat::kJpeg, 0, 0, 0, std::move(jpeg)); }

std::string QuartersOf(const Picture& picture) {
  std::string quarters;
  for (int row : {1, 3}) {
    for (int column : {1, 3}) {
      quarters += ColourOf(picture.row(picture.height() * row / 4) +
                           ptrdiff_t{3} * (picture.width() * column / 4));
    }
  }
  return quarters;
}

Studio::Studio(std::string_view script, int width, int height, int frames_per_second)
    : camera_("synthetic", *ParseSitterScript(script), clock_,
              [this](MonotonicTime time) {
                if (time > clock_.Now()) clock_.Advance(time - clock_.Now());
              }),
      info_(*camera_.Open({width, height, frames_per_second})) {}

Frame Studio::Shoot() { return *camera_.NextFrame(clock_.Now() + std::chrono::seconds(1)); }

std::string YunetPath() { return ModelPath("face_detection_yunet_2023mar.onnx"); }
std::string MeshPath() { return ModelPath(FaceMesh::kFileName); }
bool HasMesh() { return PosixFileSystem().Exists(MeshPath()).value_or(false); }

bool HasYunet() { return PosixFileSystem().Exists(YunetPath()).value_or(false); }

ChosenDetector MakeDetector(const std::string& name) {
  PosixFileSystem files;
  CaptureSettings settings;
  settings.detector = name;
  const std::array places = {YunetPath()};
  auto chosen = ChooseDetector(settings, places, files, MbedtlsCrypto());
  EXPECT_TRUE(chosen) << chosen.error().message;
  return std::move(*chosen);
}

}  // namespace idkiosk
