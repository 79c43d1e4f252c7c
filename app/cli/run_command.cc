// run: the kiosk, with its page.
#include "app/cli/command_line.h"
#include "app/daemon/kiosk_daemon.h"
#include "app/daemon/setup_daemon.h"

namespace idkiosk {
namespace {

struct RunOptions {
  std::string camera;
  std::string address_file;
};

// With the parts that the configuration asks for now.
Attempt<std::unique_ptr<PageService>> StartService(Kiosk& parts, const std::string& camera,
                                                   std::optional<LoopbackServer::Identity> page) {
  const auto settings = parts.settings_before_provisioning();
  if (!settings) return std::unexpected(settings.error());
  if ((*settings)->service.base_url.empty()) return SetupService::Start(parts, std::move(page));
  return KioskService::Start(parts, camera, std::move(page));
}

Status TellAddress(Kiosk& kiosk, const std::string& address, const std::string& file) {
  if (!file.empty()) {
    return kiosk.drivers().files.WriteDurably(file, AsBytes(address + "\n"),
                                              FileAccess::kOwnerOnly);
  }
  kiosk.terminal().Print(address);
  return {};
}

Attempt<ExitCode> RunRun(Kiosk& kiosk, RunOptions& options) {
  std::optional<LoopbackServer::Identity> page;
  for (auto end = PageService::End::kAnew; end == PageService::End::kAnew;) {
    Kiosk parts(kiosk.drivers(), kiosk.options());
    const auto service = StartService(parts, options.camera, page);
    if (!service) return std::unexpected(service.error());
    const LoopbackServer& server = (*service)->server();
    if (!page) {
      const Status told = TellAddress(kiosk, server.start_address(), options.address_file);
      if (!told) return StopWith(ExitCode::kConfiguration, told.error().Within("--address-file"));
    }
    page = server.identity();
    end = (*service)->Run();
  }
  if (!options.address_file.empty()) (void)kiosk.drivers().files.Remove(options.address_file);
  return ExitCode::kDone;
}

}  // namespace

void AddRunCommand(CommandLine& line) {
  auto [command, options] =
      line.Add<RunOptions>(line.app(), "run", "The kiosk, with its page", &RunRun);
  command->add_option("--camera", options.camera, "Default: the configuration's")
      ->type_name("SOURCE");
  command
      ->add_option("--address-file", options.address_file,
                   "Where the page's start address is written for the kiosk's browser, mode 0600; "
                   "else it is printed. Whoever reads it is the browser")
      ->type_name("FILE");
}

}  // namespace idkiosk
