#include "app/cli/unknown_calls.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "app/accounts/csv.h"
#include "app/accounts/invoice.h"
#include "app/cli/access/queue_access.h"
#include "app/cli/call_report.h"
#include "app/operator/operators_reply.h"
#include "platform/base/json.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

// The calls in doubt, the oldest first.
CommandResult<std::vector<CallSummary>> UnknownCalls(QueueAccess& queue) {
  auto calls = queue.List(/*only_open=*/true);
  if (!calls) return StopWith(ExitCode::kConfiguration, calls.error());
  std::erase_if(*calls, [](const CallSummary& call) { return call.state != CallState::kUnknown; });
  std::ranges::sort(*calls, {}, &CallSummary::accepted_at);
  return std::move(*calls);
}

std::string Price(Components& components, int64_t hundredths) {
  const auto profile = components.profile();
  return FormatPrice(hundredths, profile ? (*profile)->currency : std::string());
}

// Those that may have been billed more often than the ledger has attempts of them.
std::vector<CallReference> WithoutRecords(const std::vector<CallSummary>& calls,
                                          const std::vector<LedgerRow>& ledger) {
  std::map<CallReference, int> billed;
  for (const LedgerRow& row : ledger) billed[row.reference] += row.billed == Billed::kNo ? 0 : 1;
  std::vector<CallReference> lacking;
  for (const CallSummary& call : calls) {
    if (call.billed_attempts > billed[call.reference]) lacking.push_back(call.reference);
  }
  return lacking;
}

struct ImportOptions {
  std::string file;
  bool yes = false;

  std::vector<Argument> arguments() {
    return {{.name = "file",
             .target = &file,
             .type = "REPLY.csv",
             .help = "Columns attempt_id and outcome: not_received, verified, not_verified or "
                     "rejected. For calls without attempt_id: reference (the call's or the "
                     "service's) and sent_at",
             .required = true},
            {.name = "--yes", .target = &yes, .help = "Do not ask first"}};
  }
};

CommandResult<OperatorsReply> ReadReply(const std::string& file,
                                        const std::vector<LedgerRow>& ledger) {
  auto in = OpenText(file);
  if (!in) return StopWith(ExitCode::kUsage, in.error().Within(Printable(file)));
  auto reply = ReadOperatorsReply(*in, ledger);
  if (!reply) return StopWith(ExitCode::kUsage, reply.error().Within(Printable(file)));
  return std::move(*reply);
}

std::string StillUnknown(size_t calls) {
  if (calls == 0) return "No call is unknown any more.";
  if (calls == 1) return "1 call is still unknown.";
  return fmt::format("{} calls are still unknown.", calls);
}

// Names the lines behind the first `told` of those that settle nothing, kBadLinesNamed in all, and
// counts the others.
void SayWrong(Terminal& terminal, const std::vector<std::string>& wrong, size_t told) {
  constexpr auto kNamed = static_cast<size_t>(kBadLinesNamed);
  for (size_t i = told; i < std::min(wrong.size(), kNamed); ++i) terminal.Say(wrong[i]);
  const size_t counted = wrong.size() - std::min(wrong.size(), std::max(told, kNamed));
  if (counted > 0) terminal.Say(fmt::format("and {} lines more that settle nothing", counted));
}

CommandResult<ExitCode> RunImport(Components& components, ImportOptions& options) {
  const auto queue = OpenQueue(components, QueueNeed::kDeliver);
  if (!queue) return std::unexpected(queue.error());
  const auto ledger = (*queue)->Ledger(std::nullopt);
  if (!ledger) return StopWith(ExitCode::kConfiguration, ledger.error());
  auto reply = ReadReply(options.file, *ledger);
  if (!reply) return std::unexpected(reply.error());
  Terminal& terminal = components.terminal();
  SayWrong(terminal, reply->wrong, 0);
  if (reply->decided.empty()) {
    return StopWith(ExitCode::kUsage, "No line settles an attempt in doubt on this kiosk.");
  }
  const std::string plan = PlanOf(*reply);
  if (!options.yes && !terminal.Confirm(plan)) {
    return StopWith(ExitCode::kNeedsPerson,
                    fmt::format("{} Nothing was changed. To go on: --yes", plan));
  }
  const size_t told = reply->wrong.size();
  const int64_t settled = SettleAll(*reply, [&](const LedgerRow& attempt, Settlement outcome) {
    return (*queue)->Settle(attempt.reference, attempt.number, outcome);
  });
  SayWrong(terminal, reply->wrong, told);
  const auto left = UnknownCalls(**queue);
  if (!left) return std::unexpected(left.error());
  terminal.Say(fmt::format(
      "{} settled{}. {}", settled,
      reply->wrong.empty() ? ", each line of the reply"
                           : fmt::format("; {} not settled, as said above", reply->wrong.size()),
      StillUnknown(left->size())));
  if (components.json()) {
    terminal.Print(JsonWriter()
                       .BeginObject()
                       .Field("settled", settled)
                       .Field("wrong", static_cast<int64_t>(reply->wrong.size()))
                       .Field("unknown", static_cast<int64_t>(left->size()))
                       .EndObject()
                       .text());
  }
  return reply->wrong.empty() && left->empty() ? ExitCode::kDone : ExitCode::kNeedsPerson;
}

}  // namespace

CommandResult<ExitCode> ListUnknownAttempts(Components& components) {
  const auto queue = OpenQueue(components, QueueNeed::kLook);
  if (!queue) return std::unexpected(queue.error());
  const auto ledger = (*queue)->Ledger(std::nullopt);
  const auto doubtful = DoubtfulAttempts(ledger);
  if (!doubtful) return StopWith(ExitCode::kConfiguration, doubtful.error());
  const auto profile = components.profile();
  if (!profile) return std::unexpected(profile.error());
  std::string text = DoubtfulCsv(*doubtful, (*profile)->currency);
  text.pop_back();  // the terminal ends the last line
  components.terminal().Print(text);
  const auto unknown = UnknownCalls(**queue);
  if (!unknown) return std::unexpected(unknown.error());
  if (const auto lacking = WithoutRecords(*unknown, *ledger); !lacking.empty()) {
    components.terminal().Say(fmt::format(
        "Not all attempts are among them of: {}. The ledger's records of the others are lost, and "
        "a reply cannot settle those. Look for them on the invoice by reference and time; then "
        "give the calls up ('idkiosk queue give-up'), or send them again, which may bill twice.",
        CountAndNames(lacking)));
  }
  return ExitCode::kDone;
}

CommandResult<ExitCode> RetryAllUnknown(Components& components, std::optional<int64_t> most_price,
                                        bool yes) {
  const auto queue = OpenQueue(components, QueueNeed::kDeliver);
  if (!queue) return std::unexpected(queue.error());
  const auto unknown = UnknownCalls(**queue);
  if (!unknown) return std::unexpected(unknown.error());
  std::vector<CallSummary> chosen;
  int64_t price = 0;
  for (const CallSummary& call : *unknown) {
    if (!call.has_payload || call.other_address) continue;
    if (most_price && price + call.resend_price > *most_price) continue;
    price += call.resend_price;
    chosen.push_back(call);
  }
  Terminal& terminal = components.terminal();
  if (chosen.empty()) {
    terminal.Say(unknown->empty()
                     ? "No calls are unknown."
                     : fmt::format("None of {} unknown calls can be sent again{}: 'idkiosk queue "
                                   "show' says of each what can be done.",
                                   unknown->size(), most_price ? " for that price" : ""));
    return unknown->empty() ? ExitCode::kDone : ExitCode::kNeedsPerson;
  }
  const std::string warning =
      fmt::format("{} of {} unknown calls are sent again, which may bill them twice: another {}.",
                  chosen.size(), unknown->size(), Price(components, price));
  if (!yes && !terminal.Confirm(warning)) {
    return StopWith(
        ExitCode::kNeedsPerson,
        fmt::format("{} Nothing was sent. To go on: idkiosk queue retry --all-unknown "
                    "{}--yes",
                    warning,
                    most_price ? fmt::format("--max-price {} ", FormatAmount(*most_price)) : ""));
  }
  for (const CallSummary& call : chosen) {
    const Status sent = (*queue)->Resend(call);
    if (!sent) return StopWith(ExitCode::kNeedsPerson, sent.error());
  }
  terminal.Say(fmt::format(
      fmt::runtime((*queue)->kiosk() != nullptr
                       ? "Calls that the running kiosk sends now: {}."
                       : "Calls that the next 'idkiosk queue deliver' sends, or the kiosk: {}."),
      chosen.size()));
  return ExitCode::kKept;
}

Command ImportCommand(CommandLine& line) {
  return line.Make("import", "Read what the service's operator said of unknown calls", &RunImport);
}

}  // namespace idkiosk
