#ifndef IDKIOSK_TESTS_FAKES_FAKE_FILE_SYSTEM_H_
#define IDKIOSK_TESTS_FAKES_FAKE_FILE_SYSTEM_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "platform/api/file_system.h"
#include "tests/fakes/fake_power.h"
#include "tests/fakes/unsynced.h"

namespace idkiosk {

// A disk in memory that forgets what was not synced when the power fails. One thread.
//
// Every operation is made of the steps that PosixFileSystem makes of it: WriteDurably of "write
// beside", "sync", "rename", "sync the folder"; Overwrite of "overwrite", "sync"; Erase of
// "overwrite", "sync", "unlink", "sync the folder"; Remove and Rename of the change and its sync;
// the others, and Write and Sync of a FixedFile, are one step. A test counts the steps of a good
// run, then lets each of them fail in turn.
class FakeFileSystem final : public FileSystem {
 public:
  using Unsynced = idkiosk::Unsynced;

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
  [[nodiscard]] Result<bool> OnOneDisk(const std::string& /*one*/,
                                       const std::string& /*other*/) override {
    return true;
  }
  [[nodiscard]] Status CheckWritable(const std::string& folder) override;
  [[nodiscard]] Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override;
  [[nodiscard]] Result<std::unique_ptr<FileLock>> LockWithin(const std::string& path,
                                                             Duration /*patience*/) override {
    return Lock(path);
  }

  // Steps taken since it was made.
  [[nodiscard]] size_t steps() const { return steps_; }
  // How many of them waited for the disk.
  [[nodiscard]] size_t syncs() const { return syncs_; }
  // The step `count` from now (1: the next) fails alone, with that code.
  void FailStep(size_t count, ErrorCode code);
  // No step that was to fail does.
  void FailNoStep() { failing_steps_.clear(); }
  // ReadPart of the 4 KiB in which this byte lies fails from now on, as on a bad sector: the kernel
  // reads no less.
  void FailReadsOf(const std::string& path, uint64_t byte) { unreadable_[path] = byte; }
  void FailNoRead() { unreadable_.clear(); }
  // The power fails instead of the step `count` from now. Everything fails until Restart.
  void FailPowerAtStep(size_t count) { power_fails_at_ = steps_ + count; }
  [[nodiscard]] bool power_failed() const {
    return power_failed_ || (power_ != nullptr && power_->failed());
  }
  // Takes the steps that change something from a supply that others hang on too; must outlive this.
  void ShareSupply(std::shared_ptr<FakePower> power) { power_ = std::move(power); }
  // Somebody else does `what` just before the step `count` from now. Its own steps are counted too.
  void CallBeforeStep(size_t count, std::function<void()> what);
  // The power is back; what was planned to fail is forgotten, and nobody holds a lock. `sectors`:
  // for kCut.
  void Restart(Unsynced fate, size_t sectors = 0);
  // How many sectors the write has that the power cut short; 0: it cut none.
  [[nodiscard]] size_t cut_sectors() const;
  // What arrives of the unsynced follows from it.
  void SeedFate(uint64_t seed) { random_.seed(static_cast<uint32_t>(seed * 2 + 1)); }
  // Syncs of these files and folders say that they are done from now on, and keep nothing.
  void LieAbout(std::function<bool(const std::string& path)> about) { lies_ = std::move(about); }

  // Files of another disk that have their names here, such as a database's: they are found, and
  // renamed with what lies here under that name.
  struct Elsewhere {
    std::function<bool(const std::string& path)> has;
    std::function<void(const std::string& from, const std::string& to)> rename;
  };
  void ShowElsewhere(Elsewhere elsewhere) { elsewhere_ = std::move(elsewhere); }

  // All files together; a write that needs more fails with kExhausted.
  void set_capacity(uint64_t bytes) { capacity_ = bytes; }

  // Nothing is renamed to this path any more, as if its file could not be changed; nothing: it is.
  void RefuseToReplace(const std::string& path, std::optional<ErrorCode> code);

  // The test's own hand, which takes no steps and leaves everything synced.
  void Put(const std::string& path, ByteSpan bytes, FileAccess access = FileAccess::kOwnerOnly);
  void Delete(const std::string& path);
  // Empty if it is not there.
  [[nodiscard]] Bytes Content(const std::string& path) const;
  [[nodiscard]] std::vector<std::string> paths() const;

 private:
  struct File {
    Bytes content;
    FileAccess access = FileAccess::kOwnerOnly;
    bool synced = false;
    std::map<uint64_t, Bytes> pending;  // sectors written in place and not synced, as they were
    uint64_t id = 0;                    // the same whatever name it has
  };
  // A write that the power cut short.
  struct CutWrite {
    enum class Kind : uint8_t { kBeside, kOver, kInPlace };
    Kind kind = Kind::kInPlace;
    std::string path;
    uint64_t offset = 0;
    Bytes bytes;
    FileAccess access = FileAccess::kOwnerOnly;
  };
  class Fixed;
  using Files = std::map<std::string, File>;

  Status Step(std::string_view what, const std::string& path);
  // The step of a write; the power may cut it short.
  Status WriteStep(std::string_view what, CutWrite::Kind kind, const std::string& path,
                   ByteSpan bytes, uint64_t offset = 0, FileAccess access = FileAccess::kOwnerOnly);
  // Whether a sync is done and keeps nothing.
  [[nodiscard]] bool Lies(const std::string& path) const { return lies_ && lies_(path); }
  bool Chance() { return random_() / 8 % 2 == 0; }
  void PutInPlace(File& file, uint64_t offset, ByteSpan bytes);
  void FinishCutWrite(Unsynced fate, size_t sectors);
  // The files that are there where each name and each sector arrived or did not.
  Files Reorder();
  File Reordered(const File& file, const File* durable);
  // The files where no name arrived.
  [[nodiscard]] Files UnderOldNames() const;
  Status SyncFolder(const std::string& folder);
  Status WriteBeside(const std::string& path, ByteSpan bytes, FileAccess access);
  Status WriteInPlace(const std::string& path, uint64_t offset, ByteSpan bytes);
  Status SyncInPlace(const std::string& path);
  // The file as it is on the disk at least.
  static File Durable(const File& file);
  Result<const File*> Find(const std::string& path, size_t max_size) const;
  uint64_t used() const;

  Files now_;   // what programs see
  Files disk_;  // what is there after a power failure, at least
  std::set<std::string> folders_{"/", "."};
  std::shared_ptr<std::set<std::string>> locks_ = std::make_shared<std::set<std::string>>();
  uint64_t capacity_ = std::numeric_limits<uint64_t>::max();
  size_t steps_ = 0;
  size_t syncs_ = 0;
  size_t power_fails_at_ = 0;  // 0: never
  bool power_failed_ = false;
  std::shared_ptr<FakePower> power_;  // nothing: none but its own
  std::optional<CutWrite> cut_;
  std::map<std::string, std::string> renamed_;  // to what, since the folder was synced
  std::function<bool(const std::string&)> lies_;
  Elsewhere elsewhere_;
  uint64_t ids_ = 0;
  std::minstd_rand random_;
  std::map<size_t, ErrorCode> failing_steps_;
  std::map<std::string, uint64_t> unreadable_;  // a byte of each
  std::map<std::string, ErrorCode> unchangeable_;
  std::map<size_t, std::function<void()>> calls_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_FAKE_FILE_SYSTEM_H_
