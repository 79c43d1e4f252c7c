#include "tools/headquarters/command_file.h"

#include <algorithm>

#include "app/headquarters/fleet_command.h"
#include "app/settings/nearest_key.h"
#include "app/settings/settings_table.h"
#include "app/settings/signing_key.h"
#include "platform/base/bytes.h"
#include "platform/base/json.h"
#include "platform/posix/posix_file_system.h"
#include "tools/headquarters/signing.h"

namespace idkiosk::headquarters {
namespace {

constexpr std::string_view kFormat = "idkiosk-command/1";
constexpr std::string_view kEnvelope = "idkiosk-signed-command/1";
constexpr size_t kLargestFile = 1 << 20;

}  // namespace

Result<std::string> WriteDocument(const Draft& draft, WallTime now) {
  if (draft.kiosk.empty() == draft.group.empty()) {
    return Fail(ErrorCode::kInvalid, "say either --kiosk or --group");
  }
  if ((draft.action == "settings") == draft.settings.empty()) {
    return Fail(ErrorCode::kInvalid, "--set goes with the action settings, and that with --set");
  }
  JsonWriter json;
  json.BeginObject().Field("format", kFormat).Field("tenant", draft.tenant);
  if (!draft.kiosk.empty()) json.Field("kiosk", draft.kiosk);
  if (!draft.group.empty()) json.Field("group", draft.group);
  json.Field("revision", draft.revision > 0 ? draft.revision : now.time_since_epoch().count());
  json.Field("issued", FormatRfc3339(now));
  json.Field("expires", FormatRfc3339(now + std::chrono::minutes(draft.minutes)));
  json.Field("action", draft.action);
  if (!draft.settings.empty()) {
    json.Key("settings").BeginObject();
    for (const std::string& each : draft.settings) {
      const size_t equals = each.find('=');
      if (equals == std::string::npos || equals == 0) {
        return Fail(ErrorCode::kInvalid, "--set: '{}' is not KEY=VALUE", each);
      }
      json.Key(each.substr(0, equals));
      const std::string value = each.substr(equals + 1);
      JsonDocument::Parse(value) ? json.Raw(value) : json.Value(value);
    }
    json.EndObject();
    if (draft.healthy_within > 0) json.Field("healthy_within", draft.healthy_within);
  }
  if (!draft.reference.empty()) json.Field("reference", draft.reference);
  if (!draft.why.empty()) json.Field("why", draft.why);
  return json.EndObject().Take();
}

Status CheckDocument(std::string_view document) {
  const auto parsed = JsonDocument::Parse(document);
  if (!parsed) return std::unexpected(parsed.error());
  Settings scratch;
  for (const JsonView each : parsed->root()["settings"].children()) {
    const std::string key(each.key());
    const Setting* const setting = FindSetting(key);
    if (setting == nullptr) {
      const std::string nearest = NearestKey(key);
      return Fail(ErrorCode::kInvalid, "{}: there is no such key{}", key,
                  nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest));
    }
    if (each.IsNull()) continue;  // the kiosk's own configuration decides
    if (Status good = ReadSetting(*setting, each, "/", scratch); !good) {
      return std::unexpected(good.error().Within(key));
    }
  }
  const auto command = ParseFleetCommand(document);
  return command ? Status() : std::unexpected(command.error().Within("the command"));
}

Result<SignedFile> ReadSigned(const std::string& path) {
  const auto text = PosixFileSystem().Read(path, kLargestFile);
  if (!text) return std::unexpected(text.error());
  const auto document = JsonDocument::Parse(AsText(*text));
  const JsonView root = document ? document->root() : JsonView();
  const auto body = FromBase64(root["document"].AsString().value_or("?"));
  if (root["format"].AsString() != kEnvelope || !body) {
    return Fail(ErrorCode::kInvalid, "{} is no signed command", path);
  }
  SignedFile given{.document = std::string(AsText(*body)), .signatures = {}};
  for (const JsonView each : root["signatures"].children()) {
    given.signatures.push_back({std::string(each["key"].AsString().value_or("")),
                                std::string(each["signature"].AsString().value_or(""))});
  }
  return given;
}

std::string PrintSigned(const SignedFile& file) {
  JsonWriter json;
  json.BeginObject().Field("format", kEnvelope);
  json.Field("document", ToBase64(AsBytes(file.document))).Key("signatures").BeginArray();
  for (const SignedFile::Signature& each : file.signatures) {
    json.BeginObject().Field("key", each.key).Field("signature", each.base64).EndObject();
  }
  return json.EndArray().EndObject().Take() + "\n";
}

std::string TroubleWithName(const std::string& name) {
  return IsFleetName(name) ? "" : "must be 1 to 64 small letters, digits and hyphens";
}

Status AddSignature(SignedFile& file, const std::string& key) {
  const size_t equals = key.find('=');
  if (equals == std::string::npos || equals == 0) {
    return Fail(ErrorCode::kInvalid, "--key: '{}' is not NAME=FILE", key);
  }
  const std::string name = key.substr(0, equals);
  if (const std::string trouble = TroubleWithName(name); !trouble.empty()) {
    return Fail(ErrorCode::kInvalid, "--key: the name before '=' {}", trouble);
  }
  if (std::ranges::count(file.signatures, name, &SignedFile::Signature::key) > 0) {
    return Fail(ErrorCode::kInvalid, "{} has signed it already", name);
  }
  // As SignedText of app/headquarters has it.
  const auto signature = Sign(key.substr(equals + 1),
                              fmt::format("idkiosk signed command, version 1\n{}", file.document));
  if (!signature) return std::unexpected(signature.error());
  file.signatures.push_back({name, ToBase64(*signature)});
  return {};
}

}  // namespace idkiosk::headquarters
