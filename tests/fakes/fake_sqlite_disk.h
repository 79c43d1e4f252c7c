#ifndef IDKIOSK_TESTS_FAKES_FAKE_SQLITE_DISK_H_
#define IDKIOSK_TESTS_FAKES_FAKE_SQLITE_DISK_H_

#include <sqlite3.h>

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/fakes/fake_power.h"
#include "tests/fakes/unsynced.h"

namespace idkiosk {

// A disk in memory for SQLite that forgets what was not synced when the power fails. For one
// transaction at a time.
//
// Its steps are writes, truncations, syncs and removals. A test counts the steps of a good run,
// then lets each of them fail in turn.
class FakeSqliteDisk {
 public:
  using Unsynced = idkiosk::Unsynced;

  // Registers itself with SQLite under `name()` for as long as it lives.
  explicit FakeSqliteDisk(uint64_t seed = 1);
  ~FakeSqliteDisk();
  FakeSqliteDisk(const FakeSqliteDisk&) = delete;
  FakeSqliteDisk& operator=(const FakeSqliteDisk&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }

  // Steps taken since it was made.
  [[nodiscard]] size_t steps() const { return steps_; }
  // How many of them were syncs.
  [[nodiscard]] size_t syncs() const { return syncs_; }
  // The step `count` from now (1: the next) fails alone, as a bad sector does.
  void FailStep(size_t count) { fails_at_ = steps_ + count; }
  void FailNoStep() { fails_at_ = 0; }
  // The power fails in the middle of the step `count` from now. Everything fails until Restart.
  void FailPowerAtStep(size_t count) { power_fails_at_ = steps_ + count; }
  [[nodiscard]] bool power_failed() const {
    return power_failed_ || (power_ != nullptr && power_->failed());
  }
  // Takes its steps from a supply that others hang on too; must outlive this.
  void ShareSupply(std::shared_ptr<FakePower> power) { power_ = std::move(power); }
  // The power is back; nothing is planned to fail. No connection may be open. `sectors`: for kCut.
  void Restart(Unsynced fate, size_t sectors = 0);
  // How many sectors the write has that the power cut short; 0: it cut none.
  [[nodiscard]] size_t cut_sectors() const;
  // What arrives of the unsynced follows from it.
  void SeedFate(uint64_t seed) { random_.seed(seed); }
  // From now on syncs say that they are done, and keep nothing.
  void LieAboutSyncs() { lies_ = true; }

  // All files together; what would need more is refused as a full disk.
  void set_capacity(size_t bytes) { capacity_ = bytes; }
  [[nodiscard]] size_t used() const;

  // The content of a file, for a test to look at and to damage. Nothing if there is none.
  [[nodiscard]] std::optional<std::string> Content(const std::string& path) const;
  void Replace(const std::string& path, std::string content);
  // No connection may be open to it.
  void Rename(const std::string& from, const std::string& to);
  [[nodiscard]] std::vector<std::string> paths() const;

 private:
  struct Write {
    size_t offset = 0;
    std::string bytes;
    bool truncates = false;  // to `offset`
  };
  struct File {
    std::string now;
    std::string disk;
    bool on_disk = false;  // its name was synced
    std::vector<Write> unsynced;
    std::vector<std::unique_ptr<char[]>> shared;
    int mapped = 0;  // connections that use it
    int connections = 0;
  };
  struct Handle;
  struct Calls;

  // False if this step must fail.
  bool TakeStep();
  int WriteTo(File& file, size_t offset, std::string bytes);
  int TruncateTo(File& file, size_t size);
  int Sync(File& file);
  int Delete(const std::string& path, bool sync);
  // The names of files that were made or removed.
  void RestoreNames(Unsynced fate);
  void Tear(File& file);

  static const sqlite3_io_methods kMethods;

  std::string name_;
  sqlite3_vfs vfs_{};
  std::mt19937_64 random_;
  std::map<std::string, File> files_;
  std::map<std::string, File> removed_;  // whose removal was not synced
  File* cut_file_ = nullptr;             // whose last unsynced write the power cut short
  bool lies_ = false;
  size_t capacity_ = std::numeric_limits<size_t>::max();
  size_t steps_ = 0;
  size_t syncs_ = 0;
  size_t fails_at_ = 0;        // 0: never
  size_t power_fails_at_ = 0;  // 0: never
  bool power_failed_ = false;
  std::shared_ptr<FakePower> power_;  // nothing: none but its own
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_FAKE_SQLITE_DISK_H_
