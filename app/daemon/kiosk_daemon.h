#ifndef IDKIOSK_APP_DAEMON_KIOSK_DAEMON_H_
#define IDKIOSK_APP_DAEMON_KIOSK_DAEMON_H_

#include <memory>
#include <optional>
#include <string>

#include "app/assembly/camera_opening.h"
#include "app/assembly/components.h"
#include "app/daemon/daemon_console.h"
#include "app/daemon/page_host.h"
#include "app/daemon/peripherals.h"
#include "app/daemon/supervisor.h"
#include "app/session/page_controller.h"
#include "app/ui/control_thread_backend.h"
#include "app/ui/metrics.h"
#include "app/workers/camera_slip_reader.h"
#include "app/workers/capture_worker.h"
#include "app/workers/delivery_loop.h"
#include "app/workers/threaded_queue_client.h"

namespace idkiosk {

// The kiosk with its page, for as long as it runs: the control thread with the page controller, and
// around it the threads of the camera, of the delivery, of the queue's disk and of the page's
// server.
class KioskDaemon final : public Daemon {
 public:
  // Makes every part of `components` that a thread uses, so that none is made later; serves the
  // page. `camera`: a source instead of the configuration's; empty: none. `page`: of a server that
  // this one takes the place of.
  [[nodiscard]] static CommandResult<std::unique_ptr<KioskDaemon>> Start(
      Components& components, std::string camera, std::optional<LoopbackServer::Identity> page);
  // Ends every thread: the page's first, the delivery's after the exchange under way.
  ~KioskDaemon() override;
  KioskDaemon(const KioskDaemon&) = delete;
  KioskDaemon& operator=(const KioskDaemon&) = delete;

  [[nodiscard]] End Run() override;
  [[nodiscard]] const LoopbackServer& server() const override { return *host_.server; }

 private:
  // The parts that Start has taken from the components, so that no thread makes them.
  struct Made {
    const Settings& settings;
    const ServiceProfile& profile;
    SecureStorage& vault;
    DurableQueue& queue;
    DeliveryWorker& worker;
    std::unique_ptr<TaskLoop> control;
    std::unique_ptr<Peripherals> devices;
  };
  KioskDaemon(Components& components, Made made, std::string camera);

  [[nodiscard]] Status Serve(std::optional<LoopbackServer::Identity> page);
  void Publish(const UiSnapshot& snapshot, uint64_t revision);
  // The camera's thread.
  [[nodiscard]] Result<OpenCamera> Open(CameraPurpose purpose);
  // Each on the thread that its name says.
  [[nodiscard]] Result<CaptureResult> CaptureOnCameraThread(CaptureObserver& observer,
                                                            const std::stop_token& stop);
  [[nodiscard]] Status FramesOnCameraThread(const std::function<bool(const Frame&)>& on_frame,
                                            const std::stop_token& stop);
  void ReportOnDeliveryThread(const DeliveryWorker::Step& step);
  [[nodiscard]] MonotonicTime AskReasonsOnDeliveryThread();
  void LookAtCamera(std::move_only_function<void(bool there)> then);
  void TellOnline(bool online);
  void LoadReasons();
  [[nodiscard]] std::string MetricsText();

  Components& components_;
  const Settings& settings_;
  const std::string camera_;
  DurableQueue& queue_;
  Clock& clock_;
  Metrics metrics_;
  RequestReasons reasons_;  // the delivery thread's, once it runs
  bool online_ = true;      // the same
  std::string session_id_;  // that was published last
  bool person_ = false;     // it is not staff's
  Heartbeat camera_heartbeat_{clock_};
  Heartbeat delivery_heartbeat_{clock_};
  PageHost host_;
  const std::unique_ptr<Peripherals> devices_;
  ThreadedQueueClient queue_client_;
  // Members that the camera's thread uses are destroyed after it has ended.
  const std::unique_ptr<CodeScanner> scanner_;
  CameraSlipReader slips_;
  CaptureWorker capture_;
  DaemonConsole console_;
  PageController page_;
  ControlThreadBackend backend_;
  DeliveryLoop delivery_;
  Supervisor supervisor_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_KIOSK_DAEMON_H_
