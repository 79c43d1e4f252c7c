#ifndef IDKIOSK_PLATFORM_POSIX_CALL_FILTER_H_
#define IDKIOSK_PLATFORM_POSIX_CALL_FILTER_H_

#include <vector>

#include "platform/base/error.h"

namespace idkiosk {

// AF_INET, AF_UNIX, ...
using SocketFamilies = std::vector<int>;

// From now on (by the kernel's seccomp) this thread, and every thread that it starts later, makes
// sockets of `allowed` alone; starts no process and no program; sends no signal to another process,
// looks into none and changes none; and asks the kernel for nothing that only administrators and
// debuggers do. What is refused fails with EPERM. There is no way back. Errors: kUnavailable (the
// kernel has no seccomp, or the process may still gain privileges: see HardenProcess).
[[nodiscard]] Status FilterCalls(const SocketFamilies& allowed);

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_POSIX_CALL_FILTER_H_
