#ifndef IDKIOSK_APP_UI_PEER_USER_H_
#define IDKIOSK_APP_UI_PEER_USER_H_

#include <netinet/in.h>
#include <sys/types.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/socket_diagnosis.h"
#include "platform/base/error.h"

namespace idkiosk {

// Tells which users of this machine are at the other ends of TCP connections: the kernel is asked
// about each; where it does not answer, its table of all sockets is read once for them all. One
// thread.
class PeerUser {
 public:
  // Opens the table; where standard input is one, nothing but that is asked. In a user namespace of
  // its own (PrivateUsers= of a unit) a process sees other users' numbers only in a table that was
  // opened outside.
  PeerUser();
  ~PeerUser();
  PeerUser(const PeerUser&) = delete;
  PeerUser& operator=(const PeerUser&) = delete;

  // Returns for each of `sockets`, accepted connections, the user who made its other end; nothing
  // if it is not there any more, or cannot be told.
  [[nodiscard]] std::vector<std::optional<uid_t>> Of(std::span<const int> sockets);

  // Returns the user who listens at this port of 127.0.0.1, as far as the kernel tells.
  [[nodiscard]] std::optional<uid_t> AtPort(int port) const;

  struct Ends {
    sockaddr_in local{};
    sockaddr_in remote{};
  };
  // Returns for each of `asked` the user of the socket between those ends in a table as of
  // /proc/net/tcp or /proc/net/tcp6; nothing for none, and for one that no process has any more.
  // Reads the table once.
  [[nodiscard]] static std::vector<std::optional<uid_t>> Find(std::string_view table,
                                                              std::span<const Ends> asked);

 private:
  const bool is_given_;
  SocketDiagnosis diagnosis_;
  const int table_;
  const int table6_;  // of sockets made for both kinds of addresses
};

// Returns the number of the user that ui.browser_user names; nothing for an empty name. Errors:
// kNotFound (there is none); kUnavailable, kForbidden (cannot be looked up).
[[nodiscard]] Result<std::optional<uid_t>> BrowserUser(const std::string& name);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_PEER_USER_H_
