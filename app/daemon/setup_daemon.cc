#include "app/daemon/setup_daemon.h"

#include <algorithm>
#include <utility>

#include "platform/base/log.h"

namespace idkiosk {
namespace {

Settings OfKiosk(Settings settings) {
  settings.mode = Mode::kKiosk;
  return settings;
}

}  // namespace

SetupDaemon::SetupDaemon(Components& components, const Settings& settings)
    : components_(components),
      settings_(OfKiosk(settings)),
      vault_(components.drivers().open_vault(settings.state_folder)),
      host_(components, *vault_.storage, settings.state_folder,
            components.drivers().make_task_loop()),
      console_(
          components, settings_, *vault_.storage, *host_.storage_runner, *host_.control,
          [this] { host_.StartAnew(); }, std::nullopt),
      page_(
          {settings_, profile_, *host_.control, *host_.storage_runner, host_.clock,
           components.drivers().entropy, camera_, queue_, components.drivers().files,
           host_.clerk_lock, host_.operator_lock, console_.console(),
           [this](const UiSnapshot& snapshot, uint64_t revision) { Publish(snapshot, revision); }}),
      backend_(*host_.control, page_, [] { return std::string(); }),
      supervisor_(components, *host_.control, *host_.storage_runner, host_.storage_heartbeat,
                  {{host_.server_heartbeat, "page"}}) {}

SetupDaemon::~SetupDaemon() { host_.End(); }

CommandResult<std::unique_ptr<SetupDaemon>> SetupDaemon::Start(
    Components& components, std::optional<LoopbackServer::Identity> page) {
  const auto settings = components.settings_of_a_service();
  if (!settings) return std::unexpected(settings.error());
  std::unique_ptr<SetupDaemon> service(new SetupDaemon(components, **settings));
  auto server =
      LoopbackServer::Start({.port = (*settings)->ui.port, .identity = std::move(page)},
                            {service->backend_, service->host_.snapshots, service->host_.preview,
                             service->host_.server_heartbeat, EmbeddedPage()},
                            components.drivers().entropy);
  if (!server) return StopWith(ExitCode::kConfiguration, server.error());
  service->host_.server = std::move(*server);
  return service;
}

Daemon::End SetupDaemon::Run() {
  LogWarning(
      "this kiosk is not set up yet: an operator does it on the page, or 'idkiosk "
      "provision' here");
  // Whoever comes to do it on the page must get in.
  const auto vault = vault_.storage->Describe();
  if (!vault) {
    LogWarning("{}", vault.error().message);
  } else if (std::ranges::find(vault->names, PinSecret(Staff::kOperator)) == vault->names.end()) {
    LogWarning("the operator has no PIN: set one with 'idkiosk pin set operator'");
  }
  supervisor_.Run();
  return host_.end;
}

// Whatever a person would see is one screen.
void SetupDaemon::Publish(const UiSnapshot& snapshot, uint64_t revision) {
  UiSnapshot shown = snapshot;
  if (shown.screen != Screen::kOperator) {
    shown.screen = Screen::kStopped;
    shown.stopped = {.why = StopReason::kNotSetUp, .can_retry = false, .seconds_left = 0};
    shown.idle_seconds.reset();
  }
  host_.snapshots.Put(ToJson(shown, revision, settings_), revision);
}

}  // namespace idkiosk
