#include "platform/base/thread_checker.h"

#include <cstdlib>

#include "platform/base/log.h"

namespace idkiosk {

void ThreadChecker::EndProgram(const std::source_location& caller) {
  LogError("{} was called on another thread than its own: this is a bug, and the program ends",
           caller.function_name());
  std::abort();
}

}  // namespace idkiosk
