#ifndef IDKIOSK_APP_DAEMON_PAGE_HOST_H_
#define IDKIOSK_APP_DAEMON_PAGE_HOST_H_

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/assembly/components.h"
#include "app/daemon/daemon.h"
#include "app/daemon/supervisor.h"
#include "app/session/staff/pin_lock.h"
#include "app/ui/loopback_server.h"
#include "app/ui/snapshot_board.h"
#include "app/workers/heartbeat.h"
#include "app/workers/preview_slot.h"

namespace idkiosk {

// The parts of every program with a page, whether it knows its service or not: the control loop,
// the storage thread, staff's doors, and what the page's server reads. The first part of a daemon,
// so that it goes last.
struct PageHost {
  // All must outlive this. `storage` is used on the storage thread.
  PageHost(Components& components, SecureStorage& storage, const std::string& state_folder,
           std::unique_ptr<TaskLoop> control_loop);
  ~PageHost() { End(); }
  PageHost(const PageHost&) = delete;
  PageHost& operator=(const PageHost&) = delete;

  // Runs the control loop until the process is asked to stop, or StartAnew. `workers`: the threads
  // besides storage and page.
  [[nodiscard]] Daemon::End Run(std::vector<Supervisor::Watched> workers = {});

  // Ends the control loop; Run returns kAnew.
  void StartAnew();

  // Ends the page's server, then the storage thread once it has done what it was asked
  // before. While everything lives that either uses.
  void End();

  Components& components;
  Clock& clock;
  AuditTrail audit;
  SnapshotBoard snapshots;
  PreviewSlot preview;
  Heartbeat storage_heartbeat{clock};
  Heartbeat server_heartbeat{clock};
  // Loops before what posts to them, so that they go later.
  const std::unique_ptr<TaskLoop> control;
  const std::unique_ptr<TaskLoop> storage_runner;
  std::jthread storage_thread;
  PinLock clerk_lock;
  PinLock operator_lock;
  std::unique_ptr<LoopbackServer> server;
  Daemon::End end = Daemon::End::kStopped;

 private:
  [[nodiscard]] PinLock::Dependencies LockDependencies(SecureStorage& storage);
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_PAGE_HOST_H_
