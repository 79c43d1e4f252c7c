#include "app/daemon/page_host.h"

#include <utility>

namespace idkiosk {

PageParts::PageParts(Kiosk& kiosk, SecureStorage& storage, const std::string& state_folder,
                     std::unique_ptr<TaskLoop> control_loop)
    : clock(kiosk.drivers().clock),
      control(std::move(control_loop)),
      keeper(kiosk.drivers().make_task_loop()),
      keeper_thread([this] { keeper->Run(); }),
      clerk_door(DoorParts(kiosk, storage), Staff::kClerk, state_folder),
      operator_door(DoorParts(kiosk, storage), Staff::kOperator, state_folder) {}

StaffDoor::Parts PageParts::DoorParts(Kiosk& kiosk, SecureStorage& storage) {
  const Drivers& drivers = kiosk.drivers();
  return {storage, drivers.files, drivers.crypto, clock, *keeper, *control};
}

void PageParts::StartAnew() {
  end = PageService::End::kAnew;
  control->Stop();
}

void PageParts::End() {
  server.reset();
  if (!keeper_thread.joinable()) return;
  keeper->Post([this] { keeper->Stop(); });
  keeper_thread.join();
}

}  // namespace idkiosk
