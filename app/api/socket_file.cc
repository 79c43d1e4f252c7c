#include "app/api/socket_file.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>

namespace idkiosk {
namespace {

constexpr mode_t kMode = 0660;

bool IsServed(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int failed = connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const bool refused = failed != 0 && errno == ECONNREFUSED;
  close(probe);
  return !refused;
}

}  // namespace

Status CheckSocketPath(const std::string& path) {
  if (path.size() < sizeof(sockaddr_un::sun_path)) return {};
  return Fail(ErrorCode::kInvalid, "api.socket: {} is longer than {} bytes, the most for a socket",
              path, sizeof(sockaddr_un::sun_path) - 1);
}

Status ClearSocketFile(const std::string& path) {
  if (const Status fits = CheckSocketPath(path); !fits) return fits;
  struct stat there{};
  if (lstat(path.c_str(), &there) != 0) {
    const std::string folder = path.substr(0, path.rfind('/'));
    struct stat about{};
    if (errno == ENOENT && stat(folder.c_str(), &about) == 0) return {};
    return std::unexpected(ErrnoError(errno, "api.socket: look for " + path));
  }
  if (!S_ISSOCK(there.st_mode)) {
    return Fail(ErrorCode::kInvalid, "api.socket: {} is there, and is no socket; name another path",
                path);
  }
  if (IsServed(path)) {
    return Fail(ErrorCode::kUnavailable,
                "api.socket: another program serves {}; end it, or name another path", path);
  }
  if (unlink(path.c_str()) == 0) return {};
  return std::unexpected(
      ErrnoError(errno, "api.socket: remove the socket that was left at " + path));
}

Status OpenToGroup(const std::string& path, gid_t group) {
  struct stat about{};
  const bool is_groups = lstat(path.c_str(), &about) == 0 && about.st_gid == group;
  if (!is_groups && lchown(path.c_str(), static_cast<uid_t>(-1), group) != 0) {
    return Fail(
        ErrorCode::kForbidden,
        "api.socket: {} cannot be given to the group of api.group: make its folder that "
        "group's, with the setgid bit (chmod g+s), so that what is made there is the group's",
        path);
  }
  // The process's umask took the group's part away when the file was made.
  if (chmod(path.c_str(), kMode) == 0) return {};
  return std::unexpected(ErrnoError(errno, "api.socket: set the mode of " + path));
}

}  // namespace idkiosk
