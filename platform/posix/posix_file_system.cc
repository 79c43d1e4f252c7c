#include "platform/posix/posix_file_system.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <thread>
#include <utility>

#include "platform/base/file_descriptor.h"
#include "platform/base/secret_bytes.h"
#include "platform/base/text/file_path.h"

namespace idkiosk {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> FailErrno(std::string_view what, const std::string& path) {
  return std::unexpected(ErrnoError(errno, fmt::format("cannot {} {}", what, path)));
}

std::unexpected<Error> FailToOpen(const std::string& path) {
  // A socket is there, so whoever goes on without a file that is not must not go on.
  if (errno == ENXIO) return Fail(ErrorCode::kInvalid, "{} is not an ordinary file", path);
  // Or one that leads to itself, which no patience mends.
  if (errno == ELOOP) {
    return Fail(ErrorCode::kInvalid, "{} is a symbolic link, which is not followed", path);
  }
  return FailErrno("open", path);
}

Result<FileDescriptor> OpenFile(const std::string& path, int flags, mode_t mode = 0) {
  FileDescriptor file(open(path.c_str(), flags | O_CLOEXEC, mode));
  if (!file.valid()) return FailToOpen(path);
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

Status SyncFolder(const std::string& folder) {
  const auto handle = OpenFile(folder, O_RDONLY | O_DIRECTORY);
  if (!handle) return std::unexpected(handle.error());
  if (fsync(handle->get()) != 0) return FailErrno("sync", folder);
  return {};
}

// A pipe, socket or device would keep the program waiting for bytes, or give it endless ones.
Result<struct stat> Examine(const FileDescriptor& file, const std::string& path) {
  struct stat about{};
  if (fstat(file.get(), &about) != 0) return FailErrno("look at", path);
  if (S_ISDIR(about.st_mode)) return Fail(ErrorCode::kInvalid, "{} is a folder, not a file", path);
  if (!S_ISREG(about.st_mode)) {
    return Fail(ErrorCode::kInvalid, "{} is not an ordinary file", path);
  }
  return about;
}

// An ordinary file that is there: a pipe that nobody reads is refused, and not waited for.
Result<FileDescriptor> OpenToChange(const std::string& path) {
  struct stat about{};
  if (lstat(path.c_str(), &about) == 0 && !S_ISREG(about.st_mode)) {
    return Fail(ErrorCode::kInvalid, "{} is not an ordinary file", path);
  }
  return OpenFile(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
}

// The number of bytes read, 0 at the end.
Result<size_t> ReadSome(const FileDescriptor& file, MutableByteSpan out, const std::string& path) {
  for (;;) {
    const ssize_t count = read(file.get(), out.data(), out.size());
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) return FailErrno("read", path);
  }
}

std::unexpected<Error> FailTooLarge(const std::string& path, size_t max_size) {
  return Fail(ErrorCode::kExhausted, "{} is larger than {} bytes", path, max_size);
}

// Files may hold secrets: what growing leaves behind is wiped.
void Grow(Bytes& bytes, size_t size) {
  Bytes larger(size);
  std::ranges::copy(bytes, larger.begin());
  Wipe(bytes);
  bytes = std::move(larger);
}

// Whether a link is there, of which ENOTDIR does not tell.
bool IsLink(int folder, const std::string& name) {
  struct stat about{};
  return fstatat(folder, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(about.st_mode);
}

// Part by part, and each from the folder that was opened before: what is renamed meanwhile leads
// nowhere else.
Result<FileDescriptor> OpenBelow(const std::string& folder, const std::string& path) {
  const std::string whole = fmt::format("{}/{}", folder, path);
  auto at = OpenFile(folder, O_PATH | O_DIRECTORY);
  for (size_t begin = 0; at;) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    if (part.empty() || part == "." || part == ".." || part.find('\0') != std::string::npos) {
      return Fail(ErrorCode::kInvalid, "{} is no file below {}", path, folder);
    }
    const bool is_last = end == path.size();
    const int flags = is_last ? O_RDONLY | O_NONBLOCK : O_PATH | O_DIRECTORY;
    FileDescriptor next(openat(at->get(), part.c_str(), flags | O_NOFOLLOW | O_CLOEXEC));
    if (!next.valid()) {
      if (errno == ENOTDIR) errno = IsLink(at->get(), part) ? ELOOP : ENOTDIR;
      return FailToOpen(whole);
    }
    if (is_last) return next;
    at = std::move(next);
    begin = end + 1;
  }
  return at;
}

Result<Bytes> ReadWhole(const FileDescriptor& file, const std::string& path, size_t max_size) {
  const auto about = Examine(file, path);
  if (!about) return std::unexpected(about.error());
  // One byte more than the file should have, so that its end is seen without growing.
  Bytes bytes(std::min(max_size, std::max<size_t>(static_cast<size_t>(about->st_size), 4095)) + 1);
  for (size_t have = 0;;) {
    const auto count = ReadSome(file, MutableByteSpan(bytes).subspan(have), path);
    if (!count) return std::unexpected(count.error());
    have += *count;
    if (have > max_size) return FailTooLarge(path, max_size);
    if (*count == 0) {
      bytes.resize(have);
      return bytes;
    }
    if (have == bytes.size()) Grow(bytes, std::min(max_size, 2 * have) + 1);
  }
}

// A file that was left over from a crash, or put there by somebody else, is never written into: its
// mode and its owner are not ours.
Status WriteAndSync(const std::string& path, ByteSpan bytes, mode_t mode) {
  (void)unlink(path.c_str());
  const auto file = OpenFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  if (!file) return std::unexpected(file.error());
  // The umask had its say in open; the mode that was asked for is what counts.
  if (fchmod(file->get(), mode) != 0) return FailErrno("set the mode of", path);
  if (auto written = WriteAll(file->get(), bytes, path); !written) return written;
  if (fsync(file->get()) != 0) return FailErrno("sync", path);
  return {};
}

mode_t ModeOf(FileAccess access, const std::string& path) {
  switch (access) {
    case FileAccess::kOwnerOnly:
      return 0600;
    case FileAccess::kEverybody:
      return 0644;
    case FileAccess::kGroup:
      return 0640;
    case FileAccess::kFolderGroup:
      struct stat folder{};
      return stat(FolderOf(path).c_str(), &folder) == 0 && (folder.st_mode & S_ISGID) != 0 ? 0440
                                                                                           : 0400;
  }
  std::unreachable();
}

Status RequirePrivate(const struct stat& about, const std::string& path) {
  if (about.st_uid != geteuid()) {
    return Fail(ErrorCode::kForbidden,
                "{} belongs to user {}, and this program runs as user {}: run it as user {} "
                "('runuser -u USER -- ...')",
                path, about.st_uid, geteuid(), about.st_uid);
  }
  if ((about.st_mode & 077) != 0) {
    return Fail(ErrorCode::kForbidden,
                "{} is open to other users than its owner (its mode is {:04o}): run 'chmod 600 "
                "{}'. If somebody may have read it, replace the secrets that it guards",
                path, about.st_mode & 07777, path);
  }
  return {};
}

template <typename Wanted>
Result<std::vector<std::string>> ListThose(const std::string& folder, const Wanted& wanted) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (wanted(*it)) names.push_back(it->path().filename().string());
  }
  if (error) {
    return std::unexpected(ErrnoError(error.value(), fmt::format("cannot list {}", folder)));
  }
  std::ranges::sort(names);
  return names;
}

class PosixFixedFile final : public FixedFile {
 public:
  PosixFixedFile(FileDescriptor file, uint64_t size, std::string path)
      : file_(std::move(file)), size_(size), path_(std::move(path)) {}

  [[nodiscard]] Status Write(uint64_t offset, ByteSpan bytes) override {
    if (Status in_place = CheckInPlace(); !in_place) return in_place;
    if (offset > size_ || bytes.size() > size_ - offset) {
      return Fail(ErrorCode::kInvalid, "{} has no room at {} for {} bytes", path_, offset,
                  bytes.size());
    }
    while (!bytes.empty()) {
      const ssize_t count =
          pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return FailErrno("write", path_);
      bytes = bytes.subspan(static_cast<size_t>(count));
      offset += static_cast<uint64_t>(count);
    }
    return {};
  }

  [[nodiscard]] Status Sync() override {
    return fdatasync(file_.get()) == 0 ? Status() : FailErrno("sync", path_);
  }

  [[nodiscard]] Status CheckInPlace() override {
    struct stat here{};
    struct stat named{};
    if (fstat(file_.get(), &here) != 0) return FailErrno("look at", path_);
    const bool is_named = stat(path_.c_str(), &named) == 0;
    if (!is_named && errno != ENOENT && errno != ENOTDIR) return FailErrno("look at", path_);
    if (is_named && named.st_ino == here.st_ino && named.st_dev == here.st_dev) return {};
    return Fail(ErrorCode::kUnavailable, "{} was {} while idkiosk uses it: start idkiosk anew",
                path_, is_named ? "replaced" : "removed");
  }

 private:
  const FileDescriptor file_;
  const uint64_t size_;
  const std::string path_;
};

class PosixFileLock final : public FileLock {
 public:
  PosixFileLock(FileDescriptor file, FileDescriptor folder)
      : file_(std::move(file)), folder_(std::move(folder)) {}

 private:
  FileDescriptor file_;
  FileDescriptor folder_;
};

}  // namespace

Result<Bytes> PosixFileSystem::Read(const std::string& path, size_t max_size) {
  // A pipe that nobody writes into is opened at once, and then refused.
  const auto file = OpenFile(path, O_RDONLY | O_NONBLOCK);
  if (!file) return std::unexpected(file.error());
  return ReadWhole(*file, path, max_size);
}

Result<Bytes> PosixFileSystem::ReadBelow(const std::string& folder, const std::string& path,
                                         size_t max_size) {
  const auto file = OpenBelow(folder, path);
  if (!file) return std::unexpected(file.error());
  return ReadWhole(*file, fmt::format("{}/{}", folder, path), max_size);
}

Result<Bytes> PosixFileSystem::ReadPart(const std::string& path, uint64_t offset, size_t size) {
  const auto file = OpenFile(path, O_RDONLY | O_NONBLOCK);
  if (!file) return std::unexpected(file.error());
  if (const auto about = Examine(*file, path); !about) return std::unexpected(about.error());
  if (lseek(file->get(), static_cast<off_t>(offset), SEEK_SET) < 0) return FailErrno("read", path);
  Bytes bytes(size);
  for (size_t have = 0;;) {
    const auto count = ReadSome(*file, MutableByteSpan(bytes).subspan(have), path);
    if (!count) return std::unexpected(count.error());
    have += *count;
    if (*count > 0 && have < size) continue;
    bytes.resize(have);
    return bytes;
  }
}

Result<SecretBytes> PosixFileSystem::ReadSecret(const std::string& path, size_t max_size) {
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.valid() && errno == ELOOP) {
    return Fail(ErrorCode::kForbidden, "{} is a symbolic link: put the file itself there", path);
  }
  if (!file.valid()) return FailToOpen(path);
  const auto about = Examine(file, path);
  if (!about) return std::unexpected(about.error());
  if (auto good = RequirePrivate(*about, path); !good) return std::unexpected(good.error());
  const auto size = static_cast<size_t>(about->st_size);
  if (size > max_size) return FailTooLarge(path, max_size);
  SecretBytes secret(size);
  size_t have = 0;
  while (have < size) {
    const auto count = ReadSome(file, secret.mutable_view().subspan(have), path);
    if (!count) return std::unexpected(count.error());
    if (*count == 0) break;
    have += *count;
  }
  secret.Truncate(have);
  return secret;
}

Status PosixFileSystem::WriteDurably(const std::string& path, ByteSpan bytes, FileAccess access) {
  struct stat before{};
  if (stat(path.c_str(), &before) == 0 && !S_ISREG(before.st_mode)) {
    return Fail(ErrorCode::kInvalid,
                "{} is not an ordinary file, and stays as it is: remove it, or use another name",
                path);
  }
  const std::string beside = path + ".new";
  auto written = WriteAndSync(beside, bytes, ModeOf(access, path));
  if (written && rename(beside.c_str(), path.c_str()) != 0) written = FailErrno("write", path);
  if (!written) {
    (void)unlink(beside.c_str());
    return written;
  }
  return SyncFolder(FolderOf(path));
}

Status PosixFileSystem::Overwrite(const std::string& path, ByteSpan bytes) {
  const auto file = OpenToChange(path);
  if (!file) return std::unexpected(file.error());
  const auto about = Examine(*file, path);
  if (!about) return std::unexpected(about.error());
  if (static_cast<size_t>(about->st_size) != bytes.size()) {
    return Fail(ErrorCode::kFailedPrecondition, "{} has {} bytes, not {}", path, about->st_size,
                bytes.size());
  }
  if (auto written = WriteAll(file->get(), bytes, path); !written) return written;
  if (fdatasync(file->get()) != 0) return FailErrno("sync", path);
  return {};
}

Result<std::unique_ptr<FixedFile>> PosixFileSystem::OpenFixed(const std::string& path) {
  auto file = OpenToChange(path);
  if (!file) return std::unexpected(file.error());
  const auto about = Examine(*file, path);
  if (!about) return std::unexpected(about.error());
  return std::make_unique<PosixFixedFile>(std::move(*file), static_cast<uint64_t>(about->st_size),
                                          path);
}

Status PosixFileSystem::WriteAttribute(const std::string& path, std::string_view text) {
  const auto file = OpenFile(path, O_WRONLY | O_TRUNC);
  if (!file) return std::unexpected(file.error());
  return WriteAll(file->get(), AsBytes(text), path);
}

Status PosixFileSystem::Remove(const std::string& path) {
  if (unlink(path.c_str()) != 0) return FailErrno("remove", path);
  return SyncFolder(FolderOf(path));
}

Status PosixFileSystem::Erase(const std::string& path) {
  auto file = OpenToChange(path);
  if (!file) return std::unexpected(file.error());
  const auto about = Examine(*file, path);
  if (!about) return std::unexpected(about.error());
  constexpr size_t kPiece = 4096;
  const Bytes zeros(kPiece);
  for (auto left = static_cast<size_t>(about->st_size); left > 0;) {
    const ByteSpan piece = ByteSpan(zeros).first(std::min(left, kPiece));
    if (auto written = WriteAll(file->get(), piece, path); !written) return written;
    left -= piece.size();
  }
  if (fsync(file->get()) != 0) return FailErrno("sync", path);
  return Remove(path);
}

Status PosixFileSystem::Rename(const std::string& from, const std::string& to) {
  if (rename(from.c_str(), to.c_str()) != 0) return FailErrno("rename", from);
  if (auto synced = SyncFolder(FolderOf(to)); !synced) return synced;
  return FolderOf(from) == FolderOf(to) ? Status() : SyncFolder(FolderOf(from));
}

// A folder of which the one above does not know after a power failure takes its files with it.
Status PosixFileSystem::CreateFolder(const std::string& path) {
  fs::path so_far;
  for (const fs::path& part : fs::path(path)) {
    so_far /= part;
    if (mkdir(so_far.c_str(), 0700) == 0) {
      if (auto synced = SyncFolder(FolderOf(so_far)); !synced) return synced;
    } else if (errno != EEXIST) {
      return FailErrno("create folder", so_far);
    }
  }
  struct stat about{};
  if (stat(path.c_str(), &about) != 0) return FailErrno("create folder", path);
  if (!S_ISDIR(about.st_mode)) return Fail(ErrorCode::kInvalid, "{} is a file, not a folder", path);
  return {};
}

Result<bool> PosixFileSystem::Exists(const std::string& path) {
  struct stat about{};
  // A link that leads to itself is there, if nothing else is.
  if (stat(path.c_str(), &about) == 0 || errno == ELOOP) return true;
  if (errno == ENOENT || errno == ENOTDIR) return false;
  return FailErrno("look at", path);
}

Result<std::vector<std::string>> PosixFileSystem::List(const std::string& folder) {
  return ListThose(folder, [](const fs::directory_entry&) { return true; });
}

Result<std::vector<std::string>> PosixFileSystem::ListFiles(const std::string& folder) {
  return ListThose(folder, [](const fs::directory_entry& entry) {
    std::error_code error;
    return entry.symlink_status(error).type() == fs::file_type::regular;
  });
}

namespace {

// Errors also: kForbidden (it is read-only).
Result<struct statvfs> MeasureDisk(const std::string& path) {
  struct statvfs about{};
  if (statvfs(path.c_str(), &about) != 0) return FailErrno("measure the free space at", path);
  if ((about.f_flag & ST_RDONLY) == 0) return about;
  return Fail(ErrorCode::kForbidden,
              "the disk of {} is mounted read-only, as one is that fails: see what 'dmesg' says of "
              "it, then mount it to be written again, or replace it",
              path);
}

}  // namespace

Result<uint64_t> PosixFileSystem::FreeSpace(const std::string& path) {
  const auto disk = MeasureDisk(path);
  if (!disk) return std::unexpected(disk.error());
  // A file system that makes inodes as they are needed has 0 of 0.
  if (disk->f_files > 0 && disk->f_favail == 0) {
    return Fail(ErrorCode::kExhausted,
                "the disk of {} has no free inode, so it takes no further file: remove files that "
                "nobody needs ('df -i' counts them)",
                path);
  }
  return static_cast<uint64_t>(disk->f_bavail) * disk->f_frsize;
}

Result<bool> PosixFileSystem::OnOneDisk(const std::string& one, const std::string& other) {
  struct stat first{};
  struct stat second{};
  if (stat(one.c_str(), &first) != 0) return FailErrno("look at", one);
  if (stat(other.c_str(), &second) != 0) return FailErrno("look at", other);
  return first.st_dev == second.st_dev;
}

Status PosixFileSystem::CheckWritable(const std::string& folder) {
  if (const auto disk = MeasureDisk(folder); !disk) return std::unexpected(disk.error());
  return access(folder.c_str(), W_OK | X_OK) == 0 ? Status() : FailErrno("write into", folder);
}

Result<std::unique_ptr<FileLock>> PosixFileSystem::Lock(const std::string& path) {
  // Not through a link: what it points at would be overwritten.
  auto file = OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (!file) return std::unexpected(file.error());
  if (const auto about = Examine(*file, path); !about) return std::unexpected(about.error());
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
  // Of a file that was removed a new one is no witness; the folder stays. Where folders cannot be
  // locked (some network file systems) the file alone has to do.
  auto folder = OpenFile(FolderOf(path), O_RDONLY | O_DIRECTORY);
  if (!folder) return std::unexpected(folder.error());
  if (flock(folder->get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return Fail(ErrorCode::kUnavailable, "{} is held by a process whose lock was removed", path);
  }
  // The number is for the message above alone: a full disk does not keep us from working.
  const std::string number = std::to_string(getpid());
  if (ftruncate(file->get(), 0) == 0) (void)WriteAll(file->get(), AsBytes(number), path);
  return std::make_unique<PosixFileLock>(std::move(*file), std::move(*folder));
}

Result<std::unique_ptr<FileLock>> PosixFileSystem::LockWithin(const std::string& path,
                                                              Duration patience) {
  constexpr Duration kPause = std::chrono::milliseconds(5);
  auto lock = Lock(path);
  for (Duration waited{};
       !lock && lock.error().code == ErrorCode::kUnavailable && waited < patience;
       waited += kPause) {
    std::this_thread::sleep_for(kPause);
    lock = Lock(path);
  }
  return lock;
}

}  // namespace idkiosk
