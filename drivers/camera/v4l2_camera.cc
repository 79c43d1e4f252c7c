#include "drivers/camera/v4l2_camera.h"

#include <linux/videodev2.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>

#include "platform/base/text/digits.h"

namespace idkiosk {
namespace {

constexpr int64_t kMaxPixels = 50'000'000;

struct PowerLine {
  std::string_view name;
  int value;
};
constexpr std::array<PowerLine, 4> kPowerLines = {{{"off", V4L2_CID_POWER_LINE_FREQUENCY_DISABLED},
                                                   {"50hz", V4L2_CID_POWER_LINE_FREQUENCY_50HZ},
                                                   {"60hz", V4L2_CID_POWER_LINE_FREQUENCY_60HZ},
                                                   {"auto", V4L2_CID_POWER_LINE_FREQUENCY_AUTO}}};

Error CannotOpen(int number, const std::string& path) {
  switch (number) {
    case ENOENT:
    case ENODEV:
    case ENXIO:
      return {ErrorCode::kNotFound,
              fmt::format("there is no camera at {}: is it plugged in?", path)};
    case EACCES:
    case EPERM:
      return {ErrorCode::kForbidden,
              fmt::format("this user may not use {}: add it to the group 'video'", path)};
    case EBUSY:
      return {ErrorCode::kUnavailable,
              fmt::format("another program uses the camera {}: close that program", path)};
    default:
      return ErrnoError(number, fmt::format("cannot open the camera {}", path));
  }
}

// What the device is; nothing if it is no camera that is read here. A webcam has a second device
// for metadata.
std::optional<v4l2_capability> CapturesVideo(VideoKernel& kernel, int fd) {
  v4l2_capability capability{};
  if (kernel.Ioctl(fd, VIDIOC_QUERYCAP, &capability) != 0) return std::nullopt;
  const uint32_t does = (capability.capabilities & V4L2_CAP_DEVICE_CAPS) != 0
                            ? capability.device_caps
                            : capability.capabilities;
  const bool captures = (does & V4L2_CAP_VIDEO_CAPTURE) != 0 && (does & V4L2_CAP_STREAMING) != 0;
  if (!captures) return std::nullopt;
  return capability;
}

bool HasSeveralPlanes(VideoKernel& kernel, int fd) {
  v4l2_capability capability{};
  return kernel.Ioctl(fd, VIDIOC_QUERYCAP, &capability) == 0 &&
         (capability.capabilities & V4L2_CAP_DEVICE_CAPS) != 0 &&
         (capability.device_caps & V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0;
}

std::string CardName(const v4l2_capability& capability) {
  const auto* const card = reinterpret_cast<const char*>(capability.card);
  return {card, strnlen(card, sizeof(capability.card))};
}

std::string OfferedNames(const std::vector<V4l2Format>& offered) {
  std::set<std::string> names;
  for (const V4l2Format& format : offered) names.insert(FourccName(format.fourcc));
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

int SetControl(VideoKernel& kernel, int fd, uint32_t id, int value) {
  v4l2_control control{id, value};
  return kernel.Ioctl(fd, VIDIOC_S_CTRL, &control);
}

}  // namespace

V4l2Camera::V4l2Camera(std::string path, CameraControls controls, VideoKernel& kernel, Clock& clock)
    : path_(std::move(path)), controls_(std::move(controls)), kernel_(kernel), clock_(clock) {}

Result<int> V4l2Camera::OpenDevice() {
  if (stable_path_.empty()) stable_path_ = kernel_.StablePath(path_);
  const std::string& path = stable_path_.empty() ? path_ : stable_path_;
  const int fd = kernel_.Open(path);
  if (fd < 0) return std::unexpected(CannotOpen(-fd, path));
  return fd;
}

Result<std::string> V4l2Camera::NameOf(int fd) const {
  const auto capability = CapturesVideo(kernel_, fd);
  if (!capability && HasSeveralPlanes(kernel_, fd)) {
    return Fail(
        ErrorCode::kInvalid,
        "the camera {} gives its frames in several planes of memory, which are not read here: "
        "use opencv:{}, or its driver's other device",
        path_, path_);
  }
  if (!capability)
    return Fail(ErrorCode::kInvalid, "{} is not a camera that streams frames", path_);
  return CardName(*capability);
}

Status V4l2Camera::SetFormat(int fd, const CameraRequest& request) {
  const auto offered = ListFormats(kernel_, fd, request);
  const auto chosen = ChooseFormat(offered, request);
  if (!chosen) {
    return Fail(ErrorCode::kInvalid,
                "the camera {} gives no format that is read here (MJPG, NV12, YUYV, GREY); it "
                "offers {}",
                path_, OfferedNames(offered));
  }
  v4l2_format format{};
  format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  format.fmt.pix.width = static_cast<uint32_t>(chosen->width);
  format.fmt.pix.height = static_cast<uint32_t>(chosen->height);
  format.fmt.pix.pixelformat = chosen->fourcc;
  format.fmt.pix.field = V4L2_FIELD_NONE;
  if (const int failed = kernel_.Ioctl(fd, VIDIOC_S_FMT, &format); failed != 0) {
    return std::unexpected(CannotOpen(-failed, path_));
  }
  // The driver may have taken something else.
  const v4l2_pix_format& set = format.fmt.pix;
  if (!PixelFormatOf(set.pixelformat) || int64_t{set.width} * set.height > kMaxPixels ||
      set.width == 0 || set.height == 0) {
    return Fail(ErrorCode::kInvalid,
                "the camera {} was asked for {} and gives {} of {} x {} pixels", path_,
                FourccName(chosen->fourcc), FourccName(set.pixelformat), set.width, set.height);
  }
  format_ = {set.pixelformat, static_cast<int>(set.width), static_cast<int>(set.height),
             chosen->frames_per_second};
  stride_ = *PixelFormatOf(set.pixelformat) == PixelFormat::kJpeg
                ? 0
                : static_cast<int>(std::min(set.bytesperline, 1U << 20));
  return {};
}

// A device without the control is left as it is: most do well by themselves. One that has it must
// take the value.
Status V4l2Camera::SetControls(int fd) const {
  const auto line = std::ranges::find(kPowerLines, controls_.power_line, &PowerLine::name);
  if (line == kPowerLines.end()) {
    return Fail(ErrorCode::kInvalid,
                "the camera's power line is '{}'; it can be off, 50hz, 60hz, auto",
                controls_.power_line);
  }
  (void)SetControl(kernel_, fd, V4L2_CID_POWER_LINE_FREQUENCY, line->value);
  if (controls_.exposure == "auto") {
    (void)SetControl(kernel_, fd, V4L2_CID_EXPOSURE_AUTO, V4L2_EXPOSURE_APERTURE_PRIORITY);
    return {};
  }
  const auto exposure = ParseNumber<int>(controls_.exposure);
  if (!exposure) {
    return Fail(ErrorCode::kInvalid, "the camera's exposure is '{}'; it can be auto or a number",
                controls_.exposure);
  }
  (void)SetControl(kernel_, fd, V4L2_CID_EXPOSURE_AUTO, V4L2_EXPOSURE_MANUAL);
  if (SetControl(kernel_, fd, V4L2_CID_EXPOSURE_ABSOLUTE, *exposure) != 0) {
    return Fail(ErrorCode::kInvalid, "the camera {} does not take the exposure {}: try auto", path_,
                *exposure);
  }
  return {};
}

void V4l2Camera::SetRate(int fd, int frames_per_second) {
  v4l2_streamparm parameter{};
  parameter.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  parameter.parm.capture.timeperframe = {1, static_cast<uint32_t>(std::max(frames_per_second, 1))};
  // Not every device can be told; the rate it answers is the one it keeps.
  if (kernel_.Ioctl(fd, VIDIOC_S_PARM, &parameter) != 0) return;
  const v4l2_fract& interval = parameter.parm.capture.timeperframe;
  if (interval.numerator == 0) return;
  format_.frames_per_second = static_cast<double>(interval.denominator) / interval.numerator;
}

Result<CameraInfo> V4l2Camera::Open(const CameraRequest& request) {
  Close();
  const auto fd = OpenDevice();
  if (!fd) return std::unexpected(fd.error());
  auto stream = std::make_shared<V4l2Stream>(kernel_, *fd, path_);
  const auto name = NameOf(*fd);
  if (!name) return std::unexpected(name.error());
  if (Status set = SetFormat(*fd, request); !set) return std::unexpected(set.error());
  if (Status set = SetControls(*fd); !set) return std::unexpected(set.error());
  SetRate(*fd, request.frames_per_second);
  if (Status started = stream->Start(); !started) return std::unexpected(started.error());
  stream_ = std::move(stream);
  return CameraInfo{*name,         "v4l2:" + path_, *PixelFormatOf(format_.fourcc),
                    format_.width, format_.height,  format_.frames_per_second,
                    true};
}

MonotonicTime V4l2Camera::TimeOf(Duration stamp) const {
  // The two clocks differ by the time that the machine was suspended.
  constexpr Duration kOldest = std::chrono::seconds(1);
  const MonotonicTime now = clock_.Now();
  if (stamp == Duration::zero()) return now;
  return now - std::clamp(kernel_.StampNow() - stamp, Duration::zero(), kOldest);
}

Result<Frame> V4l2Camera::NextFrame(MonotonicTime deadline) {
  if (stream_ == nullptr) {
    return Fail(ErrorCode::kFailedPrecondition, "the camera {} is not open", path_);
  }
  auto filled = stream_->Next(std::max(deadline - clock_.Now(), Duration::zero()));
  if (!filled) {
    if (filled.error().code == ErrorCode::kUnavailable) Close();
    return std::unexpected(filled.error());
  }
  if (filled->damaged) {
    return Fail(ErrorCode::kCorrupt, "the camera {} marked a frame as damaged", path_);
  }
  Frame frame;
  frame.format = *PixelFormatOf(format_.fourcc);
  frame.width = format_.width;
  frame.height = format_.height;
  frame.stride = stride_;
  frame.data = filled->bytes;
  frame.owner = std::move(filled->owner);
  frame.captured_at = TimeOf(filled->stamp);
  frame.sequence = filled->sequence;
  return frame;
}

std::optional<Duration> V4l2Camera::Exposure() {
  v4l2_control control{V4L2_CID_EXPOSURE_ABSOLUTE, 0};
  if (stream_ == nullptr || kernel_.Ioctl(stream_->fd(), VIDIOC_G_CTRL, &control) != 0 ||
      control.value <= 0) {
    return std::nullopt;
  }
  return std::chrono::microseconds(100) * control.value;
}

void V4l2Camera::Close() {
  if (stream_ != nullptr) stream_->Stop();
  stream_.reset();
}

std::vector<VideoDevice> ListCameras(VideoKernel& kernel) {
  std::vector<VideoDevice> cameras;
  for (const std::string& path : kernel.Devices()) {
    const int fd = kernel.Open(path);
    if (fd < 0) continue;
    const auto capability = CapturesVideo(kernel, fd);
    const bool readable = capability && ChooseFormat(ListFormats(kernel, fd, {}), {}).has_value();
    kernel.Close(fd);
    if (!readable) continue;
    const std::string stable = kernel.StablePath(path);
    cameras.push_back({stable.empty() ? path : stable, CardName(*capability)});
  }
  return cameras;
}

}  // namespace idkiosk
