#ifndef IDKIOSK_PLATFORM_API_TAMPER_SWITCH_H_
#define IDKIOSK_PLATFORM_API_TAMPER_SWITCH_H_

#include "platform/base/error.h"
#include "platform/base/time.h"

namespace idkiosk {

// A switch of the case. One thread at a time.
class TamperSwitch {
 public:
  virtual ~TamperSwitch() = default;

  // Begins to watch it; what it said before is forgotten. Errors: kNotFound, kForbidden, kInvalid
  // (it is no such device, or has no such line), kUnavailable (another program watches it, or
  // everything else the kernel says).
  [[nodiscard]] virtual Status Open() = 0;

  // Waits until somebody opens the case, `patience` at most. Returns whether it is open, or was for
  // a moment since the last Wait. Requires Open. Errors: kUnavailable (the device went).
  [[nodiscard]] virtual Result<bool> Wait(Duration patience) = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_API_TAMPER_SWITCH_H_
