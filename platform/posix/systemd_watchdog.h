#ifndef IDKIOSK_PLATFORM_POSIX_SYSTEMD_WATCHDOG_H_
#define IDKIOSK_PLATFORM_POSIX_SYSTEMD_WATCHDOG_H_

#include <string>

#include "platform/api/watchdog.h"

namespace idkiosk {

// systemd's: datagrams to the socket that the environment names (sd_notify(3)). If systemd did
// not start the program, nothing is sent.
class SystemdWatchdog final : public Watchdog {
 public:
  // Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID.
  SystemdWatchdog();

  void SayReady() override { Send("READY=1"); }
  void SayStopping() override { Send("STOPPING=1"); }
  void Feed() override { Send("WATCHDOG=1"); }
  [[nodiscard]] std::optional<Duration> patience() const override { return patience_; }

 private:
  void Send(const char* state) const;

  std::string socket_;  // a path, or a name that begins with '@'; empty: nobody listens
  std::optional<Duration> patience_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_POSIX_SYSTEMD_WATCHDOG_H_
