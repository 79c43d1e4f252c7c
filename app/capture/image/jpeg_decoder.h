#ifndef IDKIOSK_APP_CAPTURE_IMAGE_JPEG_DECODER_H_
#define IDKIOSK_APP_CAPTURE_IMAGE_JPEG_DECODER_H_

#include <memory>

#include "app/capture/image/picture.h"
#include "platform/base/bytes.h"
#include "platform/base/error.h"

namespace idkiosk {

// libjpeg-turbo's decoder, kept from one picture to the next. One thread at a time.
//
// Reads whatever comes: its size is checked before anything is decoded, a progressive picture may
// not have more scans than any honest one has, and an MJPEG frame without Huffman tables gets the
// standard ones. Errors: kCorrupt (damaged or cut off), kInvalid (too many pixels, or colours that
// we do not read).
class JpegDecoder {
 public:
  struct Header {
    int width = 0;   // pixels, as stored
    int height = 0;  // pixels, as stored
    int orientation =
        1;  // EXIF: 1..8, how it must be turned to stand upright; 1 where none is said
  };

  // A part of the picture as stored, in pixels at full size.
  struct Part {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
  };

  enum class Effort {
    kQuick,   // for measuring: chroma is not smoothed
    kCareful  // for pictures that are kept
  };

  explicit JpegDecoder(int64_t max_pixels);
  ~JpegDecoder();

  [[nodiscard]] Result<Header> ReadHeader(ByteSpan jpeg);

  // The part of the picture, shrunk to `eighths` / 8 (1, 2, 4 or 8) of its size in the DCT domain,
  // as it is stored: not turned. `out` may begin up to a few pixels further left than asked for;
  // the return value is the part that it really holds.
  [[nodiscard]] Result<Part> Decode(ByteSpan jpeg, int eighths, const Part& part, Effort effort,
                                    Picture& out);

 private:
  struct Decompressor;
  [[nodiscard]] Decompressor& For(ByteSpan jpeg);

  int64_t max_pixels_;
  // A decompressor remembers the Huffman tables of the last picture; one that brings none must not
  // get somebody else's.
  std::unique_ptr<Decompressor> with_tables_;
  std::unique_ptr<Decompressor> without_tables_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_IMAGE_JPEG_DECODER_H_
