#ifndef IDKIOSK_PLATFORM_API_FILE_SYSTEM_H_
#define IDKIOSK_PLATFORM_API_FILE_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/bytes.h"
#include "platform/base/error.h"
#include "platform/base/secret_bytes.h"
#include "platform/base/time.h"

namespace idkiosk {

// The readers of a new file.
enum class FileAccess {
  kOwnerOnly,  // mode 0600
  kEverybody,  // mode 0644
  kGroup,      // mode 0640
  // Mode 0440 in a folder that hands its group on (setgid), for that group; else 0400.
  kFolderGroup,
};

// Held while it lives; the kernel lets go of it when the process ends, however it ends.
class FileLock {
 public:
  virtual ~FileLock() = default;
};

// A file that keeps its size and is written in place. One thread. Errors: FileSystem's, of which
// kUnavailable also means: it is unknown which of the last writes are on the disk.
class FixedFile {
 public:
  virtual ~FixedFile() = default;

  // Writes within the file's size; kInvalid beyond it. It may be lost, or arrive in part, when the
  // power fails before Sync.
  [[nodiscard]] virtual Status Write(uint64_t offset, ByteSpan bytes) = 0;
  // Once this returns, what was written survives a power cut. Where WriteDurably made the file, its
  // blocks are there already: only its bytes are waited for.
  [[nodiscard]] virtual Status Sync() = 0;
  // kUnavailable: it was removed, or its name is another file's: what is written is found by
  // nobody. Write asks it, too.
  [[nodiscard]] virtual Status CheckInPlace() = 0;
};

// Small whole files. Any thread, but two do not write one path at once.
//
// Errors of every function: kNotFound, kForbidden, kExhausted (disk full), kCorrupt (the device
// reports damage), kInvalid (a folder, pipe, socket or device where a file is meant, or a name too
// long), kUnavailable (everything else the kernel says). Each message names the path.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // Also kExhausted for a file of more than `max_size` bytes.
  [[nodiscard]] virtual Result<Bytes> Read(const std::string& path, size_t max_size) = 0;

  // The file `path` (relative, as "a/b") below a folder that anybody may have filled, such as a
  // memory stick's. Also kInvalid, and nothing is read: `path` leads upwards, or a symbolic link is
  // on its way or at its end. `folder` itself may be reached through links.
  [[nodiscard]] virtual Result<Bytes> ReadBelow(const std::string& folder, const std::string& path,
                                                size_t max_size) = 0;

  // At most `size` bytes from this place; fewer where the file ends before.
  [[nodiscard]] virtual Result<Bytes> ReadPart(const std::string& path, uint64_t offset,
                                               size_t size) = 0;

  // A file that nobody but its owner may read or write, straight into locked memory. Also
  // kForbidden, with the mend, where its mode or its owner lets others use it, or it is a
  // symbolic link; kExhausted for more than `max_size` bytes.
  [[nodiscard]] virtual Result<SecretBytes> ReadSecret(const std::string& path,
                                                       size_t max_size) = 0;

  // Replaces the file or leaves the old one whole: write beside it, sync, rename, sync the folder.
  // What it acknowledged is there after the power fails. Also kInvalid: a device or a pipe is
  // there.
  [[nodiscard]] virtual Status WriteDurably(const std::string& path, ByteSpan bytes,
                                            FileAccess access) = 0;

  // Puts as many bytes where a file of that size lies, and syncs: a full disk is not in the way.
  // When the power fails meanwhile, the file holds the old bytes, the new ones, or some of each.
  // Also kFailedPrecondition: it has another size.
  [[nodiscard]] virtual Status Overwrite(const std::string& path, ByteSpan bytes) = 0;

  // Opens a file that is there, to be written in place for as long as what is returned lives.
  [[nodiscard]] virtual Result<std::unique_ptr<FixedFile>> OpenFixed(const std::string& path) = 0;

  // Writes into a file that is there, in one go and without syncing: a device's attribute, as Linux
  // shows it under /sys. Nothing else is written like this.
  [[nodiscard]] virtual Status WriteAttribute(const std::string& path, std::string_view text) = 0;

  [[nodiscard]] virtual Status Remove(const std::string& path) = 0;

  // Overwrites the file where it lies, syncs, and removes it. A medium that never writes one place
  // twice (flash, a file system that copies on write) may keep the old bytes all the same.
  [[nodiscard]] virtual Status Erase(const std::string& path) = 0;

  [[nodiscard]] virtual Status Rename(const std::string& from, const std::string& to) = 0;

  // Creates the folder (mode 0700) and the ones above it, if they are not there.
  [[nodiscard]] virtual Status CreateFolder(const std::string& path) = 0;

  [[nodiscard]] virtual Result<bool> Exists(const std::string& path) = 0;

  // Names, sorted by their bytes, without "." and "..".
  [[nodiscard]] virtual Result<std::vector<std::string>> List(const std::string& folder) = 0;

  // The same of ordinary files alone: links, folders, pipes and devices are left out.
  [[nodiscard]] virtual Result<std::vector<std::string>> ListFiles(const std::string& folder) = 0;

  // Bytes that are still free for this user on the disk of that folder or file. Errors also:
  // kForbidden (the disk is read-only), kExhausted (it takes no further file).
  [[nodiscard]] virtual Result<uint64_t> FreeSpace(const std::string& path) = 0;
  // Whether both are on one file system.
  [[nodiscard]] virtual Result<bool> OnOneDisk(const std::string& one,
                                               const std::string& other) = 0;
  // Whether this user may make and change files in this folder. Errors also: kForbidden (no).
  [[nodiscard]] virtual Status CheckWritable(const std::string& folder) = 0;

  // Also kUnavailable, with the number of the process that holds it. It holds the folder, too: of
  // one folder one lock, and removing its file lets nobody in.
  [[nodiscard]] virtual Result<std::unique_ptr<FileLock>> Lock(const std::string& path) = 0;
  // The same, waiting for somebody who holds it for a moment: `patience` at most.
  [[nodiscard]] virtual Result<std::unique_ptr<FileLock>> LockWithin(const std::string& path,
                                                                     Duration patience) = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_API_FILE_SYSTEM_H_
