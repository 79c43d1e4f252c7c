#ifndef IDKIOSK_APP_QUEUE_PAYLOAD_SEAL_H_
#define IDKIOSK_APP_QUEUE_PAYLOAD_SEAL_H_

#include <string_view>
#include <vector>

#include "platform/api/crypto.h"
#include "platform/api/entropy.h"

namespace idkiosk {

// What a call keeps sealed. The numbers are part of the stored format.
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

// Seals the fields of one call. The format is described in the source.
class PayloadSeal {
 public:
  // Plain bytes of a chunk, but for the last one of a field.
  static constexpr size_t kChunkSize = 64 * 1024;
  static constexpr size_t kMaxChunks = 256;

  // `crypto` and `entropy` must outlive this. `epoch_key` wraps the keys of calls.
  PayloadSeal(const Crypto& crypto, Entropy& entropy, SecretBytes epoch_key, uint32_t epoch);

  [[nodiscard]] uint32_t epoch() const { return epoch_; }

  // A fresh key for one call.
  [[nodiscard]] SecretBytes MakeKey();
  [[nodiscard]] Bytes Wrap(std::string_view reference, const SecretBytes& key);
  // Errors: kCorrupt.
  [[nodiscard]] Result<SecretBytes> Unwrap(std::string_view reference, ByteSpan wrapped) const;

  // At least one chunk, at most kMaxChunks. Errors: kExhausted (larger than that).
  [[nodiscard]] Result<std::vector<Bytes>> Seal(std::string_view reference, const SecretBytes& key,
                                                SealedField field, ByteSpan plain);
  // Errors: kCorrupt for any chunk that is changed, missing, doubled, or of another place.
  [[nodiscard]] Result<SecretBytes> Open(std::string_view reference, const SecretBytes& key,
                                         SealedField field, const std::vector<Bytes>& chunks) const;

 private:
  [[nodiscard]] Bytes SealOnce(const SecretBytes& key, ByteSpan associated, ByteSpan plain);
  [[nodiscard]] Result<SecretBytes> OpenOnce(const SecretBytes& key, ByteSpan associated,
                                             ByteSpan sealed) const;

  const Crypto& crypto_;
  Entropy& entropy_;
  const SecretBytes epoch_key_;
  const uint32_t epoch_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_PAYLOAD_SEAL_H_
