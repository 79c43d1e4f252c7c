// The commands that show what the server has recorded: ledger and requests.
#include <memory>

#include "tools/sandbox/commands/commands.h"
#include "tools/sandbox/commands/control_client.h"
#include "tools/sandbox/commands/records.h"
#include "tools/sandbox/store/database.h"
#include "tools/sandbox/store/ledger.h"
#include "tools/sandbox/store/people.h"
#include "tools/sandbox/store/state_folder.h"

namespace idkiosk::sandbox {
namespace {

struct RecordOptions {
  std::string state;
  std::string endpoint;
  std::string since;
  std::string nin;
  std::string phone;
  std::string attempt_id;
  int64_t limit = 20;
  bool json = false;
};

LedgerQuery QueryOf(const RecordOptions& options) {
  LedgerQuery query;
  query.endpoint = options.endpoint;
  query.subject = options.nin;
  query.attempt_id = options.attempt_id;
  query.limit = options.limit;
  if (!options.phone.empty()) {
    query.subject = LocalPhone(options.phone).value_or(options.phone);
  }
  query.since = SinceOf(options.since);
  return query;
}

std::string Text(JsonView value) { return std::string(value.AsString().value_or("")); }
int64_t Number(JsonView value) { return value.AsInteger().value_or(0); }

void PrintLedger(JsonView json) {
  fmt::print("{:<24} {:<17} {:>6} {:<13} {:<16} {:>10}\n", "time", "endpoint", "status", "outcome",
             "reference", "amount");
  for (const JsonView row : json["rows"].children()) {
    fmt::print("{:<24} {:<17} {:>6} {:<13} {:<16} {:>10}\n", Text(row["time"]),
               Text(row["endpoint"]), Number(row["status"]), Text(row["outcome"]),
               Text(row["reference"]), Text(row["amount"]));
  }
  fmt::print("\nbilled: {} ({} in all)\n", Number(json["sum"]["count"]),
             Text(json["sum"]["amount"]));
}

void PrintRequests(JsonView json) {
  fmt::print("{:<24} {:<17} {:<6} {:>6} {:<6} {:<16} {:<16} {}\n", "time", "endpoint", "method",
             "status", "billed", "fault", "subject", "message");
  for (const JsonView row : json["rows"].children()) {
    fmt::print("{:<24} {:<17} {:<6} {:>6} {:<6} {:<16} {:<16} {}\n", Text(row["time"]),
               Text(row["endpoint"]), Text(row["method"]), Number(row["status"]),
               row["billed"].AsBool().value_or(false) ? "yes" : "no", Text(row["fault"]),
               Text(row["subject"]).substr(0, 16), Text(row["message"]));
  }
  const JsonView count = json["count"];
  fmt::print("\nreceived: {} ({} POSTs), billed: {}\n", Number(count["received"]),
             Number(count["posts"]), Number(count["billed"]));
}

Command RecordsCommand(std::string name, std::string summary, RecordReader read,
                       void (*print)(JsonView), std::string footer) {
  auto options = std::make_shared<RecordOptions>();
  return {.name = std::move(name),
          .summary = std::move(summary),
          .arguments = {{.name = "--state",
                         .target = &options->state,
                         .type = "DIR",
                         .help = "The server's folder; the server need not be running",
                         .required = true,
                         .existing_folder = true},
                        {.name = "--endpoint",
                         .target = &options->endpoint,
                         .help = "Only this endpoint, such as verify"},
                        {.name = "--since",
                         .target = &options->since,
                         .type = "TIME",
                         .help = "Only from this time on"},
                        {.name = "--nin",
                         .target = &options->nin,
                         .help = "Only for this NIN, which is kept as a digest"},
                        {.name = "--phone",
                         .target = &options->phone,
                         .help = "Only for this phone number"},
                        {.name = "--attempt-id",
                         .target = &options->attempt_id,
                         .help = "Only the request that came with this attempt ID"},
                        {.name = "--limit",
                         .target = &options->limit,
                         .help = "How many of the newest rows to show",
                         .show_default = true,
                         .range = NumberRange{0, 100'000}},
                        {.name = "--json",
                         .target = &options->json,
                         .help = "Print JSON, as the control API gives it"}},
          .footer = std::move(footer),
          .action = [options, read, print] {
            const std::string text = ReadRecords(options->state, read, QueryOf(*options));
            if (options->json) {
              fmt::print("{}\n", text);
            } else {
              print(OrGiveUp(JsonDocument::Parse(text)).root());
            }
          }};
}

}  // namespace

std::string ReadRecords(const std::string& state, RecordReader read, const LedgerQuery& query) {
  const auto folder = OrGiveUp(StateFolder::Open(state));
  const auto key = OrGiveUp(ReadTextFile(folder.File("log-key")));
  const auto database = OrGiveUp(Database::Open(folder.File("sandbox.db")));
  Ledger ledger(*database, KeyedDigest(key.substr(0, key.find('\n'))));
  return OrGiveUp((ledger.*read)(query));
}

std::optional<WallTime> SinceOf(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto since = ParseRfc3339(text);
  if (!since) GiveUp({ErrorCode::kInvalid, "--since must be a time such as 2026-11-20T19:21:47Z"});
  return since;
}

Command LedgerCommand() {
  return RecordsCommand("ledger", "Show what was billed: one row for every billed verification",
                        &Ledger::BillingJson, PrintLedger,
                        "Sums are over every row that matches, not only over those shown.");
}

Command RequestsCommand() {
  return RecordsCommand("requests",
                        "Show the requests to the service that came in, with their answers",
                        &Ledger::RequestsJson, PrintRequests,
                        "How many POSTs came for one NIN:\n"
                        "  idkiosk-sandbox requests --state DIR --nin NIN --limit 0");
}

}  // namespace idkiosk::sandbox
