#ifndef IDKIOSK_APP_DAEMON_PAGE_HOST_H_
#define IDKIOSK_APP_DAEMON_PAGE_HOST_H_

#include <memory>
#include <string>
#include <thread>

#include "app/assembly/components.h"
#include "app/daemon/daemon.h"
#include "app/workers/preview_slot.h"
#include "app/workers/heartbeat.h"
#include "app/session/staff/pin_lock.h"
#include "app/ui/loopback_server.h"
#include "app/ui/snapshot_board.h"

namespace idkiosk {

// What every program with a page has, whether it knows its service or not: the control loop, the
// keeper's thread, staff's doors, and what the page's server reads. The first member of a service,
// so that it goes last.
struct PageParts {
  // All must outlive this. `storage` is used on the keeper's thread.
  PageParts(Kiosk& kiosk, SecureStorage& storage, const std::string& state_folder,
            std::unique_ptr<TaskLoop> control_loop);
  ~PageParts() { End(); }
  PageParts(const PageParts&) = delete;
  PageParts& operator=(const PageParts&) = delete;

  // What Run of a service answers from now on; the control loop ends.
  void StartAnew();

  // Ends the page's server, then the keeper's thread once it has done what it was asked before.
  // While everything lives that either uses.
  void End();

  Clock& clock;
  SnapshotBoard snapshots;
  PreviewSlot preview;
  Pulse keeper_pulse{clock};
  Pulse server_pulse{clock};
  // Loops before what posts to them, so that they go later.
  const std::unique_ptr<TaskLoop> control;
  const std::unique_ptr<TaskLoop> keeper;
  std::jthread keeper_thread;
  StaffDoor clerk_door;
  StaffDoor operator_door;
  std::unique_ptr<LoopbackServer> server;
  PageService::End end = PageService::End::kStopped;

 private:
  [[nodiscard]] StaffDoor::Parts DoorParts(Kiosk& kiosk, SecureStorage& storage);
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_PAGE_HOST_H_
