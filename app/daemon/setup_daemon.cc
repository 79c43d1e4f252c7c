#include "app/daemon/setup_daemon.h"

#include <algorithm>
#include <utility>

#include "platform/base/log.h"

namespace idkiosk {
namespace {

Settings OfKiosk(Settings settings) {
  settings.mode = "kiosk";
  return settings;
}

}  // namespace

SetupService::SetupService(Kiosk& kiosk, const Settings& settings)
    : kiosk_(kiosk),
      settings_(OfKiosk(settings)),
      vault_(kiosk.drivers().open_vault(settings.state_folder)),
      page_(kiosk, *vault_.storage, settings.state_folder, kiosk.drivers().make_task_loop()),
      corner_(
          kiosk, settings_, *vault_.storage, *page_.keeper, *page_.control,
          [this] { page_.StartAnew(); }, std::nullopt),
      station_(
          {settings_, profile_, *page_.control, *page_.keeper, page_.clock, kiosk.drivers().entropy,
           camera_, calls_, book_, kiosk.drivers().files, page_.clerk_door, page_.operator_door,
           corner_.corner(),
           [this](const UiSnapshot& snapshot, uint64_t revision) { Publish(snapshot, revision); }}),
      page_desk_(*page_.control, station_, [] { return std::string(); }),
      caretaker_(kiosk, *page_.control, *page_.keeper, page_.keeper_pulse,
                 {{page_.server_pulse, "page"}}) {}

SetupService::~SetupService() { page_.End(); }

Attempt<std::unique_ptr<SetupService>> SetupService::Start(
    Kiosk& kiosk, std::optional<LoopbackServer::Identity> page) {
  const auto settings = kiosk.settings_of_a_service();
  if (!settings) return std::unexpected(settings.error());
  std::unique_ptr<SetupService> service(new SetupService(kiosk, **settings));
  auto server =
      LoopbackServer::Start({.port = (*settings)->ui.port, .identity = std::move(page)},
                            {service->page_desk_, service->page_.snapshots, service->page_.preview,
                             service->page_.server_pulse, EmbeddedPage()},
                            kiosk.drivers().entropy);
  if (!server) return StopWith(ExitCode::kConfiguration, server.error());
  service->page_.server = std::move(*server);
  return service;
}

PageService::End SetupService::Run() {
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
  caretaker_.Run();
  return page_.end;
}

// Whatever a person would see is one screen.
void SetupService::Publish(const UiSnapshot& snapshot, uint64_t revision) {
  UiSnapshot shown = snapshot;
  if (shown.screen != Screen::kOperator) {
    shown.screen = Screen::kStopped;
    shown.stopped = {.why = StopReason::kNotSetUp, .can_retry = false, .seconds_left = 0};
    shown.idle_seconds.reset();
  }
  page_.snapshots.Put(ToJson(shown, revision, settings_), revision);
}

}  // namespace idkiosk
