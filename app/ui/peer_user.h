#ifndef IDKIOSK_APP_UI_PEER_USER_H_
#define IDKIOSK_APP_UI_PEER_USER_H_

#include <netinet/in.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "platform/base/error.h"

namespace idkiosk {

// Tells which user of this machine is at the other end of a TCP connection, by the kernel's table
// of sockets. One thread.
class PeerUser {
 public:
  // Opens the table; where standard input is one, that is taken. In a user namespace of its own
  // (PrivateUsers= of a unit) a process sees other users' numbers only in a table that was opened
  // outside.
  PeerUser();
  ~PeerUser();
  PeerUser(const PeerUser&) = delete;
  PeerUser& operator=(const PeerUser&) = delete;

  // Returns the user who made the other end of `socket`, an accepted connection; nothing if it is
  // not there any more, or cannot be told.
  [[nodiscard]] std::optional<uid_t> Of(int socket) const;

  // Returns the user of the socket from `local` to `remote` in a table as of /proc/net/tcp or
  // /proc/net/tcp6; nothing for none, and for one that no process has any more.
  [[nodiscard]] static std::optional<uid_t> Find(std::string_view table, const sockaddr_in& local,
                                                 const sockaddr_in& remote);

 private:
  const int table_;
  const int table6_;  // of sockets made for both kinds of addresses
};

// Returns the number of the user that ui.browser_user names; nothing for an empty name. Errors:
// kNotFound (there is none); kUnavailable, kForbidden (cannot be looked up).
[[nodiscard]] Result<std::optional<uid_t>> BrowserUser(const std::string& name);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_PEER_USER_H_
