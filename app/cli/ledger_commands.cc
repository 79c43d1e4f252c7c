// ledger: what was sent, and what it may have cost.
#include <map>

#include "app/cli/call_report.h"
#include "app/cli/command_line.h"
#include "platform/base/json.h"

namespace idkiosk {
namespace {

using Role = DurableQueue::Role;

struct LedgerOptions {
  std::string since;

  std::vector<Argument> arguments() {
    return {{.name = "--since",
             .target = &since,
             .help = "Only from this time on, such as 2026-11-20 or 2026-11-20T08:00:00Z"}};
  }
};

struct LedgerSumOptions : LedgerOptions {
  std::string by = "total";

  std::vector<Argument> arguments() {
    auto all = LedgerOptions::arguments();
    all.push_back({.name = "--by",
                   .target = &by,
                   .help = "Group the sums by this; hours and days are in UTC",
                   .choices = {"total", "hour", "day", "endpoint", "operator"}});
    return all;
  }
};

// What people decided about what was damaged or lost, behind the attempts or their sums.
Status WriteDecisions(Components& components, DurableQueue& queue, std::optional<WallTime> since,
                      JsonWriter& json) {
  const auto decisions = queue.Decisions(since);
  if (!decisions) return std::unexpected(decisions.error());
  for (const LedgerDecision& each : *decisions) {
    const std::string at = FormatRfc3339(each.at);
    json.BeginObject().Field("decision", each.what).Field("at", at).Field("by", each.by);
    json.EndObject();
    if (!components.json()) {
      components.terminal().Print(fmt::format("{}  {}, by {}", at, each.what, each.by));
    }
  }
  return {};
}

CommandResult<ExitCode> RunLedgerList(Components& components, LedgerOptions& options) {
  const auto since = ReadSince(options.since);
  if (!since) return std::unexpected(since.error());
  const auto queue = components.queue(Role::kOperate);
  if (!queue) return std::unexpected(queue.error());
  const auto rows = (*queue)->Ledger(*since);
  if (!rows) return StopWith(ExitCode::kConfiguration, rows.error());
  JsonWriter json;
  json.BeginArray();
  for (const LedgerRow& row : *rows) {
    json.BeginObject()
        .Field("reference", row.reference)
        .Field("attempt", row.number)
        .Field("endpoint", Name(row.endpoint))
        .Field("started_at", FormatRfc3339(row.started_at))
        .Field("stage", Name(row.stage))
        .Field("http_status", row.http_status)
        .Field("billed", Name(row.billed))
        .Field("price", static_cast<double>(row.price) / 100)
        .Field("reason", row.reason)
        .Field("genuine", row.genuine);
    if (row.ended_at) json.Field("ended_at", FormatRfc3339(*row.ended_at));
    WriteIdentity(json, row);
    json.EndObject();
    if (components.json()) continue;
    const std::string_view id = row.attempt_id;
    const std::string_view service = row.service_reference;
    components.terminal().Print(fmt::format(
        "{}  {} #{} {:<16} {:<9} {:>3} billed {:<5} {}{}{}{}{}", FormatRfc3339(row.started_at),
        Spaced(row.reference), row.number, Name(row.endpoint), Name(row.stage), row.http_status,
        Name(row.billed), row.reason, id.empty() ? "" : ", attempt ", id,
        service.empty() ? "" : ", service's reference ", service));
  }
  if (Status written = WriteDecisions(components, **queue, *since, json); !written) {
    return StopWith(ExitCode::kConfiguration, written.error());
  }
  if (components.json()) components.terminal().Print(json.EndArray().text());
  return ExitCode::kDone;
}

CommandResult<ExitCode> RunLedgerSum(Components& components, LedgerSumOptions& options) {
  const std::map<std::string, LedgerBy> kinds = {{"total", LedgerBy::kTotal},
                                                 {"hour", LedgerBy::kHour},
                                                 {"day", LedgerBy::kDay},
                                                 {"endpoint", LedgerBy::kEndpoint},
                                                 {"operator", LedgerBy::kOperator}};
  const auto since = ReadSince(options.since);
  if (!since) return std::unexpected(since.error());
  const auto queue = components.queue(Role::kOperate);
  if (!queue) return std::unexpected(queue.error());
  const auto sums = (*queue)->Sum(kinds.at(options.by), *since);
  if (!sums) return StopWith(ExitCode::kConfiguration, sums.error());
  const std::string& currency = (*components.profile())->currency;
  JsonWriter json;
  json.BeginArray();
  for (const LedgerSum& sum : *sums) {
    json.BeginObject()
        .Field("key", sum.key)
        .Field("attempts", sum.attempts)
        .Field("billed", sum.billed_yes)
        .Field("maybe_billed", sum.billed_maybe)
        .Field("price", static_cast<double>(sum.price_yes) / 100)
        .Field("maybe_price", static_cast<double>(sum.price_maybe) / 100)
        .Field("currency", currency)
        .EndObject();
    if (components.json()) continue;
    components.terminal().Print(
        fmt::format("{:<20} {} {}, {} billed: {}; {} perhaps billed: {}", sum.key, sum.attempts,
                    sum.attempts == 1 ? "attempt" : "attempts", sum.billed_yes,
                    FormatPrice(sum.price_yes, currency), sum.billed_maybe,
                    FormatPrice(sum.price_maybe, currency)));
  }
  if (Status written = WriteDecisions(components, **queue, *since, json); !written) {
    return StopWith(ExitCode::kConfiguration, written.error());
  }
  if (components.json()) components.terminal().Print(json.EndArray().text());
  return ExitCode::kDone;
}

void SayWhatIsMissing(Components& components, const DurableQueue& queue) {
  const uint64_t missing = queue.MissingLedgerRecords();
  if (missing == 0) return;
  components.terminal().Say(fmt::format(
      "{} of its newest records {} missing. A call that was accepted then and is not in 'idkiosk "
      "queue list' is lost, and nobody can name it: have people of that time asked again.",
      missing, missing == 1 ? "is" : "are"));
}

// A running kiosk has found the same, or finds it at its next start.
CommandResult<ExitCode> RunLedgerVerify(Components& components, NoOptions&) {
  const auto queue = components.queue(Role::kOperate);
  if (!queue) return std::unexpected(queue.error());
  const JournalVerdict verdict = (*queue)->LedgerVerdict();
  if (components.json()) {
    components.terminal().Print(
        JsonWriter().BeginObject().Field("ledger", Describe(verdict)).EndObject().text());
  } else {
    components.terminal().Print(Describe(verdict));
  }
  if (verdict.state == JournalState::kGenuine) return ExitCode::kDone;
  if (!(*queue)->IsHeldForLedger()) {
    components.terminal().Say(
        "Somebody has accepted that already: 'idkiosk ledger list' says who, and when. Nothing is "
        "held for it, and what is changed from now on is found again.");
    return ExitCode::kDone;
  }
  SayWhatIsMissing(components, **queue);
  components.terminal().Say(
      "Keep a copy of the folder ledger/ of the state folder for whoever looks into it. 'idkiosk "
      "ledger list' shows what is proven; 'idkiosk ledger accept' goes on from there.");
  return ExitCode::kNeedsPerson;
}

CommandResult<ExitCode> RunLedgerAccept(Components& components, NoOptions&) {
  // The daemon, where one runs, goes on by itself once it is told.
  auto queue = components.queue(Role::kDeliver);
  const bool told = !queue;
  if (told) queue = components.queue(Role::kOperate);
  if (!queue) return std::unexpected(queue.error());
  SayWhatIsMissing(components, **queue);
  const Status accepted =
      (*components.audit())
          ->Do(AuditEvent::kLedgerAccepted, UserName(), Describe((*queue)->LedgerVerdict()),
               [&] { return (*queue)->AcceptLedger(UserName()); });
  if (!accepted) return StopWith(ExitCode::kUsage, accepted.error());
  components.terminal().Say(
      told ? "Accepted: the running kiosk goes on when it next looks. Calls of which nobody knows "
             "whether they were sent are unknown then, and wait for you."
           : "Accepted. Calls of which nobody knows whether they were sent are unknown now, and "
             "wait for you ('idkiosk queue list'); the others can be sent again.");
  return ExitCode::kDone;
}

}  // namespace

void AddLedgerCommands(CommandLine& line) {
  line.AddGroup(
      "ledger", "Show every attempt and what it may have cost",
      {line.Make("list", "List every attempt", &RunLedgerList),
       line.Make("sum", "Add up attempts and prices", &RunLedgerSum),
       line.Make("verify", "Check whether the ledger is genuine and complete", &RunLedgerVerify),
       line.Make(
           "accept",
           "Send calls again after you have examined a ledger that 'verify' did not find genuine",
           &RunLedgerAccept)});
}

}  // namespace idkiosk
