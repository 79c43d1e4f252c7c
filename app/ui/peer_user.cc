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
#include <ranges>
#include <sstream>
#include <unordered_map>

namespace idkiosk {
namespace {

// Whether standard input is such a table.
bool IsGiven() {
  struct statfs about{};
  return fstatfs(STDIN_FILENO, &about) == 0 && about.f_type == PROC_SUPER_MAGIC;
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

// Of the socket at the other end of an accepted connection.
std::optional<PeerUser::Ends> OtherEnd(int socket) {
  PeerUser::Ends ends;
  socklen_t our_size = sizeof ends.remote;
  socklen_t their_size = sizeof ends.local;
  if (getsockname(socket, reinterpret_cast<sockaddr*>(&ends.remote), &our_size) != 0 ||
      getpeername(socket, reinterpret_cast<sockaddr*>(&ends.local), &their_size) != 0 ||
      ends.remote.sin_family != AF_INET) {
    return std::nullopt;
  }
  return ends;
}

// Of a line behind both ends: state, queues, timer, retransmits, user, timeout, inode.
std::optional<uid_t> UserIn(std::string_view line) {
  std::istringstream rest{std::string(line)};
  std::string skipped;
  uid_t user = 0;
  uint64_t inode = 0;
  for (int i = 0; i < 4; ++i) rest >> skipped;
  rest >> user >> skipped >> inode;
  // The kernel shows a socket that was closed as root's.
  if (!rest || inode == 0) return std::nullopt;
  return user;
}

}  // namespace

PeerUser::PeerUser()
    : is_given_(IsGiven()),
      table_(is_given_ ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                       : open("/proc/self/net/tcp", O_RDONLY | O_CLOEXEC)),
      table6_(open("/proc/self/net/tcp6", O_RDONLY | O_CLOEXEC)) {}

PeerUser::~PeerUser() {
  close(table_);
  close(table6_);
}

std::vector<std::optional<uid_t>> PeerUser::Of(std::span<const int> sockets) {
  std::vector<std::optional<uid_t>> users(sockets.size());
  std::vector<Ends> asked;     // in the table
  std::vector<size_t> places;  // of these in `users`
  for (size_t i = 0; i < sockets.size(); ++i) {
    const auto ends = OtherEnd(sockets[i]);
    if (!ends) continue;
    if (!is_given_) {
      if (const auto told = diagnosis_.UserOf(ends->local, ends->remote)) {
        users[i] = *told;
        continue;
      }
    }
    asked.push_back(*ends);
    places.push_back(i);
  }
  for (const int table : {table_, table6_}) {
    if (asked.empty()) break;
    const auto found = Find(ReadTable(table), asked);
    for (size_t i = 0; i < found.size(); ++i) {
      if (!users[places[i]]) users[places[i]] = found[i];
    }
  }
  return users;
}

std::optional<uid_t> PeerUser::AtPort(int port) const {
  Ends loopback;
  loopback.local.sin_port = htons(static_cast<in_port_t>(port));
  Ends everywhere = loopback;
  loopback.local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const Ends asked[] = {loopback, everywhere};  // from nowhere: such a socket listens
  for (const int table : {table_, table6_}) {
    for (const auto& user : Find(ReadTable(table), asked)) {
      if (user) return user;
    }
  }
  return std::nullopt;
}

// A line holds: number, both ends, and what UserIn reads.
std::vector<std::optional<uid_t>> PeerUser::Find(std::string_view table,
                                                 std::span<const Ends> asked) {
  constexpr std::string_view kMapped = "0000000000000000FFFF0000";
  constexpr std::string_view kUnspecified = "000000000000000000000000";  // of a listener at [::]
  std::unordered_map<std::string, size_t> places;
  for (size_t i = 0; i < asked.size(); ++i) {
    const auto& [local, remote] = asked[i];
    for (const std::string_view before : {std::string_view(), kMapped, kUnspecified}) {
      places.try_emplace(
          fmt::format("{0}{1:08X}:{2:04X} {0}{3:08X}:{4:04X}", before, local.sin_addr.s_addr,
                      ntohs(local.sin_port), remote.sin_addr.s_addr, ntohs(remote.sin_port)),
          i);
    }
  }
  std::vector<std::optional<uid_t>> users(asked.size());
  std::string ends;
  for (const auto each : std::views::split(table, '\n')) {
    const std::string_view line(each.begin(), each.end());
    const size_t begin = line.find(": ");
    if (begin == std::string_view::npos) continue;
    const size_t middle = line.find(' ', begin + 2);
    const size_t end = middle == std::string_view::npos ? middle : line.find(' ', middle + 1);
    if (end == std::string_view::npos) continue;
    ends = line.substr(begin + 2, end - begin - 2);
    const auto found = places.find(ends);
    if (found != places.end()) users[found->second] = UserIn(line.substr(end));
  }
  return users;
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
