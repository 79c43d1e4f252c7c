// doctor: every part a kiosk needs, checked one by one, with the mend.
#include "app/commands/capture_session.h"
#include "app/commands/command_line.h"
#include "platform/base/json.h"

namespace idkiosk {
namespace {

// Collects what was found; a part that is bad does not keep the next from being looked at.
class Findings {
 public:
  void Good(std::string part, std::string detail) {
    list_.push_back({std::move(part), "good", std::move(detail)});
  }
  void Note(std::string part, std::string detail) {
    list_.push_back({std::move(part), "note", std::move(detail)});
  }
  void Bad(std::string part, std::string detail, ExitCode code) {
    list_.push_back({std::move(part), "bad", std::move(detail)});
    if (worst_ == ExitCode::kDone) worst_ = code;
  }

  void Print(Kiosk& kiosk) const {
    JsonWriter json;
    json.BeginArray();
    for (const Finding& each : list_) {
      json.BeginObject()
          .Field("part", each.part)
          .Field("state", each.state)
          .Field("detail", each.detail)
          .EndObject();
      if (kiosk.json()) continue;
      kiosk.terminal().Print(fmt::format("{:<5} {:<14} {}", each.state, each.part, each.detail));
    }
    if (kiosk.json()) kiosk.terminal().Print(json.EndArray().text());
  }

  // The first bad part's, or kDone.
  [[nodiscard]] ExitCode worst() const { return worst_; }

 private:
  struct Finding {
    std::string part;
    std::string state;
    std::string detail;
  };

  std::vector<Finding> list_;
  ExitCode worst_ = ExitCode::kDone;
};

bool CheckConfiguration(Kiosk& kiosk, Findings& findings) {
  const auto settings = kiosk.settings();
  if (!settings) {
    findings.Bad("configuration", settings.error().message, settings.error().code);
    return false;
  }
  const bool production = (*settings)->environment == Environment::kProduction;
  findings.Good("configuration",
                fmt::format("{}, {}, {}", kiosk.config_path(),
                            production ? "production" : "sandbox", (*settings)->service.base_url));
  const auto profile = kiosk.profile();
  if (!profile) {
    findings.Bad("profile", profile.error().message, profile.error().code);
    return false;
  }
  findings.Good("profile", (*profile)->file);
  for (const EndpointProfile& endpoint : (*profile)->endpoints) {
    if (!endpoint.missing.empty()) {
      findings.Note("profile",
                    fmt::format("{} cannot be called: to be filled in from what the "
                                "operator delivers: {}",
                                Name(endpoint.endpoint), fmt::join(endpoint.missing, ", ")));
    } else if (!endpoint.documented) {
      findings.Note("profile", fmt::format("{} is not shown in the service's document: its values "
                                           "are this profile's own",
                                           Name(endpoint.endpoint)));
    }
  }
  return true;
}

void CheckVault(Kiosk& kiosk, Findings& findings) {
  const auto vault = kiosk.vault();
  const auto info = (*vault)->Describe();
  if (!info) {
    findings.Bad("vault", info.error().message, ExitCode::kConfiguration);
    return;
  }
  findings.Good("vault", info->protection);
  for (const std::string_view name :
       {kApiKeySecret, kUserIdSecret, kLoginSecret, kPasswordSecret}) {
    if (const auto secret = (*vault)->Get(name); !secret) {
      findings.Bad("vault", secret.error().message, ExitCode::kConfiguration);
    }
  }
}

void CheckQueue(Kiosk& kiosk, Findings& findings) {
  const auto queue = kiosk.queue(DurableQueue::Role::kOperate);
  if (!queue) {
    findings.Bad("queue", queue.error().message, queue.error().code);
    return;
  }
  if (const auto room = (*queue)->CheckRoom(); !room) {
    findings.Bad("queue", room.error().message, ExitCode::kCapture);
  }
  const auto stats = (*queue)->Stats();
  if (!stats) {
    findings.Bad("queue", stats.error().message, ExitCode::kConfiguration);
    return;
  }
  const std::string counts = fmt::format("{} wait, {} held, {} unknown, {} damaged", stats->pending,
                                         stats->held, stats->unknown, stats->damaged);
  if (stats->held + stats->unknown + stats->damaged > 0) {
    findings.Bad("queue", counts + ": see 'idkiosk queue list'", ExitCode::kNeedsPerson);
  } else {
    findings.Good("queue", counts);
  }
}

void CheckCamera(Kiosk& kiosk, Findings& findings) {
  const auto session = CameraSession::Open(kiosk, {});
  if (!session) {
    findings.Bad("camera", session.error().message, session.error().code);
    return;
  }
  const CameraInfo& info = (*session)->info();
  const auto frame =
      (*session)->camera().NextFrame(kiosk.drivers().clock.Now() + std::chrono::seconds(3));
  if (!frame) {
    findings.Bad("camera", frame.error().message, ExitCode::kCapture);
    return;
  }
  findings.Good("camera",
                fmt::format("{} ({}), {}x{}", info.name, info.source, info.width, info.height));
  const std::string detector((*session)->analyzer().detector().name());
  if (kiosk.detector_compromise().empty()) {
    findings.Good("face detector", detector);
  } else {
    findings.Note("face detector", fmt::format("{}: {}", detector, kiosk.detector_compromise()));
  }
}

// Login and the list of reasons: nothing that is billed.
void CheckService(Kiosk& kiosk, Findings& findings) {
  const Clock& clock = kiosk.drivers().clock;
  if (!clock.WallIsTrusted()) {
    findings.Bad("clock",
                 fmt::format("{} cannot be right, so no certificate can be judged: set the clock, "
                             "or wait for the network's time",
                             FormatRfc3339(clock.WallNow())),
                 ExitCode::kNeedsPerson);
  } else {
    findings.Good("clock", FormatRfc3339(clock.WallNow()));
  }
  const auto service = kiosk.service();
  if (!service) {
    findings.Bad("service", service.error().message, service.error().code);
    return;
  }
  const auto reasons = (*service)->FetchReasons();
  if (!reasons) {
    findings.Bad("service", reasons.error().message, ExitCode::kKept);
    return;
  }
  findings.Good("service", fmt::format("logged in; {} request reasons", reasons->size()));
  const auto skew = (*service)->clock_skew();
  constexpr Duration kNoticeable = std::chrono::seconds(30);
  if (skew && std::chrono::abs(*skew) > kNoticeable) {
    findings.Note("clock", fmt::format("the service's clock differs by {}",
                                       FormatDuration(std::chrono::abs(*skew))));
  }
}

Attempt<ExitCode> RunDoctor(Kiosk& kiosk, NoOptions&) {
  Findings findings;
  if (CheckConfiguration(kiosk, findings)) {
    CheckVault(kiosk, findings);
    CheckQueue(kiosk, findings);
    CheckCamera(kiosk, findings);
    CheckService(kiosk, findings);
  }
  findings.Print(kiosk);
  return findings.worst();
}

}  // namespace

void AddDoctorCommand(CommandLine& line) {
  line.Add<NoOptions>(line.app(), "doctor",
                      "Check every part a kiosk needs, one by one; nothing is billed", &RunDoctor);
}

}  // namespace idkiosk
