#include "platform/posix/process_hardening.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstring>

namespace idkiosk {

void HardenProcess() {
  const rlimit none{0, 0};
  (void)setrlimit(RLIMIT_CORE, &none);
  (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  umask(0077);
  std::signal(SIGPIPE, SIG_IGN);
  // A file that may not grow is an error like a full disk, and no end of a call on its way.
  std::signal(SIGXFSZ, SIG_IGN);
}

void WipeArgument(char* argument) { memset(argument, '*', strlen(argument)); }

}  // namespace idkiosk
