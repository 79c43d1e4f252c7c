#include "app/fleet/fleet_settings.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "app/fleet/est_client.h"
#include "app/fleet/topics.h"
#include "platform/base/certificate_file.h"
#include "platform/base/json.h"

namespace idkiosk {
namespace {

constexpr size_t kLargestFile = 64 << 10;
constexpr std::string_view kSecure = "mqtts://";
constexpr std::string_view kPlain = "mqtt://";
constexpr std::string_view kReconnectWithin = "reconnect_within";

// What is wrong with a value and the mend; empty: nothing.
using Check = std::string (*)(const std::string& value, FleetSettings& settings);

std::string CheckBroker(const std::string& value, FleetSettings& settings) {
  constexpr const char* kForm = "must be like mqtts://mqtt.bank.example:8883";
  settings.plain = value.starts_with(kPlain);
  if (!settings.plain && !value.starts_with(kSecure)) return kForm;
  const std::string rest = value.substr((settings.plain ? kPlain : kSecure).size());
  const size_t colon = rest.rfind(':');
  if (colon == std::string::npos || colon == 0) return kForm;
  settings.host = rest.substr(0, colon);
  const char* const end = rest.data() + rest.size();
  const auto [stopped, error] = std::from_chars(rest.data() + colon + 1, end, settings.port);
  if (error != std::errc() || stopped != end || settings.port == 0) return kForm;
  if (settings.host.find_first_of("/@?# ") != std::string::npos) return kForm;
  const bool here = settings.host == "127.0.0.1" || settings.host == "localhost";
  if (settings.plain && !here)
    return "without TLS the broker must be on this machine: use mqtts://";
  return {};
}

std::string CheckName(const std::string& value, FleetSettings&) {
  if (IsTopicName(value)) return {};
  return "must be 1 to 64 small letters, digits and hyphens: it is part of each topic";
}

std::string CheckPath(const std::string& value, FleetSettings&) {
  return value.starts_with('/') ? std::string() : "must be a whole path, from / on";
}

std::string CheckEst(const std::string& value, FleetSettings&) { return CheckEstUrl(value); }

enum class Needed { kAlways, kWithTls, kNever };
struct SettingKey {
  std::string_view name;
  std::string FleetSettings::* member;
  Check check;
  Needed needed = Needed::kAlways;
};
constexpr SettingKey kKeys[] = {
    {"broker", &FleetSettings::host, &CheckBroker},
    {"tenant", &FleetSettings::tenant, &CheckName},
    {"kiosk", &FleetSettings::kiosk, &CheckName},
    {"ca_file", &FleetSettings::ca_file, &CheckPath, Needed::kWithTls},
    {"certificate", &FleetSettings::certificate, &CheckPath, Needed::kWithTls},
    {"key", &FleetSettings::key, &CheckPath, Needed::kWithTls},
    {"est", &FleetSettings::est, &CheckEst, Needed::kNever},
    {"claim", &FleetSettings::claim, &CheckPath, Needed::kNever},
    {"api_socket", &FleetSettings::api_socket, &CheckPath},
    {"state_folder", &FleetSettings::state_folder, &CheckPath},
};

}  // namespace

Result<FleetSettings> ParseFleetSettings(std::string_view text, const std::string& path) {
  const auto document = JsonDocument::ParseWithComments(text);
  if (!document) return std::unexpected(document.error().Within(path));
  const JsonView root = document->root();
  const auto wrong = [&](std::string_view key, std::string_view why) {
    const int line = LineOf(text, fmt::format("/{}", key));
    return Fail(ErrorCode::kInvalid, "{}:{}: {}: {}", path, std::max(line, 1), key, why);
  };
  if (!root.IsObject()) return wrong("(the file)", "must be one object, { ... }");
  if (root.RepeatedName()) return wrong("(the file)", "a key stands there twice");
  for (const JsonView each : root.children()) {
    if (each.key() == kReconnectWithin) continue;
    if (std::ranges::find(kKeys, each.key(), &SettingKey::name) == std::end(kKeys)) {
      return wrong(each.key(), "there is no such key");
    }
  }
  FleetSettings settings;
  for (const SettingKey& key : kKeys) {
    const JsonView value = root[key.name];
    const bool spared =
        key.needed == Needed::kNever || (key.needed == Needed::kWithTls && settings.plain);
    if (!value.exists() && spared) continue;
    if (!value.exists()) return wrong(key.name, "is missing");
    const auto given = value.AsString();
    if (!given) return wrong(key.name, "must be a text");
    const std::string why = key.check(std::string(*given), settings);
    if (!why.empty()) return wrong(key.name, why);
    if (key.name != "broker") settings.*key.member = *given;
  }
  if (settings.plain && !settings.est.empty()) {
    return wrong("est", "without TLS there is no certificate: take it out, or use mqtts://");
  }
  if (settings.est.empty() && !settings.claim.empty()) {
    return wrong("claim", "is for est, which is missing");
  }
  if (const JsonView within = root[kReconnectWithin]; within.exists()) {
    const int64_t seconds = within.AsInteger().value_or(0);
    if (seconds < 1 || seconds > 3600) return wrong(kReconnectWithin, "must be 1 to 3600 seconds");
    settings.reconnect_within = std::chrono::seconds(seconds);
  }
  return settings;
}

Result<FleetSettings> LoadFleetSettings(FileSystem& files, const std::string& path) {
  const auto bytes = files.Read(path, kLargestFile);
  if (!bytes) return std::unexpected(bytes.error());
  return ParseFleetSettings(AsText(*bytes), path);
}

Status CheckTlsFiles(FileSystem& files, const FleetSettings& settings) {
  if (settings.plain) return {};
  for (const auto& [key, path] :
       {std::pair("ca_file", &settings.ca_file), std::pair("certificate", &settings.certificate)}) {
    const auto text = files.Read(*path, kLargestCertificateFile);
    const Status good = CheckCertificateFile(*path, text);
    if (good) continue;
    // A damaged one is replaced where there is a claim to ask with.
    const bool comes = !settings.est.empty() && path == &settings.certificate &&
                       (good.error().code == ErrorCode::kNotFound ||
                        (text && files.Exists(settings.claim).value_or(false)));
    if (comes) return {};
    return std::unexpected(good.error().Within(key));
  }
  const auto key = files.ReadSecret(settings.key, kLargestFile);
  return key ? Status() : std::unexpected(key.error().Within("key"));
}

}  // namespace idkiosk
