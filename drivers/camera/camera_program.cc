#include "drivers/camera/camera_program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "drivers/camera/packet_socket.h"

namespace idkiosk {
namespace {

constexpr const char* kName = "idkiosk-camera";
constexpr const char* kInstalled = "/usr/bin";
// Where systemd hands a socket over.
constexpr int kFirstFile = 3;

// What FFmpeg and GStreamer are told by the environment, and where GStreamer keeps its list of
// plugins.
std::vector<char*> CameraEnvironment() {
  std::vector<char*> kept;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable = *each;
    if (variable.starts_with("OPENCV_") || variable.starts_with("GST_") ||
        variable.starts_with("HOME=")) {
      kept.push_back(*each);
    }
  }
  kept.push_back(nullptr);
  return kept;
}

// Returns the errno value, or 0. `control` becomes the child's only file beside standard error.
int Spawn(const std::string& program, int control, pid_t& process) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, control, kFirstFile);
  posix_spawn_file_actions_addclosefrom_np(&files, kFirstFile + 1);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDOUT_FILENO);
  // Ctrl+C is the program's to answer, and no signal that it waits for is blocked there.
  posix_spawnattr_t how;
  posix_spawnattr_init(&how);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&how, &none);
  std::array<char*, 2> arguments{const_cast<char*>(kName), nullptr};
  const int error = posix_spawn(&process, program.c_str(), &files, &how, arguments.data(),
                                CameraEnvironment().data());
  posix_spawnattr_destroy(&how);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

}  // namespace

CameraProgram::CameraProgram(std::string folder, std::string socket)
    : folder_(std::move(folder)), socket_(std::move(socket)) {}

CameraProgram::~CameraProgram() {
  const MutexLock lock(mutex_);
  Stop();
}

bool CameraProgram::IsOfTheSystem() const {
  struct stat about{};
  return stat(socket_.c_str(), &about) == 0 && S_ISSOCK(about.st_mode);
}

void CameraProgram::Stop() {
  control_.Reset();
  if (process_ < 0) return;
  (void)kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

Status CameraProgram::Start() {
  if (IsOfTheSystem()) return {};
  const MutexLock lock(mutex_);
  return control_.valid() ? Status() : StartLocked();
}

Status CameraProgram::StartLocked() {
  Stop();
  // It would run as the user of the keys.
  if (std::getenv("NOTIFY_SOCKET") != nullptr) {
    return Fail(ErrorCode::kNotFound,
                "a camera named opencv: is taken by {}, whose socket {} is not there: systemctl "
                "enable --now idkiosk-camera.socket, or use a v4l2: source",
                kName, socket_);
  }
  const std::array<std::string, 2> places = {fmt::format("{}/{}", folder_, kName),
                                             fmt::format("{}/{}", kInstalled, kName)};
  const std::string* found = nullptr;
  for (const std::string& place : places) {
    if (found == nullptr && access(place.c_str(), F_OK) == 0) found = &place;
  }
  if (found == nullptr) {
    return Fail(ErrorCode::kNotFound,
                "a camera named opencv: needs the program {}, which is neither at {} nor at {}: "
                "install it there, or use a v4l2: source",
                kName, places[0], places[1]);
  }
  auto [ours, theirs] = MakeSocketPair();
  const int error = theirs.valid() ? Spawn(*found, theirs.get(), process_) : errno;
  if (error != 0) {
    process_ = -1;
    return Fail(ErrorCode::kUnavailable,
                "{} cannot be started ({}): start idkiosk again, and see that {} may be run", kName,
                ErrnoError(error, "system").message, *found);
  }
  control_ = std::move(ours);
  return {};
}

Result<FileDescriptor> CameraProgram::ConnectToSystem() const {
  FileDescriptor connection(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  socket_.copy(static_cast<char*>(address.sun_path), sizeof address.sun_path - 1);
  if (connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return connection;
  }
  const bool foreign = errno == EACCES || errno == EPERM;
  return Fail(foreign ? ErrorCode::kForbidden : ErrorCode::kUnavailable, "{}: {}",
              ErrnoError(errno, "cannot reach the camera's process at " + socket_).message,
              foreign ? "run idkiosk as the user of that file"
                      : "see 'systemctl status idkiosk-camera.socket idkiosk-camera'");
}

Result<FileDescriptor> CameraProgram::Connect() {
  if (IsOfTheSystem()) return ConnectToSystem();
  const MutexLock lock(mutex_);
  auto [ours, theirs] = MakeSocketPair();
  if (!theirs.valid()) return std::unexpected(ErrnoError(errno, "no socket for a camera"));
  constexpr std::array<uint8_t, 1> kOneMore{};
  if (control_.valid() && SendPacket(control_.get(), kOneMore, theirs.get()))
    return std::move(ours);
  if (Status started = StartLocked(); !started) return std::unexpected(started.error());
  if (SendPacket(control_.get(), kOneMore, theirs.get())) return std::move(ours);
  return Fail(ErrorCode::kUnavailable, "{} ended as soon as it was started", kName);
}

}  // namespace idkiosk
