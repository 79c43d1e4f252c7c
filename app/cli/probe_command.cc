// probe: an unbilled call as the profile describes it, shown as it stands.
#include "app/assembly/stop_deadline.h"
#include "app/cli/command_line.h"
#include "app/service/probe_client.h"
#include "app/settings/credentials.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

struct ProbeOptions {
  std::string endpoint;

  std::vector<Argument> arguments() {
    return {{.name = "endpoint",
             .target = &endpoint,
             .type = "ENDPOINT",
             .help = "login, or reasons (which logs in first)",
             .required = true}};
  }
};

std::vector<ProbeClient::Secret> SecretsOf(SecureStorage& vault) {
  std::vector<ProbeClient::Secret> secrets;
  for (const CredentialTraits& each : kAllCredentials) {
    auto value = vault.Get(each.name);
    if (value) secrets.push_back({std::string(each.name), std::move(*value)});
  }
  return secrets;
}

CommandResult<ExitCode> RunProbe(Components& components, ProbeOptions& options) {
  const auto endpoint = EndpointOf(options.endpoint);
  if (!endpoint) {
    return StopWith(ExitCode::kUsage,
                    fmt::format("There is no endpoint '{}': probe login or reasons.",
                                Printable(options.endpoint)));
  }
  if (Status may = CheckProbe(*endpoint); !may) return StopWith(ExitCode::kUsage, may.error());
  const auto settings = components.settings();
  if (!settings) return std::unexpected(settings.error());
  const auto known = components.profile();
  if (!known) return std::unexpected(known.error());
  const auto vault = components.vault();
  if (!vault) return std::unexpected(vault.error());
  auto http = components.drivers().make_http_client((*settings)->service);
  if (!http) return StopWith(ExitCode::kConfiguration, http.error());
  const ServiceProfile profile = ProfileOfProbe(**known, *endpoint);
  Terminal& terminal = components.terminal();
  ProbeClient probe(**http, SecretsOf(**vault),
                    [&terminal](const std::string& line) { terminal.Print(line); });
  const Environment environment = (*settings)->environment;
  TokenKeeper tokens(profile, (*settings)->service, environment, probe, **vault,
                     components.drivers().clock);
  ServiceClient client(profile, (*settings)->service, environment, probe, **vault, tokens,
                       components.drivers().clock);
  const StopDeadline soon(components, ExitCode::kKept);
  Status read;
  if (*endpoint == Endpoint::kLogin) {
    read = client.Login();
  } else {
    const auto reasons = client.FetchReasons();
    read = reasons ? CheckLabels(profile, *reasons) : std::unexpected(reasons.error());
  }
  const std::vector<std::string>& missing = (*known)->at(*endpoint).missing;
  const std::vector<std::string> assumed = StillAssumed(**known, *endpoint);
  if (read && missing.empty()) {
    terminal.Say("The profile reads this answer as it should.");
    if (environment != Environment::kProduction || assumed.empty()) return ExitCode::kDone;
    terminal.Say(fmt::format(
        "Production does not send it yet. Once the service's operator has confirmed it, write true "
        "in {}: {}.",
        (*known)->file, fmt::join(assumed, ", ")));
    return ExitCode::kNeedsPerson;
  }
  if (!missing.empty()) {
    terminal.Say(
        fmt::format("Still to be filled in, in {}: {}.", (*known)->file, fmt::join(missing, ", ")));
  }
  if (!read) {
    // Some sentences bring their own stop.
    std::string why = read.error().message;
    if (!why.ends_with('.')) why += '.';
    terminal.Say(fmt::format("By the present profile: {}", why));
  }
  return ExitCode::kNeedsPerson;
}

}  // namespace

void AddProbeCommand(CommandLine& line) {
  line.Add(line.Make(
      "probe", "Send an unbilled call as the profile describes it, and show request and answer",
      &RunProbe));
}

}  // namespace idkiosk
