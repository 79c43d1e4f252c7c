#ifndef IDKIOSK_PLATFORM_API_WATCHDOG_H_
#define IDKIOSK_PLATFORM_API_WATCHDOG_H_

#include <optional>

#include "platform/base/time.h"

namespace idkiosk {

// The service manager that started the program and restarts it when it hangs. One thread. A
// message that cannot be sent is dropped.
class Watchdog {
 public:
  virtual ~Watchdog() = default;

  // The program does what it is for.
  virtual void SayReady() = 0;
  // It is ending by itself.
  virtual void SayStopping() = 0;
  // It moves on.
  virtual void Feed() = 0;

  // How long the program may go unfed; nothing where nobody watches.
  [[nodiscard]] virtual std::optional<Duration> patience() const = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_API_WATCHDOG_H_
