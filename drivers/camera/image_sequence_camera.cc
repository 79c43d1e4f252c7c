#include "drivers/camera/image_sequence_camera.h"

#include <algorithm>
#include <utility>

#include "drivers/camera/picture_file.h"
#include "platform/base/text/digits.h"

namespace idkiosk {
namespace {

constexpr double kFramesPerSecond = 30;
constexpr Duration kPeriod = std::chrono::nanoseconds(33'333'333);
constexpr size_t kSlideShowBelow = 30;  // pictures
constexpr int kFramesOfASlide = 30;
// A longer one would look like a camera that has gone away.
constexpr Duration kLongestGap = std::chrono::seconds(1);

// The 4100 ms of "frame-000123-0004100ms.jpg".
std::optional<Duration> TimeInName(std::string_view name) {
  const size_t dot = name.rfind('.');
  const std::string_view stem = name.substr(0, dot);
  const size_t dash = stem.rfind('-');
  if (dash == std::string_view::npos || !stem.ends_with("ms")) return std::nullopt;
  const std::string_view digits = stem.substr(dash + 1, stem.size() - dash - 3);
  const auto milliseconds = ParseNumber<int64_t>(digits);
  if (!milliseconds || *milliseconds < 0) return std::nullopt;
  return std::chrono::milliseconds(*milliseconds);
}

}  // namespace

ImageSequenceCamera::ImageSequenceCamera(std::string folder, Pace pace, FileSystem& files,
                                         Clock& clock, WaitUntil wait_until)
    : folder_(std::move(folder)),
      pace_(pace),
      files_(files),
      clock_(clock),
      wait_until_(std::move(wait_until)) {}

Result<CameraInfo> ImageSequenceCamera::Open(const CameraRequest&) {
  Close();
  auto names = files_.List(folder_);
  if (!names) return std::unexpected(names.error());
  std::erase_if(*names, [](const std::string& name) { return !IsPictureName(name); });
  if (names->empty()) {
    return Fail(ErrorCode::kInvalid, "{} holds no picture (*.jpg, *.jpeg or *.png)", folder_);
  }
  names_ = std::move(*names);
  const bool timed = std::ranges::all_of(
      names_, [](const std::string& name) { return TimeInName(name).has_value(); });
  const int repeats = !timed && names_.size() < kSlideShowBelow ? kFramesOfASlide : 1;
  Duration at{};
  for (size_t picture = 0; picture < names_.size(); ++picture) {
    for (int i = 0; i < repeats; ++i) {
      if (!showings_.empty()) {
        at += timed ? std::min(*TimeInName(names_[picture]) - *TimeInName(names_[picture - 1]),
                               kLongestGap)
                    : kPeriod;
      }
      showings_.push_back({picture, at});
    }
  }
  started_ = clock_.Now();
  CameraInfo info{"pictures taken before",
                  "images:" + folder_,
                  PixelFormat::kJpeg,
                  0,
                  0,
                  kFramesPerSecond,
                  false};
  // What the first readable one is like; the others may differ.
  if (const auto first = Load(0); first) {
    info.format = first->format;
    info.width = first->width;
    info.height = first->height;
  }
  return info;
}

Result<Frame> ImageSequenceCamera::Load(size_t picture) {
  if (loaded_ == picture) return frame_;
  loaded_.reset();
  auto frame = ReadPictureFile(files_, folder_ + "/" + names_[picture]);
  if (!frame) return frame;
  frame_ = std::move(*frame);
  loaded_ = picture;
  return frame_;
}

Result<Frame> ImageSequenceCamera::NextFrame(MonotonicTime deadline) {
  if (showings_.empty()) {
    return Fail(ErrorCode::kFailedPrecondition, "the pictures of {} are not open", folder_);
  }
  if (next_ >= showings_.size()) {
    return Fail(ErrorCode::kNotFound, "{} holds no more pictures", folder_);
  }
  const MonotonicTime due = started_ + showings_[next_].at;
  if (pace_ == Pace::kByTheClock) {
    wait_until_(std::min(due, deadline));
    if (due > deadline) return Fail(ErrorCode::kTimeout, "no picture of {} was due", folder_);
  }
  const size_t sequence = next_++;
  auto frame = Load(showings_[sequence].picture);
  if (!frame) return frame;
  frame->captured_at = due;
  frame->sequence = sequence;
  return frame;
}

void ImageSequenceCamera::Close() {
  names_.clear();
  showings_.clear();
  next_ = 0;
  loaded_.reset();
  frame_ = {};
}

}  // namespace idkiosk
