#ifndef IDKIOSK_APP_DAEMON_SUPERVISOR_H_
#define IDKIOSK_APP_DAEMON_SUPERVISOR_H_

#include <functional>
#include <string_view>
#include <vector>

#include "app/workers/heartbeat.h"
#include "platform/api/task_runner.h"
#include "platform/api/watchdog.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// Runs the control loop until the process is asked to stop, and feeds the watchdog as long as every
// thread moves on. Control thread.
class Supervisor {
 public:
  struct Watched {
    const Heartbeat& heartbeat;
    std::string_view name;  // "camera"
  };
  // All must outlive this.
  struct Dependencies {
    Watchdog& watchdog;
    const Clock& clock;
    TaskLoop& control;
    TaskRunner& storage_runner;
    Heartbeat& storage_heartbeat;    // beaten by a task on the storage thread
    std::function<bool()> stopping;  // the process was asked to stop
    std::vector<Watched> watched;    // the other threads
  };
  explicit Supervisor(Dependencies deps) : deps_(std::move(deps)) {}

  // Runs the control loop until it is stopped, or the process is.
  void Run();

 private:
  void LookAfter();
  [[nodiscard]] bool EverybodyLives() const;

  const ThreadChecker control_thread_;
  const Dependencies deps_;
  ScopedTimer look_after_;
  MonotonicTime feed_at_{};
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_SUPERVISOR_H_
