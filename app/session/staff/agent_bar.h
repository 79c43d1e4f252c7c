#ifndef IDKIOSK_APP_SESSION_STAFF_AGENT_BAR_H_
#define IDKIOSK_APP_SESSION_STAFF_AGENT_BAR_H_

#include <functional>
#include <string>
#include <utility>

#include "app/session/model/clerk_view.h"
#include "app/session/queue_client.h"
#include "app/session/throttle.h"
#include "platform/api/clock.h"
#include "platform/api/file_system.h"
#include "platform/api/task_runner.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// What a field agent sees all day: battery, waiting calls, the last delivery; and the price of
// a check. Read twice a minute, and whenever a call has changed. On the control thread.
class AgentBar {
 public:
  // All must outlive this. The battery is read on the storage thread.
  struct Dependencies {
    QueueClient& queue;
    FileSystem& files;
    const Clock& clock;
    TaskRunner& storage_runner;
    TaskRunner& control;
    std::string price;  // of one check
    // view() may have become another one.
    std::function<void()> changed;
  };
  explicit AgentBar(Dependencies deps);

  // Looks now, and from now on.
  void Look();
  // A call has changed; many may, one after the other.
  void OnCallChanged() { throttle_.Ask(); }

  [[nodiscard]] const AgentView& view() const {
    control_thread_.Check();
    return view_;
  }

 private:
  void OnCounted(const Result<QueueClient::Tally>& tally);

  const ThreadChecker control_thread_;
  const Dependencies deps_;
  AgentView view_;
  ScopedTimer look_;
  Throttle throttle_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_STAFF_AGENT_BAR_H_
