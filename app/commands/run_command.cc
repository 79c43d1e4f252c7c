// run: the kiosk, with its page.
#include "app/commands/command_line.h"
#include "app/commands/kiosk_service.h"

namespace idkiosk {
namespace {

struct RunOptions {
  std::string camera;
  std::string address_file;
};

Attempt<ExitCode> RunRun(Kiosk& kiosk, RunOptions& options) {
  auto service = KioskService::Start(kiosk, options.camera);
  if (!service) return std::unexpected(service.error());
  const std::string& address = (*service)->start_address();
  FileSystem& files = kiosk.drivers().files;
  if (options.address_file.empty()) {
    kiosk.terminal().Print(address);
  } else if (auto written = files.WriteDurably(options.address_file, AsBytes(address + "\n"),
                                               FileAccess::kOwnerOnly);
             !written) {
    return StopWith(ExitCode::kConfiguration, written.error().Within("--address-file"));
  }
  (*service)->Run();
  if (!options.address_file.empty()) (void)files.Remove(options.address_file);
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
