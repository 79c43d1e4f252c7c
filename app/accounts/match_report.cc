#include "app/accounts/match_report.h"

#include "app/accounts/amount.h"
#include "app/accounts/csv.h"

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

}  // namespace idkiosk
