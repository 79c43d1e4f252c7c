#ifndef IDKIOSK_PLATFORM_POSIX_FILE_CONFINEMENT_H_
#define IDKIOSK_PLATFORM_POSIX_FILE_CONFINEMENT_H_

#include <span>
#include <string>

#include "platform/base/error.h"

namespace idkiosk {

// Confines a process to some places of the file system by the kernel's Landlock: what breaks into
// it opens no other file of its user, and starts no program.
class FileConfinement {
 public:
  // Whether this kernel can: 5.19 or later, with Landlock switched on.
  [[nodiscard]] static bool IsAvailable();

  // From now on this thread, and every thread that it starts later, opens nothing but what is
  // already open, `readable` for reading, and `writable` for everything but running it: files, and
  // folders with all that is in them. A path that is not there is left out. There is no way back;
  // a second call leaves what both allow. Errors: kUnavailable (not IsAvailable, or the process may
  // still gain privileges: see HardenProcess).
  [[nodiscard]] static Status Enter(std::span<const std::string> readable,
                                    std::span<const std::string> writable);
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_POSIX_FILE_CONFINEMENT_H_
