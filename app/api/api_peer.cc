#include "app/api/api_peer.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace idkiosk {
namespace {

constexpr size_t kNameSpace = 16 << 10;  // bytes

}  // namespace

Result<ApiPeer> PeerOf(int socket) {
  ucred about{};
  socklen_t size = sizeof about;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &about, &size) != 0) {
    return std::unexpected(ErrnoError(errno, "ask who connects"));
  }
  ApiPeer peer{about.pid, about.uid, about.gid, {}};
  // Asked for with no room, the kernel says how much it takes.
  socklen_t bytes = 0;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, nullptr, &bytes) == 0) return peer;
  if (errno != ERANGE) return std::unexpected(ErrnoError(errno, "ask for the groups of a peer"));
  peer.groups.resize(bytes / sizeof(gid_t));
  if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, peer.groups.data(), &bytes) != 0) {
    return std::unexpected(ErrnoError(errno, "ask for the groups of a peer"));
  }
  return peer;
}

bool MayAsk(const ApiPeer& peer, gid_t group) {
  return peer.user == 0 || peer.user == geteuid() || peer.group == group ||
         std::ranges::count(peer.groups, group) > 0;
}

std::string NameOf(const ApiPeer& peer) {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, kNameSpace> space;
  (void)getpwuid_r(peer.user, &entry, space.data(), space.size(), &found);
  if (found == nullptr) return fmt::format("api, uid {}", peer.user);
  return fmt::format("api, uid {} ({})", peer.user, entry.pw_name);
}

Result<gid_t> ApiGroup(const std::string& name) {
  if (name.empty()) return getegid();
  group entry{};
  group* found = nullptr;
  std::array<char, kNameSpace> space;
  const int error = getgrnam_r(name.c_str(), &entry, space.data(), space.size(), &found);
  if (found != nullptr) return entry.gr_gid;
  if (error != 0) return std::unexpected(ErrnoError(error, "api.group: look up " + name));
  return Fail(ErrorCode::kNotFound,
              "api.group: there is no group '{}' on this machine; make it, or leave the key out",
              name);
}

}  // namespace idkiosk
