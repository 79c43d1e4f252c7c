#include "app/cli/installation_walk.h"

#include "app/assembly/stop_deadline.h"
#include "app/assembly/version.h"
#include "app/cli/camera_measurement.h"
#include "app/cli/doctor_parts.h"
#include "app/operator/installation.h"
#include "app/operator/installation_protocol.h"
#include "app/operator/readiness.h"
#include "app/results/webhook.h"
#include "app/settings/operator_name.h"

namespace idkiosk {
namespace {

constexpr int kEnoughFrames = 60;

struct Question {
  KioskPart part;
  std::string_view text;
  std::string_view mend;  // where the answer is no
};

constexpr Question kLampLights = {KioskPart::kLight, "Does the lamp light the face?",
                                  "Turn the lamp, or correct light.led and light.brightness."};
constexpr Question kPictureIsGood = {
    KioskPart::kScreen,
    "Is the page on the screen whole, upright and easy to read from where a person stands?",
    "Correct the screen's own settings, its place, or its light."};
constexpr Question kTouchIsExact = {
    KioskPart::kScreen, "Does the page answer in each corner where a finger touches it?",
    "Clean the screen, plug its USB cable in, and see that touch and picture are turned the same "
    "way."};
constexpr Question kSlipIsGood = {
    KioskPart::kPrinter,
    "Did a slip come out, with large letters and a square code, and was it cut?",
    "Check paper, cover and cable; correct printer.target."};

// The kiosk that is walked through, and what was found so far.
class Walk {
 public:
  Walk(Components& components, const Settings& settings, const InstallationOptions& options)
      : components_(components),
        settings_(settings),
        options_(options),
        runs_(KioskRuns(components)) {}

  [[nodiscard]] Findings CameraAndLight();
  [[nodiscard]] Findings Screen();
  [[nodiscard]] Findings Network();
  [[nodiscard]] Findings Time();
  [[nodiscard]] Findings KeyOfTheVault();
  [[nodiscard]] Findings PrinterAndDevices();
  [[nodiscard]] Findings UsersAndRights();
  [[nodiscard]] Findings QueueAndVoice();

 private:
  [[nodiscard]] Finding Ask(const Question& question);
  [[nodiscard]] Findings Sitter();
  [[nodiscard]] Findings Lamp();
  [[nodiscard]] Findings Connect(const ServiceSettings& transport, const std::string& url,
                                 KioskPart part);

  const Drivers& drivers() const { return components_.drivers(); }

  Components& components_;
  const Settings& settings_;
  const InstallationOptions& options_;
  const bool runs_;
};

Finding Walk::Ask(const Question& question) {
  const auto finding = [&](FindingState state, std::string_view answer, std::string_view mend) {
    return Finding{question.part, state, fmt::format("{} {}", question.text, answer),
                   std::string(mend)};
  };
  if (options_.yes) return finding(FindingState::kGood, "Taken as yes (--yes).", "");
  Terminal& terminal = components_.terminal();
  if (!terminal.interactive()) {
    return finding(FindingState::kBad, "Nobody answered.",
                   "Run it at a terminal, or look yourself and answer by --yes.");
  }
  if (terminal.Confirm(question.text)) return finding(FindingState::kGood, "Yes.", "");
  return finding(FindingState::kBad, "No.", question.mend);
}

Findings Walk::Sitter() {
  if (!options_.yes && components_.terminal().interactive()) {
    (void)components_.terminal().Confirm("Have somebody sit before the camera, as people will.");
  }
  const auto camera = OpenCameraOf(components_, {}, CameraPurpose::kLook);
  if (!camera) return {CameraTroubleFinding(camera.error().message)};
  Findings findings = CheckCamera(*camera->camera, camera->info, settings_, drivers().clock);
  findings.push_back(DetectorFinding(camera->analyzer->detector_name(), camera->compromise));
  const auto longest =
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(options_.seconds));
  const auto tuning = MeasureCamera(components_, *camera, longest, kEnoughFrames);
  if (!tuning) {
    findings.push_back(CameraTroubleFinding(tuning.error().message));
  } else {
    Append(findings, CheckSitter(*tuning, camera->limits));
  }
  return findings;
}

Findings Walk::Lamp() {
  if (settings_.light.led.empty()) return {};
  if (runs_) {
    return {{KioskPart::kLight, FindingState::kNote, "not checked: the running kiosk has the lamp",
             "Stop idkiosk, and run this again."}};
  }
  const auto lamp = drivers().make_light(settings_.light);
  if (const Status on = lamp->On(); !on) {
    return {{KioskPart::kLight, FindingState::kBad, on.error().message,
             "Correct light.led, or leave it out; the program's user must be able to write it."}};
  }
  Findings findings = {Ask(kLampLights)};
  if (const Status off = lamp->Off(); !off) {
    findings.push_back({KioskPart::kLight, FindingState::kBad, off.error().message,
                        "Have the lamp looked at: it stays on."});
  }
  return findings;
}

Findings Walk::CameraAndLight() {
  Findings findings = Sitter();
  Append(findings, Lamp());
  return findings;
}

Findings Walk::Screen() {
  Findings findings = CheckScreen(drivers().files);
  findings.push_back(Ask(kPictureIsGood));
  findings.push_back(Ask(kTouchIsExact));
  return findings;
}

Findings Walk::Connect(const ServiceSettings& transport, const std::string& url, KioskPart part) {
  const auto http = drivers().make_http_client(transport);
  if (!http) {
    return {{part, FindingState::kBad, http.error().message,
             "Correct the configuration where it is named there."}};
  }
  return {CheckConnection(**http, url, part, drivers().clock)};
}

Findings Walk::Network() {
  Findings findings = Connect(settings_.service, settings_.service.base_url, KioskPart::kService);
  if (!settings_.results.webhook.empty()) {
    Findings webhook =
        Connect(WebhookTransport(settings_), settings_.results.webhook, KioskPart::kResults);
    for (Finding& each : webhook) each.text = WithWebhookKeys(std::move(each.text));
    Append(findings, std::move(webhook));
  }
  const MonotonicTime start = drivers().clock.Now();
  Findings service = LookAtService(components_);
  const Duration took = drivers().clock.Now() - start;
  if (WorstOf(service) == ExitCode::kDone) {
    service.push_back({KioskPart::kService, FindingState::kGood,
                       fmt::format("connection, log-in and an unbilled call took {} ms",
                                   std::chrono::ceil<std::chrono::milliseconds>(took).count()),
                       ""});
  }
  Append(findings, std::move(service));
  return findings;
}

Findings Walk::Time() {
  Findings findings = CheckClock(drivers().clock);
  findings.push_back(CheckBoardClock(drivers().files));
  Append(findings, LookAtZone());
  return findings;
}

Findings Walk::KeyOfTheVault() {
  const auto vault = components_.vault();
  if (!vault) {
    return {{KioskPart::kVault, FindingState::kBad, vault.error().message,
             "Correct what is named there."}};
  }
  return {CheckRootKey(**vault, drivers().files, settings_.tpm.device)};
}

Findings Walk::PrinterAndDevices() {
  Findings findings = LookAtDevices(components_, settings_, runs_);
  if (settings_.printer.target.empty()) {
    findings.push_back({KioskPart::kPrinter, FindingState::kGood, "none is configured", ""});
    return findings;
  }
  auto printer = drivers().make_printer(settings_.printer.target);
  const Status printed =
      printer ? (*printer)->Print(TestSlip(settings_.brand.name, drivers().clock.WallNow()))
              : std::unexpected(printer.error());
  findings.push_back(printed ? Ask(kSlipIsGood)
                             : Finding{KioskPart::kPrinter, FindingState::kBad,
                                       printed.error().message, std::string(kSlipIsGood.mend)});
  return findings;
}

Findings Walk::UsersAndRights() {
  Findings findings = LookAtVault(components_, settings_);
  Append(findings, LookAtNames(components_, settings_));
  Append(findings, LookAtFiles(components_, settings_));
  Append(findings, LookAtApi(settings_));
  return findings;
}

Findings Walk::QueueAndVoice() {
  Findings findings = LookAtMode(components_, settings_);
  Append(findings, LookAtQueue(components_));
  Append(findings, LookAtRunningKiosk(components_));
  Append(findings, LookAtVoice(components_));
  return findings;
}

struct Step {
  std::string_view name;
  Findings (Walk::*look)();
};
constexpr Step kSteps[] = {{"camera and light", &Walk::CameraAndLight},
                           {"screen", &Walk::Screen},
                           {"network", &Walk::Network},
                           {"clock", &Walk::Time},
                           {"key of the vault", &Walk::KeyOfTheVault},
                           {"printer and other devices", &Walk::PrinterAndDevices},
                           {"users and rights", &Walk::UsersAndRights},
                           {"queue and voice", &Walk::QueueAndVoice}};

// Nothing else can be looked at by a configuration that is wrong.
CommandResult<InstallationProtocol> Look(Components& components,
                                         const InstallationOptions& options) {
  InstallationProtocol protocol;
  protocol.version = ProgramVersion();
  protocol.signed_by = options.signed_by;
  protocol.steps.push_back({"configuration", LookAtConfiguration(components)});
  const auto settings = components.settings();
  if (!settings) {
    Findings& findings = protocol.steps.back().findings;
    if (WorstOf(findings) == ExitCode::kDone) {
      findings.push_back({KioskPart::kConfiguration, FindingState::kBad, settings.error().message,
                          "Correct what is named there."});
    }
    return protocol;
  }
  protocol.kiosk = (*settings)->headquarters.kiosk;
  protocol.service =
      fmt::format("{}, {}", Name((*settings)->environment), (*settings)->service.base_url);
  Walk walk(components, **settings, options);
  for (const Step& each : kSteps) {
    components.terminal().Say(fmt::format("Looking at {} ...", each.name));
    protocol.steps.push_back({std::string(each.name), (walk.*each.look)()});
    if (components.stopping()) {
      return StopWith(ExitCode::kNeedsPerson, "stopped: no protocol was written");
    }
  }
  return protocol;
}

// The folder of the protocols; empty: none was named, and the state folder is not known.
std::string FolderOf(Components& components, const InstallationOptions& options) {
  if (!options.out.empty()) return options.out;
  const auto settings = components.settings_before_provisioning();
  return settings ? (*settings)->state_folder + "/installation" : "";
}

}  // namespace

CommandResult<ExitCode> WalkThroughInstallation(Components& components,
                                                const InstallationOptions& options) {
  if (options.signed_by.empty() || !CheckOperatorName(options.signed_by)) {
    return StopWith(ExitCode::kUsage,
                    "--signed-by must name who installs the kiosk, in at most 32 letters, digits, "
                    "- _ and ., with fewer than nine digits: the protocol is signed off by them");
  }
  const StopDeadline soon(components, ExitCode::kNeedsPerson);
  auto protocol = Look(components, options);
  if (!protocol) return std::unexpected(protocol.error());
  protocol->made_at = components.drivers().clock.WallNow();
  Terminal& terminal = components.terminal();
  std::string text = components.json() ? ProtocolJson(*protocol) : ProtocolText(*protocol);
  text.pop_back();
  terminal.Print(text);
  if (const std::string folder = FolderOf(components, options); !folder.empty()) {
    const auto kept = KeepProtocol(components.drivers().files, folder, *protocol);
    if (!kept) return StopWith(ExitCode::kConfiguration, kept.error());
    terminal.Say(fmt::format("The protocol is in {}, for programs beside it as .json.", *kept));
  }
  return WorstOf(protocol->findings());
}

}  // namespace idkiosk
