#include "drivers/camera/opencv_camera.h"

#include <algorithm>
#include <filesystem>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/videoio.hpp>

#include "drivers/camera/opencv_module.h"

namespace idkiosk {
namespace {

constexpr int kPatience = 5000;  // milliseconds for an address
constexpr int64_t kMaxPixels = 50'000'000;

bool IsNumber(const std::string& name) {
  return !name.empty() && name.size() < 4 &&
         std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

// OpenCV's exceptions go no further than this file.
template <typename Work>
[[nodiscard]] Status Guarded(const std::string& name, Work work) {
  try {
    work();
    return {};
  } catch (const cv::Exception& exception) {
    return Fail(ErrorCode::kUnavailable, "OpenCV failed on {}: {}", name, exception.err);
  }
}

}  // namespace

struct OpenCvCamera::Capture {
  cv::VideoCapture video;
  cv::Mat picture;
  bool film = false;
  double frames_per_second = 0;
  MonotonicTime started{};
  uint64_t frames = 0;
};

OpenCvCamera::OpenCvCamera(std::string name, Clock& clock)
    : name_(std::move(name)), clock_(clock) {}
OpenCvCamera::~OpenCvCamera() = default;

Result<CameraInfo> OpenCvCamera::Open(const CameraRequest& request) {
  Close();
  auto capture = std::make_unique<Capture>();
  cv::VideoCapture& video = capture->video;
  std::error_code error;
  capture->film = std::filesystem::is_regular_file(name_, error);
  if (!capture->film && !IsNumber(name_) && !name_.contains("://")) {
    return Fail(ErrorCode::kNotFound,
                "there is no video file at {}, and it is neither a number nor an address", name_);
  }
  const Status opened = Guarded(name_, [&] {
    if (IsNumber(name_)) {
      video.open(std::stoi(name_));
      video.set(cv::CAP_PROP_FRAME_WIDTH, request.width);
      video.set(cv::CAP_PROP_FRAME_HEIGHT, request.height);
      video.set(cv::CAP_PROP_FPS, request.frames_per_second);
    } else if (capture->film) {
      video.open(name_);
    } else {
      video.open(
          name_, cv::CAP_ANY,
          {cv::CAP_PROP_OPEN_TIMEOUT_MSEC, kPatience, cv::CAP_PROP_READ_TIMEOUT_MSEC, kPatience});
    }
  });
  if (!opened) return std::unexpected(opened.error());
  if (!video.isOpened()) {
    return Fail(capture->film ? ErrorCode::kInvalid : ErrorCode::kUnavailable,
                "OpenCV cannot open {}: {}", name_,
                capture->film ? "it is no video that it reads" : "is it there, and not in use?");
  }
  const double rate = video.get(cv::CAP_PROP_FPS);
  capture->frames_per_second = rate > 0 && rate < 1000 ? rate : 0;
  capture->started = clock_.Now();
  const CameraInfo info{
      .name = "OpenCV " + video.getBackendName(),
      .source = "opencv:" + name_,
      .format = PixelFormat::kBgr,
      .width = static_cast<int>(video.get(cv::CAP_PROP_FRAME_WIDTH)),
      .height = static_cast<int>(video.get(cv::CAP_PROP_FRAME_HEIGHT)),
      .frames_per_second = capture->frames_per_second,
      .live = !capture->film,
  };
  capture_ = std::move(capture);
  return info;
}

Result<Frame> OpenCvCamera::NextFrame(MonotonicTime) {
  if (capture_ == nullptr) {
    return Fail(ErrorCode::kFailedPrecondition, "the camera {} is not open", name_);
  }
  Capture& capture = *capture_;
  bool got = false;
  const Status read = Guarded(name_, [&] { got = capture.video.read(capture.picture); });
  if (!read) return std::unexpected(read.error());
  const cv::Mat& picture = capture.picture;
  if (!got || picture.empty()) {
    if (capture.film) return Fail(ErrorCode::kNotFound, "{} has no more frames", name_);
    return Fail(ErrorCode::kUnavailable, "the camera {} gives no more frames", name_);
  }
  const bool readable = picture.type() == CV_8UC3 || picture.type() == CV_8UC1;
  if (!readable || static_cast<int64_t>(picture.total()) > kMaxPixels) {
    return Fail(ErrorCode::kInvalid, "{} gives frames of a kind that is not read here", name_);
  }
  const size_t row = picture.elemSize() * static_cast<size_t>(picture.cols);
  Bytes bytes;
  bytes.reserve(row * static_cast<size_t>(picture.rows));
  for (int y = 0; y < picture.rows; ++y) {
    const uint8_t* const from = picture.ptr<uint8_t>(y);
    bytes.insert(bytes.end(), from, from + row);
  }
  Frame frame = Frame::Owning(picture.channels() == 3 ? PixelFormat::kBgr : PixelFormat::kGrey,
                              picture.cols, picture.rows, static_cast<int>(row), std::move(bytes));
  frame.captured_at = clock_.Now();
  if (capture.film && capture.frames_per_second > 0) {
    const std::chrono::duration<double> into(static_cast<double>(capture.frames) /
                                             capture.frames_per_second);
    frame.captured_at = capture.started + std::chrono::duration_cast<Duration>(into);
  }
  frame.sequence = ++capture.frames;
  return frame;
}

void OpenCvCamera::Close() { capture_.reset(); }

}  // namespace idkiosk

extern "C" __attribute__((visibility("default"))) idkiosk::Camera* idkiosk_make_opencv_camera(
    int version, const char* name, idkiosk::Clock* clock) {
  if (version != idkiosk::kOpenCvModuleVersion) return nullptr;
  // What it tries in vain before it finds the right reader is no business of the person's terminal.
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  return new idkiosk::OpenCvCamera(name, *clock);
}
