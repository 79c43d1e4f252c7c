#include "app/commands/setup_service.h"

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
      clock_(kiosk.drivers().clock),
      control_(kiosk.drivers().make_task_loop()),
      keeper_(kiosk.drivers().make_task_loop()),
      keeper_thread_([this] { keeper_->Run(); }),
      vault_(kiosk.drivers().open_vault(settings.state_folder)),
      clerk_door_(DoorParts(), Staff::kClerk, settings.state_folder),
      operator_door_(DoorParts(), Staff::kOperator, settings.state_folder),
      corner_(
          kiosk, settings_, *vault_.storage, *keeper_, *control_,
          [this] {
            end_ = End::kAnew;
            control_->Stop();
          },
          std::nullopt),
      station_(
          {settings_, profile_, *control_, *keeper_, clock_, kiosk.drivers().entropy, camera_,
           calls_, book_, kiosk.drivers().files, clerk_door_, operator_door_, corner_.corner(),
           [this](const UiSnapshot& snapshot, uint64_t revision) { Publish(snapshot, revision); }}),
      page_desk_(*control_, station_, [] { return std::string(); }),
      caretaker_(kiosk, *control_, *keeper_, keeper_pulse_, {{server_pulse_, "page"}}) {}

StaffDoor::Parts SetupService::DoorParts() {
  const Drivers& drivers = kiosk_.drivers();
  return {*vault_.storage, drivers.files, drivers.crypto, clock_, *keeper_, *control_};
}

SetupService::~SetupService() {
  server_.reset();
  keeper_->Post([this] { keeper_->Stop(); });
  keeper_thread_.join();
}

Attempt<std::unique_ptr<SetupService>> SetupService::Start(
    Kiosk& kiosk, std::optional<LoopbackServer::Identity> page) {
  const auto settings = kiosk.settings_of_a_service();
  if (!settings) return std::unexpected(settings.error());
  std::unique_ptr<SetupService> service(new SetupService(kiosk, **settings));
  auto server = LoopbackServer::Start({.port = (*settings)->ui.port, .identity = std::move(page)},
                                      {service->page_desk_, service->snapshots_, service->preview_,
                                       service->server_pulse_, EmbeddedPage()},
                                      kiosk.drivers().entropy);
  if (!server) return StopWith(ExitCode::kConfiguration, server.error());
  service->server_ = std::move(*server);
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
  return end_;
}

// Whatever a person would see is one screen.
void SetupService::Publish(const UiSnapshot& snapshot, uint64_t revision) {
  UiSnapshot shown = snapshot;
  if (shown.screen != Screen::kOperator) {
    shown.screen = Screen::kStopped;
    shown.stopped = {.why = StopReason::kNotSetUp, .can_retry = false, .seconds_left = 0};
    shown.idle_seconds.reset();
  }
  snapshots_.Put(ToJson(shown, revision, settings_), revision);
}

}  // namespace idkiosk
