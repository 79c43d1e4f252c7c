#ifndef IDKIOSK_TESTS_DRIVERS_CAMERA_VIRTUAL_WAIT_H_
#define IDKIOSK_TESTS_DRIVERS_CAMERA_VIRTUAL_WAIT_H_

#include "drivers/camera/frame_pacer.h"
#include "tests/fakes/fake_clock.h"

namespace idkiosk {

// Waiting moves the clock, and takes no time.
inline WaitUntil VirtualWait(FakeClock& clock) {
  return [&clock](MonotonicTime time) {
    if (time > clock.Now()) clock.Advance(time - clock.Now());
  };
}

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_DRIVERS_CAMERA_VIRTUAL_WAIT_H_
