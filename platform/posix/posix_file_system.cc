#include "platform/posix/posix_file_system.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "platform/posix/file_descriptor.h"

namespace idkiosk {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> FailErrno(std::string_view what, const std::string& path) {
  return std::unexpected(ErrnoError(errno, fmt::format("cannot {} {}", what, path)));
}

Result<FileDescriptor> OpenFile(const std::string& path, int flags, mode_t mode = 0) {
  FileDescriptor file(open(path.c_str(), flags | O_CLOEXEC, mode));
  if (!file.valid()) return FailErrno("open", path);
  return file;
}

Status WriteAll(int file, ByteSpan bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FailErrno("write", path);
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return {};
}

std::string FolderOf(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

Status SyncFolder(const std::string& folder) {
  const auto handle = OpenFile(folder, O_RDONLY | O_DIRECTORY);
  if (!handle) return std::unexpected(handle.error());
  if (fsync(handle->get()) != 0) return FailErrno("sync", folder);
  return {};
}

Status WriteAndSync(const std::string& path, ByteSpan bytes, mode_t mode) {
  const auto file = OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
  if (!file) return std::unexpected(file.error());
  if (auto written = WriteAll(file->get(), bytes, path); !written) return written;
  if (fsync(file->get()) != 0) return FailErrno("sync", path);
  return {};
}

class PosixFileLock final : public FileLock {
 public:
  explicit PosixFileLock(FileDescriptor file) : file_(std::move(file)) {}

 private:
  FileDescriptor file_;
};

}  // namespace

Result<Bytes> PosixFileSystem::Read(const std::string& path, size_t max_size) {
  const auto file = OpenFile(path, O_RDONLY);
  if (!file) return std::unexpected(file.error());
  struct stat about{};
  if (fstat(file->get(), &about) != 0) return FailErrno("read", path);
  if (S_ISDIR(about.st_mode)) return Fail(ErrorCode::kInvalid, "{} is a folder, not a file", path);
  Bytes bytes;
  bytes.reserve(std::min(max_size, static_cast<size_t>(about.st_size)) + 1);
  for (;;) {
    const size_t have = bytes.size();
    bytes.resize(std::max<size_t>(bytes.capacity(), have + 4096));
    const ssize_t count = read(file->get(), bytes.data() + have, bytes.size() - have);
    if (count < 0 && errno != EINTR) return FailErrno("read", path);
    bytes.resize(have + static_cast<size_t>(std::max<ssize_t>(count, 0)));
    if (bytes.size() > max_size) {
      return Fail(ErrorCode::kExhausted, "{} is larger than {} bytes", path, max_size);
    }
    if (count == 0) return bytes;
  }
}

Status PosixFileSystem::WriteDurably(const std::string& path, ByteSpan bytes, FileAccess access) {
  const std::string beside = path + ".new";
  auto written = WriteAndSync(beside, bytes, access == FileAccess::kOwnerOnly ? 0600 : 0644);
  if (written && rename(beside.c_str(), path.c_str()) != 0) written = FailErrno("write", path);
  if (!written) {
    (void)unlink(beside.c_str());
    return written;
  }
  return SyncFolder(FolderOf(path));
}

Status PosixFileSystem::Remove(const std::string& path) {
  if (unlink(path.c_str()) != 0) return FailErrno("remove", path);
  return SyncFolder(FolderOf(path));
}

Status PosixFileSystem::Rename(const std::string& from, const std::string& to) {
  if (rename(from.c_str(), to.c_str()) != 0) return FailErrno("rename", from);
  return SyncFolder(FolderOf(to));
}

Status PosixFileSystem::CreateFolder(const std::string& path) {
  fs::path so_far;
  for (const fs::path& part : fs::path(path)) {
    so_far /= part;
    if (mkdir(so_far.c_str(), 0700) != 0 && errno != EEXIST)
      return FailErrno("create folder", so_far);
  }
  struct stat about{};
  if (stat(path.c_str(), &about) != 0) return FailErrno("create folder", path);
  if (!S_ISDIR(about.st_mode)) return Fail(ErrorCode::kInvalid, "{} is a file, not a folder", path);
  return {};
}

Result<bool> PosixFileSystem::Exists(const std::string& path) {
  struct stat about{};
  if (stat(path.c_str(), &about) == 0) return true;
  if (errno == ENOENT || errno == ENOTDIR) return false;
  return FailErrno("look at", path);
}

Result<std::vector<std::string>> PosixFileSystem::List(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  if (error) {
    return std::unexpected(ErrnoError(error.value(), fmt::format("cannot list {}", folder)));
  }
  std::ranges::sort(names);
  return names;
}

Result<uint64_t> PosixFileSystem::FreeSpace(const std::string& path) {
  struct statvfs about{};
  if (statvfs(path.c_str(), &about) != 0) return FailErrno("measure the free space at", path);
  return static_cast<uint64_t>(about.f_bavail) * about.f_frsize;
}

Result<std::unique_ptr<FileLock>> PosixFileSystem::Lock(const std::string& path) {
  auto file = OpenFile(path, O_RDWR | O_CREAT, 0600);
  if (!file) return std::unexpected(file.error());
  struct flock whole{};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (fcntl(file->get(), F_OFD_SETLK, &whole) != 0) {
    if (errno != EAGAIN && errno != EACCES) return FailErrno("lock", path);
    char owner[32] = {};
    const ssize_t length = pread(file->get(), owner, sizeof(owner) - 1, 0);
    return Fail(ErrorCode::kUnavailable, "{} is held by process {}", path,
                length > 0 ? owner : "(unknown)");
  }
  const std::string owner = std::to_string(getpid());
  if (ftruncate(file->get(), 0) != 0) return FailErrno("write", path);
  if (auto written = WriteAll(file->get(), AsBytes(owner), path); !written) {
    return std::unexpected(written.error());
  }
  return std::make_unique<PosixFileLock>(std::move(*file));
}

}  // namespace idkiosk
