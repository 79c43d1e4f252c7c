#include "app/accounts/period.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "platform/base/text/digits.h"
#include "platform/base/text/letter_case.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

using std::chrono::floor;
using std::chrono::seconds;
using std::chrono::year_month_day;

std::tm BrokenDown(std::time_t time) {
  std::tm broken{};
  tzset();
  localtime_r(&time, &broken);
  return broken;
}

// Digits where `form` has 0, the same character elsewhere.
bool HasForm(std::string_view text, std::string_view form) {
  return text.size() == form.size() && std::ranges::equal(text, form, [](char each, char like) {
           return like == '0' ? IsDigit(each) : each == like;
         });
}

int NumberIn(std::string_view text, size_t at, size_t size) {
  int number = 0;
  for (const char each : text.substr(at, size)) number = number * 10 + (each - '0');
  return number;
}

std::optional<year_month_day> DayOf(std::string_view text) {
  if (!HasForm(text, "0000-00-00")) return std::nullopt;
  const year_month_day day(std::chrono::year(NumberIn(text, 0, 4)),
                           std::chrono::month(static_cast<unsigned>(NumberIn(text, 5, 2))),
                           std::chrono::day(static_cast<unsigned>(NumberIn(text, 8, 2))));
  return day.ok() ? std::optional(day) : std::nullopt;
}

// "WAT-1" or "<+01>-1": a zone that says itself how far from UTC it is.
bool IsSelfExplained(std::string_view zone) {
  size_t name = 0;
  if (zone.starts_with('<')) {
    name = zone.find('>');
    name = name == std::string_view::npos ? 0 : name + 1;
  } else {
    const auto is_letter = [](char c) { return LowerLetter(c) >= 'a' && LowerLetter(c) <= 'z'; };
    while (name < zone.size() && is_letter(zone[name])) ++name;
  }
  std::string_view behind = zone.substr(name);
  if (behind.starts_with('+') || behind.starts_with('-')) behind.remove_prefix(1);
  return name >= 3 && !behind.empty() && IsDigit(behind.front());
}

WallTime FromTimeT(std::time_t time) { return WallTime(seconds(time)); }

std::time_t AtLocal(const year_month_day& day, int hour, int minute, int second) {
  std::tm broken{};
  broken.tm_year = static_cast<int>(day.year()) - 1900;
  broken.tm_mon = static_cast<int>(static_cast<unsigned>(day.month())) - 1;
  broken.tm_mday = static_cast<int>(static_cast<unsigned>(day.day()));
  broken.tm_hour = hour;
  broken.tm_min = minute;
  broken.tm_sec = second;
  broken.tm_isdst = -1;
  tzset();
  return std::mktime(&broken);
}

// Where clocks go forward at midnight, mktime says the moment at which they do.
WallTime BeginOf(const year_month_day& day, Zone zone) {
  if (zone == Zone::kUtc) return std::chrono::sys_days(day);
  return FromTimeT(AtLocal(day, 0, 0, 0));
}

std::unexpected<Error> Wrong(std::string_view option, std::string_view text,
                             std::string_view example) {
  return Fail(ErrorCode::kInvalid, "{} {}: not {}", option, text, example);
}

Result<std::optional<WallTime>> ReadEnd(std::string_view option, const std::string& text,
                                        Zone zone) {
  if (text.empty()) return std::nullopt;
  if (const auto day = DayOf(text)) return BeginOf(*day, zone);
  if (const auto time = ParseIn(zone, text)) return time;
  return Wrong(option, text, "a day like 2026-11-20 or a time like 2026-11-20T08:00:00Z");
}

}  // namespace

Result<Period> ReadPeriod(const std::string& since, const std::string& until,
                          const std::string& month, Zone zone) {
  Period period;
  if (!month.empty()) {
    if (!since.empty() || !until.empty()) {
      return Fail(ErrorCode::kInvalid, "--month names both ends: leave out --since and --until");
    }
    const auto first = HasForm(month, "0000-00") ? DayOf(month + "-01") : std::nullopt;
    if (!first) return Wrong("--month", month, "a month like 2026-11");
    period.since = BeginOf(*first, zone);
    period.until = BeginOf(*first + std::chrono::months(1), zone);
    return period;
  }
  const auto from = ReadEnd("--since", since, zone);
  if (!from) return std::unexpected(from.error());
  const auto to = ReadEnd("--until", until, zone);
  if (!to) return std::unexpected(to.error());
  if (*from && *to && **from >= **to) {
    return Fail(ErrorCode::kInvalid, "--until {}: not after --since {}", until, since);
  }
  return Period{*from, *to};
}

std::string FormatIn(Zone zone, WallTime time) {
  if (zone == Zone::kUtc) return FormatRfc3339(time);
  const auto whole = floor<seconds>(time);
  const std::tm broken = BrokenDown(whole.time_since_epoch().count());
  const long east = broken.tm_gmtoff / 60;  // minutes
  const std::string local = FormatRfc3339(time + seconds(broken.tm_gmtoff));
  return fmt::format("{}{}{:02}:{:02}", local.substr(0, local.size() - 1), east < 0 ? '-' : '+',
                     std::abs(east) / 60, std::abs(east) % 60);
}

std::optional<WallTime> ParseIn(Zone zone, std::string_view text) {
  if (const auto time = ParseRfc3339(text)) return time;
  if (!HasForm(text, "0000-00-00 00:00:00") && !HasForm(text, "0000-00-00T00:00:00")) {
    return std::nullopt;
  }
  const auto day = DayOf(text.substr(0, 10));
  const int hour = NumberIn(text, 11, 2);
  const int minute = NumberIn(text, 14, 2);
  const int second = NumberIn(text, 17, 2);
  if (!day || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  return TimeIn(zone, *day,
                std::chrono::hours(hour) + std::chrono::minutes(minute) + seconds(second));
}

WallTime TimeIn(Zone zone, year_month_day day, std::chrono::milliseconds of_day) {
  if (zone == Zone::kUtc) return WallTime(std::chrono::sys_days(day)) + of_day;
  const std::chrono::hh_mm_ss parts(of_day);
  return FromTimeT(AtLocal(day, static_cast<int>(parts.hours().count()),
                           static_cast<int>(parts.minutes().count()),
                           static_cast<int>(parts.seconds().count()))) +
         parts.subseconds();
}

std::string ZoneTrouble() {
  const char* const set = std::getenv("TZ");
  if (set == nullptr || *set == '\0') return "";
  std::string_view zone = set;
  if (zone.starts_with(':')) zone.remove_prefix(1);
  const char* const folder = std::getenv("TZDIR");
  const std::filesystem::path file =
      std::filesystem::path(folder == nullptr ? "/usr/share/zoneinfo" : folder) / zone;
  std::error_code ignored;
  if (zone == "UTC" || zone == "GMT" || IsSelfExplained(zone) ||
      std::filesystem::is_regular_file(file, ignored)) {
    return "";
  }
  return fmt::format(
      "TZ is {}, which is no time zone of this machine: days and months are those of UTC. 'ls "
      "/usr/share/zoneinfo' lists those there are, such as Africa/Lagos",
      Printable(zone));
}

}  // namespace idkiosk
