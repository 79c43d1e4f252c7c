#ifndef IDKIOSK_APP_CAPTURE_IMAGE_FRAME_DECODER_H_
#define IDKIOSK_APP_CAPTURE_IMAGE_FRAME_DECODER_H_

#include <memory>

#include "app/capture/image/jpeg_decoder.h"
#include "app/capture/image/picture.h"
#include "platform/base/error.h"
#include "platform/base/frame.h"

namespace idkiosk {

// Turns frames of every format into upright BGR pixels, no more of them than are asked for. Keeps
// its buffers and decompressors. One thread at a time.
//
// Errors of every function: kCorrupt (damaged picture, or fewer bytes than its size needs),
// kInvalid (no pixels, more than kMaxPixels, or colours that we do not read).
class FrameDecoder {
 public:
  FrameDecoder();
  ~FrameDecoder();

  // Checked against the header, before anything is decoded.
  static constexpr int64_t kMaxPixels = 50'000'000;

  struct Size {
    int width = 0;   // pixels, upright
    int height = 0;  // pixels, upright
  };

  // The whole frame, its longer side at most `side` pixels; a smaller frame stays as it is. A JPEG
  // is shrunk in the DCT domain as far as that goes. Returns the frame's full size.
  [[nodiscard]] Result<Size> DecodeSmall(const Frame& frame, int side, Picture& out);

  // The part of the frame inside `box` (pixels of the upright frame at full size), scaled so that
  // its longer side is at most `side`; never enlarged.
  [[nodiscard]] Status DecodePart(const Frame& frame, const Box& box, int side,
                                  JpegDecoder::Effort effort, Picture& out);

 private:
  // The buffers between raw pixels and BGR.
  struct Planes;

  [[nodiscard]] Result<JpegDecoder::Header> HeaderOf(const Frame& frame);
  [[nodiscard]] Status DecodeStored(const Frame& frame, const JpegDecoder::Header& header,
                                    JpegDecoder::Part part, int side, JpegDecoder::Effort effort,
                                    Picture& out);

  JpegDecoder jpeg_{kMaxPixels};
  Picture decoded_;
  Picture turned_;
  std::unique_ptr<Planes> planes_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_IMAGE_FRAME_DECODER_H_
