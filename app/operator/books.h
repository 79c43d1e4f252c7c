#ifndef IDKIOSK_APP_OPERATOR_BOOKS_H_
#define IDKIOSK_APP_OPERATOR_BOOKS_H_

#include <istream>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "app/accounts/match_report.h"
#include "app/accounts/period.h"
#include "app/queue/durable_queue.h"

// The ledger as an accountant reads it: a month, an endpoint, an operator, and what they add up to.
namespace idkiosk {

// Which attempts. Empty: all.
struct LedgerFilter {
  Period period;
  std::string endpoint;
  std::string operator_id;
};

// Returns those of `ledger`, which has all since the period's begin. Errors: kInvalid (there is no
// such endpoint), those of `ledger`.
[[nodiscard]] Result<std::vector<LedgerRow>> FilteredLedger(Result<std::vector<LedgerRow>> ledger,
                                                            const LedgerFilter& filter);

// What is in two currencies has two sums; nothing at all has one, too. `present`: the currency of
// attempts that name none. `zone`: whose days and hours.
using SumsByCurrency = std::map<std::string, std::vector<LedgerSum>>;
[[nodiscard]] SumsByCurrency SumUp(std::span<const LedgerRow> rows, LedgerBy by,
                                   const std::string& present, Zone zone = Zone::kKiosk);

// The attempts as CSV for a spreadsheet, the head first.
[[nodiscard]] std::string LedgerCsvOf(std::span<const LedgerRow> rows, const std::string& present,
                                      Zone zone);

// What the page asks for.
struct BooksQuestion {
  std::string month;  // "2026-11"; empty: all there is
  std::string endpoint;
  std::string operator_id;
  size_t from = 0;  // the first row that is shown, counted from the newest
  bool operator==(const BooksQuestion&) const = default;
};
// Returns why attempts may be missing from a ledger that is not genuine, and what tells more.
// `found`: Describe's.
[[nodiscard]] std::string WhyAttemptsMayBeMissing(const std::string& found);

// What it shows.
struct Books {
  static constexpr size_t kRowsShown = 50;

  SumsByCurrency total;
  SumsByCurrency by_endpoint;
  std::vector<LedgerRow> rows;         // the newest first, kRowsShown of them
  size_t count = 0;                    // of all
  std::vector<std::string> operators;  // of the month, whatever else is asked for
  std::string doubt;                   // why attempts may be missing; empty: none are
};
[[nodiscard]] Result<Books> ReadBooks(DurableQueue& queue, const BooksQuestion& question,
                                      const std::string& currency);
[[nodiscard]] Result<std::string> BooksCsv(DurableQueue& queue, const BooksQuestion& question,
                                           const std::string& currency);

// An invoice held against the ledger of that month.
struct InvoiceView {
  bool all_match = false;
  // Of the invoice, each with why; of more than fifty the last says how many more there are.
  std::vector<std::string> bad_lines;
  std::vector<std::pair<std::string, int64_t>> counts;  // by finding, those that there are
  struct Sums {
    std::string currency;
    std::string invoiced;
    std::string billed;
    std::string maybe;
  };
  std::vector<Sums> sums;
  std::vector<std::array<std::string, kMatchFields>> differences;  // MatchFields
  std::string csv;                                                 // of all of them
};
// Errors: kInvalid (it is no invoice), kExhausted, DurableQueue's.
[[nodiscard]] Result<InvoiceView> HoldInvoice(DurableQueue& queue, std::istream& invoice,
                                              const BooksQuestion& question,
                                              const std::string& currency);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_BOOKS_H_
