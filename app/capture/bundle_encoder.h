#ifndef IDKIOSK_APP_CAPTURE_BUNDLE_ENCODER_H_
#define IDKIOSK_APP_CAPTURE_BUNDLE_ENCODER_H_

#include <array>
#include <optional>

#include "app/capture/capture_bundle.h"
#include "app/capture/image/frame_decoder.h"
#include "app/capture/image/jpeg_encoder.h"
#include "app/settings/settings.h"
#include "platform/base/frame.h"

namespace idkiosk {

// A frame that becomes a picture of the bundle.
struct KeptFrame {
  Frame frame;
  Box head;  // what is cut out of it, in pixels of the upright frame
};

// The upright 3:4 cut-out that shows a head with its margin and as little else as possible, inside
// the frame.
[[nodiscard]] Box HeadCut(const Box& face, int frame_width, int frame_height);

// Makes the bytes of the five pictures, with a budget for each out of the bundle's: half for the
// selfie, an eighth for each of the others. What the others leave goes to the selfie.
class BundleEncoder {
 public:
  // All must outlive this.
  BundleEncoder(const CaptureSettings& settings, FrameDecoder& decoder);

  // Errors: what decoding says; kExhausted (even small and coarse the picture does not fit: only
  // noise does that).
  [[nodiscard]] Result<CaptureBundle> Encode(
      const KeptFrame& selfie,
      const std::array<KeptFrame, CaptureBundle::kLivenessPictures>& liveness);

  // One picture, its longer side at most `side`, in at most `budget` bytes: first by quality, then
  // by size, in at most three encodes.
  [[nodiscard]] Result<CapturedPicture> EncodePicture(const KeptFrame& kept, int side,
                                                      size_t budget);

 private:
  const CaptureSettings& settings_;
  FrameDecoder& decoder_;
  JpegEncoder encoder_;
  Picture picture_;
  Picture smaller_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_BUNDLE_ENCODER_H_
