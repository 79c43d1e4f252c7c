#ifndef IDKIOSK_APP_DAEMON_DAEMON_CONSOLE_H_
#define IDKIOSK_APP_DAEMON_DAEMON_CONSOLE_H_

#include <mutex>
#include <optional>
#include <string>

#include "app/assembly/components.h"
#include "app/operator/tabbed_console.h"
#include "app/workers/threaded_operator_backend.h"

namespace idkiosk {

// The operator's corner over the parts of a running program.
class KioskCorner {
 public:
  // Both loops, and everything `service` names, must outlive this. `storage` is asked on any
  // thread. Without a service the kiosk can be set up, and little else.
  KioskCorner(Kiosk& kiosk, const Settings& settings, SecureStorage& storage, TaskRunner& keeper,
              TaskRunner& control, std::function<void()> start_anew,
              std::optional<ThreadedSources::Service> service);

  [[nodiscard]] OperatorCorner& corner() { return corner_; }

  // How the newest capture went, for a bundle. Any thread.
  void NoteCapture(const CaptureRecord& record);

 private:
  [[nodiscard]] SupportFacts Facts();

  Kiosk& kiosk_;
  const std::string state_folder_;
  const MonotonicTime started_;
  const std::optional<ThreadedSources::Service> service_;
  std::mutex mutex_;
  std::optional<CaptureRecord> last_capture_;
  ThreadedSources sources_;
  TabbedCorner corner_;
};

// The configuration's camera, or `source` where that is not empty, and the face detector. For the
// camera's thread.
[[nodiscard]] Result<OpenCamera> OpenCameraOf(Kiosk& kiosk, const std::string& source);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_DAEMON_CONSOLE_H_
