#include "app/capture/image/jpeg_encoder.h"

#include <csetjmp>
#include <cstdio>
// jpeglib.h wants cstdio before it.
#include <jpeglib.h>

#include <cstdlib>

namespace idkiosk {

struct JpegEncoder::Compressor {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  std::jmp_buf escape{};
  // Where libjpeg writes. It takes memory of its own where this is too small.
  Bytes room;
  unsigned char* out = nullptr;
  unsigned long size = 0;

  Compressor() {
    info.err = jpeg_std_error(&errors);
    info.client_data = this;
    errors.error_exit = [](j_common_ptr common) {
      std::longjmp(static_cast<Compressor*>(common->client_data)->escape, 1);
    };
    errors.emit_message = [](j_common_ptr, int) {};
    if (setjmp(escape) == 0) jpeg_create_compress(&info);
  }
  ~Compressor() {
    jpeg_destroy_compress(&info);
    Wipe(room);
  }

  // Nothing in here has a destructor: libjpeg leaves by longjmp.
  bool Write(const PictureView& bgr, int quality) {
    if (setjmp(escape) != 0) return false;
    jpeg_mem_dest(&info, &out, &size);
    info.image_width = static_cast<JDIMENSION>(bgr.width);
    info.image_height = static_cast<JDIMENSION>(bgr.height);
    info.input_components = 3;
    info.in_color_space = JCS_EXT_BGR;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    info.optimize_coding = TRUE;
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
      JSAMPROW row = const_cast<JSAMPROW>(bgr.row(static_cast<int>(info.next_scanline)));
      jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    return true;
  }
};

JpegEncoder::JpegEncoder() : compressor_(std::make_unique<Compressor>()) {}
JpegEncoder::~JpegEncoder() = default;

Result<SecretBytes> JpegEncoder::Encode(const PictureView& bgr, int quality) {
  if (bgr.empty()) return Fail(ErrorCode::kInvalid, "an empty picture cannot be encoded");
  Compressor& compressor = *compressor_;
  // No picture takes more than its raw pixels but the smallest, for their headers.
  const size_t room = 3 * static_cast<size_t>(bgr.width) * static_cast<size_t>(bgr.height) + 4096;
  if (compressor.room.size() < room) {
    Wipe(compressor.room);
    compressor.room = Bytes(room);
  }
  compressor.out = compressor.room.data();
  compressor.size = static_cast<unsigned long>(compressor.room.size());
  const bool written = compressor.Write(bgr, quality);
  if (!written) jpeg_abort_compress(&compressor.info);
  SecretBytes jpeg;
  if (written) jpeg = SecretBytes::CopyOf(ByteSpan(compressor.out, compressor.size));
  if (compressor.out != compressor.room.data()) {
    Wipe(MutableByteSpan(compressor.out, compressor.size));
    std::free(compressor.out);
  }
  if (!written) return Fail(ErrorCode::kInternal, "libjpeg could not encode a picture");
  return jpeg;
}

}  // namespace idkiosk
