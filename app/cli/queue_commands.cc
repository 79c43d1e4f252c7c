// queue: what waits, and what people decide about it.
#include <algorithm>
#include <map>

#include "app/accounts/amount.h"
#include "app/cli/access/queue_access.h"
#include "app/cli/access/running_kiosk.h"
#include "app/cli/call_report.h"
#include "app/cli/command_line.h"
#include "app/cli/deliver_command.h"
#include "app/cli/unknown_calls.h"
#include "app/settings/service_address.h"
#include "platform/base/json.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

// What a person does about a call of which nothing is left to send.
std::string MendOfLost(QueueAccess& queue, const CallReference& reference) {
  const auto ledger = queue.Verify();
  const auto attempts = queue.Ledger(std::nullopt);
  const auto may_be_of_it = [&](const LedgerRow& row) {
    return row.reference == reference && row.billed != Billed::kNo;
  };
  const bool was_never_sent =
      ledger && !ledger->held && attempts && std::ranges::none_of(*attempts, may_be_of_it);
  return fmt::format("{}; 'idkiosk queue discard {}' ends it",
                     was_never_sent ? "make the check anew"
                                    : "it may have been sent and billed: ask the service what "
                                      "became of it before the check is made anew",
                     reference);
}

using Role = DurableQueue::Role;

// Of what has ended, how.
std::string_view EndWord(const CallSummary& call) {
  const bool has_verdict = call.state == CallState::kDone && call.verdict != Verdict::kNone;
  return has_verdict ? Name(call.verdict) : StateWord(call);
}

struct ListOptions {
  bool all = false;
  bool unknown_csv = false;

  std::vector<Argument> arguments() {
    return {{.name = "--all", .target = &all, .help = "List the ended calls too"},
            {.name = "--unknown-csv",
             .target = &unknown_csv,
             .help = "Print the attempts in doubt as CSV, for the service's operator to fill in"}};
  }
};

CommandResult<ExitCode> RunQueueList(Components& components, ListOptions& options) {
  if (options.unknown_csv) return ListUnknownAttempts(components);
  const auto queue = OpenQueue(components, QueueNeed::kLook);
  if (!queue) return std::unexpected(queue.error());
  const auto calls = (*queue)->List(!options.all);
  if (!calls) return StopWith(ExitCode::kConfiguration, calls.error());
  const auto lost = (*queue)->Lost();
  if (!lost) return StopWith(ExitCode::kConfiguration, lost.error());
  JsonWriter json;
  json.BeginArray();
  for (const CallSummary& call : *calls) {
    json.BeginObject();
    WriteCall(json, call);
    json.EndObject();
    if (components.json()) continue;
    components.terminal().Print(fmt::format(
        "{}  {:<12} {:<16} {}  {}", Spaced(call.reference), EndWord(call), Name(call.endpoint),
        FormatRfc3339(call.accepted_at), call.other_address ? MadeForOf(call) : call.engineer));
  }
  for (const CallReference& each : *lost) {
    json.BeginObject().Field("reference", each).Field("state", "lost").EndObject();
    if (components.json()) continue;
    components.terminal().Print(
        fmt::format("{}  lost         {}", Spaced(each), MendOfLost(**queue, each)));
  }
  if (components.json()) components.terminal().Print(json.EndArray().text());
  if (calls->empty() && lost->empty()) {
    const auto stats = (*queue)->Stats();
    if (!stats) return StopWith(ExitCode::kConfiguration, stats.error());
    const int64_t apart = stats->In(CallState::kPending);
    components.terminal().Say(
        apart == 0
            ? std::string("No calls wait.")
            : fmt::format("No calls wait in the queue's file, only in copies: {}. 'idkiosk doctor' "
                          "says how they come back.",
                          apart));
  }
  return ExitCode::kDone;
}

struct CallOptions {
  std::vector<std::string> words;  // "KD7 Q2M" is two, where nobody quotes it

  [[nodiscard]] std::string reference() const { return fmt::format("{}", fmt::join(words, "")); }

  std::vector<Argument> arguments() {
    return {{.name = "reference",
             .target = &words,
             .type = "ID",
             .help = "Six letters and digits: KD7Q2M",
             .required = true}};
  }
};

struct ShowOptions : CallOptions {
  bool answer = false;

  std::vector<Argument> arguments() {
    auto all = CallOptions::arguments();
    all.push_back({.name = "--answer",
                   .target = &answer,
                   .help = "Print the service's own answer, unsealed"});
    return all;
  }
};

// What an empty shell variable gives is no price, and not this.
constexpr const char* kNoLimit = "none";

struct EndOptions : CallOptions {
  bool yes = false;

  std::vector<Argument> arguments() {
    auto all = CallOptions::arguments();
    all.push_back({.name = "--yes", .target = &yes, .help = "Do not ask first"});
    return all;
  }
};

struct RetryOptions : CallOptions {
  bool all_unknown = false;
  std::string max_price = kNoLimit;
  bool yes = false;

  std::vector<Argument> arguments() {
    auto all = CallOptions::arguments();
    all.front().required = false;
    all.push_back({.name = "--all-unknown",
                   .target = &all_unknown,
                   .help = "Send every unknown call again, the oldest first"});
    all.push_back({.name = "--max-price",
                   .target = &max_price,
                   .type = "PRICE",
                   .help = "With --all-unknown: only as many calls as this sum pays for"});
    all.push_back(
        {.name = "--yes",
         .target = &yes,
         .help = "Do not ask first, even if it may be billed twice or goes to another address"});
    return all;
  }
};

// Why there is no call of this reference to show or to decide about, and what ends a lost one.
Failure NoCall(QueueAccess& queue, const CallReference& reference, const Error& error) {
  const auto lost = queue.Lost();
  if (!lost || std::ranges::find(*lost, reference) == lost->end()) {
    const bool is_none = error.code == ErrorCode::kNotFound;
    return {is_none ? ExitCode::kUsage : ExitCode::kNeedsPerson, error.message};
  }
  return {ExitCode::kNeedsPerson, fmt::format("{} was accepted, and is lost: {}", Spaced(reference),
                                              MendOfLost(queue, reference))};
}

// A call, and the queue that it was found in.
struct Found {
  std::unique_ptr<QueueAccess> queue;
  CallSummary call;
};

CommandResult<Found> Find(Components& components, QueueNeed need, const CallOptions& options) {
  const auto reference = ParseReference(options.reference());
  if (!reference) return StopWith(ExitCode::kUsage, reference.error());
  auto queue = OpenQueue(components, need);
  if (!queue) return std::unexpected(queue.error());
  auto call = (*queue)->Show(*reference);
  if (!call) return std::unexpected(NoCall(**queue, *reference, call.error()));
  return Found{std::move(*queue), std::move(*call)};
}

void PrintCall(Components& components, QueueAccess& queue, const CallSummary& call) {
  JsonWriter json(components.json() ? 0 : 2);
  json.BeginObject();
  WriteCall(json, call);
  if (const auto attempts = queue.Attempts(call.reference)) WriteAttempts(json, *attempts);
  json.Field("message", SentenceOf(call));
  if (call.state == CallState::kDamaged) {
    json.Field("mend", fmt::format("'idkiosk queue discard {}' ends it and erases what is left, or "
                                   "says what brings it back from its copy",
                                   call.reference));
  }
  components.terminal().Print(json.EndObject().text());
}

CommandResult<ExitCode> RunShow(Components& components, ShowOptions& options) {
  const auto found = Find(components, QueueNeed::kLook, options);
  if (!found) return std::unexpected(found.error());
  if (!options.answer) {
    PrintCall(components, *found->queue, found->call);
    return ExitCode::kDone;
  }
  const auto answer = found->queue->Answer(found->call.reference);
  if (!answer) return StopWith(ExitCode::kUsage, answer.error());
  components.terminal().Say("This answer holds personal data.");
  std::string shown = EscapeControls(answer->text());
  components.terminal().Print(shown);
  Wipe(shown);
  return ExitCode::kDone;
}

// Reads the call anew after a person's decision, and tells how it stands.
CommandResult<ExitCode> AfterDecision(Components& components, const Found& found,
                                      const Status& decided) {
  if (!decided) return StopWith(ExitCode::kUsage, decided.error());
  const auto call = found.queue->Show(found.call.reference);
  if (!call) return StopWith(ExitCode::kUsage, call.error());
  components.terminal().Say(SentenceOf(*call));
  if (components.json()) PrintCall(components, *found.queue, *call);
  return ExitCode::kDone;
}

// The call once it has ended, is held or unknown, or once the time is up.
CommandResult<CallSummary> AwaitEnd(Components& components, QueueAccess& queue,
                                    const CallReference& reference, Duration wait) {
  const MonotonicTime deadline = components.drivers().clock.Now() + wait;
  if (queue.delivers()) {
    const auto worker = components.worker();
    if (!worker) return std::unexpected(worker.error());
    auto call = (*worker)->DeliverUntil(
        reference, deadline, [&](MonotonicTime time) { return components.WaitUntil(time); });
    if (!call) return StopWith(ExitCode::kNeedsPerson, call.error());
    return std::move(*call);
  }
  auto call = AwaitKiosk(components, queue, reference, deadline);
  if (!call) return StopWith(ExitCode::kNeedsPerson, call.error());
  return std::move(*call);
}

CommandResult<ExitCode> Deliver(Components& components, QueueAccess& queue,
                                const CallReference& reference, Duration wait) {
  const auto call = AwaitEnd(components, queue, reference, wait);
  if (!call) return std::unexpected(call.error());
  components.terminal().Say(SentenceOf(*call));
  PrintCall(components, queue, *call);
  return ExitCodeOf(*call);
}

// What a person agrees to by a yes; empty where a call is sent without one.
std::string WarningOf(Components& components, const CallSummary& call, const std::string& price) {
  const std::string name = Spaced(call.reference);
  if (!call.other_address) {
    // Of an unknown one whose records are lost nobody knows how often it was billed.
    if (call.state != CallState::kUnknown && call.billed_attempts == 0) return "";
    return fmt::format(
        "Sending {} again may bill twice: another {}. The first request may have arrived.", name,
        price);
  }
  const Settings& settings = **components.settings();
  const auto present = AddressOf(settings.environment, settings.service.base_url);
  return fmt::format(
      "{} was {}. It is sent to {} instead, with all that it holds, and billed {} "
      "there.{}",
      name, MadeForOf(call), Describe(present), price,
      call.billed_attempts == 0
          ? ""
          : " The first request may have arrived, and then it is billed twice.");
}

// What sending a call again costs, said before it is sent. One that may have been billed before, or
// that was made for another address, is sent only with a yes. Nothing where it may be sent.
std::optional<Failure> SayPrice(Components& components, const CallSummary& call, bool yes) {
  const auto profile = components.profile();
  const std::string price = FormatPrice(call.resend_price, (*profile)->currency);
  const std::string warning = WarningOf(components, call, price);
  if (warning.empty()) {
    components.terminal().Say(fmt::format("Sending {} bills {}.", Spaced(call.reference), price));
    return std::nullopt;
  }
  if (yes) {
    components.terminal().Say(warning);
    return std::nullopt;
  }
  if (components.terminal().Confirm(warning)) return std::nullopt;
  return Failure{ExitCode::kNeedsPerson,
                 fmt::format("{} Nothing was sent. To go on: idkiosk queue retry {} --yes", warning,
                             call.reference)};
}

CommandResult<ExitCode> RunRetryAll(Components& components, const RetryOptions& options) {
  if (!options.reference().empty()) {
    return StopWith(ExitCode::kUsage, "Name a call, or say --all-unknown, not both.");
  }
  std::optional<int64_t> most;
  if (options.max_price != kNoLimit) {
    if (options.max_price.starts_with('-')) {
      return StopWith(ExitCode::kUsage,
                      fmt::format("--max-price: \"{}\" is less than nothing, and would pay for no "
                                  "call: name what all of them may cost together, such as 1500.00",
                                  options.max_price));
    }
    const auto price = ParseAmount(options.max_price);
    if (!price) return StopWith(ExitCode::kUsage, price.error().Within("--max-price"));
    most = *price;
  }
  return RetryAllUnknown(components, most, options.yes);
}

CommandResult<ExitCode> RunRetry(Components& components, RetryOptions& options) {
  if (options.all_unknown) return RunRetryAll(components, options);
  if (options.max_price != kNoLimit) {
    return StopWith(ExitCode::kUsage, "--max-price goes with --all-unknown.");
  }
  if (options.reference().empty()) {
    return StopWith(ExitCode::kUsage,
                    "Name a call (six letters and digits), or say --all-unknown.");
  }
  const auto found = Find(components, QueueNeed::kDecide, options);
  if (!found) return std::unexpected(found.error());
  // What has nothing to send is refused below, and costs nothing.
  if (found->call.has_payload) {
    if (auto refused = SayPrice(components, found->call, options.yes)) {
      return std::unexpected(*refused);
    }
  }
  QueueAccess& queue = *found->queue;
  const Status decided = queue.Resend(found->call);
  if (!decided) return StopWith(ExitCode::kUsage, decided.error());
  if (queue.delivers() || queue.kiosk() != nullptr) {
    return Deliver(components, queue, found->call.reference, std::chrono::seconds(30));
  }
  components.terminal().Say(
      "Another program delivers just now: it sends this within a minute, or 'idkiosk queue "
      "deliver' "
      "does.");
  return ExitCode::kKept;
}

CommandResult<ExitCode> RunGiveUp(Components& components, EndOptions& options) {
  const auto found = Find(components, QueueNeed::kDecide, options);
  if (!found) return std::unexpected(found.error());
  const CallSummary& call = found->call;
  const std::string warning = fmt::format(
      "What became of {} stays unknown; it may have been billed. Its {} erased, so it cannot be "
      "sent again.",
      Spaced(call.reference),
      TraitsOf(call.endpoint).TakesPictures() ? "pictures are" : "question is");
  // What cannot be given up is refused below.
  const bool in_doubt = IsWaiting(call.state) && !WaitsUnsent(call.state, call.billed_attempts);
  if (in_doubt && !options.yes && !components.terminal().Confirm(warning)) {
    return StopWith(ExitCode::kNeedsPerson,
                    fmt::format("{} Nothing was changed. To go on: idkiosk queue give-up {} --yes",
                                warning, call.reference));
  }
  return AfterDecision(components, *found, found->queue->GiveUp(found->call.reference));
}

// Nothing of it can have been billed: it is not asked about, with --yes or without.
CommandResult<ExitCode> RunCancel(Components& components, EndOptions& options) {
  const auto found = Find(components, QueueNeed::kDecide, options);
  if (!found) return std::unexpected(found.error());
  return AfterDecision(components, *found, found->queue->Cancel(found->call.reference));
}

CommandResult<ExitCode> RunStats(Components& components, NoOptions&) {
  const auto queue = OpenQueue(components, QueueNeed::kLook);
  if (!queue) return std::unexpected(queue.error());
  const auto stats = (*queue)->Stats();
  if (!stats) return StopWith(ExitCode::kConfiguration, stats.error());
  const auto visit = (*queue)->IsVisit();
  if (!visit) return StopWith(ExitCode::kConfiguration, visit.error());
  JsonWriter json(components.json() ? 0 : 2);
  json.BeginObject();
  WriteStats(json, *stats);
  json.Field("visit", *visit);
  json.Key("holds").BeginArray();
  for (const Hold& hold : stats->holds) {
    json.BeginObject()
        .Field("id", HoldId(hold))
        .Field("reason", Name(hold.reason))
        .Field("mend", MendOf(hold))
        .Field("since", FormatRfc3339(hold.since))
        .Field("detail", hold.detail)
        .EndObject();
  }
  components.terminal().Print(json.EndArray().EndObject().text());
  return ExitCode::kDone;
}

struct SetAsideOptions {
  std::string file;

  std::vector<Argument> arguments() {
    return {{.name = "file",
             .target = &file,
             .type = "FILE",
             .help = "The file, as 'idkiosk doctor' names it",
             .required = true}};
  }
  // A file may be named with the state folder, too.
  void RemoveFolder(Components& components) {
    const std::string folder = (*components.settings())->state_folder + "/";
    if (file.starts_with(folder)) file.erase(0, folder.size());
  }
};

CommandResult<ExitCode> RunSalvage(Components& components, SetAsideOptions& options) {
  const auto queue = components.queue(Role::kOperate);
  if (!queue) return std::unexpected(queue.error());
  options.RemoveFolder(components);
  // What was typed is put down only where it is the name of such a file.
  const auto aside = (*queue)->SetAsideFiles();
  const bool is_there = aside && std::ranges::find(*aside, options.file) != aside->end();
  const auto salvage = [&] { return (*queue)->Salvage(options.file); };
  const auto salvaged =
      is_there
          ? (*components.audit())->Do(AuditEvent::kFileSalvaged, UserName(), options.file, salvage)
          : salvage();
  if (!salvaged) return StopWith(ExitCode::kUsage, salvaged.error());
  JsonWriter json(components.json() ? 0 : 2);
  json.BeginObject()
      .Field("taken_over", salvaged->taken_over)
      .Field("unknown", salvaged->unknown)
      .Field("nameless", salvaged->nameless)
      .Key("lost")
      .BeginArray();
  for (const CallReference& each : salvaged->lost) json.Value(each);
  components.terminal().Print(json.EndArray().EndObject().text());
  const bool all = salvaged->lost.empty() && salvaged->nameless == 0;
  return all && salvaged->unknown == 0 ? ExitCode::kDone : ExitCode::kNeedsPerson;
}

struct DiscardOptions : SetAsideOptions {
  bool yes = false;

  std::vector<Argument> arguments() {
    auto all = SetAsideOptions::arguments();
    all.front().type = "FILE-OR-ID";
    all.front().help = "As 'idkiosk doctor' names it; or the ID of a damaged or lost call";
    all.push_back({.name = "--yes", .target = &yes, .help = "Do not ask first"});
    return all;
  }
};

CommandResult<ExitCode> RunDiscard(Components& components, DiscardOptions& options) {
  // Where no kiosk runs, this process writes the decision into the ledger; else the kiosk does.
  auto queue = components.queue(Role::kDeliver);
  if (!queue) queue = components.queue(Role::kOperate);
  if (!queue) return std::unexpected(queue.error());
  options.RemoveFolder(components);
  const auto reference = ParseReference(options.file);
  const auto aside = (*queue)->SetAsideFiles();
  const bool is_file = aside && std::ranges::find(*aside, options.file) != aside->end();
  const auto unnamed = (*queue)->Unnamed();
  const bool is_unnamed = unnamed && std::ranges::any_of(*unnamed, [&](const UnnamedCalls& each) {
                            return NameOf(each) == options.file;
                          });
  if (!reference && !is_file && !is_unnamed) {
    return StopWith(
        ExitCode::kUsage,
        fmt::format(
            "There is no damaged file {0} in the state folder, and {0} is no reference of a "
            "call: 'idkiosk doctor' names what can be discarded.",
            Printable(options.file)));
  }
  const auto billed = reference ? (*queue)->BilledOfLost(*reference) : Result<int>(0);
  if (!billed) return StopWith(ExitCode::kUsage, billed.error());
  const std::string warning =
      *billed > 0 ? fmt::format(
                        "{} may have been sent and billed, and its answer is lost. Look for "
                        "it in the service's invoice before its question is asked anew.",
                        *reference)
      : reference
          ? fmt::format("What {} asked is lost for good, and has to be asked anew.", *reference)
      : is_unnamed ? std::string("The warning about lost calls that nobody can name ends.")
                   : fmt::format("Calls that could not be taken over from {} are lost for good.",
                                 options.file);
  if (!options.yes && !components.terminal().Confirm(warning)) {
    return StopWith(ExitCode::kNeedsPerson,
                    fmt::format("{} Nothing was done. To go on: idkiosk queue discard {} --yes",
                                warning, options.file));
  }
  const Status gone =
      (*components.audit())->Do(AuditEvent::kCallDiscarded, UserName(), options.file, [&] {
        return is_unnamed  ? (*queue)->DiscardUnnamed(options.file, UserName())
               : reference ? (*queue)->Discard(*reference, UserName())
                           : (*queue)->DiscardSetAside(options.file, UserName());
      });
  if (!gone) return StopWith(ExitCode::kUsage, gone.error());
  components.terminal().Say(
      reference ? fmt::format("{} is ended, and what was left of it is erased.", *reference)
                : fmt::format("{} is ended.", options.file));
  return ExitCode::kDone;
}

}  // namespace

void AddQueueCommands(CommandLine& line) {
  line.AddGroup(
      "queue", "Show calls, and decide about them",
      {line.Make("list", "List the calls that have not ended", &RunQueueList),
       line.Make("show", "Show one call", &RunShow),
       line.Make("retry",
                 "Send a call again, which may be billed again; one that was made for another "
                 "address goes to the present one",
                 &RunRetry),
       ImportCommand(line),
       line.Make("give-up", "End an unknown call without an answer", &RunGiveUp),
       line.Make("cancel", "End a call that was not sent", &RunCancel),
       line.Make("stats",
                 "Count the calls in each state, and say whether somebody is before the page",
                 &RunStats),
       DeliverCommand(line),
       line.Make("salvage", "Take over the calls that a damaged file still holds", &RunSalvage),
       line.Make("discard", "Erase a damaged file, or end a damaged or lost call", &RunDiscard)});
}

}  // namespace idkiosk
