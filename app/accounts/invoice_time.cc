#include "app/accounts/invoice_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "platform/base/text/digits.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::year_month_day;

// In small letters, one space between words: also where the text has those that break no line.
std::string SmallAndOneSpaced(std::string_view text) {
  constexpr std::string_view kSpaces[] = {" ", "\t", "\u00a0", "\u2009", "\u202f"};
  std::string plain;
  while (!text.empty()) {
    const auto space = std::ranges::find_if(
        kSpaces, [&](std::string_view each) { return text.starts_with(each); });
    if (space != std::end(kSpaces)) {
      if (!plain.empty() && plain.back() != ' ') plain += ' ';
      text.remove_prefix(space->size());
    } else {
      plain += LowerLetter(text.front());
      text.remove_prefix(1);
    }
  }
  if (plain.ends_with(' ')) plain.pop_back();
  return plain;
}

// Takes a text apart from its front.
struct Cursor {
  std::string_view text;

  bool Take(std::string_view expected) {
    if (!text.starts_with(expected)) return false;
    text.remove_prefix(expected.size());
    return true;
  }
  // A number of so many digits; nothing: there is none, or a longer one.
  std::optional<int> Number(size_t least, size_t most) {
    const auto end = static_cast<size_t>(std::ranges::find_if_not(text, IsDigit) - text.begin());
    if (end < least || end > most) return std::nullopt;
    int number = 0;
    std::from_chars(text.data(), text.data() + end, number);
    text.remove_prefix(end);
    return number;
  }
  // The number of the next `count` characters; nothing: not all are digits.
  std::optional<int> Digits(size_t count) {
    Cursor part{text.substr(0, count)};
    const auto number = part.Number(count, count);
    if (number) text.remove_prefix(count);
    return number;
  }
  // "nov", "november": from 1.
  std::optional<unsigned> Month() {
    static constexpr std::string_view kNames[] = {"january",   "february", "march",    "april",
                                                  "may",       "june",     "july",     "august",
                                                  "september", "october",  "november", "december"};
    const auto end = static_cast<size_t>(std::ranges::find_if_not(text, IsLetter) - text.begin());
    const std::string_view word = text.substr(0, end);
    for (unsigned at = 0; at < 12; ++at) {
      if (word != kNames[at] && word != kNames[at].substr(0, 3) && (at != 8 || word != "sept")) {
        continue;
      }
      text.remove_prefix(end);
      (void)Take(".");
      return at + 1;
    }
    return std::nullopt;
  }
};

std::optional<year_month_day> DayOf(int year, unsigned month, unsigned day) {
  const year_month_day date{std::chrono::year(year), std::chrono::month(month),
                            std::chrono::day(day)};
  return date.ok() && year >= 1900 ? std::optional(date) : std::nullopt;
}

std::unexpected<Error> NoTime() { return Fail(ErrorCode::kInvalid, "is no time: "); }
std::unexpected<Error> NoTimeOfDay() {
  return Fail(ErrorCode::kInvalid,
              "is a day without a time: show the column with its time in the spreadsheet, name a "
              "second column with --columns time=DATE+TIME, or ");
}
std::unexpected<Error> ShortYear() {
  return Fail(ErrorCode::kInvalid,
              "has a year of two digits: show the column with four in the spreadsheet, or ");
}

// "46350.5868": Excel's days since 1899-12-30. Nothing: it is none.
std::optional<Result<SheetTime>> ReadSerial(std::string_view text) {
  Cursor cursor{text};
  const auto days = cursor.Number(5, 5);
  constexpr int kFirst = 36'526;  // 2000-01-01
  constexpr int kLast = 73'050;   // 2099-12-31
  if (!days || *days < kFirst || *days > kLast) return std::nullopt;
  if (cursor.text.empty()) return NoTimeOfDay();
  if (!cursor.Take(".") && !cursor.Take(",")) return std::nullopt;
  constexpr size_t kLongest = 18;
  if (cursor.text.empty() || cursor.text.size() > kLongest ||
      !std::ranges::all_of(cursor.text, IsDigit)) {
    return std::nullopt;
  }
  // Four digits are 9 seconds.
  if (cursor.text.size() < 4) {
    return Fail(
        ErrorCode::kInvalid,
        "is a time that a spreadsheet rounded: show the column as yyyy-mm-dd hh:mm:ss, or ");
  }
  double fraction = 0;
  for (size_t i = cursor.text.size(); i > 0; --i) {
    fraction = (fraction + (cursor.text[i - 1] - '0')) / 10;
  }
  constexpr double kDay = 86'400'000;  // milliseconds
  SheetTime time;
  time.day = std::chrono::sys_days(std::chrono::year(1899) / 12 / 30) + std::chrono::days(*days);
  time.of_day = milliseconds(std::min(std::llround(fraction * kDay), 86'399'999LL));
  return time;
}

Result<SheetTime> OnDay(std::optional<year_month_day> day) {
  if (!day) return NoTime();
  SheetTime time;
  time.day = *day;
  return time;
}

// " 24, 2026" behind November.
Result<SheetTime> TakeDayAndYear(Cursor& cursor, unsigned month) {
  if (!cursor.Take(" ") && !cursor.Take("-")) return NoTime();
  const auto day = cursor.Number(1, 2);
  if (!day || !(cursor.Take(", ") || cursor.Take(",") || cursor.Take(" ") || cursor.Take("-"))) {
    return NoTime();
  }
  const auto year = cursor.Number(4, 4);
  if (!year) return NoTime();
  return OnDay(DayOf(*year, month, static_cast<unsigned>(*day)));
}

// "2026" or "26" behind 24-Nov-.
Result<SheetTime> TakeYear(Cursor& cursor, unsigned month, int day) {
  if (day > 31) return NoTime();
  auto year = cursor.Number(4, 4);
  if (!year) {
    year = cursor.Number(2, 2);
    if (!year) return NoTime();
    *year += 2000;
  }
  return OnDay(DayOf(*year, month, static_cast<unsigned>(day)));
}

// 11/4/2026, of which either number may be the day.
Result<SheetTime> OfEitherOrder(unsigned first, unsigned second, int year) {
  const auto day_first = DayOf(year, second, first);
  const auto month_first = DayOf(year, first, second);
  auto time = OnDay(day_first ? day_first : month_first);
  if (!time) return time;
  if (!month_first) {
    time->shows = DateOrder::kDayFirst;
  } else if (!day_first) {
    time->shows = DateOrder::kMonthFirst;
  } else if (first != second) {
    time->month_first = month_first;
  }
  return time;
}

// What stands between the parts of a date; empty: nothing does.
std::string_view TakeSeparator(Cursor& cursor) {
  for (const std::string_view each : {"/", ".", "-", " "}) {
    if (cursor.Take(each)) return each;
  }
  return "";
}

// The three numbers of a date, or two and a month's name.
Result<SheetTime> TakeDate(Cursor& cursor) {
  if (const auto month = cursor.Month()) return TakeDayAndYear(cursor, *month);  // Nov 24, 2026
  const auto first = cursor.Number(1, 4);
  if (!first) return NoTime();
  const std::string_view by = TakeSeparator(cursor);
  if (by == "." || by == "-") (void)cursor.Take(" ");
  if (const auto month = cursor.Month()) {  // 24-Nov-2026
    return by.empty() || cursor.Take(by) ? TakeYear(cursor, *month, *first) : NoTime();
  }
  const auto second = by.empty() || by == " " ? std::nullopt : cursor.Number(1, 2);
  if (!second || !cursor.Take(by)) return NoTime();
  if (*first >= 1000) {  // 2026-11-24
    const auto day = cursor.Number(1, 2);
    if (!day) return NoTime();
    return OnDay(DayOf(*first, static_cast<unsigned>(*second), static_cast<unsigned>(*day)));
  }
  if (const auto year = cursor.Number(4, 4)) {
    return OfEitherOrder(static_cast<unsigned>(*first), static_cast<unsigned>(*second), *year);
  }
  return cursor.Number(2, 2) ? ShortYear() : NoTime();
}

// "14:05", "2:05:33 pm", "14:05:33.123".
std::optional<milliseconds> TakeTimeOfDay(Cursor& cursor) {
  auto hour = cursor.Number(1, 2);
  if (!hour || !cursor.Take(":")) return std::nullopt;
  const auto minute = cursor.Number(2, 2);
  if (!minute || *minute > 59) return std::nullopt;
  milliseconds of_minute{0};
  if (cursor.Take(":")) {
    const auto second = cursor.Number(2, 2);
    if (!second || *second > 59) return std::nullopt;
    of_minute = std::chrono::seconds(*second);
    if (cursor.Take(".") || cursor.Take(",")) {
      const auto end = std::ranges::find_if_not(cursor.text, IsDigit) - cursor.text.begin();
      if (end < 1) return std::nullopt;
      int scale = 100;
      for (const char each : cursor.text.substr(0, static_cast<size_t>(end))) {
        of_minute += milliseconds((each - '0') * scale);
        scale /= 10;
      }
      cursor.text.remove_prefix(static_cast<size_t>(end));
    }
  }
  const std::string_view before = cursor.text;
  (void)cursor.Take(" ");
  const bool am = cursor.Take("am") || cursor.Take("a.m.");
  const bool pm = !am && (cursor.Take("pm") || cursor.Take("p.m."));
  if (am || pm) {
    if (*hour < 1 || *hour > 12) return std::nullopt;
    hour = *hour % 12 + (pm ? 12 : 0);
  } else {
    cursor.text = before;
  }
  if (*hour > 23) return std::nullopt;
  return std::chrono::hours(*hour) + minutes(*minute) + of_minute;
}

// "z", " utc", " wat" (West Africa's), "+01:00", "+0100", "+01", " gmt+1"; false: what is left is
// none.
bool TakeZone(Cursor& cursor, SheetTime& time) {
  if (cursor.text.empty()) return true;
  (void)cursor.Take(" ");
  if (cursor.Take("z") || cursor.Take("utc") || cursor.Take("gmt")) {
    time.east = minutes(0);
    if (cursor.text.empty()) return true;
  }
  if (cursor.Take("wat")) {
    time.east = minutes(60);
    return cursor.text.empty();
  }
  const bool is_west = cursor.text.starts_with('-');
  if (!cursor.Take("+") && !cursor.Take("-")) return false;
  auto hour = cursor.Digits(2);
  if (!hour) hour = cursor.Digits(1);
  (void)cursor.Take(":");
  const auto minute = cursor.text.empty() ? std::optional(0) : cursor.Digits(2);
  if (!hour || *hour > 23 || !minute || *minute > 59 || !cursor.text.empty()) return false;
  const minutes east = std::chrono::hours(*hour) + minutes(*minute);
  time.east = is_west ? -east : east;
  return true;
}

}  // namespace

WallTime SheetTime::In(Zone zone, DateOrder column) const {
  const year_month_day& date = month_first && column == DateOrder::kMonthFirst ? *month_first : day;
  if (east) return WallTime(std::chrono::sys_days(date)) + of_day - *east;
  return TimeIn(zone, date, of_day);
}

Result<SheetTime> ReadSheetTime(std::string_view text) {
  const std::string plain = SmallAndOneSpaced(text);
  if (auto serial = ReadSerial(plain)) return std::move(*serial);
  Cursor cursor{plain};
  auto time = TakeDate(cursor);
  if (!time) return time;
  if (cursor.text.empty()) return NoTimeOfDay();
  (void)cursor.Take(",");
  if (!cursor.Take(" ") && !cursor.Take("t")) return NoTime();
  const auto of_day = TakeTimeOfDay(cursor);
  if (!of_day || !TakeZone(cursor, *time)) return NoTime();
  time->of_day = *of_day;
  return time;
}

void ColumnOrder::See(std::string_view text, int64_t line, bool is_needed) {
  const auto time = ReadSheetTime(text);
  const auto put = [&](std::optional<Seen>& to) {
    if (!to) to = {std::string(text), line};
  };
  if (is_needed) ++(time ? read_ : unread_);
  if (!time && is_needed) put(unread_first_);
  if (!time) return;
  if (time->shows == DateOrder::kDayFirst) put(day_first_);
  if (time->shows == DateOrder::kMonthFirst) put(month_first_);
  if (time->month_first && is_needed) put(open_);
}

Result<DateOrder> ColumnOrder::Order() const {
  constexpr int64_t kWholeColumn = 3;
  if (read_ == 0 && unread_ >= kWholeColumn) {
    return Fail(ErrorCode::kInvalid,
                "none of its {} times can be read: \"{}\" on line {} {}write it as "
                "2026-11-20 08:00:00 or 2026-11-20T08:00:00Z",
                unread_, unread_first_->text, unread_first_->line,
                ReadSheetTime(unread_first_->text).error().message);
  }
  if (day_first_ && !month_first_) return DateOrder::kDayFirst;
  if (month_first_ && !day_first_) return DateOrder::kMonthFirst;
  if (!open_) return DateOrder::kUnknown;
  constexpr std::string_view kMend =
      "say --times day-first or --times month-first, or write the times as 2026-11-24T14:05:00Z";
  if (day_first_) {
    return Fail(ErrorCode::kInvalid,
                "line {} has the day first (\"{}\"), line {} the month (\"{}\"), and \"{}\" on "
                "line {} may be either: write the times as 2026-11-24T14:05:00Z",
                day_first_->line, day_first_->text, month_first_->line, month_first_->text,
                open_->text, open_->line);
  }
  const auto time = ReadSheetTime(open_->text);
  const auto shown = [](const year_month_day& day) {
    return FormatRfc3339(WallTime(std::chrono::sys_days(day))).substr(0, 10);
  };
  return Fail(ErrorCode::kInvalid,
              "\"{}\" on line {} may be {} or {}, and no line of the column says which: {}",
              open_->text, open_->line, shown(time->day), shown(*time->month_first), kMend);
}

}  // namespace idkiosk
