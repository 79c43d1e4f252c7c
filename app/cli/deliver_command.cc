#include "app/cli/deliver_command.h"

#include <algorithm>

#include "app/cli/access/queue_access.h"
#include "app/cli/access/running_kiosk.h"
#include "app/cli/call_report.h"
#include "platform/base/json.h"

namespace idkiosk {
namespace {

// Whether nothing is sent until somebody has looked at the ledger.
bool IsHeldForTheLedger(const QueueStats& stats) {
  return std::ranges::any_of(stats.holds,
                             [](const Hold& hold) { return hold.reason == HoldReason::kLedger; });
}

struct DeliverOptions {
  double wait_seconds = 0;

  std::vector<Argument> arguments() {
    return {{.name = "--wait",
             .target = &wait_seconds,
             .type = "SECONDS",
             .help = "Keep trying for this long; without it, what may be sent is tried once",
             .range = NumberRange{0, 86400}}};
  }
};

// Has everything sent that may be. Returns the number of attempts.
CommandResult<int> DeliverAll(Components& components, QueueAccess& queue, Duration wait) {
  const MonotonicTime deadline = components.drivers().clock.Now() + wait;
  if (queue.kiosk() != nullptr) {
    const auto attempts = DeliverByKiosk(components, queue, deadline);
    if (!attempts) return StopWith(ExitCode::kNeedsPerson, attempts.error());
    return *attempts;
  }
  const auto worker = components.worker();
  if (!worker) return std::unexpected(worker.error());
  const auto attempts = (*worker)->DeliverAll(
      deadline, [&components](MonotonicTime time) { return components.WaitUntil(time); },
      [&components] { return !components.stopping(); });
  if (!attempts) return StopWith(ExitCode::kNeedsPerson, attempts.error());
  return *attempts;
}

// When calls that wait go on by themselves: after a rest that the service, the network or the call
// itself needs, or once a spending cap is no longer reached. Nothing: they wait for nobody's time.
// `open`: the calls that have not ended.
std::optional<WallTime> GoesOnAt(const QueueStats& stats, const std::vector<CallSummary>& open,
                                 WallTime now) {
  std::optional<WallTime> latest = stats.paused_until;
  for (const Hold& hold : stats.holds) {
    if (!hold.endpoint && hold.until) latest = std::max(latest, hold.until);
  }
  std::optional<WallTime> first;
  for (const CallSummary& call : open) {
    if (call.state != CallState::kPending || call.hold || !call.next_attempt) continue;
    first = std::min(first.value_or(*call.next_attempt), *call.next_attempt);
  }
  if (first && *first > now) latest = std::max(latest, first);
  return stats.In(CallState::kPending) > 0 ? latest : std::nullopt;
}

// Why calls wait that have been tried; empty: none has.
std::string WhyTheyWait(const std::vector<CallSummary>& open) {
  for (const CallSummary& call : open) {
    if (call.state != CallState::kPending || call.hold || !call.last_outcome) continue;
    return fmt::format("{} {} ({})", Spaced(call.reference), ClerkSentence(*call.last_outcome),
                       call.engineer);
  }
  return "";
}

// What is left of the calls that have not ended.
struct Left {
  int64_t wait = 0;
  int64_t need_person = 0;
};

// What a hold without an end keeps waits for a person; what a rule sends again, for that.
Left Count(const QueueStats& stats, const std::vector<CallSummary>& open, size_t lost) {
  const auto held = std::ranges::count_if(
      open, [](const CallSummary& each) { return each.hold && !each.hold->until; });
  const auto resends = std::ranges::count_if(open, [](const CallSummary& each) {
    return each.state == CallState::kUnknown && each.next_attempt;
  });
  return {.wait = stats.In(CallState::kPending) - held + resends,
          .need_person =
              stats.In(CallCourse::kNeedsPerson) - resends + held + static_cast<int64_t>(lost)};
}

CommandResult<ExitCode> RunDeliver(Components& components, DeliverOptions& options) {
  const auto queue = OpenQueue(components, QueueNeed::kDeliver);
  if (!queue) return std::unexpected(queue.error());
  const auto attempts = DeliverAll(
      components, **queue,
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(options.wait_seconds)));
  if (!attempts) return std::unexpected(attempts.error());
  const auto stats = (*queue)->Stats();
  if (!stats) return StopWith(ExitCode::kConfiguration, stats.error());
  const auto lost = (*queue)->Lost();
  if (!lost) return StopWith(ExitCode::kConfiguration, lost.error());
  const auto unnamed = (*queue)->Unnamed();
  if (!unnamed) return StopWith(ExitCode::kConfiguration, unnamed.error());
  const auto open = (*queue)->List(/*only_open=*/true);
  if (!open) return StopWith(ExitCode::kConfiguration, open.error());
  const auto [wait, need_person] = Count(*stats, *open, lost->size() + unnamed->size());
  components.terminal().Say(fmt::format("{} {}; {} wait, {} need a person.", *attempts,
                                        *attempts == 1 ? "attempt" : "attempts", wait,
                                        need_person));
  if (const std::string why = WhyTheyWait(*open); !why.empty()) components.terminal().Say(why);
  const auto goes_on = GoesOnAt(*stats, *open, components.drivers().clock.WallNow());
  if (goes_on) {
    components.terminal().Say(
        fmt::format("Sending goes on at {}: by itself where the kiosk runs, else by 'idkiosk queue "
                    "deliver'.",
                    FormatRfc3339(*goes_on)));
  }
  if (components.json()) {
    JsonWriter json;
    json.BeginObject().Field("attempts", *attempts).Field(kHeldWord, stats->held);
    for (const CallState each : OpenStates()) json.Field(Name(each), stats->In(each));
    json.Field("lost", static_cast<int64_t>(lost->size()));
    if (goes_on) json.Field("goes_on_at", FormatRfc3339(*goes_on));
    components.terminal().Print(json.EndObject().text());
  }
  if (components.stopping() && stats->In(CallState::kPending) > 0) return ExitCode::kKept;
  if (need_person > 0 || IsHeldForTheLedger(*stats)) return ExitCode::kNeedsPerson;
  return wait > 0 ? ExitCode::kKept : ExitCode::kDone;
}

}  // namespace

Command DeliverCommand(CommandLine& line) {
  return line.Make("deliver", "Send now every call that may be sent", &RunDeliver);
}

}  // namespace idkiosk
