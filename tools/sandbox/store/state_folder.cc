#include "tools/sandbox/store/state_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <utility>

namespace idkiosk::sandbox {
namespace {

constexpr size_t kMaxTextFile = 16 << 20;

std::unexpected<Error> FailErrno(std::string_view what, const std::string& path) {
  return std::unexpected(ErrnoError(errno, fmt::format("cannot {} {}", what, path)));
}

Status WriteAndClose(int file, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const auto failure = FailErrno("write", path);
      (void)close(file);
      return failure;
    }
    text.remove_prefix(static_cast<size_t>(count));
  }
  if (close(file) != 0) return FailErrno("write", path);
  return {};
}

}  // namespace

Result<StateFolder> StateFolder::Open(std::string path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    return Fail(ErrorCode::kForbidden, "cannot make the folder {}: {}", path, error.message());
  }
  if (chmod(path.c_str(), 0700) != 0) return FailErrno("protect", path);
  return StateFolder(std::filesystem::absolute(path).lexically_normal().string());
}

StateFolder::~StateFolder() {
  if (lock_ >= 0) (void)close(lock_);
}

StateFolder::StateFolder(StateFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

std::string StateFolder::File(std::string_view name) const {
  return (std::filesystem::path(path_) / name).string();
}

Result<std::string> StateFolder::SecretFile(std::string_view name,
                                            const std::function<std::string()>& make) const {
  const std::string path = File(name);
  if (access(path.c_str(), F_OK) != 0) {
    if (auto written = WritePrivateFile(path, make() + "\n"); !written) {
      return std::unexpected(written.error());
    }
  }
  auto text = ReadTextFile(path);
  if (!text) return text;
  while (text->ends_with('\n')) text->pop_back();
  if (text->empty()) {
    return Fail(ErrorCode::kCorrupt, "{} is empty; remove it and it is made again", path);
  }
  return text;
}

Status StateFolder::LockForServer() {
  const std::string path = File("server.lock");
  lock_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ < 0) return FailErrno("open", path);
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    return Fail(ErrorCode::kUnavailable,
                "a sandbox runs on {} already; stop it, or give --state another folder", path_);
  }
  return {};
}

bool StateFolder::ServerRuns() const {
  const int file = open(File("server.lock").c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  const bool taken = flock(file, LOCK_SH | LOCK_NB) != 0;
  (void)close(file);
  return taken;
}

Result<std::string> ReadTextFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return FailErrno("open", path);
  std::string text;
  std::array<char, 65536> buffer;
  ssize_t count = 0;
  while ((count = read(file, buffer.data(), buffer.size())) > 0 && text.size() <= kMaxTextFile) {
    text.append(buffer.data(), static_cast<size_t>(count));
  }
  const auto failure = FailErrno("read", path);
  (void)close(file);
  if (count < 0) return failure;
  if (text.size() > kMaxTextFile) return Fail(ErrorCode::kInvalid, "{} is too large", path);
  return text;
}

Status WritePrivateFile(const std::string& path, std::string_view text) {
  struct stat before{};
  if (stat(path.c_str(), &before) == 0 && !S_ISREG(before.st_mode)) {
    return Fail(ErrorCode::kInvalid, "{} is not an ordinary file, and stays as it is", path);
  }
  const std::string beside = path + ".new";
  (void)unlink(beside.c_str());
  const int file = open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return FailErrno("write", path);
  Status written = WriteAndClose(file, text, path);
  if (written && rename(beside.c_str(), path.c_str()) != 0) written = FailErrno("write", path);
  if (!written) (void)unlink(beside.c_str());
  return written;
}

}  // namespace idkiosk::sandbox
