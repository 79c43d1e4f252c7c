// run: the kiosk, with its page.
#include <utility>

#include "app/assembly/file_places.h"
#include "app/assembly/version.h"
#include "app/cli/beside_vault.h"
#include "app/cli/call_report.h"
#include "app/cli/command_line.h"
#include "app/daemon/kiosk_daemon.h"
#include "app/daemon/setup_daemon.h"
#include "app/headquarters/settings_trial.h"
#include "app/ui/start_page.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

struct RunOptions {
  std::string camera;
  std::string start_page;

  std::vector<Argument> arguments() {
    return {
        {.name = "--camera",
         .target = &camera,
         .type = "SOURCE",
         .help = "The camera to look through, instead of the configuration's"},
        {.name = "--start-page",
         .target = &start_page,
         .type = "FILE",
         .help = "Write the page with which the kiosk's browser starts into this file, instead of "
                 "start.html in the state folder. Whoever can read it can use the kiosk's page"},
    };
  }
};

// With the parts that the configuration asks for now.
CommandResult<std::unique_ptr<Daemon>> StartService(Components& parts, const std::string& camera,
                                                    BrowserLogin& login, bool is_erased) {
  const auto settings = parts.settings_before_provisioning();
  if (!settings) return std::unexpected(settings.error());
  if (is_erased || (*settings)->service.base_url.empty()) {
    return SetupDaemon::Start(parts, camera, login);
  }
  auto started = KioskDaemon::Start(parts, camera, login);
  if (started) {
    const ServiceSettings& service = (*settings)->service;
    const auto address = AddressOf((*settings)->environment, service.base_url);
    (*parts.audit())
        ->Note(AuditEvent::kStarted, UserName(),
               fmt::format("{}, {}", ProgramVersion(), Describe(address)));
  }
  return started;
}

// What breaks into the program by a picture, a page or an answer finds no other file. Before any
// thread starts.
void Confine(Components& components, const Settings& settings, const RunOptions& options) {
  const Drivers& drivers = components.drivers();
  const std::string& source = options.camera.empty() ? settings.camera.source : options.camera;
  const auto camera = drivers.camera_promise(source);
  const Status confined = drivers.can_confine_files()
                              ? drivers.confine_files(PlacesOfRun(
                                    settings, {.config = components.config_path(),
                                               .program_folder = drivers.program_folder,
                                               .start_page = options.start_page,
                                               .camera_reads = camera ? camera->reads : ""}))
                              : Fail(ErrorCode::kUnavailable, "this kernel has no Landlock");
  if (!confined) {
    LogWarning("this program may open every file of its user: {}", confined.error().message);
  }
}

// Nothing opens them any more.
void EraseRest(const std::string& state_folder, FileSystem& files) {
  const auto erased = EraseBesideVault(state_folder, files);
  if (!erased) {
    LogError("the files of waiting calls are still there: {}. 'idkiosk vault erase' erases them.",
             erased.error().message);
    return;
  }
  LogWarning("{} files of calls were overwritten and removed", *erased);
}

void NoteStart(SettingsTrialFile& trial) {
  const Status noted = trial.NoteStart();
  if (!noted) LogError("whether settings are on trial is not known: {}", noted.error().message);
}

// Returns whether settings were on trial, and are those of before again.
bool TakeBack(SettingsTrialFile& trial, const std::string& why) {
  const auto taken_back = trial.TakeBack(fmt::format("the program did not start: {}", why));
  if (!taken_back) LogError("settings cannot be taken back: {}", taken_back.error().message);
  return taken_back.value_or(false);
}

CommandResult<ExitCode> RunRun(Components& components, RunOptions& options) {
  if (!options.camera.empty()) {
    const Status known = components.drivers().check_camera(options.camera);
    if (!known) return StopWith(ExitCode::kUsage, known.error().Within("--camera"));
  }
  const Drivers& drivers = components.drivers();
  SettingsTrialFile trial(drivers.files, components.config_path());
  NoteStart(trial);
  auto settings = components.settings_before_provisioning();
  if (!settings && TakeBack(trial, settings.error().message)) {
    settings = components.settings_before_provisioning();
  }
  if (!settings) return std::unexpected(settings.error());
  const std::string& state_folder = (*settings)->state_folder;
  if (const Status made = drivers.files.CreateFolder(state_folder); !made) {
    return StopWith(ExitCode::kConfiguration, made.error());
  }
  // With what only this user reads.
  if (options.start_page.empty()) options.start_page = state_folder + "/start.html";
  if (const Status apart = KeepOutOfStateFolder(options.start_page, state_folder); !apart) {
    return StopWith(ExitCode::kUsage, apart.error().Within("--start-page"));
  }
  const std::string& camera = options.camera.empty() ? (*settings)->camera.source : options.camera;
  if (const Status started = drivers.start_camera_program(camera); !started) {
    LogWarning("camera: {}", started.error().message);
  }
  Confine(components, **settings, options);
  BrowserLogin login(drivers.entropy, drivers.files, options.start_page);
  bool is_told = false;
  bool is_erased = false;
  for (auto end = Daemon::End::kAnew; end != Daemon::End::kStopped;) {
    if (end == Daemon::End::kErased) {
      is_erased = true;
      EraseRest(state_folder, drivers.files);
    }
    if (is_told) NoteStart(trial);
    Components parts(components.drivers(), components.options());
    const auto service = StartService(parts, options.camera, login, is_erased);
    // With settings of headquarters that do not even let it start, those of before are in force.
    if (!service && TakeBack(trial, service.error().message)) continue;
    if (!service) return std::unexpected(service.error());
    if (!std::exchange(is_told, true)) {
      components.terminal().Print(login.address());
      components.terminal().Say(
          "Open this address in a browser whose user may read that file. Only the browser that "
          "opened it last has the page.");
      const std::string why = WhyUnreadable(options.start_page, (*settings)->ui.browser_user);
      if (!why.empty()) components.terminal().Say(why);
    }
    end = (*service)->Run();
  }
  return ExitCode::kDone;
}

}  // namespace

void AddRunCommand(CommandLine& line) {
  line.Add(line.Make("run", "Run the kiosk: camera, page and delivery", &RunRun));
}

}  // namespace idkiosk
