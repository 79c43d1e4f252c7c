#include "app/settings/settings_report.h"

#include "app/settings/duration_text.h"
#include "app/settings/settings_table.h"

namespace idkiosk {
namespace {

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
void Write(JsonWriter& json, Environment value) {
  json.Value(value == Environment::kProduction ? "production" : "sandbox");
}

}  // namespace

std::string WithoutCredentials(std::string_view address) {
  constexpr std::string_view kScheme = "://";
  const size_t scheme = address.find(kScheme);
  if (scheme == std::string_view::npos) return std::string(address);
  const size_t from = scheme + kScheme.size();
  // A password may hold any sign: up to the last @ of the whole address.
  const size_t at = address.rfind('@');
  if (at == std::string_view::npos || at < from) return std::string(address);
  return fmt::format("{}[removed]{}", address.substr(0, from), address.substr(at));
}

void WriteSettings(JsonWriter& json, const Settings& settings) {
  Settings shown = settings;
  if (!shown.service.test_nin.empty()) shown.service.test_nin = "[set]";
  shown.staff.name = "[set]";  // may be somebody's
  json.BeginObject();
  for (const Setting& setting : AllSettings()) {
    json.Key(setting.key);
    std::visit([&](auto member) { Write(json, member(shown)); }, setting.member);
  }
  json.EndObject();
}

}  // namespace idkiosk
