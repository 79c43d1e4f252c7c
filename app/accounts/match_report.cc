#include "app/accounts/match_report.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "app/accounts/amount.h"
#include "app/accounts/csv.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

constexpr std::string_view kHead[] = {
    "finding",   "line",    "invoice_time", "invoice_price",   "invoice_currency", "ledger_time",
    "reference", "attempt", "ledger_price", "ledger_currency", "attempt_id",       "endpoint"};

}  // namespace

std::span<const std::string_view> MatchHead() { return kHead; }

std::vector<std::string> MatchFields(const MatchedLine& line, Zone zone,
                                     std::span<const std::string> files) {
  std::vector<std::string> fields = {std::string(Name(line.finding))};
  const auto& invoice = line.invoice;
  const auto& ledger = line.ledger;
  const bool is_one = files.size() < 2;
  fields.push_back(!invoice ? ""
                   : is_one ? fmt::format("{}", invoice->line)
                            : fmt::format("{}:{}", files[invoice->file], invoice->line));
  fields.push_back(invoice && invoice->at ? FormatIn(zone, *invoice->at) : "");
  fields.push_back(invoice ? AmountText(invoice->price) : "");
  fields.push_back(invoice ? invoice->currency : "");
  fields.push_back(ledger ? FormatIn(zone, ledger->at) : "");
  fields.push_back(ledger ? ledger->reference : invoice ? invoice->reference : "");
  fields.push_back(ledger ? fmt::format("{}", ledger->attempt) : "");
  fields.push_back(ledger ? AmountText(ledger->price) : "");
  fields.push_back(ledger ? ledger->currency : "");
  fields.push_back(ledger ? ledger->attempt_id : invoice ? invoice->attempt_id : "");
  fields.push_back(ledger ? ledger->endpoint : invoice ? invoice->endpoint : "");
  return fields;
}

std::string MatchCsv(const InvoiceMatch& match, Zone zone, std::span<const std::string> files) {
  std::string text = CsvLine({std::begin(kHead), std::end(kHead)}) + "\r\n";
  for (const MatchedLine& each : match.differences()) {
    text += CsvLine(MatchFields(each, zone, files)) + "\r\n";
  }
  return text;
}

std::string EndpointTrouble(const InvoiceMatch& match) {
  std::set<std::string> here;  // of what is on no line
  for (const MatchedLine& each : match.differences()) {
    if (each.ledger && !each.invoice) here.insert(each.ledger->endpoint);
  }
  if (here.empty()) return "";
  for (const MatchedLine& each : match.differences()) {
    if (each.finding != MatchFinding::kUnknownHere || each.invoice->endpoint.empty()) continue;
    const auto is_same = [&](const std::string& name) {
      return EqualsIgnoringCase(name, each.invoice->endpoint);
    };
    if (std::ranges::any_of(here, is_same)) continue;
    return fmt::format(
        "Line {} is about \"{}\", and what is not invoiced is called {} here: write that word in "
        "the column, or give the column another name, so that lines are found by their time alone.",
        each.invoice->line, each.invoice->endpoint, fmt::join(here, ", "));
  }
  return "";
}

}  // namespace idkiosk
