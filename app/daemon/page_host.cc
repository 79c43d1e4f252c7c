#include "app/daemon/page_host.h"

#include <utility>

namespace idkiosk {

PageHost::PageHost(Components& components, SecureStorage& storage, const std::string& state_folder,
                   std::unique_ptr<TaskLoop> control_loop)
    : clock(components.drivers().clock),
      control(std::move(control_loop)),
      storage_runner(components.drivers().make_task_loop()),
      storage_thread([this] { storage_runner->Run(); }),
      clerk_lock(LockDependencies(components, storage), Staff::kClerk, state_folder),
      operator_lock(LockDependencies(components, storage), Staff::kOperator, state_folder) {}

PinLock::Dependencies PageHost::LockDependencies(Components& components, SecureStorage& storage) {
  const Drivers& drivers = components.drivers();
  return {storage, drivers.files, drivers.crypto, clock, *storage_runner, *control};
}

void PageHost::StartAnew() {
  end = Daemon::End::kAnew;
  control->Stop();
}

void PageHost::End() {
  server.reset();
  if (!storage_thread.joinable()) return;
  storage_runner->Post([this] { storage_runner->Stop(); });
  storage_thread.join();
}

}  // namespace idkiosk
