#include "drivers/camera/picture_file.h"

#include <png.h>

#include <array>

namespace idkiosk {
namespace {

constexpr int64_t kMaxPixels = 50'000'000;
constexpr std::array<uint8_t, 3> kJpegStart = {0xff, 0xd8, 0xff};
constexpr std::array<uint8_t, 4> kPngStart = {0x89, 'P', 'N', 'G'};

bool StartsWith(ByteSpan bytes, ByteSpan start) {
  return bytes.size() >= start.size() && std::equal(start.begin(), start.end(), bytes.begin());
}

Result<Frame> DecodePng(const Bytes& bytes, const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) {
    return Fail(ErrorCode::kCorrupt, "{} is a damaged PNG: {}", path, image.message);
  }
  if (int64_t{image.width} * image.height > kMaxPixels) {
    const Error error{ErrorCode::kInvalid,
                      fmt::format("{} is {} x {} pixels; more than {} megapixels are refused", path,
                                  image.width, image.height, kMaxPixels / 1'000'000)};
    png_image_free(&image);
    return std::unexpected(error);
  }
  image.format = PNG_FORMAT_BGR;
  Bytes pixels(PNG_IMAGE_SIZE(image));
  const png_color white{255, 255, 255};
  if (png_image_finish_read(&image, &white, pixels.data(), 0, nullptr) == 0) {
    return Fail(ErrorCode::kCorrupt, "{} is a damaged PNG: {}", path, image.message);
  }
  const auto width = static_cast<int>(image.width), height = static_cast<int>(image.height);
  return Frame::Owning(PixelFormat::kBgr, width, height, 3 * width, std::move(pixels));
}

}  // namespace

bool IsPictureName(std::string_view name) {
  if (name.empty() || name.front() == '.') return false;
  std::string lower(name);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower.ends_with(".jpg") || lower.ends_with(".jpeg") || lower.ends_with(".png");
}

Result<Frame> ReadPictureFile(FileSystem& files, const std::string& path) {
  auto bytes = files.Read(path, kMaxPictureFileSize);
  if (!bytes) return std::unexpected(bytes.error());
  if (StartsWith(*bytes, kPngStart)) return DecodePng(*bytes, path);
  if (!StartsWith(*bytes, kJpegStart)) {
    return Fail(ErrorCode::kCorrupt, "{} is not a picture: neither a JPEG nor a PNG", path);
  }
  return Frame::Owning(PixelFormat::kJpeg, 0, 0, 0, std::move(*bytes));
}

}  // namespace idkiosk
