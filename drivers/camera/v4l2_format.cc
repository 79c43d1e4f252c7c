#include "drivers/camera/v4l2_format.h"

#include <linux/videodev2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace idkiosk {
namespace {

// In the order of what one frame costs to move and to look at.
struct Readable {
  uint32_t fourcc;
  PixelFormat format;
};
constexpr std::array<Readable, 5> kReadable = {{{V4L2_PIX_FMT_MJPEG, PixelFormat::kJpeg},
                                                {V4L2_PIX_FMT_JPEG, PixelFormat::kJpeg},
                                                {V4L2_PIX_FMT_NV12, PixelFormat::kNv12},
                                                {V4L2_PIX_FMT_YUYV, PixelFormat::kYuyv},
                                                {V4L2_PIX_FMT_GREY, PixelFormat::kGrey}}};

// Below this a prompt and what follows it feel apart.
constexpr double kEnoughFrames = 15;
// A device that never stops enumerating is broken, or hostile.
constexpr uint32_t kMaxEntries = 256;

size_t RankOf(uint32_t fourcc) {
  const auto found = std::ranges::find(kReadable, fourcc, &Readable::fourcc);
  return static_cast<size_t>(found - kReadable.begin());
}

double RateOf(const v4l2_fract& interval) {
  return interval.numerator == 0 ? 0
                                 : static_cast<double>(interval.denominator) / interval.numerator;
}

double HighestRate(VideoKernel& kernel, int fd, const V4l2Format& format) {
  double highest = 0;
  for (uint32_t i = 0; i < kMaxEntries; ++i) {
    v4l2_frmivalenum entry{};
    entry.index = i;
    entry.pixel_format = format.fourcc;
    entry.width = static_cast<uint32_t>(format.width);
    entry.height = static_cast<uint32_t>(format.height);
    if (kernel.Ioctl(fd, VIDIOC_ENUM_FRAMEINTERVALS, &entry) != 0) break;
    // A range begins with its shortest interval.
    const bool discrete = entry.type == V4L2_FRMIVAL_TYPE_DISCRETE;
    highest = std::max(highest, RateOf(discrete ? entry.discrete : entry.stepwise.min));
    if (!discrete) break;
  }
  return highest;
}

int Within(int wanted, uint32_t low, uint32_t high, uint32_t step) {
  const auto limit = [](uint32_t value) { return static_cast<int>(std::min(value, 1U << 16)); };
  const int lowest = limit(low);
  const int value = std::clamp(wanted, lowest, std::max(lowest, limit(high)));
  return step > 1 ? lowest + (value - lowest) / limit(step) * limit(step) : value;
}

void AddSizes(VideoKernel& kernel, int fd, uint32_t fourcc, const CameraRequest& request,
              std::vector<V4l2Format>& offered) {
  uint32_t count = 0;
  for (; count < kMaxEntries; ++count) {
    v4l2_frmsizeenum entry{};
    entry.index = count;
    entry.pixel_format = fourcc;
    if (kernel.Ioctl(fd, VIDIOC_ENUM_FRAMESIZES, &entry) != 0) break;
    V4l2Format format{fourcc, 0, 0, 0};
    const bool discrete = entry.type == V4L2_FRMSIZE_TYPE_DISCRETE;
    if (discrete) {
      format.width = Within(static_cast<int>(entry.discrete.width), 0, 1U << 16, 1);
      format.height = Within(static_cast<int>(entry.discrete.height), 0, 1U << 16, 1);
    } else {
      const v4l2_frmsize_stepwise& range = entry.stepwise;
      format.width = Within(request.width, range.min_width, range.max_width, range.step_width);
      format.height = Within(request.height, range.min_height, range.max_height, range.step_height);
    }
    format.frames_per_second = HighestRate(kernel, fd, format);
    offered.push_back(format);
    if (!discrete) return;
  }
  if (count == 0) offered.push_back({fourcc, request.width, request.height, 0});
}

}  // namespace

std::optional<PixelFormat> PixelFormatOf(uint32_t fourcc) {
  const size_t rank = RankOf(fourcc);
  if (rank == kReadable.size()) return std::nullopt;
  return kReadable[rank].format;
}

std::string FourccName(uint32_t fourcc) {
  std::string name;
  for (int shift = 0; shift < 32; shift += 8) {
    const char c = static_cast<char>(fourcc >> shift & 0x7f);
    name += c >= ' ' && c < 0x7f ? c : '?';
  }
  return name;
}

std::vector<V4l2Format> ListFormats(VideoKernel& kernel, int fd, const CameraRequest& request) {
  std::vector<V4l2Format> offered;
  for (uint32_t i = 0; i < kMaxEntries; ++i) {
    v4l2_fmtdesc entry{};
    entry.index = i;
    entry.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (kernel.Ioctl(fd, VIDIOC_ENUM_FMT, &entry) != 0) break;
    AddSizes(kernel, fd, entry.pixelformat, request, offered);
  }
  return offered;
}

std::optional<V4l2Format> ChooseFormat(const std::vector<V4l2Format>& offered,
                                       const CameraRequest& request) {
  const double enough = std::min<double>(kEnoughFrames, request.frames_per_second);
  const auto badness = [&](const V4l2Format& format) {
    // A device that tells no rate is trusted to be fast enough.
    const bool slow = format.frames_per_second > 0 && format.frames_per_second < enough;
    const auto ratio = [](int a, int b) { return std::abs(std::log(static_cast<double>(a) / b)); };
    const double size = ratio(std::max(format.width, 1), request.width) +
                        ratio(std::max(format.height, 1), request.height);
    return std::tuple(slow, size, RankOf(format.fourcc), -format.frames_per_second);
  };
  std::optional<V4l2Format> best;
  for (const V4l2Format& format : offered) {
    if (!PixelFormatOf(format.fourcc) || format.width <= 0 || format.height <= 0) continue;
    if (!best || badness(format) < badness(*best)) best = format;
  }
  return best;
}

}  // namespace idkiosk
