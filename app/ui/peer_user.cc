#include "app/ui/peer_user.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <sstream>

namespace idkiosk {
namespace {

int OpenTable() {
  struct statfs about{};
  const bool is_given = fstatfs(STDIN_FILENO, &about) == 0 && about.f_type == PROC_SUPER_MAGIC;
  return is_given ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                  : open("/proc/self/net/tcp", O_RDONLY | O_CLOEXEC);
}

// The kernel may put it together while sockets come and go; a line is always whole.
std::string ReadTable(int file) {
  std::string table;
  std::array<char, 32 << 10> part;
  for (ssize_t count = 1; count > 0;) {
    count = pread(file, part.data(), part.size(), static_cast<off_t>(table.size()));
    if (count > 0) table.append(part.data(), static_cast<size_t>(count));
  }
  return table;
}

}  // namespace

PeerUser::PeerUser()
    : table_(OpenTable()), table6_(open("/proc/self/net/tcp6", O_RDONLY | O_CLOEXEC)) {}

PeerUser::~PeerUser() {
  close(table_);
  close(table6_);
}

std::optional<uid_t> PeerUser::Of(int socket) const {
  sockaddr_in ours{};
  sockaddr_in theirs{};
  socklen_t our_size = sizeof ours;
  socklen_t their_size = sizeof theirs;
  if (getsockname(socket, reinterpret_cast<sockaddr*>(&ours), &our_size) != 0 ||
      getpeername(socket, reinterpret_cast<sockaddr*>(&theirs), &their_size) != 0 ||
      ours.sin_family != AF_INET) {
    return std::nullopt;
  }
  const auto user = Find(ReadTable(table_), theirs, ours);
  return user ? user : Find(ReadTable(table6_), theirs, ours);
}

// A line holds: number, both ends, state, queues, timer, retransmits, user, timeout, inode.
std::optional<uid_t> PeerUser::Find(std::string_view table, const sockaddr_in& local,
                                    const sockaddr_in& remote) {
  constexpr std::string_view kMapped = "0000000000000000FFFF0000";
  for (const std::string_view before : {std::string_view(), kMapped}) {
    const std::string ends =
        fmt::format(": {0}{1:08X}:{2:04X} {0}{3:08X}:{4:04X} ", before, local.sin_addr.s_addr,
                    ntohs(local.sin_port), remote.sin_addr.s_addr, ntohs(remote.sin_port));
    const size_t at = table.find(ends);
    if (at == std::string_view::npos) continue;
    std::istringstream rest(std::string(table.substr(at + ends.size(), 150)));
    std::string skipped;
    uid_t user = 0;
    uint64_t inode = 0;
    for (int i = 0; i < 4; ++i) rest >> skipped;
    rest >> user >> skipped >> inode;
    // The kernel shows a socket that was closed as root's.
    if (rest && inode != 0) return user;
  }
  return std::nullopt;
}

Result<std::optional<uid_t>> BrowserUser(const std::string& name) {
  if (name.empty()) return std::nullopt;
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 16 << 10> buffer;
  const int error = getpwnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found);
  if (found != nullptr) return entry.pw_uid;
  if (error != 0) return std::unexpected(ErrnoError(error, "ui.browser_user: look up " + name));
  return Fail(
      ErrorCode::kNotFound,
      "ui.browser_user: there is no user '{}' on this machine; make it, or leave the key out",
      name);
}

}  // namespace idkiosk
