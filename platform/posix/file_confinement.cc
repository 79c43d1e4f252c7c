#include "platform/posix/file_confinement.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "platform/base/file_descriptor.h"

namespace idkiosk {
namespace {

// The first version in which a file can be moved from one folder to another.
constexpr long kLeastVersion = 2;
// Newer than Debian 12's headers: version 3.
constexpr long kTruncateVersion = 3;
constexpr uint64_t kTruncate = 1ULL << 14;

constexpr uint64_t kReadFile = LANDLOCK_ACCESS_FS_READ_FILE;
constexpr uint64_t kReadAll = kReadFile | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr uint64_t kWriteFile = kReadFile | LANDLOCK_ACCESS_FS_WRITE_FILE;
constexpr uint64_t kWriteAll = kReadAll | kWriteFile | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                               LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                               LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                               LANDLOCK_ACCESS_FS_REFER;
// What is denied wherever it is not allowed: all of it, running and making devices, too.
constexpr uint64_t kHandled = kWriteAll | LANDLOCK_ACCESS_FS_EXECUTE |
                              LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                              LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

// glibc has no names for these.
long CreateRuleset(const landlock_ruleset_attr* handled, size_t size, uint32_t flags) {
  return syscall(SYS_landlock_create_ruleset, handled, size, flags);
}

// 0 where the kernel has none.
long Version() {
  const long version = CreateRuleset(nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : version;
}

Status FailHere(std::string_view what) {
  return Fail(ErrorCode::kUnavailable, "this process cannot be confined: {}: {}", what,
              ErrnoError(errno, "Landlock").message);
}

Status Allow(int ruleset, const std::string& path, uint64_t of_file, uint64_t of_folder) {
  const FileDescriptor place(open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat about{};
  if (!place.valid() || fstat(place.get(), &about) != 0) return {};
  const landlock_path_beneath_attr rule{
      .allowed_access = S_ISDIR(about.st_mode) ? of_folder : of_file, .parent_fd = place.get()};
  const long added = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  return added == 0 ? Status() : FailHere(path);
}

}  // namespace

bool FileConfinement::IsAvailable() { return Version() >= kLeastVersion; }

Status FileConfinement::Enter(std::span<const std::string> readable,
                              std::span<const std::string> writable) {
  if (!IsAvailable()) return Fail(ErrorCode::kUnavailable, "this kernel has no Landlock");
  const uint64_t truncate = Version() >= kTruncateVersion ? kTruncate : 0;
  const landlock_ruleset_attr handled{.handled_access_fs = kHandled | truncate};
  const FileDescriptor ruleset(static_cast<int>(CreateRuleset(&handled, sizeof handled, 0)));
  if (!ruleset.valid()) return FailHere("ruleset");
  for (const std::string& path : readable) {
    if (Status allowed = Allow(ruleset.get(), path, kReadFile, kReadAll); !allowed) return allowed;
  }
  for (const std::string& path : writable) {
    Status allowed = Allow(ruleset.get(), path, kWriteFile | truncate, kWriteAll | truncate);
    if (!allowed) return allowed;
  }
  if (syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0) return FailHere("restrict");
  return {};
}

}  // namespace idkiosk
