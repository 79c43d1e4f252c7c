#ifndef IDKIOSK_APP_UI_SOCKET_DIAGNOSIS_H_
#define IDKIOSK_APP_UI_SOCKET_DIAGNOSIS_H_

#include <netinet/in.h>
#include <sys/types.h>

#include <cstdint>
#include <expected>
#include <optional>

namespace idkiosk {

// Asks the kernel about one TCP socket of this machine (NETLINK_SOCK_DIAG): however many there are,
// it looks at that one. Needs no rights, but a kernel and a unit that let it ask. One thread.
class SocketDiagnosis {
 public:
  SocketDiagnosis();
  ~SocketDiagnosis();
  SocketDiagnosis(const SocketDiagnosis&) = delete;
  SocketDiagnosis& operator=(const SocketDiagnosis&) = delete;

  struct NoAnswer {};
  // Returns the user of the socket from `local` to `remote`; nothing for none, and for one that no
  // process has any more. NoAnswer where the kernel is not to be asked.
  [[nodiscard]] std::expected<std::optional<uid_t>, NoAnswer> UserOf(const sockaddr_in& local,
                                                                     const sockaddr_in& remote);

 private:
  const int socket_;  // below zero: there is none
  uint32_t asked_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_SOCKET_DIAGNOSIS_H_
