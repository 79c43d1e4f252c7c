#include "app/capture/libraries.h"

#include <fmt/format.h>
#include <jconfig.h>

#include <opencv2/core/utility.hpp>

#define IDKIOSK_TEXT_OF(x) #x
#define IDKIOSK_TEXT(x) IDKIOSK_TEXT_OF(x)

namespace idkiosk {

std::string CaptureLibraries() {
  return fmt::format("OpenCV {}, libjpeg-turbo {}", cv::getVersionString(),
                     IDKIOSK_TEXT(LIBJPEG_TURBO_VERSION));
}

}  // namespace idkiosk
