// run: the kiosk, with its page.
#include "app/assembly/version.h"
#include "app/cli/call_report.h"
#include "app/cli/command_line.h"
#include "app/daemon/kiosk_daemon.h"
#include "app/daemon/setup_daemon.h"

namespace idkiosk {
namespace {

struct RunOptions {
  std::string camera;
  std::string address_file;

  std::vector<Argument> arguments() {
    return {
        {.name = "--camera",
         .target = &camera,
         .type = "SOURCE",
         .help = "The camera to look through, instead of the configuration's"},
        {.name = "--address-file",
         .target = &address_file,
         .type = "FILE",
         .help = "Write the page's start address into this file (mode 0600), for the kiosk's "
                 "browser, instead of printing it. Anybody who can read the file can use the page"},
    };
  }
};

// With the parts that the configuration asks for now.
CommandResult<std::unique_ptr<Daemon>> StartService(Components& parts, const std::string& camera,
                                                    std::optional<LoopbackServer::Identity> page) {
  const auto settings = parts.settings_before_provisioning();
  if (!settings) return std::unexpected(settings.error());
  if ((*settings)->service.base_url.empty()) return SetupDaemon::Start(parts, std::move(page));
  auto started = KioskDaemon::Start(parts, camera, std::move(page));
  if (started) {
    const ServiceSettings& service = (*settings)->service;
    const auto address = AddressOf((*settings)->environment, service.base_url);
    (*parts.audit())
        ->Note(AuditEvent::kStarted, UserName(),
               fmt::format("{}, {}", ProgramVersion(), Describe(address)));
  }
  return started;
}

Status TellAddress(Components& components, const std::string& address, const std::string& file) {
  if (!file.empty()) {
    return components.drivers().files.WriteDurably(file, AsBytes(address + "\n"),
                                                   FileAccess::kOwnerOnly);
  }
  components.terminal().Print(address);
  return {};
}

CommandResult<ExitCode> RunRun(Components& components, RunOptions& options) {
  if (!options.camera.empty()) {
    const Status known = components.drivers().check_camera(options.camera);
    if (!known) return StopWith(ExitCode::kUsage, known.error().Within("--camera"));
  }
  std::optional<LoopbackServer::Identity> page;
  for (auto end = Daemon::End::kAnew; end == Daemon::End::kAnew;) {
    Components parts(components.drivers(), components.options());
    const auto service = StartService(parts, options.camera, page);
    if (!service) return std::unexpected(service.error());
    const LoopbackServer& server = (*service)->server();
    if (!page) {
      const Status told = TellAddress(components, server.start_address(), options.address_file);
      if (!told) return StopWith(ExitCode::kConfiguration, told.error().Within("--address-file"));
    }
    page = server.identity();
    end = (*service)->Run();
  }
  if (!options.address_file.empty()) (void)components.drivers().files.Remove(options.address_file);
  return ExitCode::kDone;
}

}  // namespace

void AddRunCommand(CommandLine& line) {
  line.Add(line.Make("run", "Run the kiosk: camera, page and delivery", &RunRun));
}

}  // namespace idkiosk
