#ifndef IDKIOSK_PLATFORM_POSIX_POSIX_FILE_SYSTEM_H_
#define IDKIOSK_PLATFORM_POSIX_POSIX_FILE_SYSTEM_H_

#include <memory>
#include <string>
#include <vector>

#include "platform/api/file_system.h"

namespace idkiosk {

class PosixFileSystem final : public FileSystem {
 public:
  [[nodiscard]] Result<Bytes> Read(const std::string& path, size_t max_size) override;
  [[nodiscard]] Result<Bytes> ReadBelow(const std::string& folder, const std::string& path,
                                        size_t max_size) override;
  [[nodiscard]] Result<Bytes> ReadPart(const std::string& path, uint64_t offset,
                                       size_t size) override;
  [[nodiscard]] Result<SecretBytes> ReadSecret(const std::string& path, size_t max_size) override;
  [[nodiscard]] Status WriteDurably(const std::string& path, ByteSpan bytes,
                                    FileAccess access) override;
  [[nodiscard]] Status Overwrite(const std::string& path, ByteSpan bytes) override;
  [[nodiscard]] Result<std::unique_ptr<FixedFile>> OpenFixed(const std::string& path) override;
  [[nodiscard]] Status WriteAttribute(const std::string& path, std::string_view text) override;
  [[nodiscard]] Status Remove(const std::string& path) override;
  [[nodiscard]] Status Erase(const std::string& path) override;
  [[nodiscard]] Status Rename(const std::string& from, const std::string& to) override;
  [[nodiscard]] Status CreateFolder(const std::string& path) override;
  [[nodiscard]] Result<bool> Exists(const std::string& path) override;
  [[nodiscard]] Result<std::vector<std::string>> List(const std::string& folder) override;
  [[nodiscard]] Result<std::vector<std::string>> ListFiles(const std::string& folder) override;
  [[nodiscard]] Result<uint64_t> FreeSpace(const std::string& path) override;
  [[nodiscard]] Result<bool> OnOneDisk(const std::string& one, const std::string& other) override;
  [[nodiscard]] Status CheckWritable(const std::string& folder) override;
  // An open-file-description lock (F_OFD_SETLK) on a file that holds the owner's process number.
  [[nodiscard]] Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override;
  [[nodiscard]] Result<std::unique_ptr<FileLock>> LockWithin(const std::string& path,
                                                             Duration patience) override;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_POSIX_POSIX_FILE_SYSTEM_H_
