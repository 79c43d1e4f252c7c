#include "app/accounts/match_report.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "app/accounts/csv.h"
#include "app/accounts/same_attempt.h"
#include "platform/base/text/amount.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

constexpr std::array<std::string_view, kMatchFields> kHead = {
    "finding",   "line",    "invoice_time", "invoice_price",   "invoice_currency", "ledger_time",
    "reference", "attempt", "ledger_price", "ledger_currency", "attempt_id",       "endpoint"};

}  // namespace

std::span<const std::string_view, kMatchFields> MatchHead() { return kHead; }

std::array<std::string, kMatchFields> MatchFields(const MatchedLine& line, Zone zone,
                                                  std::span<const std::string> files) {
  const auto& invoice = line.invoice;
  const auto& ledger = line.ledger;
  std::string place;
  if (invoice && files.size() < 2) place = fmt::format("{}", invoice->line);
  if (invoice && files.size() > 1) {
    place = fmt::format("{}:{}", files[invoice->file], invoice->line);
  }
  return {std::string(Name(line.finding)),
          std::move(place),
          invoice && invoice->at ? FormatIn(zone, *invoice->at) : "",
          invoice ? FormatAmount(invoice->price) : "",
          invoice ? invoice->currency : "",
          ledger ? FormatIn(zone, ledger->at) : "",
          ledger    ? ledger->reference
          : invoice ? invoice->reference
                    : "",
          ledger ? fmt::format("{}", ledger->attempt) : "",
          ledger ? FormatAmount(ledger->price) : "",
          ledger ? ledger->currency : "",
          ledger    ? ledger->attempt_id
          : invoice ? invoice->attempt_id
                    : "",
          ledger    ? ledger->endpoint
          : invoice ? invoice->endpoint
                    : ""};
}

std::string MatchCsv(const InvoiceMatch& match, Zone zone, std::span<const std::string> files) {
  std::string text = CsvLine({std::begin(kHead), std::end(kHead)}) + "\r\n";
  for (const MatchedLine& each : match.differences()) {
    const auto fields = MatchFields(each, zone, files);
    text += CsvLine({fields.begin(), fields.end()}) + "\r\n";
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
    // Whose number is unknown is no attempt of these ledgers, whatever its endpoint is called.
    if (each.invoice->names_attempt()) continue;
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
