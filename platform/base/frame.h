#ifndef IDKIOSK_PLATFORM_BASE_FRAME_H_
#define IDKIOSK_PLATFORM_BASE_FRAME_H_

#include <cstdint>
#include <memory>

#include "platform/base/bytes.h"
#include "platform/base/time.h"

namespace idkiosk {

// How the bytes of a frame are laid out.
enum class PixelFormat {
  kJpeg,  // one JFIF or Exif picture, or one MJPEG frame (which may lack its Huffman tables)
  kYuyv,  // 4:2:2 packed, Y0 U Y1 V, BT.601 limited range
  kNv12,  // 4:2:0, a plane of Y and one of interleaved U and V
  kGrey,  // one byte a pixel
  kBgr,   // three bytes a pixel
};

// One picture as the camera gave it. Copying a Frame shares its bytes.
struct Frame {
  PixelFormat format = PixelFormat::kJpeg;
  int width = 0;   // pixels; 0 for a kJpeg whose header nobody has read yet
  int height = 0;  // pixels
  int stride = 0;  // bytes from one row to the next of the first plane; 0 for kJpeg
  ByteSpan data;   // valid as long as `owner` lives
  std::shared_ptr<const void> owner;
  MonotonicTime captured_at;
  uint64_t sequence = 0;  // counts up by one a frame of the device; a gap is a frame that was lost
  int orientation = 1;    // EXIF's, 1 (upright) to 8; of a kJpeg its own header counts

  // A frame that owns `bytes`.
  [[nodiscard]] static Frame Owning(PixelFormat format, int width, int height, int stride,
                                    Bytes bytes) {
    auto owner = std::make_shared<const Bytes>(std::move(bytes));
    return {format, width, height, stride, ByteSpan(*owner), owner, {}, 0, 1};
  }
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_FRAME_H_
