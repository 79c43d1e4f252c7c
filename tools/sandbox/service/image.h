#ifndef IDKIOSK_TOOLS_SANDBOX_SERVICE_IMAGE_H_
#define IDKIOSK_TOOLS_SANDBOX_SERVICE_IMAGE_H_

#include "platform/base/bytes.h"

namespace idkiosk::sandbox {

struct ImageSize {
  int width = 0;  // pixels
  int height = 0;
};

// Reads a JPEG's or PNG's headers from its first to its last mark: enough to tell a picture from
// something else and from one that was cut short. Pixels are not decoded.
// Errors: kInvalid, with what is wrong.
[[nodiscard]] Result<ImageSize> InspectImage(ByteSpan bytes);

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_SERVICE_IMAGE_H_
