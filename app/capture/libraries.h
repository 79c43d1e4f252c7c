#ifndef IDKIOSK_APP_CAPTURE_LIBRARIES_H_
#define IDKIOSK_APP_CAPTURE_LIBRARIES_H_

#include <string>

namespace idkiosk {

// Returns the libraries that see and encode: "OpenCV 4.6.0, libjpeg-turbo 2.1.5".
[[nodiscard]] std::string CaptureLibraries();

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_LIBRARIES_H_
