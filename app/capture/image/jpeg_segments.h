#ifndef IDKIOSK_APP_CAPTURE_IMAGE_JPEG_SEGMENTS_H_
#define IDKIOSK_APP_CAPTURE_IMAGE_JPEG_SEGMENTS_H_

#include "platform/base/bytes.h"

namespace idkiosk {

// The header of a JPEG up to its first scan, read without decoding anything.
struct JpegSegments {
  ByteSpan exif;  // the payload of the first Exif segment, beginning with "Exif"; empty if none
  bool has_huffman_tables = false;
  bool has_metadata = false;  // any APPn but JFIF and Adobe, or a comment
};

// Reads any bytes; stops where they make no sense.
[[nodiscard]] JpegSegments FindJpegSegments(ByteSpan jpeg);

// 1..8, as EXIF's tag Orientation says; 1 where nothing or nonsense is said.
[[nodiscard]] int ExifOrientation(ByteSpan exif);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_IMAGE_JPEG_SEGMENTS_H_
