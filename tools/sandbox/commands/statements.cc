// What the service's operator gives on paper: the invoice, and what became of attempts in doubt.
#include <fstream>
#include <memory>

#include "tools/sandbox/commands/commands.h"
#include "tools/sandbox/commands/control_client.h"
#include "tools/sandbox/commands/records.h"

namespace idkiosk::sandbox {
namespace {

constexpr int64_t kAll = 1'000'000;

struct StatementOptions {
  std::string state;
  std::string since;
  std::string file;
};

std::string TextOf(JsonView value) { return std::string(value.AsString().value_or("")); }

JsonDocument Billed(const StatementOptions& options, const std::string& attempt_id) {
  LedgerQuery query;
  query.limit = kAll;
  query.attempt_id = attempt_id;
  query.since = SinceOf(options.since);
  return OrGiveUp(JsonDocument::Parse(ReadRecords(options.state, &Ledger::BillingJson, query)));
}

void PrintInvoice(const StatementOptions& options) {
  const JsonDocument billed = Billed(options, "");
  fmt::print("time,endpoint,reference,attempt_id,price,currency\r\n");
  for (const JsonView row : billed.root()["rows"].children()) {
    fmt::print("{},{},{},{},{},NGN\r\n", TextOf(row["time"]), TextOf(row["endpoint"]),
               TextOf(row["reference"]), TextOf(row["attempt_id"]), TextOf(row["amount"]));
  }
}

// The word for an attempt, as idkiosk imports it.
std::string OutcomeOf(const StatementOptions& options, const std::string& attempt_id) {
  const JsonDocument billed = Billed(options, attempt_id);
  for (const JsonView row : billed.root()["rows"].children()) {
    const std::string outcome = TextOf(row["outcome"]);
    return outcome == "verified" || outcome == "not_verified" ? outcome : "rejected";
  }
  return "not_received";
}

void PrintReply(const StatementOptions& options) {
  std::ifstream in(options.file);
  if (!in) GiveUp({ErrorCode::kInvalid, options.file + " cannot be read"});
  std::string line;
  std::getline(in, line);
  if (!line.starts_with("attempt_id,")) {
    GiveUp({ErrorCode::kInvalid, options.file +
                                     " must begin with the column attempt_id: 'idkiosk queue list "
                                     "--unknown-csv' writes it"});
  }
  fmt::print("attempt_id,outcome\r\n");
  while (std::getline(in, line)) {
    const std::string id = line.substr(0, line.find(','));
    if (!id.empty()) fmt::print("{},{}\r\n", id, OutcomeOf(options, id));
  }
}

Argument StateArgument(StatementOptions& options) {
  return {.name = "--state",
          .target = &options.state,
          .type = "DIR",
          .help = "The server's folder; the server need not be running",
          .required = true,
          .existing_folder = true};
}

}  // namespace

Command InvoiceCommand() {
  auto options = std::make_shared<StatementOptions>();
  return {.name = "invoice",
          .summary = "Write the invoice: every billed verification, as CSV",
          .arguments = {StateArgument(*options),
                        {.name = "--since",
                         .target = &options->since,
                         .type = "TIME",
                         .help = "Only from this time on"}},
          .action = [options] { PrintInvoice(*options); }};
}

Command ReplyCommand() {
  auto options = std::make_shared<StatementOptions>();
  return {
      .name = "reply",
      .summary = "Say what became of attempts, as the service's operator would: CSV in, CSV out",
      .arguments = {{.name = "file",
                     .target = &options->file,
                     .type = "UNKNOWN.csv",
                     .help = "What 'idkiosk queue list --unknown-csv' has printed",
                     .required = true},
                    StateArgument(*options)},
      .action = [options] { PrintReply(*options); }};
}

}  // namespace idkiosk::sandbox
