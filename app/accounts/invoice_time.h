#ifndef IDKIOSK_APP_ACCOUNTS_INVOICE_TIME_H_
#define IDKIOSK_APP_ACCOUNTS_INVOICE_TIME_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/accounts/period.h"

namespace idkiosk {

// Which number of 11/04/2026 is the day.
enum class DateOrder { kUnknown, kDayFirst, kMonthFirst };

// A time as a spreadsheet shows it, as far as its text alone says it.
struct SheetTime {
  std::chrono::year_month_day day;  // read with the day first, where either may be
  std::optional<std::chrono::year_month_day> month_first;  // it may be this day as well
  DateOrder shows = DateOrder::kUnknown;                   // what it tells of its column
  std::chrono::milliseconds of_day{0};
  std::optional<std::chrono::minutes> east;  // of UTC, where it says so itself

  // Returns the moment, in `zone` where the text names none. Requires an order if month_first.
  [[nodiscard]] WallTime In(Zone zone, DateOrder column) const;
};

// Reads 11/24/2026 2:05 PM, 24.11.2026 14:05:33, 24-Nov-2026 14:05, 2026-11-24 14:05 and the like,
// with a zone ("Z", "UTC", "+01:00") or without, and Excel's serial numbers, 46350.5868, as days
// since 1899-12-30. A time without seconds is its minute's first. Takes any kind of space. Errors:
// kInvalid, behind the text: what it is, and the first part of the mend.
[[nodiscard]] Result<SheetTime> ReadSheetTime(std::string_view text);

// Learns from all lines of a column whether the day stands first in it.
class ColumnOrder {
 public:
  // Learns from a text on a line. `is_needed`: nothing but its time says what the line is about.
  void See(std::string_view text, int64_t line, bool is_needed);

  // Returns the order; kUnknown where no line that is needed depends on it. Errors: kInvalid, with
  // the lines and the mend: also where there are three lines or more, and none has a time.
  [[nodiscard]] Result<DateOrder> Order() const;

 private:
  struct Seen {
    std::string text;
    int64_t line = 0;
  };
  int64_t read_ = 0;  // of the lines that are needed
  int64_t unread_ = 0;
  std::optional<Seen> unread_first_;
  std::optional<Seen> day_first_;    // the first that shows it
  std::optional<Seen> month_first_;  // the same
  std::optional<Seen> open_;         // the first that is needed, and may be either
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ACCOUNTS_INVOICE_TIME_H_
