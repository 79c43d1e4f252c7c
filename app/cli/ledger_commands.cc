// ledger: what was sent, and what it may have cost.
#include <map>

#include "app/accounts/period.h"
#include "app/cli/access/queue_access.h"
#include "app/cli/call_report.h"
#include "app/cli/command_line.h"
#include "app/cli/match_command.h"
#include "app/operator/books.h"
#include "app/operator/ledger_export.h"
#include "app/queue/storage/attempt_ledger.h"
#include "app/queue/storage/queue_file.h"
#include "platform/base/json.h"
#include "platform/base/text/printable.h"

namespace idkiosk {

namespace {

using Role = DurableQueue::Role;

// Which attempts.
struct LedgerOptions {
  std::string since;
  std::string until;
  std::string month;
  std::string endpoint;
  std::string operator_id;
  bool utc = false;

  std::vector<Argument> arguments() {
    return {{.name = "--since",
             .target = &since,
             .help = "Only from this day or time on, such as 2026-11-20 or 2026-11-20T08:00:00Z"},
            {.name = "--until", .target = &until, .help = "Only before this day or time"},
            {.name = "--month",
             .target = &month,
             .help = "Only this month, such as 2026-11",
             .excludes = "--since"},
            {.name = "--endpoint",
             .target = &endpoint,
             .help = "Only this endpoint, such as verify or lookup_nin"},
            {.name = "--operator", .target = &operator_id, .help = "Only what this operator asked"},
            {.name = "--utc",
             .target = &utc,
             .help = "Hours, days and months are those of UTC, not of the kiosk's time zone"}};
  }
  [[nodiscard]] Zone zone() const { return utc ? Zone::kUtc : Zone::kKiosk; }
};

struct LedgerListOptions : LedgerOptions {
  bool csv = false;
  bool jsonl = false;

  std::vector<Argument> arguments() {
    auto all = LedgerOptions::arguments();
    all.push_back({.name = "--csv", .target = &csv, .help = "Print CSV, for a spreadsheet"});
    all.push_back({.name = "--jsonl",
                   .target = &jsonl,
                   .help = "Print one JSON object a line",
                   .excludes = "--csv"});
    return all;
  }
};

struct LedgerSumOptions : LedgerOptions {
  std::string by = "total";

  std::vector<Argument> arguments() {
    auto all = LedgerOptions::arguments();
    all.push_back({.name = "--by",
                   .target = &by,
                   .help = "Group the sums by this; hours and days are the kiosk's, or with --utc "
                           "those of UTC",
                   .choices = {"total", "hour", "day", "endpoint", "operator"}});
    return all;
  }
};

CommandResult<Period> PeriodOf(Components& components, const LedgerOptions& options) {
  const std::string trouble = ZoneTrouble();
  if (!trouble.empty() && options.zone() == Zone::kKiosk) components.terminal().Say(trouble);
  const auto period = ReadPeriod(options.since, options.until, options.month, options.zone());
  if (!period) return StopWith(ExitCode::kUsage, period.error());
  return *period;
}

// The attempts that the options name, the oldest first.
CommandResult<std::vector<LedgerRow>> RowsOf(QueueAccess& queue, const Period& period,
                                             const LedgerOptions& options) {
  auto rows =
      FilteredLedger(queue.Ledger(period.since), {period, options.endpoint, options.operator_id});
  if (rows) return std::move(*rows);
  if (rows.error().code != ErrorCode::kInvalid) {
    return StopWith(ExitCode::kConfiguration, rows.error());
  }
  return StopWith(ExitCode::kUsage, fmt::format("--endpoint {}: {}", Printable(options.endpoint),
                                                rows.error().message));
}

// What people decided about what was damaged or lost, behind the attempts or their sums.
Status WriteDecisions(Components& components, QueueAccess& queue, const Period& period,
                      JsonWriter& json) {
  const auto decisions = queue.Decisions(period.since);
  if (!decisions) return std::unexpected(decisions.error());
  for (const LedgerDecision& each : *decisions) {
    if (!period.Has(each.at)) continue;
    const std::string at = FormatRfc3339(each.at);
    json.BeginObject().Field("decision", each.what).Field("at", at).Field("by", each.by);
    json.EndObject();
    if (!components.json()) {
      const std::string by = each.by.empty() ? "" : fmt::format(", by {}", each.by);
      components.terminal().Print(fmt::format("{}  {}{}", at, each.what, by));
    }
  }
  return {};
}

CommandResult<ExitCode> Export(Components& components, const std::vector<LedgerRow>& rows,
                               const LedgerListOptions& options) {
  const auto profile = components.profile();
  if (!profile) return std::unexpected(profile.error());
  const std::string& currency = (*profile)->currency;
  if (options.csv) {
    std::string text = LedgerCsvOf(rows, currency, options.zone());
    text.pop_back();  // the terminal ends the last line
    components.terminal().Print(text);
    return ExitCode::kDone;
  }
  for (const LedgerRow& row : rows) {
    components.terminal().Print(LedgerJson(LineOf(row, currency), options.zone()));
  }
  return ExitCode::kDone;
}

// Of an attempt that no answer came to: none.
std::string StatusText(int http_status) {
  return http_status == 0 ? "-" : fmt::format("{}", http_status);
}

// What it cost or may have cost.
std::string PriceText(const LedgerRow& row, const ServiceProfile* profile) {
  if (row.billed == Billed::kNo) return "-";
  return FormatPrice(row.price, row.currency.empty() ? profile->currency : row.currency);
}

CommandResult<ExitCode> RunLedgerList(Components& components, LedgerListOptions& options) {
  const auto period = PeriodOf(components, options);
  if (!period) return std::unexpected(period.error());
  const auto queue = OpenQueue(components, QueueNeed::kLook);
  if (!queue) return std::unexpected(queue.error());
  const auto rows = RowsOf(**queue, *period, options);
  if (!rows) return std::unexpected(rows.error());
  if (options.csv || options.jsonl) {
    const auto exported = Export(components, *rows, options);
    return exported ? SayWhetherGenuine(components, **queue) : exported;
  }
  const auto profile = components.profile();
  if (!profile) return std::unexpected(profile.error());
  JsonWriter json;
  json.BeginArray();
  for (const LedgerRow& row : *rows) {
    if (components.json()) {
      json.Raw(LedgerJson(LineOf(row, (*profile)->currency), options.zone()));
      continue;
    }
    const std::string_view id = row.attempt_id;
    const std::string_view service = row.service_reference;
    components.terminal().Print(fmt::format(
        "{}  {} #{} {:<16} {:<9} {:>3} billed {:<5} {:>10} {}{}{}{}{}",
        FormatIn(options.zone(), row.started_at), Spaced(row.reference), row.number,
        Name(row.endpoint), Name(row.stage), StatusText(row.http_status), Name(row.billed),
        PriceText(row, *profile), row.rule, id.empty() ? "" : ", attempt ", id,
        service.empty() ? "" : ", service's reference ", service));
  }
  if (Status written = WriteDecisions(components, **queue, *period, json); !written) {
    return StopWith(ExitCode::kConfiguration, written.error());
  }
  if (components.json()) components.terminal().Print(json.EndArray().text());
  if (rows->empty()) components.terminal().Say("No attempts are in the ledger for that.");
  return SayWhetherGenuine(components, **queue);
}

void WriteSum(JsonWriter& json, const LedgerSum& sum, const std::string& currency) {
  json.BeginObject()
      .Field("key", sum.key)
      .Field("attempts", sum.attempts)
      .Field("billed", sum.billed_yes)
      .Field("maybe_billed", sum.billed_maybe)
      .Field("price", static_cast<double>(sum.price_yes) / 100)
      .Field("maybe_price", static_cast<double>(sum.price_maybe) / 100)
      .Field("currency", currency)
      .EndObject();
}

std::string LineOf(const LedgerSum& sum, const std::string& currency) {
  return fmt::format("{:<20} {} {}, {} billed: {}; {} perhaps billed: {}", sum.key, sum.attempts,
                     sum.attempts == 1 ? "attempt" : "attempts", sum.billed_yes,
                     FormatPrice(sum.price_yes, currency), sum.billed_maybe,
                     FormatPrice(sum.price_maybe, currency));
}

CommandResult<ExitCode> RunLedgerSum(Components& components, LedgerSumOptions& options) {
  const std::map<std::string, LedgerBy> kinds = {{"total", LedgerBy::kTotal},
                                                 {"hour", LedgerBy::kHour},
                                                 {"day", LedgerBy::kDay},
                                                 {"endpoint", LedgerBy::kEndpoint},
                                                 {"operator", LedgerBy::kOperator}};
  const auto period = PeriodOf(components, options);
  if (!period) return std::unexpected(period.error());
  const auto queue = OpenQueue(components, QueueNeed::kLook);
  if (!queue) return std::unexpected(queue.error());
  const auto rows = RowsOf(**queue, *period, options);
  if (!rows) return std::unexpected(rows.error());
  const auto sums =
      SumUp(*rows, kinds.at(options.by), (*components.profile())->currency, options.zone());
  JsonWriter json;
  json.BeginArray();
  for (const auto& [currency, of_currency] : sums) {
    for (const LedgerSum& sum : of_currency) {
      WriteSum(json, sum, currency);
      if (!components.json()) components.terminal().Print(LineOf(sum, currency));
    }
  }
  if (Status written = WriteDecisions(components, **queue, *period, json); !written) {
    return StopWith(ExitCode::kConfiguration, written.error());
  }
  if (components.json()) components.terminal().Print(json.EndArray().text());
  return SayWhetherGenuine(components, **queue);
}

// `missing`: a sentence without its stop; empty: nothing is.
void SayWhatIsMissing(Components& components, const std::string& missing) {
  if (missing.empty()) return;
  components.terminal().Say(fmt::format("{}. Check the people of that time again.", missing));
}

// Whether the queue's file is all that is in the way of the queue.
bool IsQueueFileDamaged(Components& components) {
  const auto settings = components.settings();
  if (!settings) return false;
  const auto& drivers = components.drivers();
  QueueFileOptions options;
  options.path = (*settings)->state_folder + "/queue.db";
  // Looking makes none: with calls of a vault that is gone, 'vault init' would find it in its way.
  if (!drivers.files.Exists(options.path).value_or(false)) return false;
  const auto file = OpenQueueFile(options, drivers.files, drivers.clock);
  return !file && file.error().code == ErrorCode::kCorrupt;
}

// The ledger is in files of its own, which prove themselves: it is judged without the queue's.
CommandResult<QueueAccess::LedgerState> VerifyAlone(Components& components) {
  const auto vault = components.vault();
  if (!vault) return std::unexpected(vault.error());
  auto key = (*vault)->DeriveKey(AttemptLedger::kKeyLabel);
  if (!key) return StopWith(ExitCode::kConfiguration, key.error());
  const auto& drivers = components.drivers();
  AttemptLedger ledger((*components.settings())->state_folder, drivers.crypto, std::move(*key),
                       drivers.files, **vault);
  if (Status loaded = ledger.Load({}); !loaded) {
    return StopWith(ExitCode::kConfiguration, loaded.error());
  }
  const JournalVerdict& verdict = ledger.verdict();
  return QueueAccess::LedgerState{Describe(verdict), verdict.state == JournalState::kGenuine,
                                  ledger.doubtful()};
}

CommandResult<QueueAccess::LedgerState> LedgerStateOf(Components& components) {
  const auto queue = OpenQueue(components, QueueNeed::kLook);
  if (queue) {
    const auto state = (*queue)->Verify();
    if (!state) return StopWith(ExitCode::kConfiguration, state.error());
    return *state;
  }
  if (!IsQueueFileDamaged(components)) return std::unexpected(queue.error());
  components.terminal().Say(fmt::format(
      "{}. 'idkiosk queue deliver' does so too; either brings waiting checks back from their "
      "copies. What follows is about the ledger alone, which has its own files.",
      queue.error().message));
  return VerifyAlone(components);
}

// A running kiosk has found the same, or finds it at its next start.
CommandResult<ExitCode> RunLedgerVerify(Components& components, NoOptions&) {
  const auto ledger = LedgerStateOf(components);
  if (!ledger) return std::unexpected(ledger.error());
  if (components.json()) {
    components.terminal().Print(
        JsonWriter().BeginObject().Field("ledger", ledger->found).EndObject().text());
  } else {
    components.terminal().Print(ledger->found);
  }
  if (ledger->genuine) {
    if (const auto queue = OpenQueue(components, QueueNeed::kLook)) {
      SayWhatIsInDoubt(components, **queue);
    }
    return ExitCode::kDone;
  }
  if (!ledger->held) {
    components.terminal().Say(
        "Somebody has accepted that already: 'idkiosk ledger list' says who, and when. No call is "
        "held for it any more; later changes are still found.");
    return ExitCode::kDone;
  }
  SayWhatIsMissing(components, ledger->missing);
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
  SayWhatIsMissing(components, MissingFrom(**queue));
  const Status accepted =
      (*components.audit())
          ->Do(AuditEvent::kLedgerAccepted, UserName(), Describe((*queue)->LedgerVerdict()),
               [&] { return (*queue)->AcceptLedger(UserName()); });
  if (!accepted) return StopWith(ExitCode::kUsage, accepted.error());
  components.terminal().Say(
      "The checks in the lost records are no longer known: asking the same again is billed, "
      "without a warning. What was erased on a person's request since then may be back: 'idkiosk "
      "doctor' names it.");
  components.terminal().Say(
      told
          ? "Accepted: the running kiosk goes on when it next looks. The calls that waited are "
            "unknown then, as nobody knows whether the lost records told of them, and wait for you."
          : "Accepted. The calls that waited are unknown now, as nobody knows whether the lost "
            "records told of them, and wait for you ('idkiosk queue list').");
  return ExitCode::kDone;
}

}  // namespace

void AddLedgerCommands(CommandLine& line) {
  line.AddGroup(
      "ledger", "Show every attempt and what it may have cost",
      {line.Make("list", "List every attempt", &RunLedgerList),
       line.Make("sum", "Add up attempts and prices", &RunLedgerSum), MatchCommand(line),
       line.Make("verify", "Check whether the ledger is genuine and complete", &RunLedgerVerify),
       line.Make(
           "accept",
           "Go on with a ledger that 'verify' did not find genuine, after you have looked at it",
           &RunLedgerAccept)});
}

}  // namespace idkiosk
