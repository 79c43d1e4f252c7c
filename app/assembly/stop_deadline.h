#ifndef IDKIOSK_APP_ASSEMBLY_STOP_DEADLINE_H_
#define IDKIOSK_APP_ASSEMBLY_STOP_DEADLINE_H_

#include <thread>

#include "app/assembly/components.h"

namespace idkiosk {

// While it lives, a signal to stop ends the program soon, whatever a library waits for: a camera
// that does not answer, a large picture, a network. The work has a moment to end by itself; then
// the process ends with `code`. Only for work that may be cut off anywhere: nothing is on its way
// to be billed, and what is written is written as if the power failed.
class StopDeadline {
 public:
  // `components` must outlive this.
  StopDeadline(Components& components, ExitCode code);
  StopDeadline(const StopDeadline&) = delete;
  StopDeadline& operator=(const StopDeadline&) = delete;

 private:
  std::jthread watch_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ASSEMBLY_STOP_DEADLINE_H_
