#ifndef IDKIOSK_APP_DAEMON_PAGE_HOST_H_
#define IDKIOSK_APP_DAEMON_PAGE_HOST_H_

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/assembly/components.h"
#include "app/daemon/camera_thread.h"
#include "app/daemon/daemon.h"
#include "app/daemon/supervisor.h"
#include "app/daemon/tamper_watch.h"
#include "app/session/staff/page_user.h"
#include "app/session/staff/pin_lock.h"
#include "app/session/staff/staff_directory.h"
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
  // `administration` is the same vault.
  PageHost(Components& components, SecureStorage& storage, VaultAdministration* administration,
           const std::string& state_folder, std::unique_ptr<TaskLoop> control_loop);
  ~PageHost() { End(); }
  PageHost(const PageHost&) = delete;
  PageHost& operator=(const PageHost&) = delete;

  // Runs the control loop until the process is asked to stop, or StartAnew. `workers`: the threads
  // besides storage and page.
  [[nodiscard]] Daemon::End Run(std::vector<Supervisor::Watched> workers = {});

  // Watches the case, where the settings name its switch. Errors: TamperSwitch::Open's.
  [[nodiscard]] Status WatchCase(const TamperSettings& settings);

  // Returns what a camera's thread needs: the camera `source`, or that of the settings where it is
  // empty, and no lamp. `metrics` must outlive it.
  [[nodiscard]] CameraThread::Dependencies Camera(const Settings& settings, Metrics& metrics,
                                                  std::string source);

  // Ends the control loop; Run returns kAnew, or kErased. On the control thread.
  void StartAnew(Daemon::End how = Daemon::End::kAnew);
  // Erases the vault's keys. Any thread. Errors: SecureStorage's.
  [[nodiscard]] Status EraseKeys();

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
  StaffDirectory staff;
  PageUser user;
  PinLock clerk_lock;
  PinLock operator_lock;
  std::unique_ptr<LoopbackServer> server;
  Daemon::End end = Daemon::End::kStopped;

 private:
  VaultAdministration* const administration_;
  std::unique_ptr<TamperWatch> tamper_;
  [[nodiscard]] PinLock::Dependencies LockDependencies(SecureStorage& storage);
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_PAGE_HOST_H_
