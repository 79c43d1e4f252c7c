#ifndef IDKIOSK_DRIVERS_SECURE_STORAGE_FILE_VAULT_H_
#define IDKIOSK_DRIVERS_SECURE_STORAGE_FILE_VAULT_H_

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "drivers/secure_storage/vault_format.h"
#include "platform/api/crypto.h"
#include "platform/api/entropy.h"
#include "platform/api/file_system.h"
#include "platform/api/secure_storage.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// Secure storage in files of one folder: a key file and two sealed copies (FORMAT.md). Nothing is
// kept in memory between calls, so several programs may use one vault: a writer holds a lock, and
// gets kUnavailable where another one holds it.
//
// Whatever it finds amiss beside a good copy (a damaged or lagging copy, a rotation that a power
// failure cut short), each call mends on its way, if the lock is free and the disk lets it. Where
// no copy is good, nothing is written or deleted but by Erase.
//
// Also kForbidden where the key file's mode or owner lets others use it.
class FileVault final : public SecureStorage, public VaultAdministration {
 public:
  // `files`, `entropy` and `crypto` must outlive this.
  FileVault(FileSystem& files, Entropy& entropy, const Crypto& crypto, std::string folder);

  [[nodiscard]] Result<SecretBytes> Get(std::string_view name) override;
  [[nodiscard]] Result<std::vector<std::optional<SecretBytes>>> GetTogether(
      std::span<const std::string_view> names) override;
  [[nodiscard]] Status Put(std::string_view name, const SecretBytes& value) override;
  [[nodiscard]] Status Remove(std::string_view name) override;
  [[nodiscard]] Result<Info> Describe() override;
  [[nodiscard]] Result<std::unique_ptr<SecureMark>> OpenMark() override;
  [[nodiscard]] Result<SecretBytes> DeriveKey(std::string_view label) override;

  // Also makes the folder.
  [[nodiscard]] Status Init() override;
  [[nodiscard]] Status Rotate() override;
  [[nodiscard]] Result<std::string> Erase() override;

 private:
  // One of the two copies, as it was found.
  struct Slot {
    Result<OpenSlot> open;
    bool under_next_key = false;
  };
  // The files of the folder. A file that is not there is kNotFound.
  struct State {
    Result<VaultKey> key;
    Result<VaultKey> next_key;  // there while a vault is made or its key is being replaced
    std::array<Slot, 2> slots;
    size_t newest = 0;  // of the slots that are open

    [[nodiscard]] const OpenSlot& current() const { return *slots[newest].open; }
    [[nodiscard]] const VaultKey& sealing_key() const { return next_key ? *next_key : *key; }
    // True if no vault was ever completed here.
    [[nodiscard]] bool IsEmpty() const;
    // Both copies are good, equal, and under the one key.
    [[nodiscard]] bool IsSettled() const;
    [[nodiscard]] bool IsSettled(const Slot& slot) const;
  };

  struct LockedState {
    std::unique_ptr<FileLock> lock;
    State state;
  };

  [[nodiscard]] std::string SlotPath(size_t index) const;
  [[nodiscard]] std::string MarkPath() const { return folder_ + "/vault.mark"; }
  [[nodiscard]] Result<std::unique_ptr<FileLock>> Lock() REQUIRES(mutex_);

  // Errors: what keeps the files from being judged (kForbidden, kUnavailable, kFailedPrecondition
  // for a newer format).
  [[nodiscard]] Result<State> Look();
  [[nodiscard]] Result<VaultKey> ReadKey(const std::string& path);
  [[nodiscard]] Slot ReadSlot(size_t index, const Result<VaultKey>& key,
                              const Result<VaultKey>& next_key);
  // A state with a good copy, or why there is none.
  [[nodiscard]] Result<State> Load();
  [[nodiscard]] Result<State> LoadAndMend() REQUIRES(mutex_);
  [[nodiscard]] Result<LockedState> LockAndLoad() REQUIRES(mutex_);
  [[nodiscard]] std::unexpected<Error> NoGoodCopy(const State& state) const;

  // Under the lock of the files:
  [[nodiscard]] Status WriteNextKey(State& state, VaultKey key) REQUIRES(mutex_);
  [[nodiscard]] Status WriteSlot(State& state, size_t index, uint64_t generation,
                                 const VaultContents& contents) REQUIRES(mutex_);
  [[nodiscard]] Status WriteFresh(State& state) REQUIRES(mutex_);
  [[nodiscard]] Status Settle(State& state) REQUIRES(mutex_);
  [[nodiscard]] Status Commit(State& state, const VaultContents& contents) REQUIRES(mutex_);
  [[nodiscard]] Result<bool> EraseIfThere(const std::string& path) REQUIRES(mutex_);

  Mutex mutex_;
  FileSystem& files_;
  Entropy& entropy_;
  const Crypto& crypto_;
  const std::string folder_;
  const std::string key_path_;
  const std::string next_key_path_;
  bool repaired_ GUARDED_BY(mutex_) = false;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_SECURE_STORAGE_FILE_VAULT_H_
