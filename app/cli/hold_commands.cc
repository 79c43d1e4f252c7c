// hold: what keeps calls from being sent until somebody mends it.
#include <algorithm>

#include "app/cli/access/queue_access.h"
#include "app/cli/call_report.h"
#include "app/cli/command_line.h"
#include "platform/base/json.h"

namespace idkiosk {
namespace {

CommandResult<ExitCode> RunHoldList(Components& components, NoOptions&) {
  const auto queue = OpenQueue(components, QueueNeed::kLook);
  if (!queue) return std::unexpected(queue.error());
  const auto stats = (*queue)->Stats();
  if (!stats) return StopWith(ExitCode::kConfiguration, stats.error());
  JsonWriter json;
  json.BeginArray();
  for (const Hold& hold : stats->holds) {
    json.BeginObject()
        .Field("id", HoldId(hold))
        .Field("since", FormatRfc3339(hold.since))
        .Field("detail", hold.detail)
        .Field("mend", MendOf(hold));
    if (hold.until) json.Field("until", FormatRfc3339(*hold.until));
    json.EndObject();
    if (components.json()) continue;
    components.terminal().Print(fmt::format("{:<28} since {}: {}. Mend: {}.", HoldId(hold),
                                            FormatRfc3339(hold.since), hold.detail, MendOf(hold)));
  }
  if (components.json()) components.terminal().Print(json.EndArray().text());
  if (stats->holds.empty()) components.terminal().Say("Nothing is held.");
  return ExitCode::kDone;
}

struct LiftOptions {
  std::string id;

  std::vector<Argument> arguments() {
    return {{.name = "id",
             .target = &id,
             .type = "ID",
             .help = "The hold, as 'idkiosk hold list' names it, such as lookup_nin:access; may be "
                     "left out if there is only one"}};
  }
};

// The most that the call which goes first may cost.
std::string PriceOf(const ServiceProfile& profile, std::string_view id) {
  const auto only = EndpointOf(id.substr(0, id.find(':')));
  int64_t price = 0;
  for (const EndpointProfile& each : profile.endpoints) {
    if (!only || each.endpoint == *only) price = std::max(price, each.price);
  }
  return FormatPrice(price, profile.currency);
}

// The only hold that a person can lift.
CommandResult<std::string> OnlyHold(QueueAccess& queue) {
  const auto stats = queue.Stats();
  if (!stats) return StopWith(ExitCode::kConfiguration, stats.error());
  std::vector<std::string> ids;
  for (const Hold& hold : stats->holds) {
    if (IsLiftable(hold.reason)) ids.push_back(HoldId(hold));
  }
  if (ids.size() == 1) return ids.front();
  return StopWith(ExitCode::kUsage, ids.empty()
                                        ? "there is no hold that a person can lift"
                                        : fmt::format("name one of {}", fmt::join(ids, ", ")));
}

CommandResult<ExitCode> RunLift(Components& components, LiftOptions& options) {
  const auto profile = components.profile();
  if (!profile) return std::unexpected(profile.error());
  // Another idkiosk may deliver meanwhile: it reads its holds again before each call.
  const auto queue = OpenQueue(components, QueueNeed::kLook);
  if (!queue) return std::unexpected(queue.error());
  if (options.id.empty()) {
    auto only = OnlyHold(**queue);
    if (!only) return std::unexpected(only.error());
    options.id = std::move(*only);
  }
  const Status lifted = (*queue)->Lift(options.id);
  if (!lifted) return StopWith(ExitCode::kUsage, lifted.error());
  const auto stats = (*queue)->Stats();
  const bool none_waits =
      stats && stats->In(CallState::kPending) + stats->In(CallState::kUnknown) == 0;
  if (none_waits) {
    components.terminal().Say(fmt::format(
        "{} is lifted. No call waits: the next one that is accepted goes first.", options.id));
    return ExitCode::kDone;
  }
  components.terminal().Say(fmt::format(
      "{} is lifted. One call goes first, which may bill {}; only its success lets the others "
      "follow. {} A call that may have been billed already is unknown then, and waits for 'idkiosk "
      "queue retry' or 'give-up'.",
      options.id, PriceOf(**profile, options.id),
      (*queue)->kiosk() != nullptr
          ? "The running kiosk sends it now."
          : "A running kiosk sends it within a minute; without one, run 'idkiosk queue deliver'."));
  return ExitCode::kDone;
}

}  // namespace

void AddHoldCommands(CommandLine& line) {
  line.AddGroup(
      "hold", "List and lift holds, which keep calls from being sent",
      {line.Make("list", "List the holds, and how to end each", &RunHoldList),
       line.Make("lift", "Lift a hold; one call is sent first, and may be billed", &RunLift)});
}

}  // namespace idkiosk
