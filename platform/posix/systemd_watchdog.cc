#include "platform/posix/systemd_watchdog.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "platform/base/text/digits.h"

namespace idkiosk {
namespace {

std::string_view FromEnvironment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

SystemdWatchdog::SystemdWatchdog() : socket_(FromEnvironment("NOTIFY_SOCKET")) {
  const auto microseconds = ParseNumber<int64_t>(FromEnvironment("WATCHDOG_USEC"));
  const auto process = ParseNumber<int64_t>(FromEnvironment("WATCHDOG_PID"));
  const bool meant = !process || *process == getpid();
  if (meant && microseconds && *microseconds > 0) {
    patience_ = std::chrono::microseconds(*microseconds);
  }
}

void SystemdWatchdog::Send(const char* state) const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_.empty() || socket_.size() >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';  // an abstract name
  const int out = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (out < 0) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  (void)sendto(out, state, std::strlen(state), MSG_NOSIGNAL,
               reinterpret_cast<const sockaddr*>(&address), size);
  close(out);
}

}  // namespace idkiosk
