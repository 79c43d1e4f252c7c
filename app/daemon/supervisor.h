#ifndef IDKIOSK_APP_DAEMON_SUPERVISOR_H_
#define IDKIOSK_APP_DAEMON_SUPERVISOR_H_

#include <string_view>
#include <vector>

#include "app/assembly/components.h"
#include "app/workers/heartbeat.h"
#include "platform/api/task_runner.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// Sees to the end of the process, and feeds the watchdog as long as every thread moves on. Control
// thread.
class Supervisor {
 public:
  struct Watched {
    const Heartbeat& heartbeat;
    std::string_view name;  // "camera"
  };

  // All must outlive this. `storage_heartbeat` is beaten by a task on the storage thread.
  Supervisor(Components& components, TaskLoop& control, TaskRunner& storage_runner,
             Heartbeat& storage_heartbeat, std::vector<Watched> watched);

  // Runs the control loop until it is stopped, or the process is.
  void Run();

 private:
  void LookAfter();
  [[nodiscard]] bool EverybodyLives() const;

  const ThreadChecker control_thread_;
  Components& components_;
  TaskLoop& control_;
  TaskRunner& storage_runner_;
  Heartbeat& storage_heartbeat_;
  const std::vector<Watched> watched_;
  ScopedTimer look_after_;
  MonotonicTime feed_at_{};
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_SUPERVISOR_H_
