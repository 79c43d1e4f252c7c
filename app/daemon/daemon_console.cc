#include "app/daemon/daemon_console.h"

#include "app/assembly/version.h"

namespace idkiosk {

namespace {

std::optional<ThreadedOperatorBackend::Service> AskedThrough(
    PageHost& host, const std::optional<DaemonConsole::Service>& service) {
  if (!service) return std::nullopt;
  CameraThread& camera = service->camera;
  return ThreadedOperatorBackend::Service{service->queue,
                                          service->client,
                                          service->link.loop(),
                                          camera.worker(),
                                          host.preview,
                                          camera.heartbeat(),
                                          [&camera] { return camera.Open(); }};
}

}  // namespace

DaemonConsole::DaemonConsole(PageHost& host, const Settings& settings, SecureStorage& storage,
                             std::optional<Service> service)
    : host_(host),
      settings_(settings),
      started_(host.clock.Now()),
      camera_(service ? &service->camera : nullptr),
      service_(AskedThrough(host, service)),
      backend_({.files = host.components.drivers().files,
                .clock = host.clock,
                .storage = storage,
                .audit = host.audit,
                .staff = host.staff,
                .user = host.user,
                .operator_lock = host.operator_lock,
                .storage_runner = *host.storage_runner,
                .control = *host.control,
                .settings = settings,
                .config_path = host.components.config_path(),
                .facts = [this] { return Facts(); },
                .start_anew = [&host] { host.StartAnew(); },
                .erase_keys = [&host] { return host.EraseKeys(); },
                .start_erased = [&host] { host.StartAnew(Daemon::End::kErased); },
                .service = service_ ? &*service_ : nullptr}),
      console_(backend_, *host.control, host.clock) {}

SupportFacts DaemonConsole::Facts() const {
  const Drivers& drivers = host_.components.drivers();
  SupportFacts facts;
  facts.version = ProgramVersion();
  facts.libraries = LibraryVersions(drivers);
  facts.uptime = host_.clock.Now() - started_;
  facts.resident_bytes = ResidentBytes(drivers.files);
  if (const auto free = drivers.files.FreeSpace(settings_.state_folder)) facts.free_bytes = *free;
  if (camera_ != nullptr) facts.last_capture = camera_->last_capture();
  return facts;
}

}  // namespace idkiosk
