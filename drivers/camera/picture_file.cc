#include "drivers/camera/picture_file.h"

#include <png.h>

#include <algorithm>
#include <array>

#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

constexpr int64_t kMaxPixels = 50'000'000;
constexpr std::array<uint8_t, 3> kJpegStart = {0xff, 0xd8, 0xff};
constexpr std::array<uint8_t, 4> kPngStart = {0x89, 'P', 'N', 'G'};

// What people take for a picture that this reads: its first bytes, from `at` on.
struct OtherKind {
  size_t at;
  std::string_view start;
  std::string_view name;
};
constexpr OtherKind kOthers[] = {
    {8, "WEBP", "a WebP picture"},      {4, "ftypavif", "an AVIF picture"},
    {4, "ftypavis", "an AVIF picture"}, {4, "ftyphe", "a HEIC picture"},
    {4, "ftypmif1", "a HEIC picture"},  {4, "ftypmsf1", "a HEIC picture"},
    {0, "GIF8", "a GIF picture"},       {0, "BM", "a BMP picture"},
    {0, "II*", "a TIFF picture"},       {0, "MM", "a TIFF picture"},
};

// Empty: nobody knows what it is.
std::string_view OtherKindOf(ByteSpan bytes) {
  if (bytes.empty()) return "an empty file";
  const std::string_view text = AsText(bytes);
  const auto* const found = std::ranges::find_if(kOthers, [text](const OtherKind& each) {
    return text.substr(std::min(each.at, text.size())).starts_with(each.start);
  });
  return found == std::end(kOthers) ? std::string_view() : found->name;
}

bool StartsWith(ByteSpan bytes, ByteSpan start) {
  return bytes.size() >= start.size() && std::equal(start.begin(), start.end(), bytes.begin());
}

uint32_t Uint32At(ByteSpan bytes, size_t at) {
  return static_cast<uint32_t>(bytes[at]) << 24 | static_cast<uint32_t>(bytes[at + 1]) << 16 |
         static_cast<uint32_t>(bytes[at + 2]) << 8 | bytes[at + 3];
}

// The orientation in a TIFF header's first directory: what eXIf holds. 1 where nothing or nonsense
// is said.
int TiffOrientation(ByteSpan tiff) {
  constexpr size_t kEntry = 12;  // bytes of one: tag, type, count and value
  constexpr uint32_t kOrientation = 0x112, kShort = 3;
  if (tiff.size() < 8) return 1;
  const bool little = tiff[0] == 'I';
  const auto read = [&](size_t at, size_t bytes) {
    uint32_t value = 0;
    for (size_t i = 0; i < bytes; ++i) value = value << 8 | tiff[at + (little ? bytes - 1 - i : i)];
    return value;
  };
  const size_t directory = read(4, 4);
  if (directory > tiff.size() || tiff.size() - directory < 2) return 1;
  size_t at = directory + 2;
  for (uint32_t left = read(directory, 2); left > 0 && at + kEntry <= tiff.size(); --left) {
    if (read(at, 2) == kOrientation && read(at + 2, 2) == kShort) {
      const uint32_t value = read(at + 8, 2);
      return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
    }
    at += kEntry;
  }
  return 1;
}

// libpng has read the picture: its chunks follow each other, up to the end.
int PngOrientation(ByteSpan png) {
  constexpr size_t kAround = 12;  // a chunk's length, name and checksum
  for (size_t at = 8; at + kAround <= png.size();) {
    const size_t length = Uint32At(png, at);
    if (length > png.size() - at - kAround) return 1;
    if (AsText(png.subspan(at + 4, 4)) == "eXIf")
      return TiffOrientation(png.subspan(at + 8, length));
    at += length + kAround;
  }
  return 1;
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
  Frame frame = Frame::Owning(PixelFormat::kBgr, width, height, 3 * width, std::move(pixels));
  frame.orientation = PngOrientation(bytes);
  return frame;
}

}  // namespace

bool IsPictureName(std::string_view name) {
  if (name.empty() || name.front() == '.') return false;
  const std::string lower = LowerCase(name);
  return lower.ends_with(".jpg") || lower.ends_with(".jpeg") || lower.ends_with(".png");
}

Result<Frame> ReadPictureFile(FileSystem& files, const std::string& path) {
  auto bytes = files.Read(path, kMaxPictureFileSize);
  if (!bytes) return std::unexpected(bytes.error());
  if (StartsWith(*bytes, kPngStart)) return DecodePng(*bytes, path);
  if (!StartsWith(*bytes, kJpegStart)) {
    if (const std::string_view other = OtherKindOf(*bytes); !other.empty()) {
      return Fail(ErrorCode::kCorrupt, "{} is {}; give JPEG or PNG", path, other);
    }
    return Fail(ErrorCode::kCorrupt, "{} is not a picture: neither a JPEG nor a PNG", path);
  }
  return Frame::Owning(PixelFormat::kJpeg, 0, 0, 0, std::move(*bytes));
}

}  // namespace idkiosk
