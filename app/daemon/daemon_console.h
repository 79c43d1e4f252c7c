#ifndef IDKIOSK_APP_DAEMON_DAEMON_CONSOLE_H_
#define IDKIOSK_APP_DAEMON_DAEMON_CONSOLE_H_

#include <optional>
#include <string>

#include "app/assembly/components.h"
#include "app/operator/tabbed_console.h"
#include "app/workers/threaded_operator_backend.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// The operator's console over the parts of a running program.
class DaemonConsole {
 public:
  // Both loops, and everything `service` names, must outlive this. `storage` is asked on any
  // thread. Without a service the kiosk can be set up, and little else.
  DaemonConsole(Components& components, const Settings& settings, SecureStorage& storage,
                TaskRunner& storage_runner, TaskRunner& control, std::function<void()> start_anew,
                std::optional<ThreadedOperatorBackend::Service> service);

  [[nodiscard]] OperatorConsole& console() { return console_; }

  // How the newest capture went, for a bundle. Any thread.
  void NoteCapture(const CaptureRecord& record);

 private:
  [[nodiscard]] SupportFacts Facts();

  Components& components_;
  const std::string state_folder_;
  const MonotonicTime started_;
  const std::optional<ThreadedOperatorBackend::Service> service_;
  Mutex mutex_;
  std::optional<CaptureRecord> last_capture_ GUARDED_BY(mutex_);
  ThreadedOperatorBackend sources_;
  TabbedConsole console_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_DAEMON_CONSOLE_H_
