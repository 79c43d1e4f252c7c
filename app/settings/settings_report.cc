#include "app/settings/settings_report.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <variant>

#include "app/settings/duration_text.h"
#include "app/settings/settings_table.h"
#include "platform/base/address.h"

namespace idkiosk {
namespace {

constexpr std::string_view kSet = "[set]";

void Write(JsonWriter& json, bool value) { json.Value(value); }
void Write(JsonWriter& json, int value) { json.Value(value); }
void Write(JsonWriter& json, int64_t value) { json.Value(value); }
void Write(JsonWriter& json, double value) { json.Value(value); }
void Write(JsonWriter& json, Duration value) { json.Value(DurationText(value)); }
void Write(JsonWriter& json, const std::string& value) { json.Value(WithoutCredentials(value)); }
void Write(JsonWriter& json, const std::vector<std::string>& value) {
  json.BeginArray();
  for (const std::string& each : value) Write(json, each);
  json.EndArray();
}
void Write(JsonWriter& json, Environment value) { json.Value(Name(value)); }
void Write(JsonWriter& json, Mode value) { json.Value(Name(value)); }

// Whether its value is, or may hold, a path of this machine.
bool NamesFile(const Setting& setting) {
  constexpr std::array<std::string_view, 3> kDevices = {"camera.source", "printer.target",
                                                        "tpm.device"};
  return std::holds_alternative<Path>(setting.rule) ||
         std::ranges::find(kDevices, setting.key) != kDevices.end();
}

void HidePaths(Settings& settings) {
  for (const Setting& setting : AllSettings()) {
    if (!NamesFile(setting)) continue;
    std::visit(
        [&settings](auto member) {
          auto& value = member(settings);
          if constexpr (std::is_same_v<decltype(value), std::string&>) {
            if (!value.empty()) value = kSet;
          }
          if constexpr (std::is_same_v<decltype(value), std::vector<std::string>&>) {
            std::ranges::fill(value, kSet);
          }
        },
        setting.member);
  }
}

}  // namespace

void WriteSettings(JsonWriter& json, const Settings& settings, SettingsView view) {
  Settings shown = settings;
  if (!shown.service.test_nin.empty()) shown.service.test_nin = kSet;
  shown.staff.name = kSet;  // may be somebody's
  shown.results.webhook = WithoutPath(shown.results.webhook);
  if (view == SettingsView::kWithoutPaths) HidePaths(shown);
  json.BeginObject();
  for (const Setting& setting : AllSettings()) {
    json.Key(setting.key);
    std::visit([&](auto member) { Write(json, member(shown)); }, setting.member);
  }
  json.EndObject();
}

}  // namespace idkiosk
