#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
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

void Serve(ServeOptions options, bool port_given) {
  auto folder = OrGiveUp(StateFolder::Open(options.state));
  options.application.settings.token_lifetime = std::chrono::seconds(options.token_lifetime);
  options.application.settings.expiry_form = *ParseExpiryForm(options.expires_at);
  options.application.settings.reason_form = *ParseReasonForm(options.reasons);
  const sigset_t signals = HoldBackSignals();
  SandboxClock clock;
  const auto application = Start(folder, clock, options.application, port_given);
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

// What the service's document leaves open, and the limits whose numbers it does not show.
void AddServiceOptions(CLI::App* command, ServeOptions& options) {
  ApplicationOptions& application = options.application;
  command
      ->add_option("--token-lifetime", options.token_lifetime,
                   "Seconds without use after which an access token dies")
      ->capture_default_str()
      ->check(CLI::Range(1, 30 * 24 * 3600));
  command
      ->add_option("--rate-limit", application.settings.rate_limit,
                   "Calls a minute for each account, 0: no limit; more are answered with 429")
      ->capture_default_str()
      ->check(CLI::Range(0, 10'000'000));
  command
      ->add_option("--max-body", application.max_body,
                   "Largest request body in bytes; a larger one is answered with 413")
      ->capture_default_str()
      ->check(CLI::Range(1024, 256 << 20));
  command->add_option("--expires-at", options.expires_at, "How login tells expires_at")
      ->capture_default_str()
      ->check(CLI::IsMember({"rfc3339", "seconds", "milliseconds"}));
  command->add_option("--reasons", options.reasons, "How the request reasons are listed")
      ->capture_default_str()
      ->check(CLI::IsMember({"objects", "strings"}));
  command->add_option("--seed", application.seed, "Makes the chances of faults the same each time")
      ->type_name("NUMBER");
}

}  // namespace

void AddServe(CLI::App& app) {
  auto options = std::make_shared<ServeOptions>();
  options->application.seed = std::random_device()() >> 1;
  auto* command = app.add_subcommand(
      "serve", "Serve the sandbox: the service, its dashboard and the control API, until a signal");
  ApplicationOptions& application = options->application;
  command->add_option("--state", options->state, "Folder that holds everything; made if missing")
      ->required()
      ->type_name("DIR");
  command->add_option("--address", application.address, "Address to listen on")
      ->capture_default_str();
  auto* port = command->add_option("--port", application.port,
                                   "Port to listen on; 0 takes any free one. Default: the last one "
                                   "of this folder, if it is free");
  port->check(CLI::Range(0, 65535));
  command->add_flag("--plain-http", application.plain_http, "No TLS; for looking at what is sent");
  command
      ->add_option("--name", application.more_names,
                   "Further DNS name or IP address for the certificate")
      ->type_name("NAME");
  command->add_option("--print-port-file", options->port_file, "Write the port number to a file")
      ->type_name("FILE");
  AddServiceOptions(command, *options);
  command->footer(
      "When it is ready it prints one line of JSON on standard output:\n"
      "  {\"event\":\"ready\",\"base_url\":...,\"ca_file\":...,\"admin_token_file\":...}\n"
      "Clients trust DIR/ca.pem. SIGTERM and SIGINT end it with exit code 0.");
  command->callback([options, port] { Serve(*options, port->count() > 0); });
}

}  // namespace idkiosk::sandbox
