#include "tools/sandbox/service/image.h"

#include <algorithm>
#include <array>

namespace idkiosk::sandbox {
namespace {

constexpr std::array<uint8_t, 8> kPngSignature = {0x89, 'P', 'N', 'G', 0x0d, 0x0a, 0x1a, 0x0a};

// JPEG markers (ITU-T T.81, table B.1).
constexpr uint8_t kStartOfImage = 0xd8;
constexpr uint8_t kEndOfImage = 0xd9;
constexpr uint8_t kStartOfScan = 0xda;

bool IsFrameHeader(uint8_t marker) {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

int Read16(ByteSpan bytes, size_t at) { return bytes[at] << 8 | bytes[at + 1]; }

// The last mark may be followed by padding, as some encoders write it.
bool EndsAsJpeg(ByteSpan bytes) {
  const std::array<uint8_t, 2> end = {0xff, kEndOfImage};
  return !std::ranges::find_end(bytes, end).empty();
}

Result<ImageSize> InspectJpeg(ByteSpan bytes) {
  ImageSize size;
  size_t at = 2;
  while (at + 4 <= bytes.size()) {
    if (bytes[at] != 0xff) return Fail(ErrorCode::kInvalid, "damaged JPEG");
    const uint8_t marker = bytes[at + 1];
    if (marker == 0xff) {  // fill byte
      ++at;
      continue;
    }
    const auto length = static_cast<size_t>(Read16(bytes, at + 2));
    if (length < 2 || at + 2 + length > bytes.size()) break;
    if (IsFrameHeader(marker) && length >= 8) {
      size = {.width = Read16(bytes, at + 7), .height = Read16(bytes, at + 5)};
    }
    if (marker == kStartOfScan) {
      if (!EndsAsJpeg(bytes.subspan(at)))
        return Fail(ErrorCode::kInvalid, "JPEG that is cut short");
      return size;
    }
    at += 2 + length;
  }
  return Fail(ErrorCode::kInvalid, "JPEG that is cut short");
}

Result<ImageSize> InspectPng(ByteSpan bytes) {
  constexpr size_t kHeaderEnd = 33;  // signature and IHDR with its checksum
  constexpr std::string_view kEndChunk = "IEND";
  const std::string_view text = AsText(bytes);
  if (bytes.size() < kHeaderEnd + 12 || text.substr(12, 4) != "IHDR" ||
      text.substr(bytes.size() - 8, 4) != kEndChunk) {
    return Fail(ErrorCode::kInvalid, "PNG that is cut short");
  }
  const uint32_t width = ReadUint32(bytes.subspan<16, 4>());
  const uint32_t height = ReadUint32(bytes.subspan<20, 4>());
  constexpr uint32_t kMost = 1U << 30;
  return ImageSize{.width = static_cast<int>(std::min(width, kMost)),
                   .height = static_cast<int>(std::min(height, kMost))};
}

}  // namespace

Result<ImageSize> InspectImage(ByteSpan bytes) {
  constexpr int kSmallest = 16;
  constexpr int kLargest = 8192;
  const bool jpeg = bytes.size() >= 4 && bytes[0] == 0xff && bytes[1] == kStartOfImage;
  const bool png = bytes.size() >= kPngSignature.size() &&
                   std::ranges::equal(bytes.first(kPngSignature.size()), kPngSignature);
  if (!jpeg && !png) return Fail(ErrorCode::kInvalid, "neither a JPEG nor a PNG");
  const auto size = jpeg ? InspectJpeg(bytes) : InspectPng(bytes);
  if (!size) return size;
  if (std::min(size->width, size->height) < kSmallest ||
      std::max(size->width, size->height) > kLargest) {
    return Fail(ErrorCode::kInvalid, "a picture of {} x {} pixels; each side must have {} to {}",
                size->width, size->height, kSmallest, kLargest);
  }
  return size;
}

}  // namespace idkiosk::sandbox
