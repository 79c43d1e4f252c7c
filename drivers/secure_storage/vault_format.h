#ifndef IDKIOSK_DRIVERS_SECURE_STORAGE_VAULT_FORMAT_H_
#define IDKIOSK_DRIVERS_SECURE_STORAGE_VAULT_FORMAT_H_

#include <array>
#include <cstdint>

#include "drivers/secure_storage/vault_contents.h"
#include "platform/api/crypto.h"
#include "platform/api/entropy.h"
#include "platform/base/error.h"

// The bytes of FORMAT.md: the key file and the two slots.
namespace idkiosk {

inline constexpr size_t kKeyFileSize = 92;
inline constexpr size_t kMaxKeyFileSize = 4096;  // of any version
inline constexpr size_t kSlotOverhead = 165;     // what a slot has beyond its contents
inline constexpr size_t kMaxSlotSize = kSlotOverhead + VaultContents::kMaxSize;

using VaultId = std::array<uint8_t, 16>;

// The contents of the key file.
struct VaultKey {
  VaultId device;   // made at random with the vault; a new key keeps it
  SecretBytes key;  // Crypto::kKeySize bytes

  // The key of a new vault.
  [[nodiscard]] static VaultKey Fresh(Entropy& entropy);
  // Another key for the same vault.
  [[nodiscard]] VaultKey Successor(Entropy& entropy) const;
};

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

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_SECURE_STORAGE_VAULT_FORMAT_H_
