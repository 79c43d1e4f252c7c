#include "app/daemon/page_host.h"

#include <utility>

namespace idkiosk {

PageHost::PageHost(Components& made, SecureStorage& storage, const std::string& state_folder,
                   std::unique_ptr<TaskLoop> control_loop)
    : components(made),
      clock(made.drivers().clock),
      audit(state_folder, clock, made.drivers().crypto, storage, made.drivers().files),
      control(std::move(control_loop)),
      storage_runner(made.drivers().make_task_loop()),
      storage_thread([this] { storage_runner->Run(); }),
      clerk_lock(LockDependencies(storage), Staff::kClerk, state_folder),
      operator_lock(LockDependencies(storage), Staff::kOperator, state_folder) {}

PinLock::Dependencies PageHost::LockDependencies(SecureStorage& storage) {
  const Drivers& drivers = components.drivers();
  return {storage, drivers.files, drivers.crypto, clock, audit, *storage_runner, *control};
}

Daemon::End PageHost::Run(std::vector<Supervisor::Watched> workers) {
  workers.push_back({server_heartbeat, "page"});
  Supervisor({.watchdog = components.drivers().watchdog,
              .clock = clock,
              .control = *control,
              .storage_runner = *storage_runner,
              .storage_heartbeat = storage_heartbeat,
              .stopping = [this] { return components.stopping(); },
              .watched = std::move(workers)})
      .Run();
  return end;
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
