#ifndef IDKIOSK_PLATFORM_API_ENTROPY_H_
#define IDKIOSK_PLATFORM_API_ENTROPY_H_

#include "platform/base/bytes.h"

namespace idkiosk {

// The kernel's random numbers, fit for keys. Any thread. Cannot fail: it waits until there are
// some.
class Entropy {
 public:
  virtual ~Entropy() = default;
  virtual void Fill(MutableByteSpan out) = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_API_ENTROPY_H_
