#ifndef IDKIOSK_PLATFORM_BASE_DIGEST_H_
#define IDKIOSK_PLATFORM_BASE_DIGEST_H_

#include <cstdint>
#include <cstring>

#include "platform/base/bytes.h"

namespace idkiosk {

// Returns a number that tells pictures apart. Not for security: whoever wants two texts of one
// digest finds them. A tenth of a millisecond for a megabyte.
[[nodiscard]] inline uint64_t DigestOf(ByteSpan bytes) {
  constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15;
  uint64_t digest = bytes.size();
  size_t at = 0;
  for (; at + sizeof(uint64_t) <= bytes.size(); at += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + at, sizeof(word));
    digest = (digest ^ word) * kMultiplier;
    digest ^= digest >> 29;
  }
  for (; at < bytes.size(); ++at) digest = (digest ^ bytes[at]) * kMultiplier;
  return digest;
}

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_DIGEST_H_
