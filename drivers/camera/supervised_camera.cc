#include "drivers/camera/supervised_camera.h"

#include <algorithm>
#include <utility>

#include "platform/base/digest.h"

namespace idkiosk {

SupervisedCamera::SupervisedCamera(std::unique_ptr<Camera> camera, const Patience& patience,
                                   Clock& clock, WaitUntil wait_until)
    : camera_(std::move(camera)),
      patience_(patience),
      clock_(clock),
      wait_until_(std::move(wait_until)) {}

Result<CameraInfo> SupervisedCamera::Open(const CameraRequest& request) {
  Close();
  auto info = camera_->Open(request);
  if (!info) return info;
  request_ = request;
  info_ = *info;
  last_new_at_ = clock_.Now();
  return info;
}

Status SupervisedCamera::OpenAgain(MonotonicTime deadline) {
  for (;;) {
    const auto info = camera_->Open(*request_);
    if (info) {
      info_ = *info;
      away_ = false;
      last_new_at_ = clock_.Now();
      return {};
    }
    const MonotonicTime next = clock_.Now() + patience_.retry;
    if (next > deadline) {
      wait_until_(deadline);
      return Fail(ErrorCode::kUnavailable, "the camera is gone; still looking for it: {}",
                  info.error().message);
    }
    wait_until_(next);
  }
}

Result<Frame> SupervisedCamera::Lost(Error error) {
  camera_->Close();
  away_ = true;
  last_picture_ = 0;
  return std::unexpected(std::move(error));
}

Result<Frame> SupervisedCamera::NextFrame(MonotonicTime deadline) {
  if (!request_) return Fail(ErrorCode::kFailedPrecondition, "the camera is not open");
  if (away_) {
    if (Status opened = OpenAgain(deadline); !opened) return std::unexpected(opened.error());
  }
  for (;;) {
    const MonotonicTime silent_at = last_new_at_ + patience_.silence;
    auto frame = camera_->NextFrame(std::min(deadline, silent_at));
    if (!frame) {
      const ErrorCode code = frame.error().code;
      if (code == ErrorCode::kCorrupt) return frame;
      if (code != ErrorCode::kTimeout) return Lost(std::move(frame.error()));
      if (clock_.Now() < silent_at) return frame;
      return Lost(
          {ErrorCode::kTimeout, fmt::format("the camera {} is silent: no frame for {}",
                                            info_.source, FormatDuration(patience_.silence))});
    }
    const uint64_t picture = DigestOf(frame->data);
    if (picture != last_picture_) {
      last_picture_ = picture;
      last_new_at_ = clock_.Now();
      return frame;
    }
    if (clock_.Now() - last_new_at_ >= patience_.frozen) {
      return Lost(
          {ErrorCode::kTimeout, fmt::format("the camera {} is frozen: the same picture for {}",
                                            info_.source, FormatDuration(patience_.frozen))});
    }
  }
}

void SupervisedCamera::Close() {
  camera_->Close();
  request_.reset();
  away_ = false;
  last_picture_ = 0;
}

}  // namespace idkiosk
