#include "app/operator/books.h"

#include <algorithm>
#include <set>

#include "app/accounts/invoice.h"
#include "app/accounts/match_report.h"
#include "app/operator/ledger_export.h"
#include "app/queue/storage/attempt_index.h"
#include "platform/base/text/amount.h"

namespace idkiosk {
namespace {

// Where a line of an invoice names no attempt.
constexpr auto kTolerance = std::chrono::minutes(2);

Result<LedgerFilter> FilterOf(const BooksQuestion& question) {
  auto period = ReadPeriod("", "", question.month, Zone::kKiosk);
  if (!period) return std::unexpected(period.error());
  return LedgerFilter{*period, question.endpoint, question.operator_id};
}

const std::string& CurrencyOf(const LedgerRow& row, const std::string& present) {
  return row.currency.empty() ? present : row.currency;
}

bool IsTime(LedgerBy by) { return by == LedgerBy::kDay || by == LedgerBy::kHour; }

// "2026-11-20", "2026-11-20T20:00+01:00"; empty: not by time.
std::string TimeKeyOf(LedgerBy by, const LedgerRow& row, Zone zone) {
  if (!IsTime(by)) return "";
  const std::string time = FormatIn(zone, row.started_at);
  if (by == LedgerBy::kDay) return time.substr(0, 10);
  return time.substr(0, 13) + ":00" +
         time.substr(std::string_view("2026-11-20T20:21:47.000").size());
}

}  // namespace

Result<std::vector<LedgerRow>> FilteredLedger(Result<std::vector<LedgerRow>> ledger,
                                              const LedgerFilter& filter) {
  if (!filter.endpoint.empty() && !EndpointOf(filter.endpoint)) {
    return Fail(ErrorCode::kInvalid, "not an endpoint like verify or lookup_nin");
  }
  if (!ledger) return ledger;
  std::erase_if(*ledger, [&](const LedgerRow& row) {
    return !filter.period.Has(row.started_at) ||
           (!filter.endpoint.empty() && Name(row.endpoint) != filter.endpoint) ||
           (!filter.operator_id.empty() && row.operator_id != filter.operator_id);
  });
  return ledger;
}

SumsByCurrency SumUp(std::span<const LedgerRow> rows, LedgerBy by, const std::string& present,
                     Zone zone) {
  // What has no times is added up in one part; days and hours in one each.
  std::map<std::string, std::map<std::string, AttemptIndex>> attempts;
  for (const LedgerRow& row : rows) {
    attempts[CurrencyOf(row, present)][TimeKeyOf(by, row, zone)].Add(row);
  }
  if (attempts.empty()) attempts[present][""];
  SumsByCurrency sums;
  for (const auto& [currency, of_currency] : attempts) {
    std::vector<LedgerSum>& list = sums[currency];
    for (const auto& [time, part] : of_currency) {
      for (LedgerSum& sum : part.Sum(IsTime(by) ? LedgerBy::kTotal : by, std::nullopt)) {
        if (IsTime(by) && sum.attempts == 0) continue;
        if (IsTime(by)) sum.key = time;
        list.push_back(std::move(sum));
      }
    }
  }
  return sums;
}

std::string LedgerCsvOf(std::span<const LedgerRow> rows, const std::string& present, Zone zone) {
  // RFC 4180 ends a line by CRLF.
  std::string text = LedgerCsvHead() + "\r\n";
  for (const LedgerRow& row : rows) text += LedgerCsv(LineOf(row, present), zone) + "\r\n";
  return text;
}

std::string WhyAttemptsMayBeMissing(const std::string& found) {
  return fmt::format(
      "Attempts may be missing here: the ledger is not genuine ({}). See 'idkiosk ledger verify'.",
      found);
}

Result<Books> ReadBooks(DurableQueue& queue, const BooksQuestion& question,
                        const std::string& currency) {
  auto filter = FilterOf(question);
  if (!filter) return std::unexpected(filter.error());
  const std::string operator_id = std::exchange(filter->operator_id, "");
  auto rows = FilteredLedger(queue.Ledger(filter->period.since), *filter);
  if (!rows) return std::unexpected(rows.error());
  std::set<std::string> operators;
  for (const LedgerRow& row : *rows) {
    if (!row.operator_id.empty()) operators.insert(row.operator_id);
  }
  std::erase_if(*rows, [&](const LedgerRow& row) {
    return !operator_id.empty() && row.operator_id != operator_id;
  });
  Books books{.total = SumUp(*rows, LedgerBy::kTotal, currency),
              .by_endpoint = SumUp(*rows, LedgerBy::kEndpoint, currency),
              .rows = {},
              .count = rows->size(),
              .operators = {operators.begin(), operators.end()},
              .doubt = {}};
  const JournalVerdict verdict = queue.LedgerVerdict();
  if (verdict.state != JournalState::kGenuine) {
    books.doubt = WhyAttemptsMayBeMissing(Describe(verdict));
  }
  const size_t until = rows->size() - std::min(rows->size(), question.from);
  const size_t from = until - std::min(until, Books::kRowsShown);
  for (size_t i = until; i > from; --i) books.rows.push_back(std::move(rows->at(i - 1)));
  return books;
}

Result<std::string> BooksCsv(DurableQueue& queue, const BooksQuestion& question,
                             const std::string& currency) {
  const auto filter = FilterOf(question);
  if (!filter) return std::unexpected(filter.error());
  const auto rows = FilteredLedger(queue.Ledger(filter->period.since), *filter);
  if (!rows) return std::unexpected(rows.error());
  return LedgerCsvOf(*rows, currency, Zone::kKiosk);
}

Result<InvoiceView> HoldInvoice(DurableQueue& queue, std::istream& invoice,
                                const BooksQuestion& question, const std::string& currency) {
  const auto period = ReadPeriod("", "", question.month, Zone::kKiosk);
  if (!period) return std::unexpected(period.error());
  // What was billed before or after the period is told from what is unknown here.
  const auto rows = queue.Ledger(std::nullopt);
  if (!rows) return std::unexpected(rows.error());
  InvoiceMatch match(*period, kTolerance);
  for (const LedgerRow& row : *rows) {
    if (Status added = match.Add(LineOf(row, currency)); !added) {
      return std::unexpected(added.error());
    }
  }
  auto reader = InvoiceReader::Open(invoice, "", Zone::kKiosk);
  if (!reader) return std::unexpected(reader.error());
  InvoiceView view;
  int64_t bad = 0;
  for (;;) {
    auto line = reader->Next();
    if (!line) {
      if (reader->broken()) return std::unexpected(line.error());
      if (++bad <= kBadLinesNamed) view.bad_lines.push_back(line.error().message);
      match.AddUnread(reader->unread());
      continue;
    }
    if (!*line) break;
    if (Status added = match.Add(std::move(**line)); !added) {
      return std::unexpected(added.error());
    }
  }
  match.Finish();
  view.all_match = match.all_match() && bad == 0;
  if (bad > kBadLinesNamed) {
    view.bad_lines.push_back(fmt::format("and {} lines more", bad - kBadLinesNamed));
  }
  for (size_t i = 0; i < kFindingCount; ++i) {
    const auto finding = static_cast<MatchFinding>(i);
    if (match.Count(finding) > 0 || finding == MatchFinding::kMatched) {
      view.counts.emplace_back(Name(finding), match.Count(finding));
    }
  }
  for (const auto& [unit, sums] : match.sums()) {
    view.sums.push_back(
        {unit, FormatAmount(sums.invoiced), FormatAmount(sums.billed), FormatAmount(sums.maybe)});
  }
  for (const MatchedLine& each : match.differences()) {
    view.differences.push_back(MatchFields(each, Zone::kKiosk));
  }
  view.csv = MatchCsv(match, Zone::kKiosk);
  return view;
}

}  // namespace idkiosk
