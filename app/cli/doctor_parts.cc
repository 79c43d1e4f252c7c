#include "app/cli/doctor_parts.h"

#include "app/accounts/period.h"
#include "app/api/api_client.h"
#include "app/api/api_server.h"
#include "app/assembly/camera_opening.h"
#include "app/cli/access/queue_access.h"
#include "app/consent/consent_texts.h"
#include "app/operator/readiness.h"
#include "app/settings/languages.h"
#include "app/ui/brand_logo.h"
#include "app/ui/peer_user.h"
#include "app/ui/voice_files.h"

namespace idkiosk {
namespace {

// What the shell is told of a part that is bad.
ExitCode CodeOf(KioskPart part) {
  switch (part) {
    case KioskPart::kConfiguration:
    case KioskPart::kProfile:
    case KioskPart::kVault:
    case KioskPart::kPin:
    case KioskPart::kFiles:
      return ExitCode::kConfiguration;
    case KioskPart::kCamera:
    case KioskPart::kFaceDetector:
      return ExitCode::kCapture;
    case KioskPart::kRoom:
    case KioskPart::kService:
      return ExitCode::kKept;
    case KioskPart::kAudit:
    case KioskPart::kQueue:
    case KioskPart::kCalls:
    case KioskPart::kResults:
    case KioskPart::kVoice:
    case KioskPart::kClock:
    case KioskPart::kLight:
    case KioskPart::kScreen:
    case KioskPart::kPrinter:
      break;
  }
  return ExitCode::kNeedsPerson;
}

Finding DeviceFinding(FindingState state, std::string_view key, const Error& error,
                      std::string_view consequence) {
  return {
      KioskPart::kConfiguration, state, fmt::format("{}: {}; {}", key, error.message, consequence),
      fmt::format("See that the program's user can open the device; or correct {}, or leave that "
                  "key out.",
                  key)};
}

}  // namespace

ExitCode WorstOf(const Findings& findings) {
  for (const Finding& each : findings) {
    if (each.state == FindingState::kBad) return CodeOf(each.part);
  }
  return ExitCode::kDone;
}

bool KioskRuns(Components& components) {
  const auto kiosk = RunningKiosk(components);
  return kiosk && *kiosk;
}

Findings LookAtConfiguration(Components& components) {
  return CheckConfiguration(components.drivers().files, components.config_path());
}

Findings LookAtVault(Components& components, const Settings& settings) {
  const auto vault = components.vault();
  if (!vault) return {};
  Findings findings = CheckVault(**vault, settings);
  if ((*vault)->Describe()) Append(findings, CheckAudit(**components.audit()));
  Append(findings, CheckJournals(components.drivers().files, settings.state_folder));
  return findings;
}

Findings LookAtQueue(Components& components) {
  const auto queue = components.queue(DurableQueue::Role::kOperate);
  if (queue) {
    Findings findings = CheckQueue(**queue);
    if (const auto audit = components.audit()) Append(findings, CheckErasures(**audit, **queue));
    const Drivers& drivers = components.drivers();
    Append(findings, CheckResults(**components.settings(), **components.vault(), drivers.crypto,
                                  drivers.files, **queue, drivers.clock));
    return findings;
  }
  return {{KioskPart::kQueue, FindingState::kBad, queue.error().message,
           "Correct what is named there, or have the state folder looked at."}};
}

Findings LookAtCamera(Components& components) {
  // What is wrong with the settings is no fault of the camera, and is said already.
  if (!components.settings_or_defaults()) return {};
  const auto camera = OpenCameraOf(components, {}, CameraPurpose::kLook);
  if (!camera) return {CameraTroubleFinding(camera.error().message)};
  Findings findings = CheckCamera(*camera->camera, camera->info,
                                  **components.settings_or_defaults(), components.drivers().clock);
  findings.push_back(DetectorFinding(camera->analyzer->detector_name(), camera->compromise));
  return findings;
}

Findings LookAtService(Components& components) {
  const auto service = components.service();
  if (service) return CheckService(**service, **components.settings());
  return {{KioskPart::kService, FindingState::kBad, service.error().message,
           "Correct the configuration where it is named there."}};
}

Findings LookAtNames(Components& components, const Settings& settings) {
  Findings findings;
  if (const auto user = BrowserUser(settings.ui.browser_user); !user) {
    findings.push_back({KioskPart::kConfiguration, FindingState::kBad, user.error().message,
                        "Make that user, or correct ui.browser_user."});
  }
  const auto texts = ConsentTexts::Load(settings, components.drivers().files);
  if (!texts) {
    findings.push_back({KioskPart::kConfiguration, FindingState::kBad, texts.error().message,
                        "Put the text there, or leave consent.folder out."});
  } else if (const auto missing = texts->Missing(); !missing.empty()) {
    findings.push_back({KioskPart::kConfiguration, FindingState::kNote,
                        fmt::format("consent.folder has no text in {}: whoever chooses one of "
                                    "these is shown {}.txt",
                                    fmt::join(missing, ", "), settings.ui.language),
                        fmt::format("Write {}.txt there, or tell staff to explain the text.",
                                    fmt::join(missing, ".txt, "))});
  }
  if (!settings.brand.logo.empty()) {
    if (const auto logo = LoadBrandLogo(components.drivers().files, settings.brand.logo); !logo) {
      findings.push_back({KioskPart::kConfiguration, FindingState::kBad,
                          fmt::format("brand.logo: {}", logo.error().message),
                          "Take another picture, or leave brand.logo out; 'idkiosk run' does not "
                          "start."});
    }
  }
  return findings;
}

Findings LookAtDevices(Components& components, const Settings& settings, bool runs) {
  const Drivers& drivers = components.drivers();
  Findings findings;
  if (!settings.tamper.gpio_chip.empty()) {
    const Status opened = drivers.make_tamper_switch(settings.tamper)->Open();
    const bool has_it = runs && !opened && opened.error().code == ErrorCode::kUnavailable;
    if (!opened && !has_it) {
      findings.push_back(DeviceFinding(FindingState::kBad, "tamper.gpio_chip", opened.error(),
                                       "'idkiosk run' does not start"));
    }
  }
  if (!settings.light.led.empty() && !runs) {
    if (const Status off = drivers.make_light(settings.light)->Off(); !off) {
      findings.push_back(
          DeviceFinding(FindingState::kNote, "light.led", off.error(), "faces are not lit"));
    }
  }
  if (!settings.printer.target.empty()) {
    auto printer = drivers.make_printer(settings.printer.target);
    const Status reached = printer ? (*printer)->Print({}) : std::unexpected(printer.error());
    if (!reached) {
      findings.push_back(printer ? DeviceFinding(FindingState::kNote, "printer.target",
                                                 reached.error(), "no receipt is printed")
                                 : DeviceFinding(FindingState::kBad, "printer.target",
                                                 reached.error(), "'idkiosk run' does not start"));
    }
  }
  return findings;
}

Findings LookAtMode(Components& components, const Settings& settings) {
  const auto profile = components.profile();
  if (!profile) return {};  // said already
  const Status callable = CheckMode(settings, **profile);
  if (callable) return {};
  return {{KioskPart::kProfile, FindingState::kBad,
           fmt::format("'idkiosk run' does not start: {}", callable.error().message),
           fmt::format("Write into {} what the service's operator delivers.", (*profile)->file)}};
}

Findings LookAtZone() {
  const std::string trouble = ZoneTrouble();
  if (trouble.empty()) return {};
  return {{KioskPart::kClock, FindingState::kNote, trouble, "Correct TZ, or leave it out."}};
}

Findings LookAtApi(const Settings& settings) {
  if (const Status good = ApiServer::Check(settings.api); !good) {
    return {{KioskPart::kConfiguration, FindingState::kBad, good.error().message,
             "Make what is named there, or correct the section api."}};
  }
  if (settings.api.socket.empty()) return {};
  return {{KioskPart::kConfiguration, FindingState::kGood,
           fmt::format("the local API is at {} while idkiosk runs", settings.api.socket), ""}};
}

Findings LookAtVoice(Components& components) {
  const VoiceFiles voice(components.drivers().files, components.VoicePlaces());
  const size_t all = SpokenKeys().size();
  Findings findings;
  if (const auto settings = components.settings_before_provisioning(); settings) {
    const std::string trouble =
        VoiceFolderTrouble(components.drivers().files, (*settings)->ui.voice_folder);
    if (!trouble.empty()) findings.push_back({KioskPart::kVoice, FindingState::kNote, trouble, ""});
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
      findings.push_back({KioskPart::kVoice, FindingState::kNote,
                          fmt::format("{} lacks {} of {} sentences, such as {}", language,
                                      missing.size(), all, missing.front()),
                          "Record the sentences that 'tools/voice --missing' lists, and put them "
                          "into ui.voice_folder."});
    }
  }
  if (!silent.empty()) {
    findings.push_back({KioskPart::kVoice, FindingState::kNote,
                        fmt::format("nothing is spoken in {}", fmt::join(silent, ", ")),
                        "Record their sentences, and put them into ui.voice_folder."});
  }
  if (!complete.empty()) {
    findings.push_back({KioskPart::kVoice, FindingState::kGood,
                        fmt::format("every sentence in {}", fmt::join(complete, ", ")), ""});
  }
  return findings;
}

Findings LookAtFiles(Components& components, const Settings& settings) {
  const std::string& browser = settings.ui.browser_user;
  const std::string readers =
      browser.empty() ? "this user alone reads the state folder, and so does its browser"
                      : fmt::format(
                            "this user alone reads the state folder; user {} reads the "
                            "start page",
                            browser);
  Findings findings = {{KioskPart::kFiles, FindingState::kGood, readers, ""}};
  if (browser.empty()) {
    findings.back().state = FindingState::kNote;
    findings.back().mend = "Give the browser a user of its own, and name it as ui.browser_user.";
  }
  if (components.drivers().can_confine_files()) {
    findings.push_back({KioskPart::kFiles, FindingState::kGood,
                        "'idkiosk run' opens only the state folder, the settings, devices and the "
                        "system's files (Landlock)",
                        ""});
  } else {
    findings.push_back({KioskPart::kFiles, FindingState::kNote,
                        "this kernel has no Landlock: who breaks into 'idkiosk run' opens every "
                        "file of its user",
                        "Use a kernel from 5.19 on, with 'landlock' in its parameter lsm=."});
  }
  return findings;
}

Findings LookAtRunningKiosk(Components& components) {
  const auto kiosk = RunningKiosk(components);
  if (!kiosk || !*kiosk) return {};
  auto health = (*kiosk)->Get("/v1/health");
  // One that is not ready answers so with the same document.
  const JsonView told = health ? health->root() : health.error().whole.root();
  const std::string state(told["state"].AsString().value_or(""));
  if (state.empty()) {
    return {{KioskPart::kQueue, FindingState::kNote,
             fmt::format("a kiosk runs, and does not say how it is: {}",
                         health ? "" : ErrorOf(health.error()).message),
             "Look at its log."}};
  }
  Findings findings = {{KioskPart::kQueue,
                        state == "ready" ? FindingState::kGood : FindingState::kNote,
                        fmt::format("a kiosk runs, and says of itself: {}", state), ""}};
  for (const JsonView each : told["parts"].children()) {
    const bool unreached =
        each["part"].AsString() == "service" && each["state"].AsString() == "bad";
    const bool unlit = each["part"].AsString() == "light";
    const bool unseen = each["part"].AsString() == "screen";
    if (!unreached && !unlit && !unseen) continue;
    findings.push_back({unlit    ? KioskPart::kLight
                        : unseen ? KioskPart::kScreen
                                 : KioskPart::kService,
                        unseen ? FindingState::kBad : FindingState::kNote,
                        fmt::format("the running kiosk: {}", each["text"].AsString().value_or("")),
                        std::string(each["mend"].AsString().value_or(""))});
  }
  return findings;
}

}  // namespace idkiosk
