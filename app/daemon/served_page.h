#ifndef IDKIOSK_APP_DAEMON_SERVED_PAGE_H_
#define IDKIOSK_APP_DAEMON_SERVED_PAGE_H_

#include <functional>
#include <string>

#include "app/daemon/page_host.h"
#include "app/operator/finding.h"
#include "app/session/page_controller.h"
#include "app/ui/browser_login.h"
#include "app/ui/control_thread_backend.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// The page's controller on its host: the server hands it commands, and it puts snapshots where the
// server reads them.
class ServedPage {
 public:
  // All must outlive this, and the host's control loop runs none of its tasks after that.
  struct Dependencies {
    PageHost& host;
    BrowserLogin& login;
    const Settings& settings;
    const ServiceProfile& profile;
    PictureTaker& camera;
    QueueClient& queue;
    OperatorConsole& console;
    // Returns what the page shows, as JSON; on the control thread.
    std::function<SecretBytes(const UiSnapshot& snapshot, uint64_t revision)> show;
    // Returns the numbers of /metrics; on the server's threads.
    std::function<std::string()> metrics = [] { return std::string(); };
    std::function<void(std::move_only_function<void(bool there)> then)> look_at_camera = {};
    VisitController::Devices devices = {};
    const ConsentTexts* consents = nullptr;
    NumberAtScreen* at_screen = nullptr;
    std::function<void(const VisitEnd& end)> order_over = {};
    std::function<FirstOperator(const std::string& name, const SecretBytes& pin)> become_first = {};
  };
  explicit ServedPage(const Dependencies& deps);

  // Serves it, until the host ends, where and to whom the settings say; `voice` and `logo`, null
  // where there is none, must live until then. Where somebody else has the port, that is said, and
  // tried again on the control thread until it is free. Errors: BrowserUser's; BrowserLogin::Open's
  // but for kUnavailable.
  [[nodiscard]] Status Serve(LoopbackServer::Options options, const VoiceFiles* voice = nullptr,
                             const BrandLogo* logo = nullptr);
  // What is wrong with it. Any thread.
  [[nodiscard]] Findings Check();

  [[nodiscard]] PageController& controller() { return controller_; }

 private:
  [[nodiscard]] Status TryToServe();
  void TryAgain();

  PageHost& host_;
  BrowserLogin& login_;
  const UiSettings settings_;
  PageController controller_;
  ControlThreadBackend backend_;
  LoopbackServer::Options options_;
  const VoiceFiles* voice_ = nullptr;
  const BrandLogo* logo_ = nullptr;
  ScopedTimer next_try_;
  Mutex mutex_;
  std::string why_not_ GUARDED_BY(mutex_);  // it is not served; empty: it is
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_SERVED_PAGE_H_
