#include "app/fleet/metric_deltas.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ranges>

#include "platform/base/json.h"

namespace idkiosk {
namespace {

constexpr size_t kMostMetrics = 2000;

bool IsNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e';
  });
}

// A program's memory is another at each look, which would be most of what a kiosk has to say.
bool IsNews(std::string_view name, std::string_view value, std::string_view told) {
  constexpr double kLeast = 0.05;
  if (value == told || !name.ends_with("_bytes")) return value != told;
  double now = 0;
  double before = 0;
  (void)std::from_chars(value.data(), value.data() + value.size(), now);
  (void)std::from_chars(told.data(), told.data() + told.size(), before);
  return std::abs(now - before) >= kLeast * std::abs(before);
}

}  // namespace

std::string MetricDeltas::Next(std::string_view text) {
  const bool is_full = sent_.empty();
  JsonWriter json;
  json.BeginObject().Field("full", is_full).Key("values").BeginObject();
  bool has_news = false;
  for (const auto part : std::views::split(text, '\n')) {
    const std::string_view line(part);
    const size_t space = line.rfind(' ');
    if (line.starts_with('#') || space == std::string_view::npos) continue;
    const std::string_view name = line.substr(0, space);
    const std::string_view value = line.substr(space + 1);
    if (!IsNumber(value)) continue;
    const auto known = sent_.find(name);
    if (known != sent_.end() && !IsNews(name, value, known->second)) continue;
    if (known == sent_.end() && sent_.size() >= kMostMetrics) continue;
    sent_.insert_or_assign(std::string(name), std::string(value));
    json.Key(name).Raw(value);
    has_news = true;
  }
  return has_news ? json.EndObject().EndObject().Take() : std::string();
}

}  // namespace idkiosk
