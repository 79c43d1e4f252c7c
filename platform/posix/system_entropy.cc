#include "platform/posix/system_entropy.h"

#include <sys/random.h>

#include <cerrno>
#include <cstdlib>

namespace idkiosk {

void SystemEntropy::Fill(MutableByteSpan out) {
  while (!out.empty()) {
    const ssize_t count = getrandom(out.data(), out.size(), 0);
    if (count > 0) {
      out = out.subspan(static_cast<size_t>(count));
    } else if (errno != EINTR) {
      std::abort();  // a kernel without getrandom: there is no safe way on
    }
  }
}

}  // namespace idkiosk
