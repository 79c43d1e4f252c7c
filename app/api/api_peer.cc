#include "app/api/api_peer.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

namespace idkiosk {
namespace {

constexpr size_t kNameSpace = 16 << 10;  // bytes
constexpr std::string_view kNameBegin = "api, uid ";

}  // namespace

Result<ApiPeer> PeerOf(int socket) {
  ucred about{};
  socklen_t size = sizeof about;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &about, &size) != 0) {
    return std::unexpected(ErrnoError(errno, "ask who connects"));
  }
  ApiPeer peer{.process = about.pid, .user = about.uid, .group = about.gid};
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
  if (found == nullptr) return fmt::format("{}{}", kNameBegin, peer.user);
  return fmt::format("{}{} ({})", kNameBegin, peer.user, entry.pw_name);
}

std::optional<uid_t> UserIn(std::string_view name) {
  if (!name.starts_with(kNameBegin)) return std::nullopt;
  name.remove_prefix(kNameBegin.size());
  uid_t user = 0;
  const auto [stopped, error] = std::from_chars(name.data(), name.data() + name.size(), user);
  const bool is_whole = stopped == name.data() + name.size() || *stopped == ' ';
  if (error != std::errc() || !is_whole) return std::nullopt;
  return user;
}

namespace {

// `key`: the setting that names the user.
Result<uid_t> UserNamed(std::string_view key, const std::string& name) {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, kNameSpace> space;
  const int error = getpwnam_r(name.c_str(), &entry, space.data(), space.size(), &found);
  if (error != 0)
    return std::unexpected(ErrnoError(error, fmt::format("{}: look up {}", key, name)));
  if (found != nullptr) return entry.pw_uid;
  return Fail(ErrorCode::kNotFound,
              "{}: there is no user '{}' on this machine; make it, or leave the name out", key,
              name);
}

}  // namespace

Result<std::vector<uid_t>> ApiSupervisors(const std::vector<std::string>& names) {
  std::vector<uid_t> users;
  for (const std::string& name : names) {
    const auto user = UserNamed("api.supervisors", name);
    if (!user) return std::unexpected(user.error());
    users.push_back(*user);
  }
  return users;
}

Result<std::optional<uid_t>> ApiFleetUser(const std::string& name) {
  if (name.empty()) return std::nullopt;
  const auto user = UserNamed("api.fleet_user", name);
  if (!user) return std::unexpected(user.error());
  return *user;
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

std::string FolderId(const std::string& folder) {
  struct stat about{};
  if (stat(folder.c_str(), &about) != 0) return "";
  return fmt::format("{}:{}", about.st_dev, about.st_ino);
}

}  // namespace idkiosk
