#include "app/daemon/setup_daemon.h"

#include <utility>

#include "platform/base/log.h"

namespace idkiosk {
namespace {

Settings OfKiosk(Settings settings) {
  settings.mode = Mode::kKiosk;
  return settings;
}

}  // namespace

SetupDaemon::SetupDaemon(Components& components, const Settings& settings, std::string camera,
                         BrowserLogin& login)
    : settings_(OfKiosk(settings)),
      vault_(components.drivers().open_vault(settings)),
      host_(components, *vault_.storage, vault_.administration, settings.state_folder,
            components.drivers().make_task_loop()),
      camera_(host_.Camera(settings_, metrics_, std::move(camera))),
      console_(host_, settings_, *vault_.storage, camera_),
      page_({.host = host_,
             .login = login,
             .settings = settings_,
             .profile = profile_,
             .camera = pictures_,
             .queue = queue_,
             .console = console_.console(),
             .show = [this](const auto& shown, auto revision) { return Show(shown, revision); },
             .become_first =
                 [this](const std::string& name, const SecretBytes& pin) {
                   const Drivers& drivers = host_.components.drivers();
                   return BecomeFirstOperator(
                       {*vault_.storage, drivers.files, host_.audit, drivers.crypto,
                        drivers.entropy, MeasureIterations(drivers.crypto, host_.clock),
                        settings_.service.test_nin, settings_.state_folder},
                       name, pin);
                 }}) {}

// The threads end while everything lives that they use; no other thread calls a member after that.
SetupDaemon::~SetupDaemon() {
  host_.End();
  camera_.End();
}

CommandResult<std::unique_ptr<SetupDaemon>> SetupDaemon::Start(Components& components,
                                                               std::string camera,
                                                               BrowserLogin& login) {
  const auto settings = components.settings_of_a_service();
  if (!settings) return std::unexpected(settings.error());
  std::unique_ptr<SetupDaemon> daemon(
      new SetupDaemon(components, **settings, std::move(camera), login));
  Status served = daemon->page_.Serve({});
  if (served) served = daemon->host_.WatchCase(daemon->settings_.tamper);
  if (!served) return StopWith(ExitCode::kConfiguration, served.error());
  return daemon;
}

Daemon::End SetupDaemon::Run() {
  LogWarning(
      "this kiosk is not set up yet: an operator can set it up on the page, or here with 'idkiosk "
      "provision'");
  // Whoever comes to do it on the page must get in.
  const auto staff = ReadStaff(*vault_.storage);
  if (!staff) {
    LogWarning("{}", staff.error().message);
  } else if (NamesOf(*staff, Staff::kOperator).empty()) {
    LogWarning(
        "there is no operator yet: whoever holds the name on the page for 3 seconds becomes one, "
        "and chooses a PIN; or run 'idkiosk staff add NAME --role operator'");
  }
  return host_.Run({{camera_.heartbeat(), "camera"}});
}

// Whatever a person would see is one screen.
SecretBytes SetupDaemon::Show(UiSnapshot shown, uint64_t revision) const {
  if (shown.screen != Screen::kOperator) {
    shown.screen = Screen::kStopped;
    shown.stopped = {.why = StopReason::kNotSetUp, .can_retry = false, .seconds_left = 0};
    shown.idle_seconds.reset();
  }
  return ToJson(shown, revision, settings_);
}

}  // namespace idkiosk
