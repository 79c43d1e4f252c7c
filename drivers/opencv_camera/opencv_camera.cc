#include "drivers/opencv_camera/opencv_camera.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/videoio.hpp>
#include <optional>

#include "drivers/opencv_camera/newest_frame_reader.h"

namespace idkiosk {
namespace {

// For an address, in milliseconds. OpenCV's own waiting.
constexpr int kOpenPatience = 5000;
constexpr int kReadPatience = 2000;

using Kind = OpenCvSource::Kind;

// OpenCV's exceptions go no further than this file.
template <typename Work>
[[nodiscard]] Status Guarded(Work work) {
  try {
    work();
    return {};
  } catch (const cv::Exception&) {
    return Fail(ErrorCode::kUnavailable, "OpenCV failed");
  }
}

// Asked before OpenCV is: from a pipe it would read for ever.
Status CheckFile(const std::string& path) {
  std::error_code error;
  const bool regular = std::filesystem::is_regular_file(path, error);
  if (error == std::errc::permission_denied) return Fail(ErrorCode::kForbidden, "not to be seen");
  if (!regular) return Fail(ErrorCode::kNotFound, "not there");
  if (access(path.c_str(), R_OK) != 0) return Fail(ErrorCode::kForbidden, "not to be read");
  return {};
}

}  // namespace

struct OpenCvCamera::Capture {
  cv::VideoCapture video;
  cv::Mat picture;    // once the first has come: in the memory, of that one's size
  bool film = false;  // it has an end, and a time for each frame
  MonotonicTime grabbed{};
  uint64_t frames = 0;
  std::optional<NewestFrameReader> reader;  // of what is live; the last to come, the first to go
};

OpenCvCamera::OpenCvCamera(std::string name, MutableByteSpan memory, Clock& clock)
    : name_(std::move(name)), source_(ParseOpenCvSource(name_)), memory_(memory), clock_(clock) {
  // What it tries in vain before it finds the right reader is nobody's business.
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
}
OpenCvCamera::~OpenCvCamera() = default;

Status OpenCvCamera::OpenVideo(Capture& capture, const CameraRequest& request) const {
  cv::VideoCapture& video = capture.video;
  const Status opened = Guarded([&] {
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
  return Fail(capture.film ? ErrorCode::kInvalid : ErrorCode::kUnavailable, "not opened");
}

Result<CameraInfo> OpenCvCamera::Open(const CameraRequest& request) {
  Close();
  auto capture = std::make_unique<Capture>();
  capture->film = source_.kind == Kind::kFile;
  if (capture->film) {
    if (Status there = CheckFile(source_.file); !there) return std::unexpected(there.error());
  }
  if (Status opened = OpenVideo(*capture, request); !opened) {
    return std::unexpected(opened.error());
  }
  const cv::VideoCapture& video = capture->video;
  // A film that comes from an address has an end, which no camera has.
  if (source_.kind == Kind::kAddress) capture->film = video.get(cv::CAP_PROP_FRAME_COUNT) > 0;
  const CameraInfo info{
      .name = video.getBackendName(),
      .source = {},
      .format = PixelFormat::kBgr,
      .width = static_cast<int>(video.get(cv::CAP_PROP_FRAME_WIDTH)),
      .height = static_cast<int>(video.get(cv::CAP_PROP_FRAME_HEIGHT)),
      .frames_per_second = video.get(cv::CAP_PROP_FPS),
      .live = !capture->film,
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
  if (Status done = Guarded([&] { got = capture.video.grab(); }); !done) return done;
  capture.grabbed = clock_.Now();
  if (got) {
    ++capture.frames;
    return {};
  }
  return Fail(capture.film ? ErrorCode::kNotFound : ErrorCode::kUnavailable, "no more frames");
}

Result<Frame> OpenCvCamera::Retrieve(Capture& capture) const {
  cv::Mat& picture = capture.picture;
  if (Status done = Guarded([&] { capture.video.retrieve(picture); }); !done) {
    return std::unexpected(done.error());
  }
  if (picture.empty()) return Fail(ErrorCode::kCorrupt, "damaged");
  const size_t row = picture.elemSize() * static_cast<size_t>(picture.cols);
  const size_t size = row * static_cast<size_t>(picture.rows);
  const bool readable = picture.type() == CV_8UC3 || picture.type() == CV_8UC1;
  if (!readable || size > memory_.size()) return Fail(ErrorCode::kInvalid, "not to be read");
  if (picture.data != memory_.data()) {
    // The first of its size: OpenCV writes those that follow into the memory by itself.
    const cv::Mat placed(picture.rows, picture.cols, picture.type(), memory_.data());
    picture.copyTo(placed);
    picture = placed;
  }
  return Frame{.format = picture.channels() == 3 ? PixelFormat::kBgr : PixelFormat::kGrey,
               .width = picture.cols,
               .height = picture.rows,
               .stride = static_cast<int>(row),
               .data = ByteSpan(memory_).first(size),
               .owner = nullptr,
               .captured_at = capture.grabbed,
               .sequence = capture.frames,
               .orientation = 1};
}

Result<Frame> OpenCvCamera::NextFrame(MonotonicTime deadline) {
  if (capture_ == nullptr) return Fail(ErrorCode::kFailedPrecondition, "not open");
  if (!capture_->reader) {
    if (Status grabbed = Grab(*capture_); !grabbed) return std::unexpected(grabbed.error());
    return Retrieve(*capture_);
  }
  return capture_->reader->Next(std::max(deadline - clock_.Now(), Duration::zero()));
}

void OpenCvCamera::Close() { capture_.reset(); }

}  // namespace idkiosk
