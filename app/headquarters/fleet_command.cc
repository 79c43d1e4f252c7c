#include "app/headquarters/fleet_command.h"

#include <algorithm>
#include <cmath>

#include "app/settings/signing_key.h"
#include "platform/base/enum_rows.h"
#include "platform/base/json.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

using enum CommandAction;

constexpr CommandTraits kActions[] = {
    {kSettings, "settings"},
    {kHoldSending, "hold_sending", 1, false, true},
    {kReleaseSending, "release_sending"},
    {kRetryHolds, "retry_holds"},
    {kRestart, "restart"},
    {kSendLog, "send_log"},
    {kGiveUp, "give_up", 2, true},
    {kDiscard, "discard", 2, true},
    {kErase, "erase", 2},
};
static_assert(HasEachRow(kActions, &CommandTraits::action));

// Nothing here leads data or control elsewhere: no address, certificate, path, user, group or key,
// nothing of the vault, and no limit of what counts as a living face.
constexpr OrderedSetting kOrdered[] = {
    {"service.connect_timeout", 2},  // one that is too short pays for answers that nobody reads
    {"service.total_timeout", 2},
    {"camera.width"},
    {"camera.height"},
    {"camera.frames_per_second"},
    {"camera.silence"},
    {"camera.power_line"},
    {"camera.exposure"},
    {"capture.challenge_timeout"},
    {"capture.timeout"},
    {"billing.max_billed_attempts", 2},
    {"billing.settling", 2},
    {"billing.calls_per_hour", 2},
    {"billing.calls_per_day", 2},
    {"billing.breaker_after", 2},
    {"billing.duplicate_window", 2},
    {"queue.max_age", 2},
    {"queue.retention", 2},
    {"queue.backoff_first"},
    {"queue.backoff_last"},
    {"queue.max_calls"},
    {"ui.language"},
    {"ui.sound"},
    {"ui.reasons"},
    {"ui.idle"},
    {"ui.warning"},
    {"ui.answer"},
    {"ui.get_ready"},
    {"ui.metrics"},
    {"staff.lock_after"},
    {"brand.name"},
    {"brand.primary"},
    {"brand.accent"},
    {"light.brightness"},
    {"log.level"},
};

constexpr std::string_view kFormat = "idkiosk-command/1";
constexpr std::string_view kEnvelope = "idkiosk-signed-command/1";
constexpr size_t kLongestWhy = 200;

std::unexpected<Error> Wrong(std::string_view member, std::string_view what) {
  return Fail(ErrorCode::kInvalid, "{} {}", member, what);
}

// Refuses a member that is not in the list, so that nothing is passed over that somebody signed.
Status HasOnly(JsonView object, std::initializer_list<std::string_view> known) {
  for (const JsonView each : object.children()) {
    if (std::ranges::find(known, each.key()) == known.end()) {
      return Wrong("it", "has a member that a command of this kind does not have");
    }
  }
  return {};
}

Result<SettingChange> ReadChange(JsonView value) {
  SettingChange change{std::string(value.key()), {}};
  if (value.IsNull()) return change;
  if (const auto flag = value.AsBool()) {
    change.value = *flag;
  } else if (const auto whole = value.AsInteger()) {
    change.value = *whole;
  } else if (const auto number = value.AsNumber(); number && std::isfinite(*number)) {
    change.value = *number;
  } else if (const auto text = value.AsString()) {
    change.value = std::string(*text);
  } else if (value.IsArray()) {
    std::vector<std::string> list;
    for (const JsonView each : value.children()) {
      if (!each.AsString()) return Wrong(change.key, "must be a list of texts");
      list.emplace_back(*each.AsString());
    }
    change.value = std::move(list);
  } else {
    return Wrong("a setting", "must be a text, a number, true, false, a list of texts, or null");
  }
  return change;
}

Status ReadSettings(JsonView root, FleetCommand& command) {
  const JsonView settings = root["settings"];
  if (!settings.IsObject() || settings.children().empty()) {
    return Wrong("settings", "must be an object of at least one key and its value");
  }
  for (const JsonView each : settings.children()) {
    if (std::ranges::find(kOrdered, each.key(), &OrderedSetting::key) == std::end(kOrdered)) {
      return Fail(ErrorCode::kInvalid, "headquarters may not change {}", each.key().substr(0, 64));
    }
    auto change = ReadChange(each);
    if (!change) return std::unexpected(change.error());
    command.settings.push_back(std::move(*change));
  }
  if (const JsonView within = root["healthy_within"]; within.exists()) {
    const std::chrono::seconds seconds{within.AsInteger().value_or(0)};
    if (seconds < FleetCommand::kShortestWithin || seconds > FleetCommand::kHealthyWithin) {
      return Wrong("healthy_within", "must be 5 to 600 seconds");
    }
    command.healthy_within = seconds;
  }
  return {};
}

Status ReadTimes(JsonView root, FleetCommand& command) {
  const auto issued = ParseRfc3339(root["issued"].AsString().value_or(""));
  const auto expires = ParseRfc3339(root["expires"].AsString().value_or(""));
  if (!issued) return Wrong("issued", "must be a time of RFC 3339");
  if (!expires) return Wrong("expires", "must be a time of RFC 3339");
  if (*expires <= *issued || *expires - *issued > FleetCommand::kLongestLife) {
    return Wrong("expires", "must be after issued, by 31 days at most");
  }
  command.issued = *issued;
  command.expires = *expires;
  return {};
}

Status ReadAddress(JsonView root, FleetCommand& command) {
  command.tenant = root["tenant"].AsString().value_or("");
  command.kiosk = root["kiosk"].AsString().value_or("");
  command.group = root["group"].AsString().value_or("");
  if (!IsFleetName(command.tenant)) return Wrong("tenant", "must be a name");
  if (root["kiosk"].exists() == root["group"].exists()) {
    return Wrong("it", "must be addressed to either a kiosk or a group");
  }
  if (!IsFleetName(root["kiosk"].exists() ? command.kiosk : command.group)) {
    return Wrong("kiosk or group", "must be a name");
  }
  return {};
}

Status ReadArguments(JsonView root, FleetCommand& command) {
  const CommandTraits& traits = TraitsOf(command.action);
  if (command.action == kSettings) return ReadSettings(root, command);
  if (root["settings"].exists() || root["healthy_within"].exists() ||
      root["reference"].exists() != traits.names_a_call ||
      (root["why"].exists() && !traits.tells_a_reason)) {
    return Wrong("it", "has a member that its action does not have, or lacks one");
  }
  if (traits.names_a_call) {
    auto reference = ParseReference(root["reference"].AsString().value_or(""));
    if (!reference) return Wrong("reference", "must be that of a call");
    command.reference = std::move(*reference);
  }
  const std::string_view why = root["why"].AsString().value_or("");
  if (why.size() > kLongestWhy) return Wrong("why", "must have 200 bytes at most");
  command.why = Printable(why);
  return {};
}

}  // namespace

const CommandTraits& TraitsOf(CommandAction action) {
  return kActions[static_cast<size_t>(action)];
}

std::span<const OrderedSetting> AllOrderedSettings() { return kOrdered; }

int FleetCommand::signatures() const {
  int needed = TraitsOf(action).signatures;
  for (const SettingChange& each : settings) {
    const auto* const ordered = std::ranges::find(kOrdered, each.key, &OrderedSetting::key);
    // A key that may not be changed is not read; should it be, nobody can sign it.
    needed = std::max(needed, ordered == std::end(kOrdered) ? 99 : ordered->signatures);
  }
  return needed;
}

std::string FleetCommand::Describe() const {
  std::string about = reference;
  for (const SettingChange& each : settings) {
    about += fmt::format("{}{}", about.empty() ? "" : ", ", each.key);
  }
  return fmt::format("{}, revision {}{}{}", TraitsOf(action).name, revision,
                     about.empty() ? "" : ": ", about);
}

Result<FleetCommand> ParseFleetCommand(std::string_view text) {
  const auto document = JsonDocument::Parse(text);
  if (!document) return std::unexpected(document.error());
  const JsonView root = document->root();
  if (!root.IsObject() || root.RepeatedName()) {
    return Wrong("it", "must be one object, with each name once");
  }
  if (root["format"].AsString() != kFormat) return Wrong("format", "must be idkiosk-command/1");
  if (Status only =
          HasOnly(root, {"format", "tenant", "kiosk", "group", "revision", "issued", "expires",
                         "action", "settings", "healthy_within", "reference", "why"});
      !only) {
    return std::unexpected(only.error());
  }
  FleetCommand command;
  command.revision = root["revision"].AsInteger().value_or(0);
  if (command.revision < 1) return Wrong("revision", "must be a whole number from 1 on");
  const auto* const action =
      std::ranges::find(kActions, root["action"].AsString().value_or(""), &CommandTraits::name);
  if (action == std::end(kActions)) return Wrong("action", "is none that this kiosk knows");
  command.action = action->action;
  for (const auto read : {&ReadAddress, &ReadTimes, &ReadArguments}) {
    if (Status good = read(root, command); !good) return std::unexpected(good.error());
  }
  // Nothing is taken behind it but what is newer: one of the far future would be the last for ever.
  const auto newest = command.issued + std::chrono::seconds(1);
  if (command.revision > newest.time_since_epoch().count()) {
    return Wrong("revision", "must not be above the milliseconds of 'issued' since 1970");
  }
  return command;
}

Result<SignedCommand> ParseSignedCommand(std::string_view text) {
  if (text.size() > SignedCommand::kLargest) {
    return Fail(ErrorCode::kInvalid, "it has {} bytes, and {} are the most", text.size(),
                SignedCommand::kLargest);
  }
  const auto document = JsonDocument::Parse(text);
  if (!document) return std::unexpected(document.error());
  const JsonView root = document->root();
  if (!root.IsObject() || root.RepeatedName() || root["format"].AsString() != kEnvelope) {
    return Wrong("it", "is no signed command");
  }
  if (Status only = HasOnly(root, {"format", "document", "signatures"}); !only) {
    return std::unexpected(only.error());
  }
  SignedCommand command;
  const auto body = FromBase64(root["document"].AsString().value_or(""));
  if (!body || body->empty()) return Wrong("document", "must be base64 of a command");
  command.document = AsText(*body);
  const auto signatures = root["signatures"].children();
  if (signatures.empty() || signatures.size() > SignedCommand::kMostSignatures) {
    return Wrong("signatures", "must be 1 to 3");
  }
  for (const JsonView each : signatures) {
    const std::string key(each["key"].AsString().value_or(""));
    auto bytes = FromBase64(each["signature"].AsString().value_or(""));
    if (!IsFleetName(key) || !bytes || each.children().size() != 2) {
      return Wrong("a signature", "must have the name of its key, and base64");
    }
    command.signatures.push_back({key, std::move(*bytes)});
  }
  return command;
}

std::string SignedText(std::string_view document) {
  return fmt::format("idkiosk signed command, version 1\n{}", document);
}

}  // namespace idkiosk
