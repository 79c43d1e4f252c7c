// The composition root of idkiosk-fleet, which tells headquarters how this kiosk is. It has no key
// of the service, no picture and no number of anybody: it reads what idkiosk's local API lets it.
#include <string>
#include <thread>

#include "app/fleet/enrolment.h"
#include "app/fleet/fleet_agent.h"
#include "app/fleet/fleet_settings.h"
#include "app/fleet/kiosk_api.h"
#include "app/fleet/mosquitto_link.h"
#include "platform/base/command_line/command.h"
#include "platform/base/log.h"
#include "platform/posix/posix_file_system.h"
#include "platform/posix/process_hardening.h"
#include "platform/posix/system_clock.h"
#include "platform/posix/system_entropy.h"
#include "platform/posix/systemd_watchdog.h"

namespace idkiosk {
namespace {

constexpr const char* kUsualConfig = "/etc/idkiosk-fleet/fleet.jsonc";
constexpr auto kStep = std::chrono::milliseconds(500);
constexpr int kBadSettings = 3;

int Fail(const std::string& message) {
  fmt::print(stderr, "idkiosk-fleet: {}\n", message);
  return kBadSettings;
}

int PrintRequest(FileSystem& files, const FleetSettings& settings) {
  const auto request = CertificateRequest(files, settings);
  if (!request) return Fail(request.error().message);
  fmt::print("{}", *request);
  return std::fflush(stdout) == 0 ? 0 : kBadSettings;
}

int EnrolNow(FileSystem& files, const FleetSettings& settings) {
  if (settings.est.empty()) return Fail("est: is missing in the configuration");
  const Status enrolled = Enrol(files, settings, SystemClock().WallNow(), &AskByEst);
  if (!enrolled) return Fail(enrolled.error().message);
  fmt::print("{}\n", settings.certificate);
  return 0;
}

// Until it is killed: nothing that it knows is lost by that.
int Serve(const FleetSettings& settings) {
  PosixFileSystem files;
  SystemClock clock;
  SystemEntropy entropy;
  SystemdWatchdog watchdog;
  SocketKioskApi kiosk(settings.api_socket);
  FleetAgent agent({settings, kiosk, files, clock, IDKIOSK_VERSION});
  if (Status loaded = agent.Load(); !loaded) return Fail(loaded.error().message);
  CertificateKeeper certificate(files, settings, clock, entropy, &AskByEst);
  watchdog.SayReady();
  while (!certificate.has_certificate()) {
    if (!certificate.Step()) std::this_thread::sleep_for(kStep);
    watchdog.Feed();
  }
  while (true) {
    auto link = MosquittoLink::Create({.settings = settings,
                                       .subscribe = agent.incoming(),
                                       .will_topic = agent.state_topic(),
                                       .will = FleetAgent::Gone()},
                                      agent, clock, entropy);
    if (!link) return Fail(link.error().message);
    // Until there is another certificate to connect with.
    while (!certificate.Step()) {
      (*link)->Step(kStep);
      agent.Step(**link);
      watchdog.Feed();
    }
    agent.Disconnected();
  }
}

int Run(int argc, char** argv) {
  HardenProcess();
  std::string config = kUsualConfig;
  bool check = false;
  bool request = false;
  bool enrol = false;
  const Command program = {
      .name = "idkiosk-fleet",
      .summary = "Reports this kiosk's state to headquarters, through an MQTT broker.",
      .arguments = {{.name = "--config",
                     .target = &config,
                     .type = "FILE",
                     .help = "Its own configuration file",
                     .show_default = true},
                    {.name = "--check",
                     .target = &check,
                     .help = "Check --config and the files it names, say what is wrong, and end"},
                    {.name = "--csr",
                     .target = &request,
                     .help = "Print the request for this kiosk's certificate, and end; makes its "
                             "key where there is none"},
                    {.name = "--enrol",
                     .target = &enrol,
                     .help = "Ask the EST server for this kiosk's certificate now, and end"}},
      .version = fmt::format("idkiosk-fleet {}", IDKIOSK_VERSION)};
  const auto command = ParseCommandLine(program, argc, argv);
  if (!command) return command.error();
  PosixFileSystem files;
  const auto settings = LoadFleetSettings(files, config);
  if (!settings) return Fail(settings.error().message);
  if (request) return PrintRequest(files, *settings);
  if (enrol) return EnrolNow(files, *settings);
  if (Status good = CheckTlsFiles(files, *settings); !good) return Fail(good.error().message);
  if (check && !settings->est.empty()) {
    const Status good = CheckEnrolment(files, *settings, SystemClock().WallNow());
    if (!good) return Fail(good.error().message);
  }
  if (check) return 0;
  if (Status logging = StartLogging(LogLevel::kInfo, ""); !logging) {
    return Fail(logging.error().message);
  }
  return Serve(*settings);
}

}  // namespace
}  // namespace idkiosk

int main(int argc, char** argv) { return idkiosk::Run(argc, argv); }
