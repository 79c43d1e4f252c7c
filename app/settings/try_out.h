#ifndef IDKIOSK_APP_SETTINGS_TRY_OUT_H_
#define IDKIOSK_APP_SETTINGS_TRY_OUT_H_

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "platform/api/file_system.h"

namespace idkiosk {

// A disk that remembers what would be written, and leaves the real one as it is.
class TryOut final : public FileSystem {
 public:
  explicit TryOut(FileSystem& files) : files_(files) {}

  Result<Bytes> Read(const std::string& path, size_t max_size) override {
    const auto found = written_.find(path);
    return found == written_.end() ? files_.Read(path, max_size) : found->second;
  }
  Result<Bytes> ReadBelow(const std::string& folder, const std::string& path,
                          size_t max_size) override {
    const auto found = written_.find(folder + "/" + path);
    return found == written_.end() ? files_.ReadBelow(folder, path, max_size) : found->second;
  }
  Status WriteDurably(const std::string& path, ByteSpan bytes, FileAccess) override {
    written_[path] = Bytes(bytes.begin(), bytes.end());
    return {};
  }
  Result<bool> Exists(const std::string& path) override {
    return written_.contains(path) ? true : files_.Exists(path);
  }
  Result<SecretBytes> ReadSecret(const std::string& path, size_t max_size) override {
    return files_.ReadSecret(path, max_size);
  }
  Result<Bytes> ReadPart(const std::string& path, uint64_t offset, size_t size) override {
    const auto found = written_.find(path);
    if (found == written_.end()) return files_.ReadPart(path, offset, size);
    const ByteSpan whole = found->second;
    const ByteSpan part = whole.subspan(std::min<uint64_t>(offset, whole.size()));
    return Bytes(part.begin(), part.begin() + static_cast<ptrdiff_t>(std::min(size, part.size())));
  }
  Result<std::vector<std::string>> List(const std::string& folder) override {
    return files_.List(folder);
  }
  Result<std::vector<std::string>> ListFiles(const std::string& folder) override {
    return files_.ListFiles(folder);
  }
  Result<uint64_t> FreeSpace(const std::string& path) override { return files_.FreeSpace(path); }
  Result<bool> OnOneDisk(const std::string& one, const std::string& other) override {
    return files_.OnOneDisk(one, other);
  }
  Status CheckWritable(const std::string& folder) override { return files_.CheckWritable(folder); }
  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override {
    return files_.Lock(path);
  }
  Result<std::unique_ptr<FileLock>> LockWithin(const std::string& path,
                                               Duration patience) override {
    return files_.LockWithin(path, patience);
  }
  Status Overwrite(const std::string&, ByteSpan) override { return NotHere(); }
  Result<std::unique_ptr<FixedFile>> OpenFixed(const std::string&) override {
    return std::unexpected(NotHere().error());
  }
  Status WriteAttribute(const std::string&, std::string_view) override { return NotHere(); }
  Status Remove(const std::string&) override { return NotHere(); }
  Status Erase(const std::string&) override { return NotHere(); }
  Status Rename(const std::string&, const std::string&) override { return NotHere(); }
  Status CreateFolder(const std::string&) override { return NotHere(); }

 private:
  static Status NotHere() { return Fail(ErrorCode::kInternal, "nothing is changed while trying"); }

  FileSystem& files_;
  std::map<std::string, Bytes> written_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_TRY_OUT_H_
