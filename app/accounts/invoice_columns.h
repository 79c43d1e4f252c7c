#ifndef IDKIOSK_APP_ACCOUNTS_INVOICE_COLUMNS_H_
#define IDKIOSK_APP_ACCOUNTS_INVOICE_COLUMNS_H_

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/accounts/csv.h"
#include "platform/base/enum_rows.h"
#include "platform/base/error.h"

namespace idkiosk {

enum class InvoiceColumn { kTime, kEndpoint, kReference, kAttemptId, kPrice, kCurrency };

// A cell's text, without the space around it and the marks by which Excel keeps a number as text:
// 'text and ="text".
[[nodiscard]] std::string_view CellText(std::string_view cell);

// Where an invoice has what we read of it.
class InvoiceColumns {
 public:
  // `head`: the first line. `wanted` says which heads stand for our names, as
  // "time=Date,price=Amount (NGN)"; of a day and a time of day in two columns "time=Day+Time".
  // Errors: kInvalid (a name that is none, a column that is not there or there twice, no price,
  // nothing to match by).
  [[nodiscard]] static Result<InvoiceColumns> Find(const CsvRecord& head, std::string_view wanted);

  // How many columns the first line names.
  [[nodiscard]] size_t count() const { return head_.size(); }
  [[nodiscard]] bool Has(InvoiceColumn column) const { return PlaceOf(column).has_value(); }
  // "column 2 (Amount)", for an error. Requires Has.
  [[nodiscard]] std::string Describe(InvoiceColumn column) const;

  // The text of that cell; empty: the line has none.
  [[nodiscard]] std::string_view Cell(const CsvRecord& line, InvoiceColumn column) const;
  // What stands in the column, or the two columns, of the time. Empty: nothing.
  [[nodiscard]] std::string TimeIn(const CsvRecord& line) const;

 private:
  static constexpr size_t kCount = EnumeratorCount<InvoiceColumn>();
  // The heads that were named for our names; empty: none was.
  using Wanted = std::array<std::string, kCount>;

  [[nodiscard]] static Result<Wanted> ParseWanted(std::string_view text);
  [[nodiscard]] Status FindAll(const Wanted& wanted, int64_t line);
  [[nodiscard]] Status FindTimeOfDay(std::string_view head, int64_t line);
  // Of a line that is a title, and names no columns.
  [[nodiscard]] Status CheckHead(int64_t line) const;
  // What a check cannot do without.
  [[nodiscard]] Status CheckComplete(int64_t line) const;

  [[nodiscard]] const std::optional<size_t>& PlaceOf(InvoiceColumn column) const {
    return places_[static_cast<size_t>(column)];
  }
  // The column with that head, in any case.
  [[nodiscard]] std::optional<size_t> Headed(std::string_view head) const;

  std::vector<std::string> head_;
  std::array<std::optional<size_t>, kCount> places_;
  std::optional<size_t> time_of_day_;  // its place, where it stands beside the day
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ACCOUNTS_INVOICE_COLUMNS_H_
