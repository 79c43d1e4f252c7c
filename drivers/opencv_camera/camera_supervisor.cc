#include "drivers/opencv_camera/camera_supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "drivers/camera/packet_socket.h"

namespace idkiosk {
namespace {

// A kiosk has one camera; 'doctor' and the operator may look through it, too.
constexpr size_t kMostWorkers = 4;

// Debian 12's glibc declares neither for C++.
FileDescriptor OpenProcess(pid_t id) {
  return FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, id, 0)));
}
void Kill(const FileDescriptor& process) {
  (void)syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0);
}

}  // namespace

CameraSupervisor::CameraSupervisor(FileDescriptor source,
                                   std::function<void(const FileDescriptor&)> serve)
    : source_(std::move(source)), serve_(std::move(serve)) {
  int listens = 0;
  socklen_t size = sizeof listens;
  listens_ =
      getsockopt(source_.get(), SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens != 0;
}

bool CameraSupervisor::TakeConnection() {
  FileDescriptor connection;
  if (listens_) {
    connection = FileDescriptor(accept4(source_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  } else {
    std::array<uint8_t, 1> one_more{};
    if (AwaitPacket(source_.get(), one_more, connection) == Arrival::kEnded) return false;
  }
  // One that goes away at once says to whoever connects that it has ended.
  if (connection.valid() && workers_.size() < kMostWorkers) Start(std::move(connection));
  return true;
}

void CameraSupervisor::Start(FileDescriptor connection) {
  const pid_t parent = getpid();
  const pid_t id = fork();
  if (id == 0) {
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    // Others' connections are not this one's to keep open.
    (void)dup2(connection.get(), STDIN_FILENO);
    (void)close_range(STDERR_FILENO + 1, ~0U, 0);
    serve_(FileDescriptor(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)));
    _exit(0);
  }
  if (id < 0) return;
  workers_.push_back({id, OpenProcess(id), std::move(connection)});
}

CameraSupervisor::End CameraSupervisor::Run() {
  for (bool had_one = false; !had_one || !workers_.empty();) {
    std::vector<pollfd> watched = {{.fd = source_.get(), .events = POLLIN, .revents = 0}};
    for (const Worker& each : workers_) {
      watched.push_back({.fd = each.process.get(), .events = POLLIN, .revents = 0});
      watched.push_back({.fd = each.connection.get(), .events = POLLRDHUP, .revents = 0});
    }
    if (poll(watched.data(), watched.size(), -1) < 0) continue;
    // From the back: those that have gone are taken out.
    for (size_t i = workers_.size(); i-- > 0;) {
      Worker& worker = workers_[i];
      if (watched[2 + 2 * i].revents != 0) {
        Kill(worker.process);
        worker.connection.Reset();
      }
      if (watched[1 + 2 * i].revents == 0) continue;
      (void)waitpid(worker.id, nullptr, 0);
      workers_.erase(workers_.begin() + static_cast<ptrdiff_t>(i));
    }
    // Whoever waits is served by the program that comes next.
    if (had_one && workers_.empty()) break;
    if (watched[0].revents != 0 && !TakeConnection()) return End::kNobody;
    had_one = had_one || !workers_.empty();
  }
  return End::kIdle;
}

}  // namespace idkiosk
