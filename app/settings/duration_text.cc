#include "app/settings/duration_text.h"

#include <fmt/format.h>

#include <charconv>

namespace idkiosk {
namespace {

struct Unit {
  std::string_view name;
  Duration length;
};

constexpr Unit kUnits[] = {{"h", std::chrono::hours(1)},
                           {"min", std::chrono::minutes(1)},
                           {"s", std::chrono::seconds(1)},
                           {"ms", std::chrono::milliseconds(1)}};
constexpr double kLongest = 100.0 * 365 * 24 * 3600 * 1e9;  // nanoseconds

}  // namespace

std::optional<Duration> ParseDuration(std::string_view text) {
  double count = 0;
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, count, std::chars_format::fixed);
  if (error != std::errc() || !(count >= 0)) return std::nullopt;
  std::string_view unit(after, static_cast<size_t>(end - after));
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  for (const Unit& each : kUnits) {
    if (each.name != unit) continue;
    const double length = count * static_cast<double>(each.length.count());
    if (length > kLongest) return std::nullopt;
    return Duration(static_cast<Duration::rep>(length));
  }
  return std::nullopt;
}

std::string DurationText(Duration duration) {
  for (const Unit& each : kUnits) {
    if (duration != Duration::zero() && duration % each.length == Duration::zero()) {
      return fmt::format("{} {}", duration / each.length, each.name);
    }
  }
  return fmt::format("{} s", std::chrono::duration<double>(duration).count());
}

}  // namespace idkiosk
