#ifndef IDKIOSK_PLATFORM_POSIX_SYSTEM_ENTROPY_H_
#define IDKIOSK_PLATFORM_POSIX_SYSTEM_ENTROPY_H_

#include "platform/api/entropy.h"

namespace idkiosk {

// getrandom(2).
class SystemEntropy final : public Entropy {
 public:
  void Fill(MutableByteSpan out) override;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_POSIX_SYSTEM_ENTROPY_H_
