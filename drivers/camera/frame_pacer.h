#ifndef IDKIOSK_DRIVERS_CAMERA_FRAME_PACER_H_
#define IDKIOSK_DRIVERS_CAMERA_FRAME_PACER_H_

#include <functional>

#include "platform/base/time.h"

namespace idkiosk {

// Blocks the calling thread until that time. Tests pass one that moves their clock instead.
using WaitUntil = std::function<void(MonotonicTime)>;

// The kernel's own, on the boot timeline.
[[nodiscard]] WaitUntil SleepingWait();

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_FRAME_PACER_H_
