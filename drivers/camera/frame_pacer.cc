#include "drivers/camera/frame_pacer.h"

#include <cerrno>
#include <ctime>

namespace idkiosk {

WaitUntil SleepingWait() {
  return [](MonotonicTime time) {
    const auto since_boot = time.time_since_epoch();
    const auto seconds = std::chrono::floor<std::chrono::seconds>(since_boot);
    const timespec until{static_cast<time_t>(seconds.count()),
                         static_cast<long>((since_boot - seconds).count())};
    while (clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &until, nullptr) == EINTR) {
    }
  };
}

void FramePacer::Start(double frames_per_second) {
  period_ =
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(1 / frames_per_second));
  due_ = clock_.Now();
}

std::optional<uint64_t> FramePacer::WaitForFrame(MonotonicTime deadline) {
  if (due_ > deadline) {
    wait_until_(deadline);
    return std::nullopt;
  }
  if (due_ > clock_.Now()) wait_until_(due_);
  const Duration late = clock_.Now() - due_;
  const auto periods = static_cast<uint64_t>(late / period_) + 1;
  due_ += static_cast<int64_t>(periods) * period_;
  return periods;
}

}  // namespace idkiosk
