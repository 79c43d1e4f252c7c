#include "tools/sandbox/commands/control_client.h"

#include <httplib.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "tools/sandbox/commands/commands.h"
#include "tools/sandbox/service/onboarding.h"
#include "tools/sandbox/store/state_folder.h"

namespace idkiosk::sandbox {
namespace {

// Of a server that was started just before, such as by the line above in a script.
constexpr auto kPatience = std::chrono::seconds(5);

httplib::Client ClientOf(const ServerAddress& address) {
  httplib::Client http(address.base_url);
  if (!address.ca_file.empty()) http.set_ca_cert_path(address.ca_file);
  return http;
}

// A server that has only begun has written no address yet, or one of before is there.
bool HasServer(const std::string& state) {
  if (!std::filesystem::is_directory(state)) return false;
  const auto folder = StateFolder::Open(state);
  if (!folder || !folder->ServerRuns()) return false;
  const auto address = ReadServerAddress(*folder);
  return address && ClientOf(*address).Get("/");
}

bool WaitForServer(const std::string& state) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!HasServer(state)) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

}  // namespace

struct ControlClient::Connection {
  httplib::Client http;
  std::string base_url;

  Result<std::string> Read(const httplib::Result& result) const {
    if (!result) {
      return Fail(ErrorCode::kUnavailable, "the sandbox at {} does not answer: {}", base_url,
                  httplib::to_string(result.error()));
    }
    if (result->status < 400) return result->body;
    const auto json = JsonDocument::Parse(result->body);
    const std::string_view message = json ? json->root()["message"].AsString().value_or("") : "";
    return Fail(ErrorCode::kRejected, "{}",
                message.empty() ? fmt::format("status {}", result->status) : std::string(message));
  }
};

ControlClient::ControlClient(std::unique_ptr<Connection> connection)
    : connection_(std::move(connection)) {}
ControlClient::~ControlClient() = default;
ControlClient::ControlClient(ControlClient&&) noexcept = default;

Result<ControlClient> ControlClient::Open(const std::string& state) {
  if (!WaitForServer(state)) {
    return Fail(ErrorCode::kUnavailable,
                "no sandbox runs on {} now; start 'idkiosk-sandbox serve --state {}'", state,
                state);
  }
  auto folder = StateFolder::Open(state);
  if (!folder) return std::unexpected(folder.error());
  const auto address = ReadServerAddress(*folder);
  if (!address) return std::unexpected(address.error());
  const auto token = ReadTextFile(folder->File("admin-token"));
  if (!token) return std::unexpected(token.error());
  auto connection = std::make_unique<Connection>(
      Connection{.http = ClientOf(*address), .base_url = address->base_url});
  connection->http.set_bearer_token_auth(token->substr(0, token->find('\n')));
  return ControlClient(std::move(connection));
}

Result<std::string> ControlClient::Get(const std::string& path) {
  return connection_->Read(connection_->http.Get(path));
}

Result<std::string> ControlClient::Post(const std::string& path, const std::string& json) {
  return connection_->Read(connection_->http.Post(path, json, "application/json"));
}

Result<std::string> ControlClient::Delete(const std::string& path) {
  return connection_->Read(connection_->http.Delete(path));
}

std::string EncodeQuery(const std::string& text) {
  return httplib::detail::encode_query_param(text);
}

void GiveUp(const Error& error) {
  fmt::print(stderr, "idkiosk-sandbox: {}\n", error.message);
  throw Failure();
}

}  // namespace idkiosk::sandbox
