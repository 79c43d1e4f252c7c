#include "app/headquarters/headquarters.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "platform/base/log.h"

namespace idkiosk {
namespace {

const std::string kHoldId = "all:headquarters";

// No setting that one key may change makes calls unknown or damaged.
constexpr std::string_view kCallsPart = "calls";

}  // namespace

Headquarters::Headquarters(Dependencies deps)
    : deps_(std::move(deps)),
      record_(deps_.vault),
      refusals_(deps_.audit, deps_.clock),
      trial_file_(deps_.files, deps_.config_path) {}

Status Headquarters::Begin() {
  for (const std::string& each : deps_.settings.headquarters.keys) {
    auto key = ParseSigningKey(each);
    const Status good = key ? deps_.signatures.CheckKey(key->der) : Status();
    if (!key || !good) {
      return ready_ = Fail(ErrorCode::kInvalid, "headquarters.keys: {} is no key of P-256",
                           each.substr(0, each.find(' ')));
    }
    keys_.push_back(std::move(*key));
  }
  if (Status loaded = record_.Load(); !loaded) return ready_ = loaded;
  ready_ = {};
  const auto trial = trial_file_.Read();
  if (!trial) return ready_ = std::unexpected(trial.error());
  trial_ = *trial;
  for (const FleetReply& each : std::vector<FleetReply>(record_.replies())) {
    const bool is_tried = trial_ && trial_->command == each.command;
    const bool is_open = each.state == CommandState::kBegun || each.state == CommandState::kOnTrial;
    if (!is_open || is_tried) continue;
    FleetReply reply = each;
    Settle(reply, CommandState::kInterrupted,
           "the program stopped meanwhile; this may be done or not: check, then sign again");
  }
  if (!trial_) return {};
  if (!trial_->over.empty()) {
    FinishTrial();
  } else {
    trial_until_ = deps_.clock.Now() + trial_->healthy_within;
  }
  return {};
}

std::string Headquarters::By(std::string_view names) const {
  return fmt::format("headquarters ({})", names);
}

// Nothing of the document is read before that: a stranger's bytes meet a parser of base64 alone.
Result<Headquarters::Proven> Headquarters::Prove(std::string_view text) const {
  if (!ready_) return std::unexpected(ready_.error());
  if (keys_.empty()) {
    return Fail(ErrorCode::kForbidden, "this kiosk takes no commands: headquarters.keys is empty");
  }
  auto given = ParseSignedCommand(text);
  if (!given) return std::unexpected(given.error());
  const std::string message = SignedText(given->document);
  std::vector<std::string> names;
  for (const SignedCommand::Signature& each : given->signatures) {
    const auto key = std::ranges::find(keys_, each.key, &SigningKey::name);
    if (key == keys_.end()) {
      return Fail(ErrorCode::kForbidden, "{} may not sign commands for this kiosk", each.key);
    }
    if (std::ranges::count(names, each.key) > 0) {
      return Fail(ErrorCode::kForbidden, "{} has signed it twice", each.key);
    }
    if (!deps_.signatures.IsGood(key->der, AsBytes(message), each.bytes)) {
      return Fail(ErrorCode::kForbidden, "the signature is not that of {}", each.key);
    }
    names.push_back(each.key);
  }
  return Proven{.document = given->document,
                .command = ToHex(deps_.crypto.Sha256(AsBytes(given->document))),
                .by = fmt::format("{}", fmt::join(names, ", ")),
                .signatures = static_cast<int>(names.size())};
}

Status Headquarters::CheckAddress(const FleetCommand& command) const {
  const HeadquartersSettings& own = deps_.settings.headquarters;
  if (command.tenant != own.tenant) {
    return Fail(ErrorCode::kForbidden, "it is for kiosks of {}", command.tenant);
  }
  if (!command.kiosk.empty() && command.kiosk != own.kiosk) {
    return Fail(ErrorCode::kForbidden, "it is for the kiosk {}", command.kiosk);
  }
  if (!command.group.empty() && std::ranges::count(own.groups, command.group) == 0) {
    return Fail(ErrorCode::kForbidden,
                "it is for the group {}, to which this kiosk does not belong", command.group);
  }
  return {};
}

// A clock that may be wrong could let a command pass that has expired, and so it lets none pass.
Status Headquarters::CheckTime(const FleetCommand& command) const {
  if (const std::string doubt = deps_.queue.DoubtOfClock(); !doubt.empty()) {
    return Fail(ErrorCode::kUnavailable, "nobody knows whether it has expired: {}", doubt);
  }
  const WallTime wall = deps_.clock.WallNow();
  if (command.issued - wall > kClockAgreement) {
    return Fail(ErrorCode::kUnavailable,
                "it was signed at {}, and here it is {}: one of the clocks is wrong",
                FormatRfc3339(command.issued), FormatRfc3339(wall));
  }
  // It is not earlier than what was signed before.
  if (std::max(wall, record_.issued()) >= command.expires) {
    return Fail(ErrorCode::kForbidden, "it has expired at {}", FormatRfc3339(command.expires));
  }
  return {};
}

Result<FleetCommand> Headquarters::Judge(const Proven& proven) const {
  auto command = ParseFleetCommand(proven.document);
  if (!command) return command;
  if (Status right = CheckAddress(*command); !right) return std::unexpected(right.error());
  if (command->revision <= record_.newest()) {
    return Fail(ErrorCode::kForbidden, "revision {} is not newer than {}, which was taken",
                command->revision, record_.newest());
  }
  if (Status in_time = CheckTime(*command); !in_time) return std::unexpected(in_time.error());
  if (proven.signatures < command->signatures()) {
    return Fail(ErrorCode::kForbidden, "{} needs {} signatures by different keys, and has {}",
                TraitsOf(command->action).name, command->signatures(), proven.signatures);
  }
  if (Status doable = CheckDoable(*command); !doable) return std::unexpected(doable.error());
  return command;
}

Status Headquarters::CheckDoable(const FleetCommand& command) const {
  const bool restarts =
      command.action == CommandAction::kSettings || command.action == CommandAction::kRestart;
  if (restarts && trial_) {
    return Fail(ErrorCode::kUnavailable, "settings of revision {} are on trial: try again later",
                trial_->revision);
  }
  if (command.action != CommandAction::kSettings) return {};
  const auto text = LocalSettingsWith(deps_.files, deps_.config_path, command.settings);
  if (!text) return std::unexpected(text.error());
  const auto settings = SettingsIfLocal(deps_.files, deps_.config_path, *text);
  return settings ? Status() : std::unexpected(settings.error());
}

FleetReply Headquarters::Refuse(FleetReply reply, const Error& why) {
  reply.state = CommandState::kRefused;
  reply.reason = why.message;
  reply.at = deps_.clock.WallNow();
  refusals_.Refuse(reply.signed_by.empty() ? "" : By(reply.signed_by),
                   reply.revision == 0 ? why.message
                                       : fmt::format("{}, revision {}: {}", reply.action,
                                                     reply.revision, why.message));
  return reply;
}

FleetReply Headquarters::Repeat(const FleetReply& known, const Proven& proven) {
  FleetReply reply = known;
  // The reply may have been lost. Behind its time nobody learns from it what is logged since.
  const auto read = ParseFleetCommand(proven.document);
  const bool is_in_time = read && deps_.clock.WallNow() < read->expires;
  if (is_in_time && read->action == CommandAction::kSendLog) reply.log = deps_.log();
  refusals_.Refuse(By(reply.signed_by),
                   fmt::format("{}, revision {}: it came again, and is not done again",
                               reply.action, reply.revision));
  return reply;
}

FleetReply Headquarters::Take(std::string_view text) {
  FleetReply reply;
  const auto proven = Prove(text);
  if (!proven) return Refuse(std::move(reply), proven.error());
  if (const FleetReply* const known = record_.Find(proven->command)) return Repeat(*known, *proven);
  reply.command = proven->command;
  reply.signed_by = proven->by;
  if (const auto read = ParseFleetCommand(proven->document)) {
    reply.revision = read->revision;
    reply.action = TraitsOf(read->action).name;
  }
  const auto command = Judge(*proven);
  if (!command) return Refuse(std::move(reply), command.error());
  return CarryOut(*command, std::move(reply));
}

FleetReply Headquarters::CarryOut(const FleetCommand& command, FleetReply reply) {
  reply.state = CommandState::kBegun;
  reply.at = deps_.clock.WallNow();
  // From here on it is never taken again, whatever comes between.
  if (Status begun = record_.Begin(reply, command.issued); !begun) {
    return Refuse(std::move(reply), begun.error());
  }
  const Status done = deps_.audit.Do(AuditEvent::kFleetCommand, By(reply.signed_by),
                                     command.Describe(), [&] { return Do(command, reply); });
  if (!done) {
    Settle(reply, CommandState::kFailed, done.error().message);
  } else if (command.action == CommandAction::kErase) {
    reply.state = CommandState::kDone;  // and nothing is left to put it down in
  } else {
    Settle(
        reply,
        command.action == CommandAction::kSettings ? CommandState::kOnTrial : CommandState::kDone,
        "");
  }
  return reply;
}

void Headquarters::Settle(FleetReply& reply, CommandState state, const std::string& reason) {
  reply.state = state;
  reply.reason = reason;
  reply.at = deps_.clock.WallNow();
  if (Status kept = record_.Settle(reply.command, state, reason, reply.at); !kept) {
    LogError("what became of {}, revision {}, is not kept: {}", reply.action, reply.revision,
             kept.error().message);
  }
}

Status Headquarters::Do(const FleetCommand& command, FleetReply& reply) {
  switch (command.action) {
    case CommandAction::kSettings:
      return BeginTrial(command, reply);
    case CommandAction::kHoldSending:
      return deps_.queue.HoldForHeadquarters(
          command.why.empty() ? "headquarters stopped sending"
                              : fmt::format("headquarters stopped sending: {}", command.why));
    case CommandAction::kReleaseSending: {
      Status lifted = deps_.queue.Lift(kHoldId);
      if (lifted) deps_.wake();
      return lifted;
    }
    case CommandAction::kRetryHolds:
      return RetryHolds();
    case CommandAction::kRestart:
      deps_.start_anew();
      return {};
    case CommandAction::kSendLog:
      reply.log = deps_.log();
      return {};
    case CommandAction::kGiveUp:
      return deps_.queue.GiveUp(command.reference);
    case CommandAction::kDiscard:
      return deps_.queue.Discard(command.reference, By(reply.signed_by));
    case CommandAction::kErase: {
      Status erased = deps_.erase();
      if (erased) deps_.start_erased();
      return erased;
    }
  }
  return Fail(ErrorCode::kInternal, "an action without a deed");
}

Status Headquarters::RetryHolds() {
  const auto stats = deps_.queue.Stats();
  if (!stats) return std::unexpected(stats.error());
  for (const Hold& each : stats->holds) {
    // Each lift of the breaker may cost a call that comes to nothing: that is for who is there.
    const bool is_for_others =
        each.reason == HoldReason::kHeadquarters || each.reason == HoldReason::kBreaker;
    if (!IsLiftable(each.reason) || is_for_others) continue;
    if (Status lifted = deps_.queue.Lift(HoldId(each)); !lifted) return lifted;
  }
  deps_.wake();
  return {};
}

Status Headquarters::BeginTrial(const FleetCommand& command, const FleetReply& reply) {
  const std::string local = LocalSettingsPath(deps_.config_path);
  constexpr size_t kLargest = 1 << 20;
  const auto before = deps_.files.Read(local, kLargest);
  if (!before && before.error().code != ErrorCode::kNotFound) {
    return std::unexpected(before.error());
  }
  auto after = LocalSettingsWith(deps_.files, deps_.config_path, command.settings);
  if (!after) return std::unexpected(after.error());
  std::vector<std::string> keys;
  for (const SettingChange& each : command.settings) keys.push_back(each.key);
  SettingsTrial trial{.command = reply.command,
                      .revision = reply.revision,
                      .keys = fmt::format("{}", fmt::join(keys, ", ")),
                      .signed_by = reply.signed_by,
                      .healthy_within = command.healthy_within,
                      .after = std::move(*after),
                      .bad_before = deps_.complaints()};
  if (before) trial.before = AsText(*before);
  if (Status begun = trial_file_.Begin(trial); !begun) {
    // What of it is on the disk, nobody knows: as before, in any case.
    if (const auto back = trial_file_.TakeBack(begun.error().message); back) {
      (void)trial_file_.Forget();
    }
    return begun;
  }
  trial_ = std::move(trial);
  // This run of the program does not know the new ones: the next one finds out.
  trial_until_ = MonotonicTime::max();
  deps_.start_anew();
  return {};
}

std::vector<std::string> Headquarters::NewComplaints() const {
  std::vector<std::string> complaints = deps_.complaints();
  std::erase_if(complaints, [this](const std::string& each) {
    return each == kCallsPart || std::ranges::count(trial_->bad_before, each) > 0;
  });
  return complaints;
}

void Headquarters::LookAfter() {
  refusals_.PutDownCounted();
  if (!trial_ || trial_until_ == MonotonicTime::max()) return;
  const MonotonicTime now = deps_.clock.Now();
  const auto complaints = NewComplaints();
  if (!complaints.empty()) {
    well_since_.reset();
  } else if (!well_since_) {
    well_since_ = now;
  }
  const Duration steady = std::min<Duration>(kSteady, trial_->healthy_within / 2);
  if (well_since_ && now - *well_since_ >= steady) return KeepTrial();
  if (now < trial_until_) return;
  const std::string why =
      complaints.empty() ? "the kiosk was not well for long enough"
                         : fmt::format("the kiosk was not well: {}", fmt::join(complaints, ", "));
  if (const auto back = trial_file_.TakeBack(why); !back) {
    // Tried again at the next look, and at the next start.
    return LogError("settings cannot be taken back: {}", back.error().message);
  }
  const auto over = trial_file_.Read();
  if (over && *over) trial_ = **over;
  FinishTrial();
  deps_.start_anew();
}

void Headquarters::KeepTrial() {
  FleetReply reply{.command = trial_->command, .revision = trial_->revision, .action = "settings"};
  deps_.audit.Note(AuditEvent::kFleetKept, By(trial_->signed_by),
                   fmt::format("revision {}: {}", trial_->revision, trial_->keys));
  Settle(reply, CommandState::kDone, "");
  if (Status forgotten = trial_file_.Forget(); !forgotten) {
    LogError("{}", forgotten.error().message);
  }
  trial_.reset();
}

// What is done twice where the power fails in between: a line of the audit trail.
void Headquarters::FinishTrial() {
  FleetReply reply{.command = trial_->command, .revision = trial_->revision, .action = "settings"};
  const FleetReply* const known = record_.Find(trial_->command);
  const auto state = trial_->is_left ? CommandState::kFailed : CommandState::kRolledBack;
  if (known == nullptr || known->state != state) {
    deps_.audit.Note(
        AuditEvent::kFleetRolledBack, By(trial_->signed_by),
        fmt::format("revision {}: {}: {}", trial_->revision, trial_->keys, trial_->over));
    Settle(reply, state, trial_->over);
  }
  if (Status forgotten = trial_file_.Forget(); !forgotten) {
    LogError("{}", forgotten.error().message);
  }
  trial_.reset();
}

}  // namespace idkiosk
