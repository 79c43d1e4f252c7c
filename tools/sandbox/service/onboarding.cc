#include "tools/sandbox/service/onboarding.h"

#include <sys/stat.h>

#include "platform/base/json.h"
#include "tools/sandbox/service/endpoint.h"
#include "tools/sandbox/store/digest.h"
#include "tools/sandbox/store/password.h"
#include "tools/sandbox/store/people.h"

namespace idkiosk::sandbox {
namespace {

constexpr std::string_view kAddressFile = "server.json";
constexpr std::string_view kOutbox = "outbox";

}  // namespace

Status WriteServerAddress(const StateFolder& folder, const ServerAddress& address) {
  return WritePrivateFile(folder.File(kAddressFile), JsonWriter(2)
                                                             .BeginObject()
                                                             .Field("base_url", address.base_url)
                                                             .Field("ca_file", address.ca_file)
                                                             .Field("port", address.port)
                                                             .EndObject()
                                                             .Take() +
                                                         "\n");
}

Result<ServerAddress> ReadServerAddress(const StateFolder& folder) {
  const std::string path = folder.File(kAddressFile);
  const auto text = ReadTextFile(path);
  if (!text) {
    return Fail(ErrorCode::kNotFound,
                "no sandbox has run on this folder yet ({} is missing); start "
                "'idkiosk-sandbox serve' on it first",
                path);
  }
  const auto json = JsonDocument::Parse(*text);
  if (!json) return std::unexpected(json.error().Within(path));
  const JsonView root = json->root();
  return ServerAddress{.base_url = std::string(root["base_url"].AsString().value_or("")),
                       .ca_file = std::string(root["ca_file"].AsString().value_or("")),
                       .port = static_cast<int>(root["port"].AsInteger().value_or(0))};
}

Result<std::string> Onboarding::Onboard(Accounts& accounts, const OnboardOptions& options,
                                        WallTime now) const {
  bool known_level = false;
  for (const std::string_view level : AccessLevels()) known_level |= level == options.level;
  if (!known_level)
    return Fail(ErrorCode::kInvalid, "There is no access level '{}'.", options.level);
  const std::string password = MakePassword();
  const std::string email =
      options.email.empty() ? "customer-" + RandomHex(4) + "@sandbox.example" : options.email;
  const auto account = accounts.Create({.email = email,
                                        .name = options.name,
                                        .password = password,
                                        .level = options.level,
                                        .environment = options.environment,
                                        .trainer = true},
                                       now);
  if (!account) return std::unexpected(account.error());
  if (!options.with_key) return Message(*account, password, {});
  const auto key = accounts.CreateKey(account->id, "Onboarding", now);
  if (!key) return std::unexpected(key.error());
  return Message(*account, password, key->value);
}

Status Onboarding::SendTo(const Account& account) const {
  (void)mkdir(folder_.File(kOutbox).c_str(), 0700);
  return WritePrivateFile(folder_.File(std::string(kOutbox) + "/" + account.user_id + ".json"),
                          Message(account, {}, {}) + "\n");
}

std::string Onboarding::Message(const Account& account, std::string_view password,
                                std::string_view api_key) const {
  JsonWriter json(2);
  json.BeginObject()
      .Field("base_url", address_.base_url)
      .Field("environment", Name(account.environment))
      .Key("login")
      .BeginObject()
      .Field("email", account.email);
  if (!password.empty()) json.Field("password", password);
  json.EndObject().Field("user_id", account.user_id);
  if (!api_key.empty()) json.Field("api_key", api_key);
  if (!address_.ca_file.empty()) json.Field("ca_file", address_.ca_file);
  if (account.environment == Environment::kSandbox) json.Field("test_nin", kTestNin);
  return json.EndObject().Take();
}

}  // namespace idkiosk::sandbox
