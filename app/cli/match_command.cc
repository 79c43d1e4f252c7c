// ledger match: the service's invoice against what the ledgers say.
#include <filesystem>
#include <fstream>

#include "app/accounts/csv.h"
#include "app/accounts/invoice.h"
#include "app/accounts/match_report.h"
#include "app/cli/access/queue_access.h"
#include "app/cli/command_line.h"
#include "app/cli/match_command.h"
#include "app/operator/ledger_export.h"
#include "platform/base/json.h"
#include "platform/base/text/amount.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

// What a person gave: the options of the command, and the file.
struct MatchOptions {
  std::vector<std::string> invoices;
  std::string columns;
  std::string times;
  std::string month;
  std::string since;
  std::string until;
  std::vector<std::string> ledgers;
  int tolerance_seconds = 120;
  bool csv = false;
  bool utc = false;

  std::vector<Argument> arguments() {
    return {
        {.name = "invoice",
         .target = &invoices,
         .type = "INVOICE.csv",
         .help = "The invoice, in one file or several; the first line of each names its columns",
         .required = true},
        {.name = "--columns",
         .target = &columns,
         .help = "The invoice's own column names: time=Date,reference=Ref,price=Amount; also "
                 "endpoint, attempt_id and currency; time=Day+Time where these are two columns"},
        {.name = "--times",
         .target = &times,
         .help =
             "Which number of 11/04/2026 is the day; needed where no line of that column shows it",
         .choices = {"day-first", "month-first"}},
        {.name = "--since", .target = &since, .help = "The invoice begins with this day or time"},
        {.name = "--until", .target = &until, .help = "The invoice ends before this day or time"},
        {.name = "--month", .target = &month, .help = "The invoice's month, such as 2026-11"},
        {.name = "--ledger",
         .target = &ledgers,
         .type = "FILE",
         .help =
             "What 'ledger list --jsonl' printed on each kiosk, instead of this kiosk's ledger"},
        {.name = "--tolerance",
         .target = &tolerance_seconds,
         .type = "SECONDS",
         .help = "How far times may differ where a line names no attempt",
         .show_default = true,
         .range = NumberRange{0, 86400}},
        {.name = "--csv", .target = &csv, .help = "Print the differences as CSV"},
        {.name = "--utc",
         .target = &utc,
         .help = "Times and months are those of UTC, not of the kiosk's time zone"}};
  }
  [[nodiscard]] DateOrder order() const {
    if (times.empty()) return DateOrder::kUnknown;
    return times == "day-first" ? DateOrder::kDayFirst : DateOrder::kMonthFirst;
  }
  [[nodiscard]] Zone zone() const { return utc ? Zone::kUtc : Zone::kKiosk; }
};

CommandResult<bool> AddFile(Terminal& terminal, const std::string& file, InvoiceMatch& match) {
  auto in = OpenText(file);
  if (!in) {
    return StopWith(ExitCode::kUsage,
                    fmt::format("--ledger {}: {}", Printable(file), in.error().message));
  }
  std::string text;
  bool is_empty = true;
  for (int64_t number = 1; std::getline(*in, text); ++number) {
    if (number == 1 && IsUtf16(text)) {
      return StopWith(ExitCode::kUsage,
                      fmt::format("{}: not UTF-8 text: save it as UTF-8. PowerShell's > writes "
                                  "UTF-16; '| Out-File -Encoding utf8' does not",
                                  Printable(file)));
    }
    if (text.empty() || text == "\r") continue;
    is_empty = false;
    auto line = ParseLedgerJson(text);
    if (!line) {
      return StopWith(ExitCode::kUsage,
                      fmt::format("{}, line {}: {}. Export it with 'idkiosk ledger list --jsonl'",
                                  Printable(file), number, line.error().message));
    }
    if (Status added = match.Add(std::move(*line)); !added) {
      return StopWith(ExitCode::kUsage, added.error());
    }
  }
  if (is_empty) terminal.Say(fmt::format("--ledger {}: no attempt is in it", Printable(file)));
  return true;
}

// Returns how the comparison ends where all matches.
CommandResult<ExitCode> AddOwn(Components& components, InvoiceMatch& match) {
  const auto queue = OpenQueue(components, QueueNeed::kLook);
  if (!queue) return std::unexpected(queue.error());
  const auto rows = (*queue)->Ledger(std::nullopt);
  if (!rows) return StopWith(ExitCode::kConfiguration, rows.error());
  const auto profile = components.profile();
  if (!profile) return std::unexpected(profile.error());
  for (const LedgerRow& row : *rows) {
    if (Status added = match.Add(LineOf(row, (*profile)->currency)); !added) {
      return StopWith(ExitCode::kUsage, added.error());
    }
  }
  SayWhatIsInDoubt(components, **queue);
  return SayWhetherGenuine(components, **queue);
}

// Adds the file of the invoice with this number. Returns how many of its lines are none, after
// `bad_before` in the files before; the first kBadLinesNamed of them are said.
CommandResult<int64_t> AddInvoice(Components& components, const MatchOptions& options, size_t file,
                                  int64_t bad_before, InvoiceMatch& match) {
  const std::string name = Printable(options.invoices[file]);
  const auto stop = [&name](const Error& error) {
    return StopWith(ExitCode::kUsage, fmt::format("{}: {}", name, error.message));
  };
  auto in = OpenText(options.invoices[file]);
  if (!in) return stop(in.error());
  auto reader = InvoiceReader::Open(*in, options.columns, options.zone(), options.order());
  if (!reader) return stop(reader.error());
  int64_t bad = 0;
  while (true) {
    auto line = reader->Next();
    if (!line) {
      if (reader->broken()) return stop(line.error());
      if (bad_before + bad < kBadLinesNamed) {
        components.terminal().Say(fmt::format("{}, {}", name, line.error().message));
      }
      match.AddUnread(reader->unread());
      ++bad;
      continue;
    }
    if (!*line) return bad;
    (*line)->file = file;
    if (Status added = match.Add(std::move(**line)); !added) return stop(added.error());
  }
}

// Each of its attempts would be invoiced twice.
CommandResult<bool> RefuseTheSameFileTwice(const std::vector<std::string>& files) {
  for (size_t i = 0; i < files.size(); ++i) {
    for (size_t other = 0; other < i; ++other) {
      std::error_code trouble;
      if (!std::filesystem::equivalent(files[i], files[other], trouble)) continue;
      return StopWith(ExitCode::kUsage,
                      fmt::format("{} is given twice: name each file once", Printable(files[i])));
    }
  }
  return true;
}

// As they stand before the number of a line.
std::vector<std::string> NamesOf(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const std::string& each : files) names.push_back(Printable(each));
  return names;
}

std::string JsonOf(const InvoiceMatch& match, int64_t bad, Zone zone,
                   std::span<const std::string> files) {
  JsonWriter json;
  json.BeginObject().Field("all_match", match.all_match() && bad == 0);
  json.Field("bad_lines", bad)
      .Field("not_genuine", match.not_genuine())
      .Key("counts")
      .BeginObject();
  for (size_t i = 0; i < kFindingCount; ++i) {
    const auto finding = static_cast<MatchFinding>(i);
    json.Field(Name(finding), match.Count(finding));
  }
  json.EndObject().Key("sums").BeginArray();
  for (const auto& [currency, sums] : match.sums()) {
    json.BeginObject()
        .Field("currency", currency)
        .Field("invoiced", FormatAmount(sums.invoiced))
        .Field("billed", FormatAmount(sums.billed))
        .Field("perhaps_billed", FormatAmount(sums.maybe))
        .EndObject();
  }
  json.EndArray().Key("differences").BeginArray();
  for (const MatchedLine& each : match.differences()) {
    const auto fields = MatchFields(each, zone, files);
    json.BeginObject();
    for (size_t i = 0; i < fields.size(); ++i) json.Field(MatchHead()[i], fields[i]);
    json.EndObject();
  }
  return json.EndArray().EndObject().text();
}

// What both sides say of it, or either.
std::string Either(const std::string& invoice, const std::string& ledger) {
  if (ledger.empty() || invoice == ledger) return invoice;
  return invoice.empty() ? ledger : fmt::format("{}/{}", invoice, ledger);
}

// In columns, each with a head; "-" stands where nothing is known. The time is the ledger's, else
// the invoice's.
void PrintDifferences(Terminal& terminal, const InvoiceMatch& match, Zone zone,
                      std::span<const std::string> files) {
  if (match.differences().empty()) return;
  const auto print = [&](std::vector<std::string> fields) {
    for (std::string& each : fields) {
      if (each.empty()) each = "-";
    }
    terminal.Print(fmt::format("{:<38} {:>6} {:>13} {:>12} {:<8} {:<29} {:<9} {:>7} {:<16} {}",
                               fields[0], fields[1], fields[2], fields[3], fields[4], fields[5],
                               fields[6], fields[7], fields[8], fields[9]));
  };
  print({"finding", "line", "invoice_price", "ledger_price", "currency", "time", "reference",
         "attempt", "endpoint", "attempt_id"});
  for (const MatchedLine& each : match.differences()) {
    // In the order of MatchHead.
    const auto [finding, line, invoice_time, invoice_price, invoice_currency, ledger_time,
                reference, attempt, ledger_price, ledger_currency, attempt_id, endpoint] =
        MatchFields(each, zone, files);
    print({finding, line, invoice_price, ledger_price, Either(invoice_currency, ledger_currency),
           ledger_time.empty() ? invoice_time : ledger_time, reference, attempt, endpoint,
           attempt_id});
  }
}

// "the invoice is 25.00 above the ledger". `least`, `most`: how much it is, with and without what
// may have been billed.
std::string Above(int64_t least, int64_t most) {
  if (least == 0 && most == 0) return "the two are the same";
  if (least <= 0 && most >= 0) return "the invoice lies between the two";
  const int64_t near = std::min(std::abs(least), std::abs(most));
  const int64_t far = std::max(std::abs(least), std::abs(most));
  return fmt::format("the invoice is {}{} {} the ledger", FormatAmount(near),
                     near == far ? "" : fmt::format(" to {}", FormatAmount(far)),
                     least > 0 ? "above" : "below");
}

void SayTotals(Terminal& terminal, const InvoiceMatch& match, int64_t bad) {
  for (size_t i = 0; i < kFindingCount; ++i) {
    const auto finding = static_cast<MatchFinding>(i);
    if (match.Count(finding) > 0 || finding == MatchFinding::kMatched) {
      terminal.Say(fmt::format("{:>8} {}", match.Count(finding), Name(finding)));
    }
  }
  if (bad > 0) {
    terminal.Say(fmt::format("{:>8} not readable, {}named above, and in none of the sums invoiced",
                             bad, bad > kBadLinesNamed ? "the first of them " : ""));
  }
  if (match.not_genuine() > 0) {
    terminal.Say(
        fmt::format("{:>8} of the ledger not genuine, and counted for nothing: 'idkiosk ledger "
                    "verify' on that kiosk says what happened",
                    match.not_genuine()));
  }
  if (match.Count(MatchFinding::kChangedNumber) > 0) {
    terminal.Say(
        "A spreadsheet drops the zeros in front of a number, and its digits behind the fifteenth: "
        "take the invoice as it was sent, or import that column as text.");
  }
  if (const std::string trouble = EndpointTrouble(match); !trouble.empty()) terminal.Say(trouble);
  for (const auto& [currency, sums] : match.sums()) {
    terminal.Say(fmt::format(
        "{} {} invoiced; billed here {}, and perhaps {} more: {}", FormatAmount(sums.invoiced),
        currency, FormatAmount(sums.billed), FormatAmount(sums.maybe),
        Above(sums.invoiced - sums.billed - sums.maybe, sums.invoiced - sums.billed)));
  }
}

CommandResult<ExitCode> RunMatch(Components& components, MatchOptions& options) {
  const auto period = ReadPeriod(options.since, options.until, options.month, options.zone());
  if (!period) return StopWith(ExitCode::kUsage, period.error());
  if (const auto once = RefuseTheSameFileTwice(options.invoices); !once) {
    return std::unexpected(once.error());
  }
  components.EndWhenAskedTo();
  InvoiceMatch match(*period, std::chrono::seconds(options.tolerance_seconds));
  CommandResult<ExitCode> when_all_match = ExitCode::kDone;
  if (options.ledgers.empty()) {
    when_all_match = AddOwn(components, match);
    if (!when_all_match) return when_all_match;
  }
  for (const std::string& each : options.ledgers) {
    const auto added = AddFile(components.terminal(), each, match);
    if (!added) return std::unexpected(added.error());
  }
  int64_t bad = 0;
  for (size_t file = 0; file < options.invoices.size(); ++file) {
    const auto found = AddInvoice(components, options, file, bad, match);
    if (!found) return std::unexpected(found.error());
    bad += *found;
  }
  if (bad > kBadLinesNamed) {
    components.terminal().Say(
        fmt::format("and {} lines more that are not readable", bad - kBadLinesNamed));
  }
  match.Finish();
  const std::vector<std::string> files = NamesOf(options.invoices);
  Terminal& terminal = components.terminal();
  if (components.json()) {
    terminal.Print(JsonOf(match, bad, options.zone(), files));
  } else if (options.csv) {
    std::string text = MatchCsv(match, options.zone(), files);
    text.pop_back();  // the terminal ends the last line
    terminal.Print(text);
  } else {
    PrintDifferences(terminal, match, options.zone(), files);
  }
  SayTotals(terminal, match, bad);
  return match.all_match() && bad == 0 ? when_all_match : ExitCode::kNotVerified;
}

}  // namespace

Command MatchCommand(CommandLine& line) {
  return line.Make("match", "Compare the service's invoice with the ledger", &RunMatch);
}

}  // namespace idkiosk
