#ifndef IDKIOSK_APP_CAPTURE_CAPTURE_BUNDLE_H_
#define IDKIOSK_APP_CAPTURE_CAPTURE_BUNDLE_H_

#include <array>
#include <cstddef>

#include "platform/base/picture_means.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// A baseline JPEG without any metadata, upright.
struct CapturedPicture {
  SecretBytes jpeg;
  int width = 0;    // pixels
  int height = 0;   // pixels
  int quality = 0;  // libjpeg's scale, 1..100
};

// The pictures of one verification: exactly one selfie and four liveness pictures of the same
// person.
struct CaptureBundle {
  static constexpr size_t kLivenessPictures = 4;

  CapturedPicture selfie;
  std::array<CapturedPicture, kLivenessPictures> liveness;
  PictureMeans means = PictureMeans::kDrawn;

  [[nodiscard]] size_t total_bytes() const {
    size_t total = selfie.jpeg.size();
    for (const CapturedPicture& picture : liveness) total += picture.jpeg.size();
    return total;
  }
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_CAPTURE_BUNDLE_H_
