#ifndef IDKIOSK_APP_CAPTURE_IMAGE_JPEG_ENCODER_H_
#define IDKIOSK_APP_CAPTURE_IMAGE_JPEG_ENCODER_H_

#include <memory>

#include "app/capture/image/picture.h"
#include "platform/base/error.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// libjpeg-turbo's encoder, kept from one picture to the next: baseline, 4:2:0, Huffman tables made
// for the picture, no metadata. One thread at a time.
class JpegEncoder {
 public:
  JpegEncoder();
  ~JpegEncoder();

  // `quality` is libjpeg's, 1..100. Errors: kInvalid (no pixels), kInternal.
  [[nodiscard]] Result<SecretBytes> Encode(const PictureView& bgr, int quality);

 private:
  struct Compressor;
  std::unique_ptr<Compressor> compressor_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_IMAGE_JPEG_ENCODER_H_
