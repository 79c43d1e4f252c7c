#ifndef IDKIOSK_APP_DAEMON_DAEMON_CONSOLE_H_
#define IDKIOSK_APP_DAEMON_DAEMON_CONSOLE_H_

#include <optional>

#include "app/daemon/camera_thread.h"
#include "app/daemon/page_host.h"
#include "app/daemon/service_link.h"
#include "app/operator/tabbed_console.h"
#include "app/workers/threaded_office_backend.h"
#include "app/workers/threaded_operator_backend.h"

namespace idkiosk {

// The operator's console over the parts of a running program.
class DaemonConsole {
 public:
  // The parts that exist once the kiosk knows its service.
  struct Service {
    ThreadedQueueClient& queue;
    ServiceClient& client;
    ServiceLink& link;
    ConsentLog& consents;
  };
  // All must outlive this; camera and link end before it goes. `storage` is asked on any thread.
  // Without a service the kiosk can be set up, and little else.
  DaemonConsole(PageHost& host, const Settings& settings, SecureStorage& storage,
                CameraThread& camera, std::optional<Service> service = std::nullopt);

  [[nodiscard]] OperatorConsole& console() { return console_; }

 private:
  // Storage thread.
  [[nodiscard]] SupportFacts Facts() const;

  const PageHost& host_;
  const Settings& settings_;
  const MonotonicTime started_;
  const CameraThread& camera_;
  const std::optional<ThreadedOperatorBackend::Service> service_;
  ThreadedOperatorBackend backend_;
  ThreadedOfficeBackend office_;
  TabbedConsole console_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_DAEMON_CONSOLE_H_
