#include "platform/base/time.h"

#include <fmt/format.h>

namespace idkiosk {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Reads exactly `count` digits at the front of `text` and takes them off.
std::optional<int> TakeDigits(std::string_view& text, size_t count) {
  if (text.size() < count) return std::nullopt;
  int value = 0;
  for (char c : text.substr(0, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool TakeCharacter(std::string_view& text, std::string_view allowed) {
  if (text.empty() || !allowed.contains(text.front())) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<milliseconds> TakeFraction(std::string_view& text) {
  if (!TakeCharacter(text, ".")) return milliseconds{0};
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  int value = 0;
  int scale = 100;
  while (const auto digit = TakeDigits(text, 1)) {
    value += *digit * scale;
    scale /= 10;
  }
  return milliseconds{value};
}

std::optional<seconds> TakeZone(std::string_view& text) {
  if (TakeCharacter(text, "Zz")) return seconds{0};
  const bool east = text.starts_with('+');
  if (!TakeCharacter(text, "+-")) return std::nullopt;
  const auto hours = TakeDigits(text, 2);
  if (!hours || !TakeCharacter(text, ":")) return std::nullopt;
  const auto minutes = TakeDigits(text, 2);
  if (!minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  const seconds offset{*hours * 3600 + *minutes * 60};
  return east ? offset : -offset;
}

bool TakeText(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

// "19:21:47"; a leap second is the one after it.
std::optional<seconds> TakeTimeOfDay(std::string_view& text) {
  const auto hour = TakeDigits(text, 2);
  if (!hour || !TakeText(text, ":")) return std::nullopt;
  const auto minute = TakeDigits(text, 2);
  if (!minute || !TakeText(text, ":")) return std::nullopt;
  const auto second = TakeDigits(text, 2);
  if (!second || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  return seconds{*hour * 3600 + *minute * 60 + *second};
}

// "Nov", as a number from 1.
std::optional<int> TakeMonthName(std::string_view& text) {
  constexpr std::string_view kNames = "JanFebMarAprMayJunJulAugSepOctNovDec";
  for (size_t month = 0; month < 12; ++month) {
    if (TakeText(text, kNames.substr(3 * month, 3))) return static_cast<int>(month) + 1;
  }
  return std::nullopt;
}

// Nothing for a day that no calendar has.
std::optional<std::chrono::sys_days> DayOf(int year, int month, int day) {
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  return date;
}

}  // namespace

std::string FormatRfc3339(WallTime time) {
  const auto day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

std::optional<WallTime> ParseRfc3339(std::string_view text) {
  const auto year = TakeDigits(text, 4);
  if (!year || !TakeCharacter(text, "-")) return std::nullopt;
  const auto month = TakeDigits(text, 2);
  if (!month || !TakeCharacter(text, "-")) return std::nullopt;
  const auto day = TakeDigits(text, 2);
  if (!day || !TakeCharacter(text, "Tt ")) return std::nullopt;
  const auto time = TakeTimeOfDay(text);
  if (!time) return std::nullopt;
  const auto fraction = TakeFraction(text);
  if (!fraction) return std::nullopt;
  const auto zone = TakeZone(text);
  const auto date = DayOf(*year, *month, *day);
  if (!zone || !text.empty() || !date) return std::nullopt;
  return *date + *time + *fraction - *zone;
}

// Not strptime, which reads names in the language of the locale and days that do not exist.
std::optional<WallTime> ParseHttpDate(std::string_view text) {
  const size_t comma = text.find(", ");
  if (comma != 3) return std::nullopt;  // the name of the weekday says nothing new
  text.remove_prefix(comma + 2);
  const auto day = TakeDigits(text, 2);
  if (!day || !TakeText(text, " ")) return std::nullopt;
  const auto month = TakeMonthName(text);
  if (!month || !TakeText(text, " ")) return std::nullopt;
  const auto year = TakeDigits(text, 4);
  if (!year || !TakeText(text, " ")) return std::nullopt;
  const auto time = TakeTimeOfDay(text);
  const auto date = DayOf(*year, *month, *day);
  if (!time || !date || text != " GMT") return std::nullopt;
  return *date + *time;
}

std::string FormatDuration(Duration duration) {
  if (duration < Duration::zero()) return "-" + FormatDuration(-duration);
  const double count = std::chrono::duration<double>(duration).count();
  // A value that would be rounded up to the next unit is told in that.
  if (count < 0.9995e-3) return fmt::format("{:.0f} us", count * 1e6);
  if (count < 0.9995) return fmt::format("{:.0f} ms", count * 1e3);
  if (count < 59.95) return fmt::format("{:.1f} s", count);
  if (count < 5400) return fmt::format("{:.0f} min", count / 60);
  return fmt::format("{:.1f} h", count / 3600);
}

}  // namespace idkiosk
