#include "app/cli/call_report.h"

#include <pwd.h>
#include <unistd.h>

#include <fstream>

#include "app/queue/call_meaning.h"
#include "platform/base/json.h"

namespace idkiosk {
namespace {

double Milliseconds(Duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

void WriteLedger(JsonWriter& json, const std::vector<LedgerRow>& rows, const CallReference& only) {
  int attempts = 0;
  int billed = 0;
  int maybe = 0;
  int64_t price = 0;
  for (const LedgerRow& row : rows) {
    if (row.reference != only) continue;
    ++attempts;
    billed += row.billed == Billed::kYes ? 1 : 0;
    maybe += row.billed == Billed::kMaybe ? 1 : 0;
    price += row.billed == Billed::kNo ? 0 : row.price;
  }
  json.Key("ledger")
      .BeginObject()
      .Field("attempts", attempts)
      .Field("billed", billed)
      .Field("maybe_billed", maybe)
      .Field("price", static_cast<double>(price) / 100)
      .EndObject();
}

void WriteTimings(JsonWriter& json, const CallTimings& timings) {
  json.Key("timings")
      .BeginObject()
      .Field("capture_ms", Milliseconds(timings.capture))
      .Field("accept_ms", Milliseconds(timings.accept))
      .Field("delivery_ms", Milliseconds(timings.delivery))
      .Field("total_ms", Milliseconds(timings.total))
      .EndObject();
}

void WriteCapture(JsonWriter& json, const CaptureRecord& record) {
  json.Key("capture")
      .BeginObject()
      .Field("detector", record.detector)
      .Field("camera", record.camera.source)
      .Field("frames", record.frames);
  size_t bytes = 0;
  for (const PictureRecord& picture : record.pictures) bytes += picture.bytes;
  json.Field("bundle_bytes", static_cast<uint64_t>(bytes)).EndObject();
}

// A look-up is made for more than its verdict; the answer is personal, so it is not printed.
std::string WhereItsAnswerIs(const CallSummary& call) {
  if (!TraitsOf(call.endpoint).looks_up || !call.has_answer) return "";
  return fmt::format(" To read the answer: 'idkiosk queue show {} --answer'.", call.reference);
}

std::unexpected<Failure> TurnAway(const Obstacle& obstacle) {
  switch (obstacle.kind) {
    case Obstacle::Kind::kNoRoom:
      return StopWith(ExitCode::kKept, obstacle.Within("Nothing was sent"));
    case Obstacle::Kind::kHeld:
      return StopWith(ExitCode::kNeedsPerson,
                      fmt::format("Nothing was sent: {}. Calls are held; {}.", obstacle.message,
                                  MendOf(*obstacle.hold)));
    case Obstacle::Kind::kSpendCap:
      return StopWith(ExitCode::kKept,
                      fmt::format("Nothing was sent: {}, until {}.", obstacle.message,
                                  FormatRfc3339(*obstacle.hold->until)));
    case Obstacle::Kind::kAskedBefore:
      break;
  }
  return StopWith(ExitCode::kNeedsPerson,
                  fmt::format("Nothing was sent. To see the earlier call: 'idkiosk queue show {}'",
                              obstacle.before->reference));
}

}  // namespace

ExitCode ExitCodeOf(const CallSummary& call) {
  switch (call.state) {
    case CallState::kDone:
      return call.verdict == Verdict::kVerified ? ExitCode::kDone : ExitCode::kNotVerified;
    case CallState::kPending:
      return call.hold ? ExitCode::kNeedsPerson : ExitCode::kKept;
    case CallState::kCancelled:
    case CallState::kExpired:
      return ExitCode::kNotVerified;
    case CallState::kSending:
    case CallState::kUnknown:
    case CallState::kDamaged:
      return ExitCode::kNeedsPerson;
  }
  return ExitCode::kNeedsPerson;
}

namespace {

std::string NameOf(uid_t user) {
  char space[1024];
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(user, &entry, space, sizeof(space), &found) != 0 || found == nullptr) {
    return fmt::format("{}", user);
  }
  return found->pw_name;
}

}  // namespace

std::string UserName() {
  const uid_t user = getuid();
  // Whom the system let in, whoever they have become since.
  uid_t login = user;
  std::ifstream("/proc/self/loginuid") >> login;
  constexpr auto kNobody = static_cast<uid_t>(-1);
  if (login == user || login == kNobody) return fmt::format("user {}", NameOf(user));
  return fmt::format("user {}, who signed in as {}", NameOf(user), NameOf(login));
}

CommandResult<std::optional<WallTime>> ReadSince(const std::string& since) {
  if (since.empty()) return std::nullopt;
  const bool date_only = !since.contains('T');
  const auto time = ParseRfc3339(date_only ? since + "T00:00:00Z" : since);
  if (time) return time;
  return StopWith(
      ExitCode::kUsage,
      fmt::format("--since {}: not a time like 2026-11-20 or 2026-11-20T08:00:00Z", since));
}

std::string Spaced(const CallReference& reference) {
  return reference.size() == 6 ? reference.substr(0, 3) + " " + reference.substr(3) : reference;
}

std::string MadeForOf(const CallSummary& call) {
  return call.hold && call.hold->reason == HoldReason::kOtherAddress
             ? call.hold->detail
             : fmt::format("made for {}", call.made_for);
}

namespace {

// The mend of what holds this call, which it names.
std::string MendFor(const CallSummary& call) {
  constexpr std::string_view kAnyCall = "queue show ID";
  std::string mend = MendOf(*call.hold);
  const size_t at = mend.find(kAnyCall);
  if (at == std::string::npos) return mend;
  return mend.replace(at, kAnyCall.size(), fmt::format("queue show {}", call.reference));
}

}  // namespace

std::string SentenceOf(const CallSummary& call) {
  const std::string name = Spaced(call.reference);
  switch (call.state) {
    case CallState::kDone:
      return fmt::format("{} Reference {}.{}", MeaningOf(call), name, WhereItsAnswerIs(call));
    case CallState::kPending:
      if (call.hold) {
        return fmt::format("Kept, but held as {}. What to do: {} ({}). Reference {}.",
                           HoldId(*call.hold), MendFor(call), call.hold->detail, name);
      }
      return fmt::format("{} Reference {}.",
                         call.last_outcome && call.billed_attempts == 0
                             ? ClerkSentence(*call.last_outcome)
                             : MeaningOf(call),
                         name);
    case CallState::kUnknown:
      return fmt::format(
          "Unknown: {} 'idkiosk queue retry {}' sends it again, and may bill {} once more; "
          "'idkiosk queue give-up {}' ends it. Reference {}.",
          MeaningOf(call), call.reference, FormatAmount(call.resend_price), call.reference, name);
    case CallState::kSending:
    case CallState::kCancelled:
    case CallState::kExpired:
    case CallState::kDamaged:
      break;
  }
  return fmt::format("{} Reference {}.", MeaningOf(call), name);
}

CommandResult<CallReference> PassIntake(Components& components, const VerificationCall& question,
                                        bool again) {
  const auto queue = components.queue(DurableQueue::Role::kDeliver);
  if (!queue) return std::unexpected(queue.error());
  const auto obstacle = (*queue)->FindObstacle(question, false);
  if (!obstacle) return CallReference();
  if (obstacle->kind != Obstacle::Kind::kAskedBefore) return TurnAway(*obstacle);
  return ConfirmAskedBefore(components, *obstacle->before, again);
}

CommandResult<CallReference> ConfirmAskedBefore(Components& components, const CallSummary& before,
                                                bool again) {
  const std::string warning = fmt::format("The same question was asked before: reference {}, {}.",
                                          Spaced(before.reference), StateWord(before));
  if (again) {
    components.terminal().Say(warning);
    return before.reference;
  }
  if (!components.terminal().interactive()) {
    return StopWith(ExitCode::kNeedsPerson,
                    fmt::format("{} Nothing was sent: asking again is billed again. To do so: "
                                "--again. To see the earlier call: 'idkiosk queue show {}'",
                                warning, before.reference));
  }
  const bool yes = components.terminal().Confirm(warning + " Asking again is billed again.");
  if (yes) return before.reference;
  return StopWith(ExitCode::kNotVerified,
                  fmt::format("Nothing was sent. To see the earlier call: 'idkiosk queue show {}'",
                              before.reference));
}

ExitCode ReportCall(Components& components, const CallSummary& call,
                    const std::vector<LedgerRow>& attempts, const Asking& asking,
                    const CaptureRecord* record, const CallTimings& timings) {
  JsonWriter json;
  json.BeginObject().Field("outcome",
                           call.state == CallState::kDone ? Name(call.verdict) : StateWord(call));
  WriteCall(json, call);
  json.Field("message", SentenceOf(call));
  if (!asking.asked_before.empty()) json.Field("duplicate_of", asking.asked_before);
  if (record != nullptr) WriteCapture(json, *record);
  WriteTimings(json, timings);
  WriteLedger(json, attempts, call.reference);
  json.EndObject();
  components.terminal().Say(SentenceOf(call));
  if (call.means && *call.means != PictureMeans::kLive) {
    components.terminal().Say(fmt::format("Its pictures are not live: {}.", Shown(*call.means)));
  }
  components.terminal().Print(json.text());
  return ExitCodeOf(call);
}

CommandResult<ExitCode> AcceptAndDeliver(Components& components, const VerificationCall& call,
                                         const Asking& asking, const CaptureRecord* record,
                                         Duration capture_time) {
  const Clock& clock = components.drivers().clock;
  const MonotonicTime start = clock.Now();
  const auto worker = components.worker();
  if (!worker) return std::unexpected(worker.error());
  const auto calls = components.queue(DurableQueue::Role::kDeliver);
  if (!calls) return std::unexpected(calls.error());
  DurableQueue& queue = **calls;

  const MonotonicTime accepting = clock.Now();
  const auto reference = queue.Accept(call, {.person_waits = true,
                                             .operator_id = asking.operator_id,
                                             .confirmed = !asking.asked_before.empty(),
                                             .consent = asking.consent});
  if (!reference) return TurnAway(reference.error());
  const MonotonicTime accepted = clock.Now();
  components.terminal().Say(fmt::format("Kept and sealed: reference {}.", Spaced(*reference)));

  const auto summary = (*worker)->DeliverUntil(
      *reference, accepted + asking.wait,
      [&components](MonotonicTime time) { return components.WaitUntil(time); });
  if (!summary) return StopWith(ExitCode::kNeedsPerson, summary.error());
  if (summary->state == CallState::kPending) (void)queue.NobodyWaits(*reference);
  const MonotonicTime end = clock.Now();

  const auto rows = queue.Ledger(std::nullopt);
  return ReportCall(
      components, *summary, rows.value_or(std::vector<LedgerRow>()), asking, record,
      {capture_time, accepted - accepting, end - accepted, capture_time + (end - start)});
}

}  // namespace idkiosk
