#ifndef IDKIOSK_PLATFORM_API_SECURE_STORAGE_H_
#define IDKIOSK_PLATFORM_API_SECURE_STORAGE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/bytes.h"
#include "platform/base/error.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// A small value that changes often, by which an older copy of other files can be told from the
// newest one. One thread.
class SecureMark {
 public:
  static constexpr size_t kLargest = 64;  // bytes

  virtual ~SecureMark() = default;

  // What was set last. Empty: nothing ever was, or what keeps it is missing or damaged.
  [[nodiscard]] virtual const Bytes& value() const = 0;
  // Whether it is empty though the vault knows of one: that is missing, damaged, or of before the
  // last Renew.
  [[nodiscard]] virtual bool is_lost() const = 0;

  // Whether its file is still the one that was opened. Errors: kUnavailable (removed or replaced:
  // what is set reaches nobody), FileSystem's.
  [[nodiscard]] virtual Status CheckInPlace() = 0;

  // Once this returns the next program finds it, however this one ends. After a power cut it may be
  // what it was at the last Sync, or anything that was set since. Errors: FileSystem's.
  [[nodiscard]] virtual Status Set(ByteSpan value) = 0;

  // Once this returns what was set survives a power cut. It costs about as much as writing and
  // syncing one page. Errors: FileSystem's.
  [[nodiscard]] virtual Status Sync() = 0;

  // Once this returns, the mark as it was before is worth nothing: put back, it reads as empty, and
  // put back with the whole vault it is the vault's rollback, which a TPM tells. Costs a write of
  // the vault. Errors: SecureStorage's.
  [[nodiscard]] virtual Status Renew() = 0;
};

// The places of a root key.
enum class RootKeyPlace {
  kFile,  // beside the vault
  kTpm,   // sealed in the board's TPM, which also counts the writes
};

// A handful of named secrets that survive a power cut, and the keys derived from the same root.
// Any thread; functions take turns.
//
// Errors of every function: kFailedPrecondition (not initialised, or written by a newer program;
// the message names the mend), kUnauthenticated (its key is gone, or another one; or an older copy
// was put back), kCorrupt (damaged beyond its spare copy), kExhausted (disk full: the old content
// stays), kForbidden (also: the TPM refuses its key), kUnavailable (somebody else writes it just
// now, or the TPM is not there or locked).
class SecureStorage {
 public:
  struct Info {
    std::string
        protection;  // one sentence on what guards the root key, and against what it does not
    uint64_t generation = 0;  // counts the writes
    std::vector<std::string> names;
    bool repaired = false;  // one of the copies was damaged and has been written anew
  };

  // Something that may happen to a kiosk, and whether its secrets stay safe.
  struct Threat {
    std::string_view what;
    bool is_met = false;
    std::string_view why;
  };
  // What guards the root key.
  struct RootKey {
    std::string place;  // "file" or "tpm"; empty: there is no vault
    std::string state;  // "good", or what is wrong in two words: "absent", "locked out" ...
    std::string text;   // that in a sentence
    std::string mend;   // what to do about it; empty where it is good
    std::vector<Threat> threats;
  };

  virtual ~SecureStorage() = default;

  // Also kNotFound, naming the secret and the command that sets it.
  [[nodiscard]] virtual Result<SecretBytes> Get(std::string_view name) = 0;

  // The values of these names as they stood together at one moment; nothing for one that is not
  // there.
  [[nodiscard]] virtual Result<std::vector<std::optional<SecretBytes>>> GetTogether(
      std::span<const std::string_view> names) = 0;

  // Acknowledged only after it was synced and read back. Also kInvalid for a name or a length that
  // cannot be stored; names of 1 to 64 of a-z, 0-9, '.', '_' and '-' always can.
  [[nodiscard]] virtual Status Put(std::string_view name, const SecretBytes& value) = 0;

  // Also kNotFound.
  [[nodiscard]] virtual Status Remove(std::string_view name) = 0;

  [[nodiscard]] virtual Result<Info> Describe() = 0;

  // The same of the root key alone, whether or not the vault opens.
  [[nodiscard]] virtual RootKey DescribeRootKey() = 0;

  // The mark, of which there is one. One program at a time may set it. Must not outlive this.
  [[nodiscard]] virtual Result<std::unique_ptr<SecureMark>> OpenMark() = 0;

  // 32 bytes that depend on the root key and `label` alone, the same at every start.
  [[nodiscard]] virtual Result<SecretBytes> DeriveKey(std::string_view label) = 0;
};

// Administration of a whole vault. Errors as above.
class VaultAdministration {
 public:
  virtual ~VaultAdministration() = default;

  // Makes an empty vault. kFailedPrecondition where there is one, or what is left of one.
  [[nodiscard]] virtual Status Init() = 0;

  // Puts another root key in force. The secrets and the derived keys stay, so that what was sealed
  // with them stays readable. Cut short by a power failure, it is finished at the vault's next use.
  [[nodiscard]] virtual Status Rotate() = 0;

  // The same, with the new key in this place. Either the old key or the new one opens the vault,
  // whenever this is cut short.
  [[nodiscard]] virtual Status Protect(RootKeyPlace place) = 0;

  // Takes an older copy of the vault, which the TPM has told, for the newest: a person has looked,
  // and the newer one is lost. The mark is empty then. kFailedPrecondition where it is none.
  [[nodiscard]] virtual Status AcceptRollback() = 0;

  // Destroys the root key, then the rest: the secrets, and all that was sealed with derived keys,
  // are lost. Works on a damaged vault too. Returns what was done and what cannot be promised, for
  // a person to read.
  [[nodiscard]] virtual Result<std::string> Erase() = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_API_SECURE_STORAGE_H_
