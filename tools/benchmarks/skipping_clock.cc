#include "tools/benchmarks/skipping_clock.h"

#include <ctime>

namespace idkiosk {
namespace {

Duration Read(clockid_t clock) {
  timespec now{};
  (void)clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

class SkippingClock::OutsideCamera final : public Camera {
 public:
  OutsideCamera(SkippingClock& clock, std::unique_ptr<Camera> camera)
      : clock_(clock), camera_(std::move(camera)) {}

  [[nodiscard]] Result<CameraInfo> Open(const CameraRequest& request) override {
    return camera_->Open(request);
  }

  [[nodiscard]] Result<Frame> NextFrame(MonotonicTime deadline) override {
    const Duration began = Read(CLOCK_MONOTONIC), spent = Read(CLOCK_THREAD_CPUTIME_ID);
    clock_.stopped_ = began - clock_.drawing_;
    auto frame = camera_->NextFrame(deadline);
    clock_.stopped_.reset();
    clock_.drawing_ += Read(CLOCK_MONOTONIC) - began;
    clock_.drawing_spent_ += Read(CLOCK_THREAD_CPUTIME_ID) - spent;
    return frame;
  }
  void Close() override { camera_->Close(); }

 private:
  SkippingClock& clock_;
  const std::unique_ptr<Camera> camera_;
};

MonotonicTime SkippingClock::Now() const {
  return MonotonicTime(stopped_.value_or(Read(CLOCK_MONOTONIC) - drawing_) + skipped_);
}

WallTime SkippingClock::WallNow() const {
  return std::chrono::floor<WallTime::duration>(std::chrono::system_clock::now());
}

WaitUntil SkippingClock::Skip() {
  return [this](MonotonicTime time) {
    const MonotonicTime now = Now();
    if (time > now) skipped_ += time - now;
  };
}

std::unique_ptr<Camera> SkippingClock::Outside(std::unique_ptr<Camera> camera) {
  return std::make_unique<OutsideCamera>(*this, std::move(camera));
}

Duration SkippingClock::Spent() const { return Read(CLOCK_THREAD_CPUTIME_ID) - drawing_spent_; }

}  // namespace idkiosk
