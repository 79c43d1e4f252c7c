#ifndef IDKIOSK_DRIVERS_SECURE_STORAGE_VAULT_KEYS_H_
#define IDKIOSK_DRIVERS_SECURE_STORAGE_VAULT_KEYS_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "drivers/secure_storage/tpm.h"
#include "drivers/secure_storage/vault_format.h"
#include "platform/api/crypto.h"
#include "platform/api/entropy.h"
#include "platform/api/file_system.h"

namespace idkiosk {

struct TpmOptions {
  std::string device = "/dev/tpmrm0";
  uint32_t pcrs = 1U << 7;  // that new keys are bound to
};

// The key files of a vault, in either place, and the TPM's counter of its generations. What the TPM
// has unsealed, and the count it told last, are kept as long as this lives: reading a vault that
// nobody else changes asks the TPM once. One thread.
class VaultKeys {
 public:
  // All must outlive this.
  VaultKeys(FileSystem& files, Entropy& entropy, const Crypto& crypto, const TpmOptions& tpm);

  struct Found {
    Result<VaultKey> key;
    std::optional<TpmError> trouble;  // for which the key, which is in a TPM, did not come
  };
  // Errors: FileSystem's, those of DecodeKeyFile, and with `trouble` its own.
  [[nodiscard]] Found Read(const std::string& path);

  // Another key for the same vault, in this place, for slots of this generation. Errors:
  // TpmError's.
  [[nodiscard]] Result<VaultKey> Make(const VaultKey& before, RootKeyPlace place,
                                      uint64_t generation);
  // The bytes of its key file. Errors: TpmError's.
  [[nodiscard]] Result<SecretBytes> Encode(const VaultKey& key);

  enum class Count { kCounted, kOneAhead };
  // Whether this is the newest generation, or one that was written and not counted. Asks the TPM
  // only where the generation is not the one that it told last.
  [[nodiscard]] TpmResult<Count> Check(const VaultKey& key, uint64_t generation);
  // The same, by asking the TPM.
  [[nodiscard]] TpmResult<Count> CheckNow(const VaultKey& key, uint64_t generation);
  // Counts this generation, of which the TPM knows the one before.
  [[nodiscard]] TpmResult<void> Step(const VaultKey& key, uint64_t generation);
  // Another key, by which the counter's present value stands for this generation. Errors:
  // TpmError's.
  [[nodiscard]] Result<VaultKey> Accepting(const VaultKey& key, uint64_t generation);

  // What a key file says without its key: its place, and the index of its counter. Nothing if it is
  // missing or damaged.
  struct Label {
    RootKeyPlace place = RootKeyPlace::kFile;
    uint32_t counter_index = 0;
  };
  [[nodiscard]] std::optional<Label> LabelOf(const std::string& path);
  // Errors: TpmError's.
  [[nodiscard]] Status RemoveCounter(uint32_t index);

 private:
  [[nodiscard]] TpmResult<VaultKey> Unseal(const Crypto::Digest& digest, const SealedKeyFile& file);

  FileSystem& files_;
  Entropy& entropy_;
  const Crypto& crypto_;
  const TpmOptions options_;
  Tpm tpm_;
  std::vector<std::pair<Crypto::Digest, VaultKey>> unsealed_;  // by the digest of the file
  std::optional<std::pair<Crypto::Digest, TpmError>> refused_;
  std::map<uint32_t, uint64_t> counted_;  // by the counter's index
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_SECURE_STORAGE_VAULT_KEYS_H_
