#include "platform/base/time.h"

#include <fmt/format.h>

#include <ctime>

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

milliseconds TakeFraction(std::string_view& text) {
  if (!TakeCharacter(text, ".")) return milliseconds{0};
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
  const auto hour = TakeDigits(text, 2);
  if (!hour || !TakeCharacter(text, ":")) return std::nullopt;
  const auto minute = TakeDigits(text, 2);
  if (!minute || !TakeCharacter(text, ":")) return std::nullopt;
  const auto second = TakeDigits(text, 2);
  if (!second || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  const milliseconds fraction = TakeFraction(text);
  const auto zone = TakeZone(text);
  const std::chrono::year_month_day date{std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  if (!zone || !text.empty() || !date.ok()) return std::nullopt;
  return std::chrono::sys_days{date} + seconds{*hour * 3600 + *minute * 60 + *second} + fraction -
         *zone;
}

std::optional<WallTime> ParseHttpDate(std::string_view text) {
  const std::string copy(text);
  std::tm parts{};
  const char* end = strptime(copy.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return WallTime{seconds{timegm(&parts)}};
}

std::string FormatDuration(Duration duration) {
  const double count = std::chrono::duration<double>(duration).count();
  if (count < 1e-3) return fmt::format("{:.0f} us", count * 1e6);
  if (count < 1) return fmt::format("{:.0f} ms", count * 1e3);
  if (count < 60) return fmt::format("{:.1f} s", count);
  if (count < 5400) return fmt::format("{:.0f} min", count / 60);
  return fmt::format("{:.1f} h", count / 3600);
}

}  // namespace idkiosk
