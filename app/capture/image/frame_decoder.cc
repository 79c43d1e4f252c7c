#include "app/capture/image/frame_decoder.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "app/capture/image/mat.h"

namespace idkiosk {
namespace {

using Part = JpegDecoder::Part;

// EXIF orientations 5 to 8 swap width and height.
bool LiesOnItsSide(int orientation) { return orientation >= 5; }

// What has to be done to a stored picture to stand upright: transpose first, then flip.
struct Turn {
  bool transpose, flip_x, flip_y;
};

Turn TurnFor(int orientation) {
  switch (orientation) {
    case 2:
      return {false, true, false};
    case 3:
      return {false, true, true};
    case 4:
      return {false, false, true};
    case 5:
      return {true, false, false};
    case 6:
      return {true, true, false};
    case 7:
      return {true, true, true};
    case 8:
      return {true, false, true};
    default:
      return {false, false, false};
  }
}

// A box of the upright picture, where it lies in the stored one.
Box ToStored(const Box& box, const JpegDecoder::Header& header) {
  const Turn turn = TurnFor(header.orientation);
  const auto width =
      static_cast<float>(turn.transpose ? header.height : header.width);  // of the upright one
  const auto height = static_cast<float>(turn.transpose ? header.width : header.height);
  Box stored = box;
  if (turn.flip_x) stored.x = width - box.x - box.width;
  if (turn.flip_y) stored.y = height - box.y - box.height;
  if (turn.transpose) stored = {stored.y, stored.x, stored.height, stored.width};
  return stored;
}

Part WholePixels(const Box& box, const JpegDecoder::Header& header) {
  const auto clamp = [](float value, int low, int high) {
    return std::clamp(static_cast<int>(std::lround(value)), low, std::max(low, high));
  };
  Part part;
  part.x = clamp(box.x, 0, header.width - 1);
  part.y = clamp(box.y, 0, header.height - 1);
  part.width = clamp(box.x + box.width, part.x + 1, header.width) - part.x;
  part.height = clamp(box.y + box.height, part.y + 1, header.height) - part.y;
  return part;
}

// The size with its longer side at most `side`.
cv::Size FitInto(int width, int height, int side) {
  const double factor = std::min(1.0, static_cast<double>(side) / std::max(width, height));
  return {std::max(1, static_cast<int>(std::lround(width * factor))),
          std::max(1, static_cast<int>(std::lround(height * factor)))};
}

void Shrink(const cv::Mat& from, int side, Picture& out) {
  const cv::Size size = FitInto(from.cols, from.rows, side);
  out.Resize(size.width, size.height);
  cv::Mat to = AsMat(out);
  if (size == from.size()) {
    from.copyTo(to);
  } else {
    cv::resize(from, to, size, 0, 0, cv::INTER_AREA);
  }
}

cv::Mat Plane(const Frame& frame, int type, int x, int y, int width, int height,
              ptrdiff_t offset = 0) {
  cv::Mat whole(y + height, x + width, type, const_cast<uint8_t*>(frame.data.data()) + offset,
                static_cast<size_t>(frame.stride));
  return whole(cv::Rect(x, y, width, height));
}

// Y, U and V of each pixel in `yuv` to BGR; BT.601, limited range.
void YuvToBgr(const cv::Mat& yuv, cv::Mat& bgr) {
  for (int row = 0; row < yuv.rows; ++row) {
    const uint8_t* from = yuv.ptr<uint8_t>(row);
    uint8_t* to = bgr.ptr<uint8_t>(row);
    for (int column = 0; column < yuv.cols; ++column, from += 3, to += 3) {
      const int y = 298 * (from[0] - 16) + 128, u = from[1] - 128, v = from[2] - 128;
      to[0] = static_cast<uint8_t>(std::clamp((y + 516 * u) >> 8, 0, 255));
      to[1] = static_cast<uint8_t>(std::clamp((y - 100 * u - 208 * v) >> 8, 0, 255));
      to[2] = static_cast<uint8_t>(std::clamp((y + 409 * v) >> 8, 0, 255));
    }
  }
}

Status CheckRaw(const Frame& frame) {
  const int64_t width = frame.width, height = frame.height, stride = frame.stride;
  if (width <= 0 || height <= 0) return Fail(ErrorCode::kInvalid, "a frame without pixels");
  if (width * height > FrameDecoder::kMaxPixels) {
    return Fail(ErrorCode::kInvalid,
                "a frame of {} x {} pixels; more than {} megapixels are refused", width, height,
                FrameDecoder::kMaxPixels / 1'000'000);
  }
  int64_t row = width, rows = height;
  switch (frame.format) {
    case PixelFormat::kYuyv:
      row = 2 * width;
      break;
    case PixelFormat::kBgr:
      row = 3 * width;
      break;
    case PixelFormat::kNv12:
      rows = height + height / 2;
      break;
    default:
      break;
  }
  const bool pairs = frame.format == PixelFormat::kYuyv || frame.format == PixelFormat::kNv12;
  if (pairs && (width % 2 != 0 || height % 2 != 0)) {
    return Fail(ErrorCode::kInvalid,
                "a frame of {} x {} pixels; its format needs an even width and height", width,
                height);
  }
  // The last row may end without its padding.
  if (stride < row || static_cast<int64_t>(frame.data.size()) < stride * (rows - 1) + row) {
    return Fail(ErrorCode::kCorrupt, "a frame of {} bytes, too few for {} x {} pixels",
                frame.data.size(), width, height);
  }
  return {};
}

}  // namespace

struct FrameDecoder::Planes {
  cv::Mat luma, chroma, yuv;
  cv::Mat channels[2];

  void Shrink(const Frame& frame, const Part& part, int side, Picture& out);
};

FrameDecoder::FrameDecoder() : planes_(std::make_unique<Planes>()) {}
FrameDecoder::~FrameDecoder() = default;

// The formats with raw pixels: shrunk first, because converting costs more than averaging.
void FrameDecoder::Planes::Shrink(const Frame& frame, const Part& part, int side, Picture& out) {
  // Chroma comes for pairs of pixels.
  const int x = part.x & ~1, y = part.y & ~1;
  const int width = std::min((part.width + (part.x - x) + 1) & ~1, frame.width - x);
  const int height = std::min((part.height + (part.y - y) + 1) & ~1, frame.height - y);
  if (frame.format == PixelFormat::kBgr) {
    idkiosk::Shrink(Plane(frame, CV_8UC3, part.x, part.y, part.width, part.height), side, out);
    return;
  }
  const cv::Size size = FitInto(width, height, side);
  out.Resize(size.width, size.height);
  cv::Mat bgr = AsMat(out);
  if (frame.format == PixelFormat::kGrey) {
    cv::resize(Plane(frame, CV_8UC1, x, y, width, height), luma, size, 0, 0, cv::INTER_AREA);
    cv::cvtColor(luma, bgr, cv::COLOR_GRAY2BGR);
    return;
  }
  if (frame.format == PixelFormat::kNv12) {
    const ptrdiff_t luma_size = static_cast<ptrdiff_t>(frame.stride) * frame.height;
    cv::resize(Plane(frame, CV_8UC1, x, y, width, height), luma, size, 0, 0, cv::INTER_AREA);
    cv::resize(Plane(frame, CV_8UC2, x / 2, y / 2, width / 2, height / 2, luma_size), chroma, size,
               0, 0, cv::INTER_AREA);
  } else {
    const cv::Mat pairs = Plane(frame, CV_8UC4, x / 2, y, width / 2, height);
    for (cv::Mat& channel : channels) channel.create(pairs.size(), CV_8UC2);
    const int order[] = {0, 0, 2, 1, 1, 2, 3, 3};  // Y0 U Y1 V -> (Y0 Y1) (U V)
    cv::mixChannels(&pairs, 1, channels, 2, order, 4);
    cv::resize(channels[0].reshape(1), luma, size, 0, 0, cv::INTER_AREA);
    cv::resize(channels[1], chroma, size, 0, 0, cv::INTER_AREA);
  }
  const cv::Mat planes[] = {luma, chroma};
  cv::merge(planes, 2, yuv);
  YuvToBgr(yuv, bgr);
}

Result<JpegDecoder::Header> FrameDecoder::HeaderOf(const Frame& frame) {
  if (frame.format == PixelFormat::kJpeg) return jpeg_.ReadHeader(frame.data);
  if (Status sound = CheckRaw(frame); !sound) return std::unexpected(sound.error());
  return JpegDecoder::Header{frame.width, frame.height, frame.orientation};
}

Status FrameDecoder::DecodeStored(const Frame& frame, const JpegDecoder::Header& header, Part part,
                                  int side, JpegDecoder::Effort effort, Picture& out) {
  const bool upright = header.orientation == 1;
  Picture& stored = upright ? out : turned_;
  if (frame.format == PixelFormat::kJpeg) {
    // The smallest size that the DCT domain offers and that still has the pixels asked for.
    const int longest = std::max(part.width, part.height);
    int eighths = 1;
    while (eighths < 8 && longest * eighths < side * 8) eighths *= 2;
    auto got = jpeg_.Decode(frame.data, eighths, part, effort, decoded_);
    if (!got) return std::unexpected(got.error());
    // libjpeg begins and ends at whole blocks: cut off what is too much.
    const auto shrunk = [&](int length) { return (length * eighths + 7) / 8; };
    const int left = std::clamp((part.x - got->x) * eighths / 8, 0, decoded_.width() - 1);
    const cv::Mat pixels =
        AsMat(decoded_)(cv::Rect(left, 0, std::min(shrunk(part.width), decoded_.width() - left),
                                 std::min(shrunk(part.height), decoded_.height())));
    if (pixels.cols == decoded_.width() && pixels.rows == decoded_.height() &&
        FitInto(pixels.cols, pixels.rows, side) == pixels.size()) {
      std::swap(decoded_, stored);
    } else {
      Shrink(pixels, side, stored);
    }
  } else {
    planes_->Shrink(frame, part, side, stored);
  }
  if (upright) return {};
  const Turn turn = TurnFor(header.orientation);
  if (turn.transpose) {
    out.Resize(stored.height(), stored.width());
    cv::Mat to = AsMat(out);
    cv::transpose(AsMat(stored), to);
  } else {
    std::swap(stored, out);
  }
  cv::Mat to = AsMat(out);
  if (turn.flip_x || turn.flip_y) {
    cv::flip(to, to, turn.flip_x && turn.flip_y ? -1 : turn.flip_x ? 1 : 0);
  }
  return {};
}

Result<FrameDecoder::Size> FrameDecoder::DecodeSmall(const Frame& frame, int side, Picture& out) {
  const auto header = HeaderOf(frame);
  if (!header) return std::unexpected(header.error());
  const Part whole{0, 0, header->width, header->height};
  const Status decoded = WithOpenCv("decoding a frame", [&] {
    return DecodeStored(frame, *header, whole, side, JpegDecoder::Effort::kQuick, out);
  });
  if (!decoded) return std::unexpected(decoded.error());
  if (LiesOnItsSide(header->orientation)) return Size{header->height, header->width};
  return Size{header->width, header->height};
}

Status FrameDecoder::DecodePart(const Frame& frame, const Box& box, int side,
                                JpegDecoder::Effort effort, Picture& out) {
  const auto header = HeaderOf(frame);
  if (!header) return std::unexpected(header.error());
  const Part part = WholePixels(ToStored(box, *header), *header);
  return WithOpenCv("decoding a part of a frame",
                    [&] { return DecodeStored(frame, *header, part, side, effort, out); });
}

}  // namespace idkiosk
