#include "app/daemon/daemon_console.h"

#include <algorithm>

#include "app/assembly/version.h"
#include "app/service/trial.h"

namespace idkiosk {

namespace {

std::optional<ThreadedOperatorBackend::Service> AskedThrough(
    PageHost& host, CameraThread& camera, const std::optional<DaemonConsole::Service>& service) {
  if (!service) return std::nullopt;
  return ThreadedOperatorBackend::Service{service->queue,
                                          service->client,
                                          service->link.loop(),
                                          camera.worker(),
                                          host.preview,
                                          camera.heartbeat(),
                                          [&camera] { return camera.Open(); }};
}

// With a client of its own, which the credentials in force never meet.
Status TryOut(const Drivers& drivers, const Onboarding& onboarding, const Settings& after,
              const ServiceProfile& profile) {
  Settings soon = after;
  soon.service.connect_timeout = std::min(soon.service.connect_timeout, kTrialTimeout);
  soon.service.total_timeout = std::min(soon.service.total_timeout, kTrialTimeout);
  const auto http = drivers.make_http_client(soon.service);
  if (!http) return std::unexpected(http.error());
  return TryOnboarding(onboarding, soon, profile, **http, drivers.clock);
}

}  // namespace

DaemonConsole::DaemonConsole(PageHost& host, const Settings& settings, SecureStorage& storage,
                             CameraThread& camera, std::optional<Service> service)
    : host_(host),
      settings_(settings),
      started_(host.clock.Now()),
      camera_(camera),
      service_(AskedThrough(host, camera, service)),
      backend_({.files = host.components.drivers().files,
                .clock = host.clock,
                .crypto = host.components.drivers().crypto,
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
                .try_out =
                    [&drivers = host.components.drivers()](const auto& onboarding,
                                                           const auto& after, const auto& profile) {
                      return TryOut(drivers, onboarding, after, profile);
                    },
                .messages = &camera.messages(),
                .service = service_ ? &*service_ : nullptr}),
      office_({.files = host.components.drivers().files,
               .clock = host.clock,
               .audit = host.audit,
               .consents = service ? &service->consents : nullptr,
               .user = host.user,
               .storage_runner = *host.storage_runner,
               .control = *host.control,
               .sticks = settings.staff.sticks,
               .queue = service ? &service->queue : nullptr,
               .wake = service ? [&link = service->link] { link.loop().Wake(); }
                               : std::function<void()>()}),
      console_(backend_, office_, *host.control, host.clock) {}

SupportFacts DaemonConsole::Facts() const {
  const Drivers& drivers = host_.components.drivers();
  SupportFacts facts;
  facts.version = ProgramVersion();
  facts.libraries = LibraryVersions(drivers);
  facts.uptime = host_.clock.Now() - started_;
  facts.resident_bytes = ResidentBytes(drivers.files);
  if (const auto free = drivers.files.FreeSpace(settings_.state_folder)) facts.free_bytes = *free;
  facts.last_capture = camera_.last_capture();
  return facts;
}

}  // namespace idkiosk
