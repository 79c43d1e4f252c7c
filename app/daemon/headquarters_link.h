#ifndef IDKIOSK_APP_DAEMON_HEADQUARTERS_LINK_H_
#define IDKIOSK_APP_DAEMON_HEADQUARTERS_LINK_H_

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "app/daemon/page_host.h"
#include "app/headquarters/headquarters.h"

namespace idkiosk {

// What headquarters may have done here, in a running kiosk: looks after it every few seconds, and
// starts the program anew where a command wants that, once nobody stands before the page.
class HeadquartersLink {
 public:
  static constexpr Duration kLook = std::chrono::seconds(2);
  // The reply leaves before; then somebody who stands there is waited for.
  static constexpr Duration kFirst = std::chrono::seconds(1);
  static constexpr Duration kLongestWait = std::chrono::minutes(10);

  // All must outlive this.
  struct Dependencies {
    PageHost& host;
    const Settings& settings;
    DurableQueue& queue;
    SecureStorage& vault;
    std::function<void()> wake;
    // The parts that are not well; on the storage thread.
    std::function<std::vector<std::string>()> complaints;
    const std::atomic<bool>& is_visit;
  };
  explicit HeadquartersLink(const Dependencies& deps);

  // Begins; on the control thread, before anything is served. Errors go into the log.
  void Start();

  [[nodiscard]] Headquarters& headquarters() { return headquarters_; }

 private:
  void LookAfter();
  // Any thread.
  void EndSoon(Daemon::End how);
  // On the control thread.
  void EndWhenFree(Daemon::End how, MonotonicTime latest);

  PageHost& host_;
  const std::atomic<bool>& is_visit_;
  Headquarters headquarters_;
  ScopedTimer look_;
  ScopedTimer end_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_HEADQUARTERS_LINK_H_
