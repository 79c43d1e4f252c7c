#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <memory>
#include <random>

#include "platform/base/json.h"
#include "tools/sandbox/application.h"
#include "tools/sandbox/commands/commands.h"
#include "tools/sandbox/commands/control_client.h"
#include "tools/sandbox/service/onboarding.h"

namespace idkiosk::sandbox {
namespace {

struct ServeOptions {
  std::string state;
  std::string port_file;
  std::string expires_at = "rfc3339";
  std::string reasons = "objects";
  int64_t token_lifetime = 3600;
  ApplicationOptions application;
  bool port_given = false;
};

// Blocks the signals that end a server, in this thread and in those that it starts.
sigset_t HoldBackSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

// The port of the last server on this folder: a client that was told it finds the next one too.
int LastPort(const StateFolder& folder) {
  const auto address = ReadServerAddress(folder);
  return address ? address->port : 0;
}

std::unique_ptr<Application> Start(StateFolder& folder, SandboxClock& clock,
                                   ApplicationOptions options, bool port_given) {
  if (!port_given) options.port = LastPort(folder);
  auto application = Application::Start(folder, clock, options);
  const bool taken = !application && application.error().code == ErrorCode::kUnavailable;
  if (taken && !port_given && options.port != 0 && !folder.ServerRuns()) {
    options.port = 0;
    application = Application::Start(folder, clock, options);
  }
  return OrGiveUp(std::move(application));
}

void Serve(ServeOptions options) {
  auto folder = OrGiveUp(StateFolder::Open(options.state));
  options.application.settings.token_lifetime = std::chrono::seconds(options.token_lifetime);
  options.application.settings.expiry_form = *ParseExpiryForm(options.expires_at);
  options.application.settings.reason_form = *ParseReasonForm(options.reasons);
  const sigset_t signals = HoldBackSignals();
  SandboxClock clock;
  const auto application = Start(folder, clock, options.application, options.port_given);
  if (!options.port_file.empty()) {
    const auto written =
        WritePrivateFile(options.port_file, std::to_string(application->port()) + "\n");
    if (!written) GiveUp(written.error());
  }
  JsonWriter ready;
  ready.BeginObject().Field("event", "ready").Field("base_url", application->base_url());
  if (!application->ca_file().empty()) ready.Field("ca_file", application->ca_file());
  ready.Field("admin_token_file", folder.File("admin-token"))
      .Field("dashboard", application->base_url() + "/dashboard/")
      .Field("seed", options.application.seed)
      .EndObject();
  fmt::print("{}\n", ready.text());
  (void)std::fflush(stdout);
  int signal = 0;
  (void)sigwait(&signals, &signal);
}

std::vector<Argument> PlaceArguments(ServeOptions& options) {
  ApplicationOptions& application = options.application;
  return {
      {.name = "--state",
       .target = &options.state,
       .type = "DIR",
       .help = "Folder that holds everything; made if missing",
       .required = true},
      {.name = "--address",
       .target = &application.address,
       .help = "Address to listen on",
       .show_default = true},
      {.name = "--port",
       .target = &application.port,
       .help = "Port to listen on; 0 takes any free one. Default: the last one of this folder, if "
               "it is free",
       .range = NumberRange{0, 65535},
       .given = &options.port_given},
      {.name = "--plain-http",
       .target = &application.plain_http,
       .help = "Serve without TLS, to look at what is sent"},
      {.name = "--name",
       .target = &application.more_names,
       .type = "NAME",
       .help = "Another DNS name or IP address for the certificate"},
      {.name = "--print-port-file",
       .target = &options.port_file,
       .type = "FILE",
       .help = "Write the port number to a file"},
  };
}

// What the service's document leaves open, and the limits whose numbers it does not show.
std::vector<Argument> BehaviourArguments(ServeOptions& options) {
  ApplicationOptions& application = options.application;
  return {
      {.name = "--token-lifetime",
       .target = &options.token_lifetime,
       .help = "Seconds without use after which an access token expires",
       .show_default = true,
       .range = NumberRange{1, 30 * 24 * 3600}},
      {.name = "--rate-limit",
       .target = &application.settings.rate_limit,
       .help = "Calls a minute that each account may make; more are answered with 429. 0: no limit",
       .show_default = true,
       .range = NumberRange{0, 10'000'000}},
      {.name = "--max-body",
       .target = &application.max_body,
       .help = "Largest request body in bytes; a larger one is answered with 413",
       .show_default = true,
       .range = NumberRange{1024, 256 << 20}},
      {.name = "--expires-at",
       .target = &options.expires_at,
       .help = "The form of expires_at in a login's answer",
       .show_default = true,
       .choices = {"rfc3339", "seconds", "milliseconds"}},
      {.name = "--reasons",
       .target = &options.reasons,
       .help = "The form of the listed request reasons",
       .show_default = true,
       .choices = {"objects", "strings"}},
      {.name = "--seed",
       .target = &application.seed,
       .type = "NUMBER",
       .help = "The same number lets faults by chance hit the same requests again"},
  };
}

std::vector<Argument> ServeArguments(ServeOptions& options) {
  std::vector<Argument> all = PlaceArguments(options);
  std::ranges::move(BehaviourArguments(options), std::back_inserter(all));
  return all;
}

}  // namespace

Command ServeCommand() {
  auto options = std::make_shared<ServeOptions>();
  options->application.seed = std::random_device()() >> 1;
  return {.name = "serve",
          .summary =
              "Serve the sandbox: the service, its dashboard and the control API, until a signal",
          .arguments = ServeArguments(*options),
          .footer =
              "When it is ready it prints one line of JSON on standard output:\n"
              "  {\"event\":\"ready\",\"base_url\":...,\"ca_file\":...,\"admin_token_file\":...}\n"
              "Clients trust DIR/ca.pem. SIGTERM and SIGINT end it with exit code 0.",
          .action = [options] { Serve(*options); }};
}

}  // namespace idkiosk::sandbox
