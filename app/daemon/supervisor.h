#ifndef IDKIOSK_APP_DAEMON_SUPERVISOR_H_
#define IDKIOSK_APP_DAEMON_SUPERVISOR_H_

#include <string_view>
#include <vector>

#include "app/assembly/components.h"
#include "app/workers/heartbeat.h"
#include "platform/api/task_runner.h"

namespace idkiosk {

// Sees to the end of the process, and feeds the watchdog as long as every thread moves on. Control
// thread.
class Caretaker {
 public:
  struct Watched {
    const Pulse& pulse;
    std::string_view name;  // "camera"
  };

  // All must outlive this. `keeper_pulse` is beaten by a task on the keeper's thread.
  Caretaker(Kiosk& kiosk, TaskLoop& control, TaskRunner& keeper, Pulse& keeper_pulse,
            std::vector<Watched> watched);

  // Runs the control loop until it is stopped, or the process is.
  void Run();

 private:
  void LookAfter();
  [[nodiscard]] bool EverybodyLives() const;

  Kiosk& kiosk_;
  TaskLoop& control_;
  TaskRunner& keeper_;
  Pulse& keeper_pulse_;
  const std::vector<Watched> watched_;
  ScopedTimer look_after_;
  MonotonicTime feed_at_{};
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_SUPERVISOR_H_
