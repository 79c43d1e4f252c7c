#include "app/operator/readiness.h"

#include <algorithm>
#include <set>
#include <utility>

#include "app/capture/live_camera.h"
#include "app/results/hand_over.h"
#include "app/results/spool.h"
#include "app/results/webhook_signature.h"
#include "app/session/offered_reasons.h"
#include "app/session/staff/staff_list.h"
#include "app/settings/credentials.h"
#include "app/settings/load_settings.h"
#include "app/settings/settings_access.h"

namespace idkiosk {
namespace {

constexpr Duration kFirstFrame = std::chrono::seconds(3);
constexpr Duration kNoticeableSkew = std::chrono::seconds(30);
constexpr Duration kResultsMayTake = std::chrono::minutes(1);
constexpr Duration kResultsAreLate = std::chrono::hours(1);

std::string VaultMend(ErrorCode code) {
  switch (code) {
    case ErrorCode::kFailedPrecondition:
      return "Make one with 'idkiosk vault init', then set this kiosk up.";
    case ErrorCode::kCorrupt:
    case ErrorCode::kUnauthenticated:
      return "Its secrets and the waiting calls can no longer be read. Keep a copy of the state "
             "folder for support. Then run 'idkiosk vault erase' and 'idkiosk vault init', and set "
             "this kiosk up again.";
    default:
      return "See that the program's user may read and write the state folder.";
  }
}

std::string ServiceMend(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUnauthenticated:
      return "If it names a certificate, correct what it says is wrong. If the service refuses a "
             "credential, 'idkiosk probe reasons' shows its answer: set api_key, user_id, login "
             "and password again with 'idkiosk vault set NAME', or in the set-up.";
    case ErrorCode::kForbidden:
      return "Have the service's operator give this account access.";
    case ErrorCode::kFailedPrecondition:
      return "Write what this message names into the profile or the vault; nothing is sent until "
             "then.";
    case ErrorCode::kNotFound:
      return "Check the path in service.base_url and in the profile: nothing is there.";
    case ErrorCode::kCorrupt:
      return "Check service.base_url: something else answers there, perhaps a network's log-in "
             "page.";
    default:
      return "Check the network, and service.base_url in the configuration. Where a certificate or "
             "a key is named: service.ca_file, service.pins, and the clock. Calls wait until the "
             "service can be reached.";
  }
}

Finding CredentialFinding(std::string_view name, const Error& error) {
  return Finding::Bad(KioskPart::kVault, error.message,
                      fmt::format("Set it: 'idkiosk vault set {}', or the set-up.", name));
}

Finding SkewFinding(Duration skew) {
  return Finding::Note(
      KioskPart::kClock,
      fmt::format("the service's clock differs by {}", FormatDuration(std::chrono::abs(skew))),
      "Set the clock, or give the kiosk a time server.");
}

// A little delay is nobody's concern; behind it somebody waits for results.
Finding ResultsFinding(const HandOverStanding& standing, WallTime now) {
  const std::string waiting =
      standing.oldest
          ? fmt::format("{}: {} ended and not handed over, the oldest at {}", standing.destination,
                        standing.waiting, FormatRfc3339(*standing.oldest))
          : fmt::format("{}: everything is handed over", standing.destination);
  if (standing.gone) {
    return Finding::Bad(
        KioskPart::kResults, fmt::format("{}. {}", waiting, standing.trouble),
        "Write the receiver's new address as results.webhook, or have it take results "
        "again; then start idkiosk again.");
  }
  const Duration age = standing.oldest ? Duration(now - *standing.oldest) : Duration();
  if (age < kResultsMayTake && standing.trouble.empty())
    return Finding::Good(KioskPart::kResults, waiting);
  std::string text =
      standing.trouble.empty() ? waiting : fmt::format("{}. {}", waiting, standing.trouble);
  std::string mend =
      "Have the receiver, or the folder, mended; nothing is lost. A folder that was away and is "
      "made again is seen at the next start of idkiosk.";
  return {KioskPart::kResults, age < kResultsAreLate ? FindingState::kNote : FindingState::kBad,
          std::move(text), std::move(mend)};
}

}  // namespace

Findings CheckConfiguration(FileSystem& files, const std::string& path) {
  const auto settings = LoadSettings(files, path);
  if (!settings) {
    return {Finding::Bad(
        KioskPart::kConfiguration, settings.error().message,
        fmt::format("Correct what is named there; 'idkiosk config check {}' says when all "
                    "is good.",
                    path))};
  }
  Findings findings = {Finding::Good(
      KioskPart::kConfiguration,
      fmt::format("{}, {}, {}", path, Name(settings->environment), settings->service.base_url))};
  for (const std::string& each : WhatOthersMayChange(path, *settings)) {
    findings.push_back(
        Finding::Bad(KioskPart::kFiles, each,
                     "Do what this message says: until then others may change what this kiosk "
                     "trusts, or put something into its place."));
  }
  const auto profile = LoadProfile(files, settings->service.profile);
  if (!profile) {
    findings.push_back(Finding::Bad(KioskPart::kProfile, profile.error().message,
                                    "Correct it, or take the profile that came with idkiosk."));
    return findings;
  }
  findings.push_back(Finding::Good(KioskPart::kProfile, profile->file));
  Append(findings, CheckProfile(*profile));
  return findings;
}

Findings CheckProfile(const ServiceProfile& profile) {
  Findings findings;
  std::vector<std::string_view> guesses;
  for (const EndpointProfile& endpoint : profile.endpoints) {
    if (!endpoint.missing.empty()) {
      findings.push_back(Finding::Note(
          KioskPart::kProfile,
          fmt::format("{} cannot be called: the profile lacks {}", Name(endpoint.endpoint),
                      fmt::join(endpoint.missing, ", ")),
          fmt::format("Add what is missing to {}; the service's operator delivers it.",
                      profile.file)));
    } else if (!endpoint.documented) {
      guesses.push_back(Name(endpoint.endpoint));
    }
  }
  if (!guesses.empty()) {
    findings.push_back(Finding::Note(
        KioskPart::kProfile,
        fmt::format(
            "assumed by this profile, because the service's document does not show them: {}",
            fmt::join(guesses, ", ")),
        "Have the service's operator confirm them."));
  }
  if (!profile.billed_by_status.contains(503)) {
    findings.push_back(Finding::Note(
        KioskPart::kProfile,
        "the profile does not say what a 503 costs: one with Retry-After is taken for free, and "
        "the call is sent again",
        fmt::format("Ask the service's operator, and write \"503\": \"no\", \"maybe\" or \"yes\" "
                    "into billed_by_status of {}.",
                    profile.file)));
  }
  return findings;
}

// A kiosk without its one question is none; at a desk any of them will do.
Status CheckMode(const Settings& settings, const ServiceProfile& profile) {
  Status verify = CheckCallable(profile, Endpoint::kVerify, settings.environment);
  if (verify || settings.mode != Mode::kBranch) return verify;
  for (size_t i = 0; i < kEndpointCount; ++i) {
    const auto endpoint = static_cast<Endpoint>(i);
    if (!EndpointOfTask(TaskOf(endpoint))) continue;
    if (CheckCallable(profile, endpoint, settings.environment)) return {};
  }
  return verify;
}

namespace {

Findings CheckStaff(SecureStorage& storage, const Settings& settings) {
  const auto staff = ReadStaff(storage);
  if (!staff)
    return {Finding::Bad(KioskPart::kPin, staff.error().message, VaultMend(staff.error().code))};
  Findings findings;
  if (settings.mode != Mode::kKiosk && NamesOf(*staff, Staff::kClerk).empty()) {
    findings.push_back(
        Finding::Bad(KioskPart::kPin,
                     fmt::format("no clerk has a PIN: the {} stays locked", Name(settings.mode)),
                     "Set one with 'idkiosk staff add NAME --role clerk'."));
  }
  for (const StaffMember& each : *staff) {
    if (!IsUnnamed(each) || NamesOf(*staff, each.staff).size() == 1) continue;
    findings.push_back(Finding::Note(
        KioskPart::kPin,
        fmt::format("the {}'s PIN without a name still works, and names nobody", Name(each.staff)),
        fmt::format("End it with 'idkiosk staff remove {}'.", Name(each.staff))));
  }
  const size_t operators = CountOperators(*staff);
  if (operators == 0) {
    findings.push_back(Finding::Note(KioskPart::kPin,
                                     "no operator has a PIN: the operator's console stays closed",
                                     "Set one with 'idkiosk staff add NAME --role operator'."));
  }
  const std::string& rule = settings.staff.two_persons;
  if (operators == 1) {
    findings.push_back(Finding::Note(
        KioskPart::kPin,
        fmt::format("there is one operator alone, who {}",
                    rule == "always" ? "can neither point this kiosk elsewhere nor erase it"
                                     : "can point this kiosk elsewhere and erase it alone"),
        "Add another with 'idkiosk staff add NAME --role operator'."));
  } else if (operators > 1 && rule == "off") {
    findings.push_back(
        Finding::Note(KioskPart::kPin,
                      "each operator can point this kiosk elsewhere and erase it alone: "
                      "staff.two_persons is \"off\"",
                      "Set it to \"auto\"."));
  }
  return findings;
}

// Of calls that need a person.
Finding CallsFinding(CallState state, int64_t count) {
  switch (state) {
    case CallState::kUnknown:
      return Finding::Bad(
          KioskPart::kCalls,
          fmt::format("{} unknown: they may have been billed, and no answer came", count),
          "Ask the service what became of them ('idkiosk queue list --unknown-csv'; its answer is "
          "read by 'idkiosk queue import'), or decide on each: 'idkiosk queue retry', which may "
          "bill twice, or 'idkiosk queue give-up'.");
    case CallState::kDamaged:
      return Finding::Bad(KioskPart::kCalls, fmt::format("{} damaged: kept, but never sent", count),
                          "Have the disk looked at.");
    case CallState::kPending:
    case CallState::kSending:
    case CallState::kDone:
    case CallState::kCancelled:
    case CallState::kExpired:
      break;
  }
  return Finding::Bad(KioskPart::kCalls, fmt::format("{} {}", count, Name(state)), "");
}

}  // namespace

Findings CheckVault(SecureStorage& storage, const Settings& settings) {
  const auto info = storage.Describe();
  if (!info) {
    const SecureStorage::RootKey root = storage.DescribeRootKey();
    if (root.place == "tpm" && !root.mend.empty()) {
      return {
          Finding::Bad(KioskPart::kVault, fmt::format("{}: {}", root.state, root.text), root.mend)};
    }
    return {Finding::Bad(KioskPart::kVault, info.error().message, VaultMend(info.error().code))};
  }
  Findings findings = {Finding::Good(KioskPart::kVault, info->protection)};
  for (const CredentialTraits& each : kAllCredentials) {
    const auto secret = storage.Get(each.name);
    if (!secret) findings.push_back(CredentialFinding(each.name, secret.error()));
  }
  Append(findings, CheckStaff(storage, settings));
  if (info->repaired) {
    findings.push_back(Finding::Note(
        KioskPart::kVault, "one of its two copies was damaged and has been written again",
        "If this happens again, replace the disk or the memory card."));
  }
  return findings;
}

Findings CheckAudit(AuditTrail& trail) {
  uint64_t entries = 0;
  uint64_t damaged = 0;
  const auto verdict = trail.Read([&](const AuditEntry& each) {
    ++entries;
    damaged += each.event == Name(AuditEvent::kTrailDamaged) ? 1 : 0;
  });
  if (!verdict) {
    return {
        Finding::Bad(KioskPart::kAudit, verdict.error().message,
                     "Have the folder audit/ of the state folder looked at: what people change is "
                     "refused until it can be written.")};
  }
  if (verdict->state == JournalState::kGenuine && damaged > 0) {
    return {Finding::Note(
        KioskPart::kAudit,
        fmt::format("genuine now, and was found damaged before; entries: {}", entries),
        "'idkiosk audit verify' shows when, and what was found.")};
  }
  if (verdict->state == JournalState::kGenuine) {
    return {Finding::Good(KioskPart::kAudit, fmt::format("genuine; entries: {}", entries))};
  }
  return {Finding::Bad(
      KioskPart::kAudit, Describe(*verdict),
      "Somebody or the disk changed it. Keep the folder audit/ of the state folder for "
      "whoever looks into it; 'idkiosk audit list' shows what is proven.")};
}

// A note while what failed, or what the service asked to leave alone, waits for its time.
Finding CountsFinding(const QueueStats& stats) {
  std::string counts =
      fmt::format("{} wait, {} done", stats.In(CallState::kPending), stats.In(CallState::kDone));
  if (!stats.paused_until) return Finding::Good(KioskPart::kQueue, std::move(counts));
  return Finding::Note(
      KioskPart::kQueue,
      fmt::format("{}; sending rests until {}", counts, FormatRfc3339(*stats.paused_until)),
      "Nothing needs to be done: the service has asked for it, or did not answer, and calls are "
      "kept until then.");
}

Findings CheckJournals(FileSystem& files, const std::string& state_folder) {
  struct Folder {
    std::string_view name;
    KioskPart part = KioskPart::kAudit;
    std::string_view mend;
  };
  static constexpr Folder kFolders[] = {
      {kAuditFolder, KioskPart::kAudit,
       "Give it back to the program's user: what people change is refused until then."},
      {kConsentFolder, KioskPart::kRoom,
       "Give it back to the program's user: nobody's agreement can be kept, so nobody is asked "
       "until then."},
  };
  Findings findings;
  for (const Folder& each : kFolders) {
    const std::string folder = fmt::format("{}/{}", state_folder, each.name);
    if (!files.Exists(folder).value_or(true)) continue;
    if (const Status may = files.CheckWritable(folder); !may) {
      findings.push_back(Finding::Bad(each.part, may.error().message, std::string(each.mend)));
    }
  }
  return findings;
}

Findings CheckQueue(DurableQueue& queue) {
  Findings findings;
  if (const auto room = queue.CheckRoom(); !room) {
    const bool is_full = room.error().code == ErrorCode::kExhausted;
    findings.push_back(
        Finding::Bad(KioskPart::kRoom, room.error().message,
                     is_full ? "Wait until calls have been sent, or make room on the disk where "
                               "that is full; until then no pictures are taken."
                             : "Do what this message says; until then no pictures are taken."));
  }
  const auto stats = queue.Stats();
  if (!stats) {
    findings.push_back(
        Finding::Bad(KioskPart::kQueue, stats.error().message,
                     "Restart idkiosk: it moves the damaged file aside and keeps it whole."));
    return findings;
  }
  for (const Hold& hold : stats->holds) {
    // Of those for another address each is held by itself: others are taken and sent.
    const bool is_of_few = hold.reason == HoldReason::kOtherAddress;
    findings.push_back(Finding::Bad(is_of_few ? KioskPart::kCalls : KioskPart::kQueue,
                                    fmt::format("calls are held: {}", hold.detail), MendOf(hold)));
  }
  for (const CallStateTraits& each : kCallStates) {
    const int64_t count = stats->In(each.state);
    if (each.course == CallCourse::kNeedsPerson && count > 0) {
      findings.push_back(CallsFinding(each.state, count));
    }
  }
  const auto losses = queue.Losses();
  if (!losses) {
    findings.push_back(Finding::Bad(KioskPart::kCalls, losses.error().message,
                                    "Have the state folder looked at: whether calls were lost "
                                    "cannot be said."));
  }
  for (const std::string& each : losses.value_or(std::vector<std::string>())) {
    findings.push_back(Finding::Bad(KioskPart::kCalls, each, "Do what this message says."));
  }
  if (std::ranges::find(findings, KioskPart::kQueue, &Finding::part) == findings.end()) {
    findings.push_back(CountsFinding(*stats));
  }
  return findings;
}

Findings CheckErasures(AuditTrail& trail, DurableQueue& queue) {
  std::set<std::string> erased;
  const auto verdict = trail.Read([&](const AuditEntry& each) {
    if (each.event == Name(AuditEvent::kPersonErased)) erased.insert(each.what);
  });
  if (!verdict) return {};  // CheckAudit says so
  std::vector<CallReference> here;
  std::ranges::copy_if(erased, std::back_inserter(here), [&](const std::string& reference) {
    const auto call = queue.Show(reference);
    return call && call->state != CallState::kDamaged && (call->has_payload || call->has_answer);
  });
  if (here.empty()) return {};
  return {Finding::Bad(
      KioskPart::kCalls,
      fmt::format("people's data that was to be erased on request is still here: {}",
                  CountAndNames(here)),
      fmt::format("It was on its way then, or older files brought it back: 'idkiosk people erase "
                  "--reference {}' erases it, and so each of them.",
                  here.front()))};
}

Findings CheckResults(const Settings& settings, SecureStorage& storage, const Crypto& crypto,
                      FileSystem& files, DurableQueue& queue, const Clock& clock) {
  if (!HandOver::IsConfigured(settings.results)) return {};
  Findings findings;
  if (const std::string& spool = settings.results.spool; !spool.empty()) {
    if (const Status good = Spool(spool, settings.state_folder, files).Check(); !good) {
      findings.push_back(
          Finding::Bad(KioskPart::kResults, good.error().message,
                       "Make a folder outside the state folder that the program's user may "
                       "write, and name it as results.spool; one that was away and is made "
                       "again is seen at the next start. Until then results wait."));
    }
  }
  if (!settings.results.webhook.empty()) {
    if (const auto key = storage.Get(kWebhookKey); !key) {
      findings.push_back(Finding::Bad(KioskPart::kResults, key.error().message,
                                      "Set the key that the receiver knows: 'idkiosk vault set "
                                      "webhook-key'. Until then results wait."));
    }
  }
  const auto standings = ReadHandOver(settings, storage, crypto, files, queue);
  if (!standings) {
    findings.push_back(
        Finding::Bad(KioskPart::kResults, standings.error().message,
                     "See that the program's user may read and write the state folder."));
    return findings;
  }
  for (const HandOverStanding& each : *standings) {
    findings.push_back(ResultsFinding(each, clock.WallNow()));
  }
  return findings;
}

Findings CheckClock(const Clock& clock) {
  const std::string now = FormatRfc3339(clock.WallNow());
  if (clock.WallIsTrusted()) return {Finding::Good(KioskPart::kClock, now)};
  return {Finding::Bad(KioskPart::kClock,
                       fmt::format("{} cannot be right, so no certificate can be checked", now),
                       "Set the clock, or wait for the network's time.")};
}

Findings CheckService(ServiceClient& service, const Settings& settings) {
  const auto reasons = service.FetchReasons();
  if (!reasons) {
    return {Finding::Bad(KioskPart::kService, reasons.error().message,
                         ServiceMend(reasons.error().code))};
  }
  Findings findings = {Finding::Good(
      KioskPart::kService, fmt::format("logged in; {} request reasons", reasons->size()))};
  if (const Status offered = CheckOffered(settings, *reasons); !offered) {
    findings.push_back(
        Finding::Bad(KioskPart::kConfiguration, offered.error().message, "Correct ui.reasons."));
  }
  const auto skew = service.clock_skew();
  if (skew && std::chrono::abs(*skew) > kNoticeableSkew) findings.push_back(SkewFinding(*skew));
  return findings;
}

Findings CheckCamera(Camera& camera, const CameraInfo& info, const Settings& settings,
                     const Clock& clock) {
  const auto frame = camera.NextFrame(clock.Now() + kFirstFrame);
  if (!frame) return {CameraTroubleFinding(frame.error().message)};
  Findings findings = {Finding::Good(
      KioskPart::kCamera,
      fmt::format("{} ({}), {}x{}", info.name, info.source, frame->width, frame->height))};
  if (const Status live = RequireLive(info, settings); !live) {
    findings.push_back(
        Finding::Bad(KioskPart::kCamera, live.error().message, "Use a live camera."));
  } else if (info.drawn) {
    findings.push_back(Finding::Note(KioskPart::kCamera,
                                     "no real camera: this kiosk sees a drawn sitter",
                                     "Plug a camera in, or name it as camera.source."));
  } else if (!info.live) {
    findings.push_back(Finding::Note(KioskPart::kCamera, "it shows pictures that were taken before",
                                     "Name a real camera as camera.source."));
  }
  return findings;
}

Finding CameraTroubleFinding(const std::string& why) {
  return Finding::Bad(
      KioskPart::kCamera, why,
      "See that it is plugged in, that the program's user may open it (group video), and "
      "that no other program has it.");
}

Finding CameraTakenFinding() {
  return Finding::Note(KioskPart::kCamera, "not checked: it was in use for something else",
                       "Check again.");
}

Findings CheckLights(const LightTally& lights) {
  const auto rarely = lights.JudgedTooRarely();
  if (!rarely) return {};
  const auto [why, mend] = [&]() -> std::pair<std::string_view, std::string> {
    switch (rarely->mostly) {
      case LightFinding::kTooBright:
        return {"it is too bright there",
                "Turn the kiosk away from the sun, or give it shade: people are asked for one "
                "challenge more, and a film is noticed less surely."};
      case LightFinding::kTooNoisy:
        return {"a lamp there flickers",
                "Put a lamp there that does not flicker: honest people are sent away."};
      default:
        return {"the camera sees no colours",
                "Use a camera that sees colours: people are asked for one challenge more, and a "
                "film is noticed less surely."};
    }
  }();
  return {Finding::Note(
      KioskPart::kLight,
      fmt::format("the screen's light could not be judged in {} of the newest {} checks, "
                  "mostly because {}",
                  rarely->abstained, rarely->checks, why),
      mend)};
}

Finding DetectorFinding(std::string_view name, const std::string& compromise) {
  if (compromise.empty()) return Finding::Good(KioskPart::kFaceDetector, std::string(name));
  return Finding::Note(KioskPart::kFaceDetector, fmt::format("{}: {}", name, compromise),
                       "Less is detected without them: install the models, as tools/setup does.");
}

}  // namespace idkiosk
