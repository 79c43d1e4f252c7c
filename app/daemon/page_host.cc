#include "app/daemon/page_host.h"

#include <utility>

#include "platform/base/log.h"

namespace idkiosk {

PageHost::PageHost(Components& made, SecureStorage& storage, VaultAdministration* administration,
                   const std::string& state_folder, std::unique_ptr<TaskLoop> control_loop)
    : components(made),
      clock(made.drivers().clock),
      audit(state_folder, clock, made.drivers().crypto, storage, made.drivers().files),
      control(std::move(control_loop)),
      storage_runner(made.drivers().make_task_loop()),
      storage_thread([this] { storage_runner->Run(); }),
      staff({storage, clock, *storage_runner, *control}),
      clerk_lock(LockDependencies(storage), Staff::kClerk, state_folder),
      operator_lock(LockDependencies(storage), Staff::kOperator, state_folder),
      administration_(administration) {}

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

CameraThread::Dependencies PageHost::Camera(const Settings& settings, Metrics& metrics,
                                            std::string source) {
  const Drivers& drivers = components.drivers();
  return {.open = [&parts = components,
                   source = std::move(source)](CameraPurpose purpose) -> Result<OpenCamera> {
            auto open = OpenCameraOf(parts, source, purpose);
            if (!open) return Fail(ErrorCode::kUnavailable, "{}", open.error().message);
            return std::move(*open);
          },
          .light = [](bool) {},
          .scanner = drivers.make_code_scanner(),
          .control = *control,
          .clock = clock,
          .entropy = drivers.entropy,
          .preview = preview,
          .metrics = metrics,
          .silence = settings.camera.silence};
}

void PageHost::StartAnew(Daemon::End how) {
  end = how;
  control->Stop();
}

Status PageHost::WatchCase(const TamperSettings& settings) {
  if (settings.gpio_chip.empty()) return {};
  // No entry of the audit trail stands before the keys: it would take longer than they may live.
  tamper_ = std::make_unique<TamperWatch>(TamperWatch::Dependencies{
      .tamper = components.drivers().make_tamper_switch(settings),
      .erase_keys = [this] { return EraseKeys(); },
      .erased = [this] { control->Post([this] { StartAnew(Daemon::End::kErased); }); }});
  if (Status started = tamper_->Start(); !started) {
    return std::unexpected(started.error().Within("tamper"));
  }
  return {};
}

Status PageHost::EraseKeys() {
  const auto erased = administration_->Erase();
  if (!erased) return std::unexpected(erased.error());
  LogWarning("everything is erased. {}", *erased);
  return {};
}

void PageHost::End() {
  tamper_.reset();
  server.reset();
  if (!storage_thread.joinable()) return;
  storage_runner->Post([this] { storage_runner->Stop(); });
  storage_thread.join();
}

}  // namespace idkiosk
