#include "drivers/camera/opencv_camera.h"

#include <algorithm>
#include <filesystem>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/videoio.hpp>
#include <optional>

#include "drivers/camera/newest_frame_reader.h"
#include "drivers/camera/opencv_module.h"

namespace idkiosk {
namespace {

// For an address, in milliseconds. OpenCV's own waiting, which nothing else ends.
constexpr int kOpenPatience = 5000;
constexpr int kReadPatience = 2000;
constexpr int64_t kMaxPixels = 50'000'000;

using Kind = OpenCvSource::Kind;

// OpenCV's exceptions go no further than this file. Their text may hold the whole address.
template <typename Work>
[[nodiscard]] Status Guarded(const std::string& shown, Work work) {
  try {
    work();
    return {};
  } catch (const cv::Exception& exception) {
    return Fail(ErrorCode::kUnavailable, "OpenCV failed on {} in {}", shown, exception.func);
  }
}

}  // namespace

struct OpenCvCamera::Capture {
  cv::VideoCapture video;
  cv::Mat picture;
  bool film = false;  // it has an end, and a time for each frame
  double frames_per_second = 0;
  MonotonicTime started{};
  MonotonicTime grabbed{};
  uint64_t frames = 0;
  std::optional<NewestFrameReader> reader;  // of what is live; the last to come, the first to go
};

OpenCvCamera::OpenCvCamera(std::string name, Clock& clock)
    : name_(std::move(name)),
      source_(ParseOpenCvSource(name_)),
      shown_(ShownOpenCvName(name_)),
      clock_(clock) {}
OpenCvCamera::~OpenCvCamera() = default;

Status OpenCvCamera::OpenVideo(Capture& capture, const CameraRequest& request) const {
  cv::VideoCapture& video = capture.video;
  const Status opened = Guarded(shown_, [&] {
    if (source_.kind == Kind::kNumber) {
      video.open(std::stoi(name_));
      video.set(cv::CAP_PROP_FRAME_WIDTH, request.width);
      video.set(cv::CAP_PROP_FRAME_HEIGHT, request.height);
      video.set(cv::CAP_PROP_FPS, request.frames_per_second);
    } else if (source_.kind == Kind::kFile) {
      video.open(source_.file);
    } else if (source_.kind == Kind::kPipeline) {
      video.open(name_, cv::CAP_GSTREAMER);
    } else {
      // FFmpeg alone: after it, OpenCV would ask GStreamer, which knows neither limit.
      video.open(name_, cv::CAP_FFMPEG,
                 {cv::CAP_PROP_OPEN_TIMEOUT_MSEC, kOpenPatience, cv::CAP_PROP_READ_TIMEOUT_MSEC,
                  kReadPatience});
    }
  });
  if (!opened || video.isOpened()) return opened;
  if (capture.film) {
    return Fail(ErrorCode::kInvalid, "OpenCV cannot open {}: not a video that it can read", shown_);
  }
  return Fail(ErrorCode::kUnavailable, "OpenCV cannot open {}: {}", shown_,
              source_.kind == Kind::kPipeline
                  ? "does 'gst-launch-1.0' run it, up to its appsink?"
                  : "is it there and not in use, and is its password right?");
}

Result<CameraInfo> OpenCvCamera::Open(const CameraRequest& request) {
  Close();
  auto capture = std::make_unique<Capture>();
  std::error_code error;
  capture->film = source_.kind == Kind::kFile;
  // Asked before OpenCV is: from a pipe it would read for ever.
  if (capture->film && !std::filesystem::is_regular_file(source_.file, error)) {
    return Fail(ErrorCode::kNotFound,
                "there is no video file at {}; a source can also be a number, an address, or a "
                "pipeline that ends with '! appsink'",
                shown_);
  }
  if (Status opened = OpenVideo(*capture, request); !opened) {
    return std::unexpected(opened.error());
  }
  const cv::VideoCapture& video = capture->video;
  // A film that comes from an address has an end, which no camera has.
  if (source_.kind == Kind::kAddress) capture->film = video.get(cv::CAP_PROP_FRAME_COUNT) > 0;
  const double rate = video.get(cv::CAP_PROP_FPS);
  capture->frames_per_second = rate > 0 && rate < 1000 ? rate : 0;
  capture->started = clock_.Now();
  const CameraInfo info{
      .name = "OpenCV " + video.getBackendName(),
      .source = "opencv:" + shown_,
      .format = PixelFormat::kBgr,
      .width = static_cast<int>(video.get(cv::CAP_PROP_FRAME_WIDTH)),
      .height = static_cast<int>(video.get(cv::CAP_PROP_FRAME_HEIGHT)),
      .frames_per_second = capture->frames_per_second,
      .live = !capture->film && source_.means == PictureMeans::kLive,
  };
  if (!capture->film) {
    Capture& live = *capture;
    live.reader.emplace(
        NewestFrameReader::Source{.grab = [this, &live] { return Grab(live); },
                                  .retrieve = [this, &live] { return Retrieve(live); }});
  }
  capture_ = std::move(capture);
  return info;
}

Status OpenCvCamera::Grab(Capture& capture) const {
  bool got = false;
  if (Status done = Guarded(shown_, [&] { got = capture.video.grab(); }); !done) return done;
  capture.grabbed = clock_.Now();
  if (got) {
    ++capture.frames;
    return {};
  }
  if (capture.film) return Fail(ErrorCode::kNotFound, "{} has no more frames", shown_);
  return Fail(ErrorCode::kUnavailable, "the camera {} gives no more frames", shown_);
}

Result<Frame> OpenCvCamera::Retrieve(Capture& capture) const {
  cv::Mat& picture = capture.picture;
  if (Status done = Guarded(shown_, [&] { capture.video.retrieve(picture); }); !done) {
    return std::unexpected(done.error());
  }
  if (picture.empty()) return Fail(ErrorCode::kCorrupt, "a frame of {} is damaged", shown_);
  const bool readable = picture.type() == CV_8UC3 || picture.type() == CV_8UC1;
  if (!readable || static_cast<int64_t>(picture.total()) > kMaxPixels) {
    return Fail(ErrorCode::kInvalid, "{} gives frames in a format that idkiosk does not read",
                shown_);
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
  frame.captured_at = capture.grabbed;
  if (capture.film && capture.frames_per_second > 0) {
    const std::chrono::duration<double> into(static_cast<double>(capture.frames - 1) /
                                             capture.frames_per_second);
    frame.captured_at = capture.started + std::chrono::duration_cast<Duration>(into);
  }
  frame.sequence = capture.frames;
  return frame;
}

Result<Frame> OpenCvCamera::NextFrame(MonotonicTime deadline) {
  if (capture_ == nullptr) {
    return Fail(ErrorCode::kFailedPrecondition, "the camera {} is not open", shown_);
  }
  if (!capture_->reader) {
    if (Status grabbed = Grab(*capture_); !grabbed) return std::unexpected(grabbed.error());
    return Retrieve(*capture_);
  }
  auto frame = capture_->reader->Next(std::max(deadline - clock_.Now(), Duration::zero()));
  if (!frame && frame.error().code == ErrorCode::kTimeout) {
    return Fail(ErrorCode::kTimeout, "the camera {} is silent: no frame came", shown_);
  }
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
