#include "app/capture/image/jpeg_decoder.h"

#include <csetjmp>
#include <cstdio>
// jpeglib.h wants cstdio before it.
#include <jerror.h>
#include <jpeglib.h>

#include <algorithm>

#include "app/capture/image/jpeg_segments.h"

namespace idkiosk {
namespace {

// Progressive encoders use about ten. A file may claim thousands, each as long to decode as the
// first.
constexpr int kMaxScans = 64;

// Warnings that mean lost picture; libjpeg goes on with grey where the picture is gone.
bool MeansDamage(int code) {
  switch (code) {
    case JWRN_HIT_MARKER:
    case JWRN_JPEG_EOF:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC:
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_NOT_SEQUENTIAL:
      return true;
    default:
      return false;
  }
}

}  // namespace

struct JpegDecoder::Decompressor {
  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  std::jmp_buf escape{};
  bool damaged = false;

  Decompressor() {
    info.err = jpeg_std_error(&errors);
    info.client_data = this;
    errors.error_exit = [](j_common_ptr common) { std::longjmp(Of(common).escape, 1); };
    errors.emit_message = [](j_common_ptr common, int level) {
      if (level < 0 && MeansDamage(common->err->msg_code)) Of(common).damaged = true;
    };
    progress.progress_monitor = [](j_common_ptr common) {
      Decompressor& self = Of(common);
      if (self.info.input_scan_number > kMaxScans) std::longjmp(self.escape, 1);
    };
    // Creating fails only when libjpeg's version is not the one compiled against, or without
    // memory.
    if (setjmp(escape) == 0) jpeg_create_decompress(&info);
    info.client_data = this;
    info.progress = &progress;
  }
  ~Decompressor() { jpeg_destroy_decompress(&info); }

  static Decompressor& Of(j_common_ptr common) {
    return *static_cast<Decompressor*>(common->client_data);
  }

  // From here on nothing has a destructor: libjpeg leaves by longjmp.

  bool Start(ByteSpan jpeg) {
    damaged = false;
    if (setjmp(escape) != 0) return false;
    // libjpeg leaves these pointing at what the last picture has freed, and jpeg_skip_scanlines
    // looks there when this one is upsampled and converted in one step, which needs neither.
    info.cconvert = nullptr;
    info.cquantize = nullptr;
    jpeg_mem_src(&info, jpeg.data(), static_cast<unsigned long>(jpeg.size()));
    return jpeg_read_header(&info, TRUE) == JPEG_HEADER_OK;
  }

  // `wanted` is in pixels of the shrunk picture; becomes what will be delivered.
  bool StartPart(int eighths, Effort effort, Part& wanted) {
    if (setjmp(escape) != 0) return false;
    info.scale_num = static_cast<unsigned>(eighths);
    info.scale_denom = 8;
    info.out_color_space = JCS_EXT_BGR;
    info.dct_method = JDCT_ISLOW;
    info.do_fancy_upsampling = effort == Effort::kCareful ? TRUE : FALSE;
    if (!jpeg_start_decompress(&info)) return false;
    const int full_width = static_cast<int>(info.output_width);
    const int full_height = static_cast<int>(info.output_height);
    wanted.x = std::clamp(wanted.x, 0, full_width - 1);
    wanted.y = std::clamp(wanted.y, 0, full_height - 1);
    wanted.width = std::clamp(wanted.width, 1, full_width - wanted.x);
    wanted.height = std::clamp(wanted.height, 1, full_height - wanted.y);
    if (wanted.width < full_width) {
      auto x = static_cast<JDIMENSION>(wanted.x);
      auto width = static_cast<JDIMENSION>(wanted.width);
      jpeg_crop_scanline(&info, &x, &width);
      wanted.x = static_cast<int>(x);
      wanted.width = static_cast<int>(width);
    }
    return true;
  }

  bool ReadPart(const Part& part, uint8_t* rows, ptrdiff_t stride) {
    if (setjmp(escape) != 0) return false;
    if (part.y > 0) jpeg_skip_scanlines(&info, static_cast<JDIMENSION>(part.y));
    // A header may claim fifty megapixels and hold none: no grey is made of what is not there.
    for (int row = 0; row < part.height && !damaged;) {
      JSAMPROW line = rows + row * stride;
      row += static_cast<int>(jpeg_read_scanlines(&info, &line, 1));
    }
    // Reads on to the end only where that is near: what is left out cannot damage what is here.
    if (info.output_scanline == info.output_height) jpeg_finish_decompress(&info);
    return true;
  }

  [[nodiscard]] Error Damage() {
    char text[JMSG_LENGTH_MAX] = "too many scans";
    if (errors.msg_code != 0) errors.format_message(reinterpret_cast<j_common_ptr>(&info), text);
    jpeg_abort_decompress(&info);
    return {ErrorCode::kCorrupt, fmt::format("damaged JPEG: {}", text)};
  }
};

JpegDecoder::JpegDecoder(int64_t max_pixels) : max_pixels_(max_pixels) {}
JpegDecoder::~JpegDecoder() = default;

JpegDecoder::Decompressor& JpegDecoder::For(ByteSpan jpeg) {
  auto& decompressor = FindJpegSegments(jpeg).has_huffman_tables ? with_tables_ : without_tables_;
  if (decompressor == nullptr) decompressor = std::make_unique<Decompressor>();
  decompressor->errors.msg_code = 0;
  return *decompressor;
}

Result<JpegDecoder::Header> JpegDecoder::ReadHeader(ByteSpan jpeg) {
  Decompressor& decompressor = For(jpeg);
  if (!decompressor.Start(jpeg)) return std::unexpected(decompressor.Damage());
  Header header{static_cast<int>(decompressor.info.image_width),
                static_cast<int>(decompressor.info.image_height),
                ExifOrientation(FindJpegSegments(jpeg).exif)};
  const J_COLOR_SPACE colours = decompressor.info.jpeg_color_space;
  jpeg_abort_decompress(&decompressor.info);
  if (int64_t{header.width} * header.height > max_pixels_) {
    return Fail(ErrorCode::kInvalid,
                "the JPEG is {} x {} pixels; more than {} megapixels are refused", header.width,
                header.height, max_pixels_ / 1'000'000);
  }
  if (colours == JCS_CMYK || colours == JCS_YCCK) {
    return Fail(ErrorCode::kInvalid, "the JPEG's colours are for printing (CMYK); save it as RGB");
  }
  return header;
}

Result<JpegDecoder::Part> JpegDecoder::Decode(ByteSpan jpeg, int eighths, const Part& part,
                                              Effort effort, Picture& out) {
  Decompressor& decompressor = For(jpeg);
  if (!decompressor.Start(jpeg)) return std::unexpected(decompressor.Damage());
  const auto shrunk = [&](int pixels) { return pixels * eighths / 8; };
  Part scaled{shrunk(part.x), shrunk(part.y), shrunk(part.width + 7), shrunk(part.height + 7)};
  if (!decompressor.StartPart(eighths, effort, scaled)) {
    return std::unexpected(decompressor.Damage());
  }
  out.Resize(scaled.width, scaled.height);
  if (!decompressor.ReadPart(scaled, out.row(0), out.stride()) || decompressor.damaged) {
    return std::unexpected(decompressor.Damage());
  }
  jpeg_abort_decompress(&decompressor.info);
  return Part{scaled.x * 8 / eighths, scaled.y * 8 / eighths, scaled.width * 8 / eighths,
              scaled.height * 8 / eighths};
}

}  // namespace idkiosk
