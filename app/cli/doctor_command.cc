// doctor: every part a kiosk needs, checked one by one, with the mend.
#include <map>

#include "app/assembly/camera_session.h"
#include "app/cli/command_line.h"
#include "app/operator/readiness.h"
#include "app/ui/voice_files.h"

namespace idkiosk {
namespace {

// What the shell is told of a part that is bad.
ExitCode CodeOf(const Finding& finding) {
  static const std::map<std::string, ExitCode, std::less<>> codes = {
      {"configuration", ExitCode::kConfiguration},
      {"profile", ExitCode::kConfiguration},
      {"vault", ExitCode::kConfiguration},
      {"pin", ExitCode::kConfiguration},
      {"room", ExitCode::kCapture},
      {"queue", ExitCode::kNeedsPerson},
      {"camera", ExitCode::kCapture},
      {"face detector", ExitCode::kCapture},
      {"clock", ExitCode::kNeedsPerson},
      {"service", ExitCode::kKept},
  };
  const auto found = codes.find(finding.part);
  return found == codes.end() ? ExitCode::kNeedsPerson : found->second;
}

// Of the first bad part, or kDone.
ExitCode WorstOf(const Findings& findings) {
  for (const Finding& each : findings) {
    if (each.state == FindingState::kBad) return CodeOf(each);
  }
  return ExitCode::kDone;
}

Findings LookAtQueue(Kiosk& kiosk) {
  const auto queue = kiosk.queue(DurableQueue::Role::kOperate);
  if (queue) return CheckQueue(**queue);
  return {{"queue", FindingState::kBad, queue.error().message,
           "Correct what is named there, or have the state folder looked at."}};
}

Findings LookAtCamera(Kiosk& kiosk) {
  const auto session = CameraSession::Open(kiosk, {});
  if (!session) return {CameraTroubleFinding(session.error().message)};
  Findings findings = CheckCamera((*session)->camera(), (*session)->info(), kiosk.drivers().clock);
  findings.push_back(
      DetectorFinding((*session)->analyzer().detector().name(), kiosk.detector_compromise()));
  return findings;
}

Findings LookAtService(Kiosk& kiosk) {
  const auto service = kiosk.service();
  if (service) return CheckService(**service);
  return {{"service", FindingState::kBad, service.error().message,
           "Correct the configuration where it is named there."}};
}

// Silence is no fault; but a bank should know which of its people hear nothing.
Findings LookAtVoice(Kiosk& kiosk) {
  const VoiceFiles voice(kiosk.drivers().files, kiosk.VoicePlaces());
  const size_t all = SpokenKeys().size();
  Findings findings;
  if (const auto settings = kiosk.settings_before_provisioning(); settings) {
    const std::string trouble =
        VoiceFolderTrouble(kiosk.drivers().files, (*settings)->ui.voice_folder);
    if (!trouble.empty()) findings.push_back({"voice", FindingState::kNote, trouble, ""});
  }
  std::vector<std::string_view> complete;
  std::vector<std::string_view> silent;
  for (const std::string_view language : PageLanguages()) {
    const std::vector<std::string_view> missing = voice.Missing(language);
    if (missing.empty()) {
      complete.push_back(language);
    } else if (missing.size() == all) {
      silent.push_back(language);
    } else {
      findings.push_back({"voice", FindingState::kNote,
                          fmt::format("{} lacks {} of {} sentences, such as {}", language,
                                      missing.size(), all, missing.front()),
                          "Record what 'tools/voice --missing' lists, for ui.voice_folder."});
    }
  }
  if (!silent.empty()) {
    findings.push_back({"voice", FindingState::kNote,
                        fmt::format("nothing is spoken in {}", fmt::join(silent, ", ")),
                        "Record their sentences, for ui.voice_folder."});
  }
  if (!complete.empty()) {
    findings.push_back({"voice", FindingState::kGood,
                        fmt::format("every sentence in {}", fmt::join(complete, ", ")), ""});
  }
  return findings;
}

void Print(Kiosk& kiosk, const Findings& findings) {
  if (kiosk.json()) {
    JsonWriter json;
    WriteFindings(json, findings);
    return kiosk.terminal().Print(json.text());
  }
  for (const Finding& each : findings) {
    kiosk.terminal().Print(fmt::format("{:<5} {:<14} {}", Name(each.state), each.part, each.text));
    if (!each.mend.empty()) kiosk.terminal().Print(fmt::format("{:<20} -> {}", "", each.mend));
  }
}

Attempt<ExitCode> RunDoctor(Kiosk& kiosk, NoOptions&) {
  Findings findings = CheckConfiguration(kiosk.drivers().files, kiosk.config_path());
  if (WorstOf(findings) == ExitCode::kDone) {
    // Whatever else is wrong with it is said by what needs it.
    const auto settings = kiosk.settings();
    const auto vault = kiosk.vault();
    if (settings && vault) Append(findings, CheckVault(**vault, (*settings)->mode));
    Append(findings, LookAtQueue(kiosk));
    Append(findings, LookAtCamera(kiosk));
    Append(findings, LookAtVoice(kiosk));
    Append(findings, CheckClock(kiosk.drivers().clock));
    Append(findings, LookAtService(kiosk));
  }
  Print(kiosk, findings);
  return WorstOf(findings);
}

}  // namespace

void AddDoctorCommand(CommandLine& line) {
  line.Add<NoOptions>(line.app(), "doctor",
                      "Check every part a kiosk needs, one by one; nothing is billed", &RunDoctor);
}

}  // namespace idkiosk
