#ifndef IDKIOSK_APP_DAEMON_KIOSK_DAEMON_H_
#define IDKIOSK_APP_DAEMON_KIOSK_DAEMON_H_

#include <atomic>
#include <memory>
#include <string>

#include "app/daemon/camera_thread.h"
#include "app/daemon/daemon_console.h"
#include "app/daemon/headquarters_link.h"
#include "app/daemon/local_api.h"
#include "app/daemon/page_host.h"
#include "app/daemon/peripherals.h"
#include "app/daemon/result_link.h"
#include "app/daemon/served_page.h"
#include "app/daemon/service_link.h"
#include "app/workers/threaded_queue_client.h"

namespace idkiosk {

// The kiosk with its page, for as long as it runs: the control thread with the page controller, and
// around it the threads of the camera, of the delivery, of the queue's disk and of the page's
// server.
class KioskDaemon final : public Daemon {
 public:
  // Makes every part of `components` that a thread uses, so that none is made later; serves the
  // page to the browser of `login`, which must outlive this. `camera`: a source instead of the
  // configuration's; empty: none.
  [[nodiscard]] static CommandResult<std::unique_ptr<KioskDaemon>> Start(Components& components,
                                                                         std::string camera,
                                                                         BrowserLogin& login);
  // Ends every thread: the page's first, the delivery's after the exchange under way.
  ~KioskDaemon() override;
  KioskDaemon(const KioskDaemon&) = delete;
  KioskDaemon& operator=(const KioskDaemon&) = delete;

  [[nodiscard]] End Run() override;

 private:
  // The parts that Start has taken from the components, so that no thread makes them.
  struct Made {
    const Settings& settings;
    const ServiceProfile& profile;
    SecureStorage& vault;
    VaultAdministration* administration;
    DurableQueue& queue;
    DeliveryWorker& worker;
    ServiceClient& client;
    std::unique_ptr<TaskLoop> control;
    std::unique_ptr<Peripherals> devices;
    ConsentTexts consents;
  };
  KioskDaemon(Components& components, Made made, std::string camera, BrowserLogin& login);

  [[nodiscard]] Status Serve();
  [[nodiscard]] SecretBytes Show(const UiSnapshot& shown, uint64_t revision);
  // Of another program's check; any thread.
  void BeginVisit(std::shared_ptr<const VisitOrder> order);
  // The server's threads.
  [[nodiscard]] std::string MetricsText(DurableQueue& queue) const;

  const Settings& settings_;
  DurableQueue& durable_queue_;
  const BrowserLogin& login_;
  const ConsentTexts consents_;
  Metrics metrics_;
  NumberAtScreen at_screen_;
  std::atomic<bool> is_visit_ = false;  // somebody is before the page
  PageHost host_;
  const std::unique_ptr<Peripherals> devices_;
  CameraThread camera_;
  ServiceLink link_;
  ThreadedQueueClient queue_;
  DaemonConsole console_;
  ServedPage page_;
  HeadquartersLink headquarters_;
  LocalApi api_;
  ResultLink results_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_KIOSK_DAEMON_H_
