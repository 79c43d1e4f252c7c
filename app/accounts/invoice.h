#ifndef IDKIOSK_APP_ACCOUNTS_INVOICE_H_
#define IDKIOSK_APP_ACCOUNTS_INVOICE_H_

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "app/accounts/csv.h"
#include "app/accounts/invoice_columns.h"
#include "app/accounts/invoice_time.h"
#include "app/accounts/period.h"
#include "platform/base/error.h"

namespace idkiosk {

// So many lines that cannot be read are named; the others are counted.
inline constexpr int64_t kBadLinesNamed = 50;

// One line of the service's invoice. What it does not say is empty.
struct InvoiceLine {
  size_t file = 0;   // where several are given: which one, from 0
  int64_t line = 0;  // of the file, from 1
  std::optional<WallTime> at;
  std::string endpoint;
  std::string reference;   // the service's own, or the call's
  std::string attempt_id;  // what went out with the attempt
  int64_t price = 0;       // hundredths; below nothing: a credit, which names an attempt
  std::string currency;    // in capitals

  [[nodiscard]] bool names_attempt() const { return !reference.empty() || !attempt_id.empty(); }
};

// Reads an invoice line by line. Its first line names the columns: "time", "endpoint", "reference",
// "attempt_id", "price" and "currency", in any order and case; others are passed over.
class InvoiceReader {
 public:
  // `columns`: InvoiceColumns::Find's `wanted`. A time without a zone is one of `zone`. `order`: of
  // day and month in its times; where it is unknown, all lines are read once to learn it. Requires
  // `in`, whose place can be set, to outlive it. Errors: kInvalid (InvoiceColumns::Find's, or times
  // that may mean two days where nothing else says what a line is about).
  [[nodiscard]] static Result<InvoiceReader> Open(std::istream& in, const std::string& columns,
                                                  Zone zone, DateOrder order = DateOrder::kUnknown);

  // Returns the next line, or nothing at the end. Errors: kInvalid with line, column and mend: the
  // line is no part of the invoice, and the next may be asked for unless broken().
  [[nodiscard]] Result<std::optional<InvoiceLine>> Next();
  // Which attempt the line was about that Next could not read, as far as it says so by attempt_id
  // or reference. Its price is none.
  [[nodiscard]] const InvoiceLine& unread() const { return unread_; }
  // Whether the file cannot be read on.
  [[nodiscard]] bool broken() const { return broken_; }

 private:
  InvoiceReader(std::istream& in, Zone zone) : csv_(in), zone_(zone) {}

  // Open, but for the order of day and month.
  [[nodiscard]] static Result<InvoiceReader> Begin(std::istream& in, const std::string& columns,
                                                   Zone zone);
  // Reads all lines, to learn it.
  [[nodiscard]] Result<DateOrder> LearnOrder();
  // The next one that is not blank. Errors: CsvReader::Next's.
  [[nodiscard]] Result<std::optional<CsvRecord>> NextRecord();
  [[nodiscard]] Result<InvoiceLine> Parse(const CsvRecord& record);
  // Errors: kInvalid for a sum, or a line of more or fewer columns.
  [[nodiscard]] Status CheckIsAttempt(const CsvRecord& record) const;
  [[nodiscard]] Status ReadTime(const CsvRecord& record, InvoiceLine& line) const;
  [[nodiscard]] Status ReadPrice(const CsvRecord& record, InvoiceLine& line) const;
  [[nodiscard]] std::unexpected<Error> Wrong(const CsvRecord& record, InvoiceColumn column,
                                             std::string_view what) const;
  // Reads a time of a column whose order is known. Errors: kInvalid, behind the text.
  [[nodiscard]] Result<WallTime> ParseTime(std::string_view text) const;

  CsvReader csv_;
  Zone zone_;
  DateOrder order_ = DateOrder::kUnknown;
  bool order_is_given_ = false;
  InvoiceColumns columns_;
  InvoiceLine unread_;
  bool broken_ = false;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ACCOUNTS_INVOICE_H_
