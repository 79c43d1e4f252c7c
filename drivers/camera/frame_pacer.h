#ifndef IDKIOSK_DRIVERS_CAMERA_FRAME_PACER_H_
#define IDKIOSK_DRIVERS_CAMERA_FRAME_PACER_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "platform/api/clock.h"

namespace idkiosk {

// Blocks the calling thread until that time. Tests pass one that moves their clock instead.
using WaitUntil = std::function<void(MonotonicTime)>;

// The kernel's own, on the boot timeline.
[[nodiscard]] WaitUntil SleepingWait();

// Gives frames that are made, not taken, the rhythm of a camera. A late caller has lost the
// frames between, as with a camera.
class FramePacer {
 public:
  // `clock` must outlive this.
  FramePacer(Clock& clock, WaitUntil wait_until)
      : clock_(clock), wait_until_(std::move(wait_until)) {}

  // The first frame is due at once.
  void Start(double frames_per_second);

  // Waits for the next frame. Returns how many periods have passed since the last one, at least 1,
  // or nothing if the deadline comes first.
  [[nodiscard]] std::optional<uint64_t> WaitForFrame(MonotonicTime deadline);

  void WaitFor(MonotonicTime time) { wait_until_(time); }

 private:
  Clock& clock_;
  WaitUntil wait_until_;
  Duration period_{};
  MonotonicTime due_{};
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_FRAME_PACER_H_
