#ifndef IDKIOSK_APP_QUEUE_STORAGE_PAYLOAD_SEAL_H_
#define IDKIOSK_APP_QUEUE_STORAGE_PAYLOAD_SEAL_H_

#include <array>
#include <string_view>
#include <vector>

#include "app/queue/storage/epoch_keys.h"
#include "platform/api/crypto.h"

namespace idkiosk {

// The sealed parts of a call. The numbers are part of the stored format.
enum class SealedField : uint8_t {
  kQuestion = 0,
  kSelfie = 1,
  kLiveness1 = 2,
  kLiveness2 = 3,
  kLiveness3 = 4,
  kLiveness4 = 5,
  kAnswer = 6,
};
inline constexpr uint8_t kSealedFieldCount = 7;
// In the order of FacePictures.
inline constexpr std::array kPictureFields = {SealedField::kSelfie, SealedField::kLiveness1,
                                              SealedField::kLiveness2, SealedField::kLiveness3,
                                              SealedField::kLiveness4};

// The key of one call, and the epoch whose key wraps it.
struct CallKey {
  SecretBytes key;
  uint32_t epoch = EpochKeys::kDerived;
};

using SealedAnswer = std::vector<Bytes>;  // its chunks; empty: there is none

// Seals the fields of one call. The format is described in the source.
class PayloadSeal {
 public:
  // Plain bytes of a chunk, but for the last one of a field.
  static constexpr size_t kChunkSize = 64 * 1024;
  static constexpr size_t kMaxChunks = 256;

  // All must outlive this.
  PayloadSeal(const Crypto& crypto, Entropy& entropy, const EpochKeys& epochs)
      : crypto_(crypto), entropy_(entropy), epochs_(epochs) {}

  // A fresh key for one call, of the newest epoch.
  [[nodiscard]] CallKey MakeKey();
  [[nodiscard]] Bytes Wrap(std::string_view reference, const CallKey& key);
  // The epoch whose key opens it, as it says without proof.
  [[nodiscard]] static uint32_t EpochOf(ByteSpan wrapped);
  // Errors: kCorrupt; kUnauthenticated (the key of its epoch is gone).
  [[nodiscard]] Result<CallKey> Unwrap(std::string_view reference, ByteSpan wrapped) const;

  // At least one chunk, at most kMaxChunks. Errors: kExhausted (larger than that).
  [[nodiscard]] Result<std::vector<Bytes>> Seal(std::string_view reference, const CallKey& key,
                                                SealedField field, ByteSpan plain);
  // Errors: kCorrupt for any chunk that is changed, missing, doubled, or of another place.
  [[nodiscard]] Result<SecretBytes> Open(std::string_view reference, const CallKey& key,
                                         SealedField field, const std::vector<Bytes>& chunks) const;

 private:
  [[nodiscard]] Bytes SealOnce(const SecretBytes& key, ByteSpan associated, ByteSpan plain);
  [[nodiscard]] Result<SecretBytes> OpenOnce(const SecretBytes& key, ByteSpan associated,
                                             ByteSpan sealed) const;

  const Crypto& crypto_;
  Entropy& entropy_;
  const EpochKeys& epochs_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_PAYLOAD_SEAL_H_
