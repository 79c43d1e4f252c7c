#include "app/cli/access/running_kiosk.h"

#include <algorithm>

#include "app/api/api_client.h"
#include "platform/base/bytes.h"
#include "platform/base/json.h"

namespace idkiosk {
namespace {

constexpr Duration kLook = std::chrono::milliseconds(100);
constexpr int kKeyBytes = 16;
// How long a kiosk may take to try each call once that is due.
constexpr Duration kTriesOnceWithin = std::chrono::minutes(1);
// systemd starts a kiosk that ended within seconds.
constexpr Duration kStartsAgain = std::chrono::seconds(30);

// The body of POST /v1/checks and /v1/checks:look.
std::string BodyOf(const VerificationCall& call, const Asking& asking, bool with_pictures) {
  const EndpointTraits traits = TraitsOf(call.endpoint);
  JsonWriter json;
  json.BeginObject().Field("endpoint", Name(call.endpoint));
  if (traits.Takes(Placeholder::kNin)) json.Field("nin", call.nin.text());
  if (traits.Takes(Placeholder::kPhone)) json.Field("phone", call.phone.text());
  if (traits.Takes(Placeholder::kIdNumber)) json.Field("id_number", call.id_number.text());
  if (!call.reason.empty()) json.Field("reason", call.reason);
  if (traits.Takes(Placeholder::kType)) json.Field("type", call.id_type);
  if (traits.Takes(Placeholder::kSearchType)) json.Field("search_type", call.search_type);
  if (!asking.operator_id.empty()) json.Field("operator", asking.operator_id);
  if (!asking.asked_before.empty()) json.Field("ask_again", true);
  if (asking.consent) {
    json.Key("consent")
        .BeginObject()
        .Field("version", asking.consent->version)
        .Field("language", asking.consent->language)
        .EndObject();
  }
  if (with_pictures) {
    json.Key("pictures").BeginArray().Value(ToBase64(call.pictures.selfie.view()));
    for (const SecretBytes& each : call.pictures.liveness) json.Value(ToBase64(each.view()));
    json.EndArray();
    const PictureMeans means = call.pictures.means;
    if (means == PictureMeans::kDrawn) json.Field("pictures_are", Name(means));
  }
  return json.EndObject().Take();
}

// What the shell is told of a question that the kiosk does not take.
std::unexpected<Failure> TurnAway(const ApiRefusal& refusal) {
  const std::string message = fmt::format("Nothing was sent: {}", ErrorOf(refusal).message);
  if (refusal.type == "held") {
    return StopWith(ExitCode::kNeedsPerson, message + " 'idkiosk hold list' says what to do.");
  }
  // Not when it was looked for; another program was quicker.
  if (refusal.type == "asked-before") {
    const std::string before(refusal.whole.root()["reference"].AsString().value_or(""));
    return StopWith(ExitCode::kNeedsPerson,
                    fmt::format("The same question was asked just now: reference {}. Nothing was "
                                "sent: asking again is billed again. To do so: --again. To see "
                                "that call: 'idkiosk queue show {}'",
                                Spaced(before), before));
  }
  if (refusal.type == "pictures-refused") return StopWith(ExitCode::kCapture, message);
  if (refusal.type == "invalid-question" || refusal.type == "bad-request") {
    return StopWith(ExitCode::kUsage, message);
  }
  if (refusal.type == "not-allowed-here" || refusal.type == "forbidden") {
    return StopWith(ExitCode::kConfiguration, message);
  }
  return StopWith(ExitCode::kKept, message);
}

// Hands the check over once, whatever ends on the way: a kiosk that took it, and ended before it
// said so, takes the same key for the same check. Failures: kNeedsPerson, where nobody can say
// whether it was taken.
CommandResult<CallReference> GiveToKiosk(Components& components, ApiClient& kiosk,
                                         const std::string& body) {
  Bytes random(kKeyBytes);
  components.drivers().entropy.Fill(random);
  const std::string key = ToHex(random);
  const Clock& clock = components.drivers().clock;
  auto taken = kiosk.Post("/v1/checks", body, key);
  for (const MonotonicTime end = clock.Now() + kStartsAgain;
       !taken && taken.error().type == "gone" && clock.Now() < end;) {
    if (!components.WaitUntil(clock.Now() + kLook)) break;
    // Whoever serves the socket now is asked who it is, too.
    const auto again = RunningKiosk(components);
    if (again && *again) taken = (*again)->Post("/v1/checks", body, key);
  }
  if (taken) return CallReference(taken->root()["reference"].AsString().value_or(""));
  if (taken.error().type != "gone") return TurnAway(taken.error());
  return StopWith(
      ExitCode::kNeedsPerson,
      fmt::format("It is not known whether the kiosk took the check: {}. Look for it in "
                  "'idkiosk queue list' before you ask again.",
                  ErrorOf(taken.error()).message));
}

enum class Work { kNone, kLater, kDue };

// What a running kiosk still has to send: nothing, something later, or something now.
Result<Work> IsAtWork(QueueAccess& queue, const Clock& clock) {
  const auto stats = queue.Stats();
  if (!stats) return std::unexpected(stats.error());
  if (stats->In(CallState::kSending) > 0) return Work::kDue;
  if (stats->In(CallCourse::kGoesOn) <= stats->held) return Work::kNone;
  if (stats->paused_until) return Work::kLater;
  const auto open = queue.List(/*only_open=*/true);
  if (!open) return std::unexpected(open.error());
  const auto is_due = [now = clock.WallNow()](const CallSummary& call) {
    return call.state == CallState::kPending && !call.hold &&
           call.next_attempt.value_or(now) <= now;
  };
  return std::ranges::any_of(*open, is_due) ? Work::kDue : Work::kLater;
}

}  // namespace

Result<CallSummary> AwaitKiosk(Components& components, QueueAccess& queue,
                               const CallReference& reference, MonotonicTime deadline) {
  const Clock& clock = components.drivers().clock;
  MonotonicTime answered = clock.Now();
  for (;;) {
    auto call = queue.Show(reference);
    const bool starts_again = !call && call.error().code == ErrorCode::kUnavailable &&
                              clock.Now() < std::min(deadline, answered + kStartsAgain);
    if (starts_again && components.WaitUntil(clock.Now() + kLook)) continue;
    if (!call) return call;
    answered = clock.Now();
    const bool works = CourseOf(call->state) == CallCourse::kGoesOn && !call->hold;
    if (!works || clock.Now() >= deadline) return call;
    if (!components.WaitUntil(std::min(deadline, clock.Now() + kLook))) return call;
  }
}

Result<int> DeliverByKiosk(Components& components, QueueAccess& queue, MonotonicTime deadline) {
  const Clock& clock = components.drivers().clock;
  const auto before = queue.Ledger(std::nullopt);
  if (!before) return std::unexpected(before.error());
  if (const auto begun = queue.kiosk()->Post("/v1/queue:deliver", "{}"); !begun) {
    return std::unexpected(ErrorOf(begun.error()));
  }
  for (const MonotonicTime patience = std::max(deadline, clock.Now() + kTriesOnceWithin);;) {
    const auto works = IsAtWork(queue, clock);
    if (!works) return std::unexpected(works.error());
    const MonotonicTime end = *works == Work::kDue ? patience : deadline;
    if (*works == Work::kNone || clock.Now() >= end) break;
    if (!components.WaitUntil(std::min(end, clock.Now() + kLook))) break;
  }
  const auto after = queue.Ledger(std::nullopt);
  if (!after) return std::unexpected(after.error());
  return static_cast<int>(after->size() - before->size());
}

CommandResult<KnownReasons> ReasonsOfKiosk(ApiClient& kiosk) {
  const auto told = kiosk.Get("/v1/reasons");
  if (!told) return StopWith(ExitCode::kKept, ErrorOf(told.error()));
  KnownReasons reasons;
  for (const JsonView each : told->root()["reasons"].children()) {
    reasons.list.push_back({std::string(each["code"].AsString().value_or("")),
                            std::string(each["label"].AsString().value_or(""))});
  }
  if (const auto seconds = told->root()["age_seconds"].AsInteger()) {
    reasons.age = std::chrono::seconds(*seconds);
  }
  return reasons;
}

CommandResult<CallReference> LookByKiosk(Components& components, QueueAccess& queue,
                                         const VerificationCall& question, bool again) {
  std::string body = BodyOf(question, {}, /*with_pictures=*/false);
  const auto looked = queue.kiosk()->Post("/v1/checks:look", body);
  Wipe(body);
  if (looked) return CallReference();
  const std::string before(looked.error().whole.root()["reference"].AsString().value_or(""));
  if (looked.error().type != "asked-before" || before.empty()) return TurnAway(looked.error());
  const auto call = queue.Show(before);
  if (!call) return StopWith(ExitCode::kNeedsPerson, call.error());
  return ConfirmAskedBefore(components, *call, again);
}

CommandResult<ExitCode> AskByKiosk(Components& components, QueueAccess& queue,
                                   const VerificationCall& call, const Asking& asking,
                                   const CaptureRecord* record, Duration capture_time) {
  const Clock& clock = components.drivers().clock;
  const MonotonicTime start = clock.Now();
  std::string body = BodyOf(call, asking, TraitsOf(call.endpoint).TakesPictures());
  const auto taken = GiveToKiosk(components, *queue.kiosk(), body);
  Wipe(body);
  if (!taken) return std::unexpected(taken.error());
  const CallReference& reference = *taken;
  const MonotonicTime accepted = clock.Now();
  components.terminal().Say(
      fmt::format("The running kiosk keeps and sends it: reference {}.", Spaced(reference)));
  const auto summary = AwaitKiosk(components, queue, reference, accepted + asking.wait);
  if (!summary) return StopWith(ExitCode::kNeedsPerson, summary.error());
  const auto attempts = queue.Attempts(reference);
  const MonotonicTime end = clock.Now();
  return ReportCall(components, *summary, attempts.value_or(std::vector<LedgerRow>()), asking,
                    record,
                    {capture_time, accepted - start, end - accepted, capture_time + (end - start)});
}

}  // namespace idkiosk
