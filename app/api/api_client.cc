#include "app/api/api_client.h"

#include <httplib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <optional>

#include "app/api/api_peer.h"
#include "app/settings/settings_access.h"
#include "platform/base/file_descriptor.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {
namespace {

constexpr time_t kAnswerSeconds = 60;  // pictures are judged meanwhile
constexpr std::string_view kProblemPrefix = "urn:idkiosk:problem:";

// Returns who serves that socket; nothing: nobody does.
Result<std::optional<uid_t>> ServerOf(const std::string& socket_path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_path.size() >= sizeof address.sun_path) return std::nullopt;
  socket_path.copy(address.sun_path, sizeof address.sun_path - 1);
  const FileDescriptor probe(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return std::nullopt;
  }
  const auto peer = PeerOf(probe.get());
  if (!peer) return std::unexpected(peer.error());
  return peer->user;
}

// Whether that is a kiosk's: numbers and pictures are told to nobody else.
bool IsOfKiosk(uid_t server, const std::string& state_folder) {
  if (server == 0 || server == geteuid()) return true;
  struct stat state{};
  const bool is_owner = stat(state_folder.c_str(), &state) == 0 && server == state.st_uid;
  return is_owner && !OthersMayPut(state_folder);
}

ApiRefusal Gone(const std::string& why) {
  return {"gone", "The running kiosk does not answer.", why, JsonDocument()};
}

}  // namespace

std::string ApiSocketOf(const Settings& settings) {
  return settings.api.socket.empty() ? settings.state_folder + "/api.sock" : settings.api.socket;
}

class ApiClient::Connection {
 public:
  Connection(const std::string& path, const std::string& state_folder) : client_(path) {
    client_.set_address_family(AF_UNIX);
    httplib::Headers headers{{"Host", "localhost"}};
    if (const std::string id = FolderId(state_folder); !id.empty()) {
      headers.emplace(kStateFolderHeader, id);
    }
    client_.set_default_headers(headers);
    client_.set_read_timeout(kAnswerSeconds);
    client_.set_write_timeout(kAnswerSeconds);
  }
  [[nodiscard]] httplib::Client& client() { return client_; }

  [[nodiscard]] static Answer Read(httplib::Result result) {
    if (!result) return std::unexpected(Gone(httplib::to_string(result.error())));
    auto document = JsonDocument::Parse(result->body);
    Wipe(result->body);
    if (!document) return std::unexpected(Gone(document.error().message));
    if (result->status < 300) return std::move(*document);
    const JsonView root = document->root();
    std::string type(root["type"].AsString().value_or("gone"));
    if (type.starts_with(kProblemPrefix)) type.erase(0, kProblemPrefix.size());
    std::string detail(root["detail"].AsString().value_or(""));
    std::string engineer(root["engineer"].AsString().value_or(""));
    return std::unexpected(
        ApiRefusal{std::move(type), std::move(detail), std::move(engineer), std::move(*document)});
  }

 private:
  httplib::Client client_;
};

ApiClient::ApiClient(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}

ApiClient::~ApiClient() = default;

Result<std::unique_ptr<ApiClient>> ApiClient::Connect(const Settings& settings) {
  const std::string socket = ApiSocketOf(settings);
  const auto server = ServerOf(socket);
  if (!server) return std::unexpected(server.error());
  if (!*server) return nullptr;
  if (!IsOfKiosk(**server, settings.state_folder)) {
    return Fail(
        ErrorCode::kForbidden,
        "{} is served by a program of user {}, which may not be the kiosk: nothing was told to it. "
        "If it is not the kiosk, end it; if it is, run this command as that user, or let root own "
        "each folder above state_folder, for nobody else to write",
        socket, **server);
  }
  return std::unique_ptr<ApiClient>(
      new ApiClient(std::make_unique<Connection>(socket, settings.state_folder)));
}

ApiClient::Answer ApiClient::Get(const std::string& target) {
  return Connection::Read(connection_->client().Get(target));
}

ApiClient::Answer ApiClient::Delete(const std::string& target) {
  return Connection::Read(connection_->client().Delete(target));
}

ApiClient::Answer ApiClient::Post(const std::string& target, const std::string& body,
                                  const std::string& key) {
  httplib::Headers headers;
  if (!key.empty()) headers.emplace("Idempotency-Key", key);
  return Connection::Read(connection_->client().Post(target, headers, body, "application/json"));
}

Error ErrorOf(const ApiRefusal& refusal) {
  const bool says_all = refusal.detail.contains(refusal.engineer);  // empty: too
  std::string message =
      says_all ? refusal.detail : fmt::format("{} ({})", refusal.detail, refusal.engineer);
  if (refusal.type == "not-found") return {ErrorCode::kNotFound, std::move(message)};
  if (refusal.type == "not-possible") return {ErrorCode::kFailedPrecondition, refusal.engineer};
  if (refusal.type == "forbidden" || refusal.type == "not-allowed-here") {
    return {ErrorCode::kForbidden, std::move(message)};
  }
  if (refusal.type == "damaged") return {ErrorCode::kCorrupt, refusal.engineer};
  if (refusal.type == "internal") return {ErrorCode::kInternal, std::move(message)};
  if (refusal.type == "busy" || refusal.type == "unavailable" || refusal.type == "gone") {
    return {ErrorCode::kUnavailable, std::move(message)};
  }
  return {ErrorCode::kInvalid, std::move(message)};
}

}  // namespace idkiosk
