#ifndef IDKIOSK_DRIVERS_SECURE_STORAGE_FILE_VAULT_H_
#define IDKIOSK_DRIVERS_SECURE_STORAGE_FILE_VAULT_H_

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "drivers/secure_storage/vault_format.h"
#include "drivers/secure_storage/vault_keys.h"
#include "platform/api/crypto.h"
#include "platform/api/entropy.h"
#include "platform/api/file_system.h"
#include "platform/api/secure_storage.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// Secure storage in files of one folder: a key file, or one that a TPM opens, and two sealed copies
// (FORMAT.md). Nothing of the files is kept in memory between calls, so several programs may use
// one vault: a writer holds a lock, and gets kUnavailable where another one holds it.
//
// Whatever it finds amiss beside a good copy (a damaged or lagging copy, a rotation that a power
// failure cut short), each call mends on its way, if the lock is free and the disk lets it; what is
// no file in a copy's place is kept under another name. A copy that cannot be written keeps no call
// from reading, and every call from changing anything: both copies hold what was acknowledged.
// Where no copy is good, nothing is written or deleted but by Erase.
//
// Also kForbidden where the key file's mode or owner lets others use it.
class FileVault final : public SecureStorage, public VaultAdministration {
 public:
  // `files`, `entropy` and `crypto` must outlive this.
  FileVault(FileSystem& files, Entropy& entropy, const Crypto& crypto, std::string folder,
            const TpmOptions& tpm = {});

  [[nodiscard]] Result<SecretBytes> Get(std::string_view name) override;
  [[nodiscard]] Result<std::vector<std::optional<SecretBytes>>> GetTogether(
      std::span<const std::string_view> names) override;
  [[nodiscard]] Status Put(std::string_view name, const SecretBytes& value) override;
  [[nodiscard]] Status Remove(std::string_view name) override;
  [[nodiscard]] Result<Info> Describe() override;
  [[nodiscard]] RootKey DescribeRootKey() override;
  [[nodiscard]] Result<std::unique_ptr<SecureMark>> OpenMark() override;
  [[nodiscard]] Result<SecretBytes> DeriveKey(std::string_view label) override;

  // Also makes the folder.
  [[nodiscard]] Status Init() override;
  [[nodiscard]] Status Rotate() override;
  [[nodiscard]] Status Protect(RootKeyPlace place) override;
  [[nodiscard]] Status AcceptRollback() override;
  [[nodiscard]] Result<std::string> Erase() override;

 private:
  // One of the two copies, as it was found.
  struct Slot {
    Result<OpenSlot> open;
    bool under_next_key = false;
    bool is_no_file = false;  // but a folder, a pipe, a link to itself
  };
  // The files of the folder. A file that is not there is kNotFound.
  struct State {
    Result<VaultKey> key;
    Result<VaultKey> next_key;  // there while a vault is made or its key is being replaced
    std::array<Slot, 2> slots;
    size_t newest = 0;                // of the slots that are open
    std::optional<TpmError> trouble;  // with one of the keys
    bool is_uncounted = false;        // the TPM has not counted the newest generation

    [[nodiscard]] const OpenSlot& current() const { return *slots[newest].open; }
    [[nodiscard]] const VaultKey& sealing_key() const { return next_key ? *next_key : *key; }
    // True if no vault was ever completed here.
    [[nodiscard]] bool IsEmpty() const;
    // Both copies are good, equal, under the one key, and counted.
    [[nodiscard]] bool IsSettled() const;
    [[nodiscard]] bool IsSettled(const Slot& slot) const;
  };

  struct LockedState {
    std::unique_ptr<FileLock> lock;
    State state;
  };

  [[nodiscard]] std::string SlotPath(size_t index) const;
  [[nodiscard]] std::string MarkPath() const { return folder_ + "/vault.mark"; }
  // `patience`: how long it waits for another program that writes.
  [[nodiscard]] Result<std::unique_ptr<FileLock>> Lock(Duration patience = {}) REQUIRES(mutex_);

  // Errors: what keeps the files from being judged (kForbidden, kUnavailable, kFailedPrecondition
  // for a newer format).
  [[nodiscard]] Result<State> Look() REQUIRES(mutex_);
  [[nodiscard]] Slot ReadSlot(size_t index, const Result<VaultKey>& key,
                              const Result<VaultKey>& next_key);
  // The TPM is asked for its count, even if it told it before, when a write is to follow.
  enum class Asking { kWhereItMayDiffer, kAlways };
  // A state with a good copy, or why there is none.
  [[nodiscard]] Result<State> Load(Asking asking) REQUIRES(mutex_);
  // Whether it is the newest that the TPM has counted. Errors: TpmError's.
  [[nodiscard]] Status CheckCount(State& state, Asking asking) REQUIRES(mutex_);
  [[nodiscard]] Result<State> LoadAndMend() REQUIRES(mutex_);
  [[nodiscard]] Result<LockedState> LockAndLoad(Duration patience = {}) REQUIRES(mutex_);
  [[nodiscard]] std::unexpected<Error> NoGoodCopy(const State& state) const;

  // Under the lock of the files:
  [[nodiscard]] Status WriteNextKey(State& state, VaultKey key) REQUIRES(mutex_);
  [[nodiscard]] Status WriteSlot(State& state, size_t index, uint64_t generation,
                                 const VaultContents& contents) REQUIRES(mutex_);
  // Keeps what is no file of the vault under another name. Errors: FileSystem's, with the mend.
  [[nodiscard]] Status SetAside(const std::string& path) REQUIRES(mutex_);
  // After a Commit whose second copy cannot be brought along. Errors: `why`, if an older copy is
  // left that opens, and the newer one has been given its contents.
  [[nodiscard]] Status TakeBack(State& state, const Error& why) REQUIRES(mutex_);
  // In the log, once for each cause.
  void WarnOfOneCopy(const Error& error) REQUIRES(mutex_);
  [[nodiscard]] Status WriteFresh(State& state) REQUIRES(mutex_);
  [[nodiscard]] Status Settle(State& state) REQUIRES(mutex_);
  [[nodiscard]] Status Commit(State& state, const VaultContents& contents) REQUIRES(mutex_);
  [[nodiscard]] Status StepCount(State& state) REQUIRES(mutex_);
  [[nodiscard]] Status ReplaceKey(State& state, RootKeyPlace place) REQUIRES(mutex_);
  [[nodiscard]] Status PutMarkSession(uint64_t number);
  [[nodiscard]] Result<bool> EraseIfThere(const std::string& path) REQUIRES(mutex_);

  Mutex mutex_;
  FileSystem& files_;
  Entropy& entropy_;
  const Crypto& crypto_;
  const std::string folder_;
  const std::string key_path_;
  const std::string next_key_path_;
  VaultKeys keys_ GUARDED_BY(mutex_);
  // The newest that Load met; nothing: none.
  std::optional<TpmError> trouble_ GUARDED_BY(mutex_);
  bool repaired_ GUARDED_BY(mutex_) = false;
  std::string warned_of_ GUARDED_BY(mutex_);
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_SECURE_STORAGE_FILE_VAULT_H_
