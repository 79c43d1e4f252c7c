// doctor: every part a kiosk needs, checked one by one, with the mend; and where one is installed,
// together with its place.
#include "app/assembly/stop_deadline.h"
#include "app/cli/command_line.h"
#include "app/cli/doctor_parts.h"
#include "app/cli/installation_walk.h"
#include "app/operator/readiness.h"

namespace idkiosk {
namespace {

struct DoctorOptions {
  bool install = false;
  InstallationOptions installation;

  std::vector<Argument> arguments() {
    return {{.name = "--install",
             .target = &install,
             .help = "Walk an installer through camera, light, screen, network, clock, TPM, "
                     "printer and users, and write a protocol"},
            {.name = "--signed-by",
             .target = &installation.signed_by,
             .type = "NAME",
             .help = "With --install: who installs the kiosk, and signs the protocol"},
            {.name = "--out",
             .target = &installation.out,
             .type = "FOLDER",
             .help = "With --install: the folder for the protocol, as text and JSON. Default: "
                     "'installation' in the state folder"},
            {.name = "--seconds",
             .target = &installation.seconds,
             .help = "With --install: measure the camera no longer than this",
             .show_default = true,
             .range = NumberRange{2, 600}},
            {.name = "--yes",
             .target = &installation.yes,
             .help = "With --install: take each question as answered with yes"}};
  }
};

void Print(Components& components, const Findings& findings) {
  if (components.json()) {
    JsonWriter json;
    WriteFindings(json, findings);
    return components.terminal().Print(json.text());
  }
  for (const Finding& each : findings) {
    components.terminal().Print(
        fmt::format("{:<5} {:<14} {}", Name(each.state), Name(each.part), each.text));
    if (!each.mend.empty()) components.terminal().Print(fmt::format("{:<20} -> {}", "", each.mend));
  }
}

Findings LookAtEveryPart(Components& components) {
  Findings findings = LookAtConfiguration(components);
  if (WorstOf(findings) != ExitCode::kDone) return findings;
  // Whatever else is wrong with it is said by what needs it.
  const auto settings = components.settings();
  if (!settings) {
    findings.push_back({KioskPart::kConfiguration, FindingState::kBad, settings.error().message,
                        "Correct what is named there."});
  } else {
    Append(findings, LookAtVault(components, **settings));
    Append(findings, LookAtNames(components, **settings));
    Append(findings, LookAtFiles(components, **settings));
    Append(findings, LookAtApi(**settings));
    Append(findings, LookAtMode(components, **settings));
    Append(findings, LookAtDevices(components, **settings, KioskRuns(components)));
  }
  Append(findings, LookAtQueue(components));
  if (settings) Append(findings, LookAtRunningKiosk(components));
  Append(findings, LookAtCamera(components));
  Append(findings, LookAtVoice(components));
  Append(findings, CheckClock(components.drivers().clock));
  Append(findings, LookAtZone());
  Append(findings, LookAtService(components));
  return findings;
}

CommandResult<ExitCode> RunDoctor(Components& components, DoctorOptions& options) {
  if (options.install) return WalkThroughInstallation(components, options.installation);
  const InstallationOptions& others = options.installation;
  if (!others.signed_by.empty() || !others.out.empty() || others.yes) {
    return StopWith(ExitCode::kUsage, "--signed-by, --out and --yes go with --install");
  }
  const StopDeadline soon(components, ExitCode::kConfiguration);
  const Findings findings = LookAtEveryPart(components);
  Print(components, findings);
  return WorstOf(findings);
}

}  // namespace

void AddDoctorCommand(CommandLine& line) {
  line.Add(line.Make("doctor", "Check every part a kiosk needs, one by one; nothing is billed",
                     &RunDoctor));
}

}  // namespace idkiosk
