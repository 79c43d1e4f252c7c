#ifndef IDKIOSK_APP_CAPTURE_IMAGE_PNG_SIZE_H_
#define IDKIOSK_APP_CAPTURE_IMAGE_PNG_SIZE_H_

#include <cstdint>
#include <optional>

#include "platform/base/bytes.h"

namespace idkiosk {

struct PngSize {
  uint32_t width = 0;   // pixels, as its head says
  uint32_t height = 0;  // pixels
};

// Reads the head of a PNG, and decodes nothing. Nothing: it has none, or no pixels.
[[nodiscard]] std::optional<PngSize> ReadPngSize(ByteSpan png);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_IMAGE_PNG_SIZE_H_
