#ifndef IDKIOSK_PLATFORM_API_LIGHT_H_
#define IDKIOSK_PLATFORM_API_LIGHT_H_

#include "platform/base/error.h"

namespace idkiosk {

// A lamp. One thread at a time. Errors of both functions: FileSystem's, or kCorrupt (it says
// nothing sensible of itself).
class Light {
 public:
  virtual ~Light() = default;
  [[nodiscard]] virtual Status On() = 0;
  [[nodiscard]] virtual Status Off() = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_API_LIGHT_H_
