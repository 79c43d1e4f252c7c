#ifndef IDKIOSK_APP_API_API_PEER_H_
#define IDKIOSK_APP_API_API_PEER_H_

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/error.h"

namespace idkiosk {

// The program at the other end of a Unix socket, as the kernel knew it when it connected: that
// does not change when its process becomes another user or goes.
struct ApiPeer {
  pid_t process = 0;
  uid_t user = 0;
  gid_t group = 0;
  std::vector<gid_t> groups = {};  // the supplementary ones
  bool sees_all = false;           // the checks of others, too: the server says so
  bool is_fleets = false;          // idkiosk-fleet, root or this program's own user: the same
};

// Errors: kUnavailable (the kernel does not say).
[[nodiscard]] Result<ApiPeer> PeerOf(int socket);

// Whether it may ask: root, the user of this process, and whoever is of `group`.
[[nodiscard]] bool MayAsk(const ApiPeer& peer, gid_t group);

// In whose name a decision stands in the audit trail: "api, uid 1003 (teller)".
[[nodiscard]] std::string NameOf(const ApiPeer& peer);
// Returns the user in such a name; nothing for a name that is none.
[[nodiscard]] std::optional<uid_t> UserIn(std::string_view name);

// The number of the group that api.group names; of an empty name, this process's own. Errors:
// kNotFound (there is none); kUnavailable, kForbidden (cannot be looked up).
[[nodiscard]] Result<gid_t> ApiGroup(const std::string& name);
// The numbers of the users that api.supervisors names. Errors: the same.
[[nodiscard]] Result<std::vector<uid_t>> ApiSupervisors(const std::vector<std::string>& names);
// The number of the user that api.fleet_user names; nothing for an empty name. Errors: the same.
[[nodiscard]] Result<std::optional<uid_t>> ApiFleetUser(const std::string& name);

// A program of the kiosk's own says by this header which state folder it means, as FolderId has it:
// two configurations may name the same socket.
inline constexpr const char* kStateFolderHeader = "Idkiosk-State-Folder";
// Returns what tells one folder from another, however it is named: "device:inode". Empty: there is
// none, or this user cannot look at it.
[[nodiscard]] std::string FolderId(const std::string& folder);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_API_API_PEER_H_
