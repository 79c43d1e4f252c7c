#include "app/settings/settings_report.h"

#include "app/settings/duration_text.h"
#include "app/settings/settings_table.h"
#include "platform/base/address.h"

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
void Write(JsonWriter& json, Environment value) { json.Value(Name(value)); }
void Write(JsonWriter& json, Mode value) { json.Value(Name(value)); }

}  // namespace

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
