#ifndef IDKIOSK_APP_DAEMON_SERVICE_LINK_H_
#define IDKIOSK_APP_DAEMON_SERVICE_LINK_H_

#include <atomic>
#include <functional>

#include "app/service/request_reasons.h"
#include "app/service/service_client.h"
#include "app/session/page_controller.h"
#include "app/ui/metrics.h"
#include "app/workers/delivery_loop.h"

namespace idkiosk {

// The way to the service, on a thread of its own: sends the calls that wait, asks for the list of
// request reasons now and then, and tells the page of both, and whether the service is in reach.
class ServiceLink {
 public:
  // All must outlive this, and `control` runs none of its tasks after that.
  struct Dependencies {
    DeliveryWorker& worker;
    ServiceClient& client;  // this thread's alone
    FileSystem& files;
    const Clock& clock;
    TaskRunner& control;
    const Settings& settings;
    Metrics& metrics;
    std::function<void()> give_up;  // ends the exchange under way; any thread
    // Hears of every call that an attempt has changed; on the link's thread.
    std::function<void(const CallReference&)> changed = [](const CallReference&) {};
  };
  explicit ServiceLink(const Dependencies& deps);

  // From now on `page` hears of all news, first of the reasons that are kept. It must live until
  // End. On the control thread, before the loop starts.
  void Tell(PageController& page);

  // Ends the thread after the exchange under way. Called while everything lives that an errand of
  // the loop uses.
  void End() { loop_.End(); }

  [[nodiscard]] DeliveryLoop& loop() { return loop_; }
  [[nodiscard]] const Heartbeat& heartbeat() const { return heartbeat_; }
  // Whether the service was in reach when it was last asked; any thread.
  [[nodiscard]] bool online() const { return online_; }

 private:
  // On the link's thread.
  void Report(const DeliveryWorker::Step& step);
  [[nodiscard]] MonotonicTime AskReasons();
  void TellOnline(bool online);

  const Dependencies deps_;
  PageController* page_ = nullptr;  // of the control thread
  RequestReasons reasons_;          // of the link's thread, once it runs
  std::atomic<bool> online_ = true;
  Heartbeat heartbeat_{deps_.clock};
  DeliveryLoop loop_;  // goes first: its thread uses all of the above
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_SERVICE_LINK_H_
