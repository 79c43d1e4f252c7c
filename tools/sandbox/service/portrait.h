#ifndef IDKIOSK_TOOLS_SANDBOX_SERVICE_PORTRAIT_H_
#define IDKIOSK_TOOLS_SANDBOX_SERVICE_PORTRAIT_H_

#include <string_view>

#include "platform/base/bytes.h"

namespace idkiosk::sandbox {

// A small JPEG (96 x 120) of a head and shoulders without a face, in colours of its own for each
// `seed`: what the registry has as the photo of somebody who does not exist.
[[nodiscard]] Bytes DrawPortrait(std::string_view seed);

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_SERVICE_PORTRAIT_H_
