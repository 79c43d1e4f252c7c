#include "app/api/api_server.h"

#include <httplib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <utility>

#include "app/api/api_peer.h"
#include "app/api/api_route.h"
#include "app/api/socket_file.h"
#include "app/http/bounded_server.h"
#include "app/http/header_names.h"
#include "platform/base/log.h"
#include "platform/base/mutex.h"
#include "platform/base/secret_bytes.h"
#include "platform/base/text/digits.h"
#include "platform/base/text/letter_case.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

using httplib::Request;
using httplib::Response;

constexpr mode_t kFirstMode = 0600;  // until the group is set
constexpr size_t kThreads = 12;
constexpr int kStreams = 4;                // of events
constexpr int kStreamsOfOneUser = 2;       // of events
constexpr int kLargeOfAll = 3;             // large requests at once
constexpr int kLargeOfOneUser = 2;         // and of one user
constexpr size_t kLargestHead = 16 << 10;  // bytes
constexpr Duration kNextBeat = std::chrono::seconds(15);
constexpr Duration kRefusalSaidEvery = std::chrono::minutes(1);

// How soon it is seen that a listener has gone; how many such looks until it hears a comment.
constexpr auto kLook = std::chrono::milliseconds(250);
constexpr int kLooksBetweenComments = 40;

constexpr const char* kProblemType = "application/problem+json";
constexpr const char* kKeyHeader = "Idempotency-Key";
constexpr size_t kLongestKey = 128;

const httplib::Headers& DefaultHeaders() {
  static const httplib::Headers headers = {{"Cache-Control", "no-store"},
                                           {"X-Content-Type-Options", "nosniff"}};
  return headers;
}

void Refuse(Response& response, const Problem& problem) {
  response.status = TraitsOf(problem.kind).status;
  if (problem.kind == ProblemKind::kBusy) response.set_header("Retry-After", "1");
  // As long as the program needs to start anew, which is what it does where its files are others'.
  if (problem.kind == ProblemKind::kUnavailable) response.set_header("Retry-After", "5");
  for (const auto& [name, value] : problem.headers) response.set_header(name, value);
  response.set_content(ToJson(problem), kProblemType);
}

// So many at once, and so many of one user.
class Places {
 public:
  Places(int of_all, int of_one) : of_all_(of_all), of_one_(of_one) {}

  // Empty when all are taken; else one is, until the pointer goes.
  [[nodiscard]] std::shared_ptr<void> Take(uid_t user) {
    const MutexLock lock(mutex_);
    if (taken_ >= of_all_ || by_user_[user] >= of_one_) return nullptr;
    ++taken_;
    ++by_user_[user];
    return {this, [this, user](void*) { Leave(user); }};
  }

 private:
  void Leave(uid_t user) {
    const MutexLock lock(mutex_);
    --taken_;
    if (--by_user_[user] == 0) by_user_.erase(user);
  }

  const int of_all_;
  const int of_one_;
  Mutex mutex_;
  int taken_ GUARDED_BY(mutex_) = 0;
  std::map<uid_t, int> by_user_ GUARDED_BY(mutex_);
};

Problem Busy(std::string engineer) {
  return {ProblemKind::kBusy, "The kiosk is busy. Try again in a moment.", std::move(engineer)};
}

std::optional<Problem> CheckHeaders(const Request& request) {
  if (const auto name = OddHeaderName(request)) {
    return BadRequest(fmt::format(
        "\"{}\" is no header's name: it may hold no space, and none may stand before its colon",
        Printable(*name)));
  }
  for (const char* name : {"Host", "Content-Length", "Content-Type", "Transfer-Encoding", "Expect",
                           kKeyHeader, "Last-Event-ID"}) {
    if (request.get_header_value_count(name) > 1) {
      return BadRequest(fmt::format("the header {} was sent twice", name));
    }
  }
  if (request.has_header("Range")) {
    return BadRequest("answers are given whole, so the header Range is not taken");
  }
  if (request.has_header("Transfer-Encoding")) {
    return BadRequest("a body is sent at once and with its Content-Length, not in chunks");
  }
  if (request.has_header("Content-Encoding")) {
    return BadRequest("a body is sent as it is: Content-Encoding is not known here");
  }
  if (!request.has_header(kKeyHeader)) return std::nullopt;
  const std::string key = request.get_header_value(kKeyHeader);
  const bool plain = std::ranges::all_of(key, [](char c) { return c > 0x20 && c < 0x7f; });
  if (key.empty() || key.size() > kLongestKey || !plain) {
    return BadRequest(
        fmt::format("{} must be 1 to {} signs of ASCII, without spaces", kKeyHeader, kLongestKey));
  }
  return std::nullopt;
}

// Whether a Content-Type says JSON: libraries write its one parameter in many ways, which RFC 9110
// calls equal.
bool IsJson(std::string_view written) {
  std::string type = LowerCase(written);
  std::erase_if(type, [](char c) { return c == ' ' || c == '\t'; });
  return type == "application/json" || type == "application/json;charset=utf-8" ||
         type == R"(application/json;charset="utf-8")";
}

// Returns the size of the body that follows. Problems also: kTooLarge, kWrongType.
std::expected<size_t, Problem> CheckBody(const Request& request, const ApiRoute& route) {
  if (!request.has_header("Content-Length")) return 0;
  const auto bytes = ParseNumber<size_t>(request.get_header_value("Content-Length"));
  if (!bytes) return std::unexpected(BadRequest("the Content-Length is not a number"));
  if (*bytes == 0) return 0;
  if (route.largest_body == 0) return std::unexpected(BadRequest("this operation takes no body"));
  if (*bytes > route.largest_body) {
    return std::unexpected(Problem{
        ProblemKind::kTooLarge,
        route.largest_body > kSmallBody ? "The pictures or the request are too large."
                                        : "The request is too large.",
        fmt::format("the body has {} bytes; {} is the most here", *bytes, route.largest_body)});
  }
  if (!IsJson(request.get_header_value("Content-Type"))) {
    return std::unexpected(Problem{ProblemKind::kWrongType, std::string(kSenseless),
                                   "the Content-Type must be application/json"});
  }
  return *bytes;
}

// The parameters behind the question mark, those that the route names and each once.
std::expected<std::map<std::string, std::string>, Problem> ReadQuery(const Request& request,
                                                                     const ApiRoute& route) {
  std::map<std::string, std::string> query;
  for (const auto& [name, value] : request.params) {
    const std::string known = fmt::format(" {} ", route.query);
    if (name.empty() || name.contains(' ') || !known.contains(fmt::format(" {} ", name))) {
      return std::unexpected(
          BadRequest(fmt::format("this operation has no such parameter; it knows: {}",
                                 route.query.empty() ? "none" : route.query)));
    }
    if (!query.try_emplace(name, value).second) {
      return std::unexpected(BadRequest(fmt::format("the parameter {} was given twice", name)));
    }
  }
  return query;
}

}  // namespace

// The routes are ours, not httplib's: each is a row of AllRoutes().
class ApiServer::Listener final : public BoundedServer {
 public:
  Listener(const ApiServer::Options& options, gid_t group, std::vector<uid_t> supervisors,
           std::optional<uid_t> fleet_user, ApiBackend& backend, Heartbeat& heartbeat)
      : BoundedServer({.threads = kThreads,
                       .largest_body = LargestBody(),
                       .largest_head = kLargestHead,
                       .request_time = options.request_time,
                       .idle_time = options.idle_time},
                      [&heartbeat] { heartbeat.Beat(kNextBeat); }),
        options_(options),
        group_(group),
        supervisors_(std::move(supervisors)),
        fleet_user_(fleet_user),
        backend_(backend),
        state_folder_id_(FolderId(backend.deps().settings.state_folder)) {
    set_address_family(AF_UNIX);
    // Before the file is there: nobody else connects until it is the group's.
    set_socket_options([](socket_t socket) { (void)fchmod(socket, kFirstMode); });
    set_default_headers(DefaultHeaders());
    set_pre_routing_handler(
        [this](const Request& request, Response& response) { return Admit(request, response); });
    Post(".*", [this](const Request& request, Response& response) {
      at_.asked.body = request.body;
      Reply(response);
    });
    set_error_handler([](const Request&, Response& response) {
      if (response.body.empty()) {
        Refuse(response,
               BadRequest(fmt::format("the request ended with status {}", response.status)));
      }
    });
    set_exception_handler([](const Request&, Response& response, const std::exception_ptr&) {
      Refuse(response, {ProblemKind::kInternal, "The kiosk failed at this request.",
                        "an exception was thrown"});
    });
  }

  ~Listener() override {
    StopTaking();
    StopServing();
    if (listens_) (void)unlink(options_.socket.c_str());
  }

  [[nodiscard]] Status Listen() {
    if (Status clear = ClearSocketFile(options_.socket); !clear) return clear;
    constexpr int kAnyButZero = 1;  // httplib's word for "bind"; a socket file has no port
    if (!bind_to_port(options_.socket, kAnyButZero)) {
      return Fail(ErrorCode::kForbidden,
                  "api.socket: {} cannot be made: this program's user must be able to write its "
                  "folder",
                  options_.socket);
    }
    listens_ = true;
    if (!options_.own_user_alone) {
      if (Status given = OpenToGroup(options_.socket, group_); !given) return given;
    }
    StartTaking();
    return {};
  }

 private:
  static size_t LargestBody() {
    size_t largest = 0;
    for (const ApiRoute& each : AllRoutes()) largest = std::max(largest, each.largest_body);
    return largest;
  }

  // On httplib's thread.
  bool process_and_close_socket(socket_t socket) override {
    using Rank = HttpConnection::Rank;
    const auto peer = PeerOf(socket);
    const bool may_ask = peer && MayAsk(*peer, group_);
    Take(socket, may_ask ? Rank::kOwnUser : Rank::kStranger);
    return true;
  }

  bool Answer(HttpConnection& connection) override {
    if (!connection.HasRoom()) return false;
    at_ = {};
    const bool goes_on = Process(connection, "local", 0);
    Wipe(at_.asked.body);  // a text that is assigned another keeps its memory
    at_ = {};
    return goes_on;
  }

  // Decides about a request before a byte of a large body is read; answers what has none.
  HandlerResponse Admit(const Request& request, Response& response) {
    const auto body = Look(request);
    if (!body) {
      Refuse(response, body.error());
      return HandlerResponse::Handled;
    }
    if (*body > 0) return HandlerResponse::Unhandled;
    Reply(response);
    return HandlerResponse::Handled;
  }

  // Fills `at_`. Returns the size of the body.
  std::expected<size_t, Problem> Look(const Request& request) {
    auto peer = PeerOf(connection().socket());
    if (!peer) return std::unexpected(ProblemOf(peer.error(), "Nobody knows which program asks."));
    if (!MayAsk(*peer, group_)) return std::unexpected(TurnAway(*peer));
    if (auto bad = CheckHeaders(request)) return std::unexpected(std::move(*bad));
    if (IsForAnother(request)) return std::unexpected(AnotherKiosk());
    peer->is_fleets = peer->user == 0 || peer->user == geteuid() || peer->user == fleet_user_;
    peer->sees_all = peer->user == 0 || peer->user == geteuid() ||
                     std::ranges::count(supervisors_, peer->user) > 0;
    auto found = FindRoute(request.method, request.target);
    if (!found) return std::unexpected(std::move(found.error()));
    if (peer->user == fleet_user_) {
      if (!found->route->is_fleets) return std::unexpected(NotForTheFleet(*peer));
      peer->sees_all = true;
    }
    auto query = ReadQuery(request, *found->route);
    if (!query) return std::unexpected(std::move(query.error()));
    const auto body = CheckBody(request, *found->route);
    if (!body) return body;
    // A question without pictures waits for nobody's pictures.
    const bool has_small_body = *body > 0 && *body <= kSmallBody;
    if (found->route->is_large && !has_small_body) {
      at_.place = large_.Take(peer->user);
      if (!at_.place) return std::unexpected(Busy("too many large requests are answered already"));
    }
    connection().set_rank(HttpConnection::Rank::kKnown);
    at_.route = found->route;
    std::string key = request.get_header_value(kKeyHeader);
    // Another user's same key is another.
    if (!key.empty()) key = fmt::format("uid {} {}", peer->user, key);
    at_.asked = {.peer = std::move(*peer),
                 .names = std::move(found->names),
                 .query = std::move(*query),
                 .idempotency_key = std::move(key),
                 .last_event_id = request.get_header_value("Last-Event-ID"),
                 .body = {}};
    return body;
  }

  Problem TurnAway(const ApiPeer& peer) {
    const MutexLock lock(refused_mutex_);
    const MonotonicTime now = backend_.deps().clock.Now();
    if (!refused_at_ || now - *refused_at_ >= kRefusalSaidEvery) {
      refused_at_ = now;
      LogWarning("the local API refused process {} of uid {}: it is not of api.group", peer.process,
                 peer.user);
    }
    return {
        ProblemKind::kForbidden, "This program may not use the kiosk.",
        fmt::format("uid {} is neither root, nor this program's own user, nor of api.group: add "
                    "it to that group",
                    peer.user)};
  }

  [[nodiscard]] bool IsForAnother(const Request& request) const {
    const std::string meant = request.get_header_value(kStateFolderHeader);
    return !meant.empty() && !state_folder_id_.empty() && meant != state_folder_id_;
  }

  [[nodiscard]] Problem AnotherKiosk() const {
    return {ProblemKind::kForbidden, "Another kiosk serves this socket.",
            fmt::format("{} is served by the kiosk that keeps its calls in {}: give each "
                        "configuration an api.socket of its own",
                        options_.socket, backend_.deps().settings.state_folder)};
  }

  static Problem NotForTheFleet(const ApiPeer& peer) {
    return {
        ProblemKind::kForbidden, "This program may not do that.",
        fmt::format("uid {} is api.fleet_user, which sees no checks and asks for none", peer.user)};
  }

  void Reply(Response& response) {
    const ApiAnswer answer = at_.route->answer(backend_, at_.asked);
    at_.place = nullptr;
    if (!answer) return Refuse(response, answer.error());
    response.status = answer->status;
    for (const auto& [name, value] : answer->headers) response.set_header(name, value);
    if (answer->events) return Stream(response, answer->events);
    response.set_content(answer->body, answer->content_type);
  }

  void Stream(Response& response, std::shared_ptr<EventReader> events) {
    auto place = streams_.Take(at_.asked.peer.user);
    if (!place) return Refuse(response, Busy("too many programs listen already"));
    response.set_chunked_content_provider(
        "text/event-stream", [this, place, reader = std::move(events), looks = 0](
                                 size_t, httplib::DataSink& sink) mutable {
          if (stopping()) return false;
          std::string text = reader->Next(kLook);
          if (text.empty() && looks++ % kLooksBetweenComments == 0) text = ":\n\n";
          return text.empty() ? sink.is_writable() : sink.write(text.data(), text.size());
        });
  }

  // The request that this thread answers.
  struct At {
    const ApiRoute* route = nullptr;
    ApiRequest asked = {};
    std::shared_ptr<void> place = nullptr;
  };
  static thread_local At at_;

  const ApiServer::Options options_;
  const gid_t group_;
  const std::vector<uid_t> supervisors_;
  const std::optional<uid_t> fleet_user_;
  ApiBackend& backend_;
  const std::string state_folder_id_;
  Places large_{kLargeOfAll, kLargeOfOneUser};
  Places streams_{kStreams, kStreamsOfOneUser};
  bool listens_ = false;
  Mutex refused_mutex_;
  std::optional<MonotonicTime> refused_at_ GUARDED_BY(refused_mutex_);
};

thread_local ApiServer::Listener::At ApiServer::Listener::at_;

ApiServer::ApiServer(std::unique_ptr<Listener> listener) : listener_(std::move(listener)) {}

ApiServer::~ApiServer() = default;

Result<std::unique_ptr<ApiServer>> ApiServer::Start(const Options& options, ApiBackend& backend,
                                                    Heartbeat& heartbeat) {
  constexpr auto kNoGroup = static_cast<gid_t>(-1);
  const auto group = options.own_user_alone ? Result<gid_t>(kNoGroup) : ApiGroup(options.group);
  if (!group) return std::unexpected(group.error());
  auto supervisors = ApiSupervisors(options.supervisors);
  if (!supervisors) return std::unexpected(supervisors.error());
  const auto fleet_user = ApiFleetUser(options.fleet_user);
  if (!fleet_user) return std::unexpected(fleet_user.error());
  auto listener = std::make_unique<Listener>(options, *group, std::move(*supervisors), *fleet_user,
                                             backend, heartbeat);
  if (Status listening = listener->Listen(); !listening) {
    return std::unexpected(listening.error());
  }
  return std::unique_ptr<ApiServer>(new ApiServer(std::move(listener)));
}

Status ApiServer::Check(const ApiSettings& settings) {
  if (const auto group = ApiGroup(settings.group); !group) return std::unexpected(group.error());
  if (const auto users = ApiSupervisors(settings.supervisors); !users) {
    return std::unexpected(users.error());
  }
  if (const auto user = ApiFleetUser(settings.fleet_user); !user) {
    return std::unexpected(user.error());
  }
  if (settings.socket.empty()) return {};
  if (const Status fits = CheckSocketPath(settings.socket); !fits) return fits;
  const std::filesystem::path folder = std::filesystem::path(settings.socket).parent_path();
  std::error_code ignored;
  if (std::filesystem::is_directory(folder, ignored)) return {};
  return Fail(ErrorCode::kNotFound, "api.socket: there is no folder {}", folder.string());
}

}  // namespace idkiosk
