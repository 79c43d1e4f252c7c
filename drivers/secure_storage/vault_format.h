#ifndef IDKIOSK_DRIVERS_SECURE_STORAGE_VAULT_FORMAT_H_
#define IDKIOSK_DRIVERS_SECURE_STORAGE_VAULT_FORMAT_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "drivers/secure_storage/tpm.h"
#include "drivers/secure_storage/vault_contents.h"
#include "platform/api/crypto.h"
#include "platform/api/entropy.h"
#include "platform/api/secure_storage.h"
#include "platform/base/error.h"

// The bytes of FORMAT.md: the key file and the two slots.
namespace idkiosk {

inline constexpr size_t kKeyFileSize = 92;
inline constexpr size_t kMaxKeyFileSize = 4096;  // of any version
inline constexpr size_t kSlotOverhead = 165;     // what a slot has beyond its contents
inline constexpr size_t kMaxSlotSize = kSlotOverhead + VaultContents::kMaxSize;

using VaultId = std::array<uint8_t, 16>;

// How a TPM's counter counts the vault's generations.
struct VaultCounter {
  SecretBytes auth;    // Crypto::kKeySize bytes
  uint64_t ahead = 0;  // its value is a generation and this, modulo 2^64
  uint32_t index = 0;  // of the TPM's memory
  uint32_t pcrs = 0;   // of the TPM's registers, those that the key is bound to
};

// A root key, and what it is used with.
struct VaultKey {
  VaultId device;                       // made at random with the vault; a new key keeps it
  SecretBytes key;                      // Crypto::kKeySize bytes
  std::optional<VaultCounter> counter;  // of a key that is kept in a TPM

  // The key of a new vault.
  [[nodiscard]] static VaultKey Fresh(Entropy& entropy);
  // Another key for the same vault, without a counter.
  [[nodiscard]] VaultKey Successor(Entropy& entropy) const;
  [[nodiscard]] VaultKey Clone() const;
};

// The contents of a key file whose key is in a TPM.
struct SealedKeyFile {
  VaultId device;
  uint32_t counter_index = 0;
  SecretBytes auth;  // Crypto::kKeySize bytes
  Tpm::Sealed sealed;
};

// The place that a key file says its key is in. Errors: those of DecodeKeyFile.
[[nodiscard]] Result<RootKeyPlace> PlaceOfKey(const Crypto& crypto, const SecretBytes& bytes);

[[nodiscard]] SecretBytes EncodeSealedKeyFile(const Crypto& crypto, const SealedKeyFile& file);
// Errors: those of DecodeKeyFile.
[[nodiscard]] Result<SealedKeyFile> DecodeSealedKeyFile(const Crypto& crypto,
                                                        const SecretBytes& bytes);

// What is sealed in the TPM of a key that has a counter.
[[nodiscard]] SecretBytes EncodeSealedKey(const VaultKey& key);
// Puts it into `file`'s key. Errors: kCorrupt.
[[nodiscard]] Result<VaultKey> DecodeSealedKey(const SealedKeyFile& file, const SecretBytes& bytes);

[[nodiscard]] SecretBytes EncodeKeyFile(const Crypto& crypto, const VaultKey& key);

// Errors: kCorrupt; kFailedPrecondition (written by a newer program). Each message goes on from the
// file's name: "is damaged".
[[nodiscard]] Result<VaultKey> DecodeKeyFile(const Crypto& crypto, const SecretBytes& bytes);

// `slot` is the letter that ends the file's name: 'a' or 'b'.
[[nodiscard]] Bytes SealSlot(const Crypto& crypto, Entropy& entropy, const VaultKey& key, char slot,
                             uint64_t generation, const VaultContents& contents);

struct OpenSlot {
  uint64_t generation;
  VaultContents contents;
};

// Errors: kCorrupt (damaged, or not this slot's); kUnauthenticated (whole, but of another device or
// sealed with another key); kFailedPrecondition (written by a newer program). Each message goes on
// from the file's name.
[[nodiscard]] Result<OpenSlot> DecodeSlot(const Crypto& crypto, const VaultKey& key, char slot,
                                          ByteSpan bytes);

// Puts the file's path before what one of these functions says of it.
[[nodiscard]] std::unexpected<Error> FailAbout(const std::string& path, const Error& error);

// Returns the error of reading the file at `path`: kCorrupt instead of kExhausted, since a file
// that is larger than any of ours is a damaged one.
[[nodiscard]] Error AsVerdict(const Error& error, const std::string& path);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_SECURE_STORAGE_VAULT_FORMAT_H_
