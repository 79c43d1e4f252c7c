#include "app/ui/loopback_server.h"

#include <httplib.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <thread>
#include <utility>

#include "app/http/bounded_server.h"
#include "app/ui/peer_queue.h"
#include "app/ui/peer_user.h"
#include "app/ui/request_check.h"
#include "platform/base/bytes.h"
#include "platform/base/log.h"
#include "platform/base/mutex.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {
namespace {

using httplib::Request;
using httplib::Response;

constexpr const char* kAddress = "127.0.0.1";
// A browser has six connections at most; a second tab has as many.
constexpr size_t kThreads = 16;
constexpr int kEventStreams = 6;
constexpr int kPreviews = 2;
constexpr size_t kLargestHead = 16 << 10;  // bytes

// The page takes a stream for dead that is silent for longer than two seconds.
constexpr int kLooksBetweenHeartbeats = 4;
// How soon it is seen that a page has gone, and its place is free.
constexpr auto kLook = std::chrono::milliseconds(250);
constexpr auto kPatience = std::chrono::milliseconds(250);  // with a camera that opens
constexpr Duration kNextBeat = std::chrono::seconds(15);
// What a server that ends waits for its streams to end at most, and then for their pages to notice.
constexpr auto kStreamsEnd = std::chrono::seconds(2);
constexpr auto kPagesNotice = std::chrono::milliseconds(300);
constexpr auto kShort = std::chrono::milliseconds(5);
constexpr std::string_view kEnds = "The program is about to end.";

constexpr const char* kBoundary = "idkiosk-frame";

const httplib::Headers& SecurityHeaders() {
  static const httplib::Headers headers = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
       "connect-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; "
       "frame-ancestors 'none'"},
      {"Cache-Control", "no-store"},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Permissions-Policy", "camera=(), microphone=(), geolocation=()"},
  };
  return headers;
}

int StatusOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid:
      return 400;
    case ErrorCode::kFailedPrecondition:
      return 409;
    case ErrorCode::kNotFound:
      return 404;
    case ErrorCode::kForbidden:
      return 403;
    default:
      return 503;
  }
}

void Refuse(Response& response, int status, std::string_view sentence) {
  response.status = status;
  response.set_content(JsonWriter().BeginObject().Field("error", sentence).EndObject().Take(),
                       "application/json");
}

// So many streams of a kind at once.
class Places {
 public:
  explicit Places(int all) : all_(all), free_(all) {}

  // Empty when all are taken; else one is, until the pointer goes.
  [[nodiscard]] std::shared_ptr<void> Take() {
    if (free_.fetch_sub(1) > 0) return {this, [this](void*) { ++free_; }};
    ++free_;
    return nullptr;
  }
  [[nodiscard]] bool AnyTaken() const { return free_ < all_; }

 private:
  const int all_;
  std::atomic<int> free_;
};

// Who has that port, in words.
std::string HolderOf(int port) {
  const auto user = PeerUser().AtPort(port);
  if (!user) return "another program has it";
  constexpr size_t kLongest = 16 << 10;
  std::array<char, kLongest> buffer;
  passwd entry{};
  passwd* found = nullptr;
  (void)getpwuid_r(*user, &entry, buffer.data(), buffer.size(), &found);
  return fmt::format("a program of user {} ({}) has it", found == nullptr ? "?" : entry.pw_name,
                     *user);
}

// Closes at once and leaves nothing behind, neither an answer nor a line in the kernel's table.
void CloseUnheard(socket_t socket) {
  constexpr linger kAtOnce{.l_onoff = 1, .l_linger = 0};
  (void)setsockopt(socket, SOL_SOCKET, SO_LINGER, &kAtOnce, sizeof kAtOnce);
  close(socket);
}

}  // namespace

class LoopbackServer::Listener final : public BoundedServer {
 public:
  Listener(const LoopbackServer::Options& options, const Dependencies& deps)
      : BoundedServer({.threads = kThreads,
                       .largest_body = RequestCheck::kLargestBody,
                       .largest_head = kLargestHead,
                       .request_time = options.request_time,
                       .idle_time = options.idle_time},
                      [&heartbeat = deps.heartbeat] { heartbeat.Beat(kNextBeat); }),
        options_(options),
        deps_(deps) {
    // Not httplib's own choice, SO_REUSEPORT: another program could share the port.
    set_socket_options([](socket_t socket) {
      const int on = 1;
      (void)setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    });
    set_tcp_nodelay(true);
    set_default_headers(SecurityHeaders());
    set_pre_routing_handler(
        [this](const Request& request, Response& response) { return Admit(request, response); });
    set_error_handler([](const Request&, Response& response) {
      if (response.body.empty()) Refuse(response, response.status, "There is no such thing here.");
    });
    set_exception_handler([](const Request&, Response& response, const std::exception_ptr&) {
      Refuse(response, 500, "The kiosk failed at this request; try again.");
    });
    AddRoutes();
  }

  ~Listener() override {
    EndStreams();
    StopTaking();
    peers_.reset();
    StopServing();
  }

  [[nodiscard]] Status Listen() {
    const int before = deps_.login.port();
    port_ = before != 0 ? before : options_.port;
    const bool bound =
        port_ == 0 ? (port_ = bind_to_any_port(kAddress)) > 0 : bind_to_port(kAddress, port_);
    if (!bound) {
      return Fail(ErrorCode::kUnavailable,
                  "the page cannot be served at {} port {}: {}; end that one, or name a free port "
                  "as ui.port",
                  kAddress, port_, HolderOf(port_));
    }
    if (Status opened = deps_.login.Open(port_); !opened) return opened;
    check_.emplace(RequestCheck::Options{.host = fmt::format("{}:{}", kAddress, port_),
                                         .login = deps_.login,
                                         .metrics = options_.metrics});
    peers_.emplace([this](int socket, auto user) { LetWait(socket, user); });
    StartTaking();
    return {};
  }

  [[nodiscard]] int port() const { return port_; }

 private:
  // On httplib's thread.
  bool process_and_close_socket(socket_t socket) override {
    peers_->Take(socket);
    return true;
  }

  // On the thread of `peers_`.
  void LetWait(int socket, std::optional<uid_t> user) {
    using Rank = HttpConnection::Rank;
    const bool is_own = user && (user == geteuid() || user == options_.browser_user);
    if (!is_own && !options_.metrics) return CloseUnheard(socket);
    Take(socket, is_own ? Rank::kOwnUser : Rank::kStranger);
  }

  bool Answer(HttpConnection& connection) override { return Process(connection, kAddress, port_); }

  HandlerResponse Admit(const Request& request, Response& response) {
    using Rank = HttpConnection::Rank;
    browser_ = deps_.login.taken();
    const bool is_other_user = connection().rank() == Rank::kStranger;
    const auto refusal = is_other_user && request.path != "/metrics" ? RequestCheck::OfOtherUser()
                                                                     : check_->Check(request);
    if (!is_other_user) {
      connection().set_rank(check_->HasCookie(request) ? Rank::kKnown : Rank::kOwnUser);
    }
    if (!refusal) return HandlerResponse::Unhandled;
    if (request.path == "/" || request.path == "/start") {
      ShowRefusal(response, *refusal);
    } else {
      Refuse(response, refusal->status, refusal->sentence);
    }
    return HandlerResponse::Handled;
  }

  void AddRoutes() {
    for (const PageFile& file : deps_.files) {
      Get(std::string(file.path), [this, &file](const Request&, Response& response) {
        if (file.path == "/" && !EndsWhatWasShown(response)) return;
        if (file.gzipped) response.set_header("Content-Encoding", "gzip");
        response.set_content(file.bytes.data(), file.bytes.size(), std::string(file.content_type));
      });
    }
    Post("/start",
         [this](const Request& request, Response& response) { LetIn(request, response); });
    Get("/events", [this](const Request&, Response& response) { StreamEvents(response); });
    Get("/preview", [this](const Request&, Response& response) { StreamPreview(response); });
    Get(R"(/pictures/([0-9]))",
        [this](const Request& request, Response& response) { GivePicture(request, response); });
    Get("/answer-photo", [this](const Request& request, Response& response) {
      Give(response, deps_.page.AnswerPhoto(request.get_param_value("s")));
    });
    Get(R"(/voice/([a-z]+)/([A-Za-z0-9_.]+)\.wav)",
        [this](const Request& request, Response& response) { GiveSentence(request, response); });
    Post("/command",
         [this](const Request& request, Response& response) { TakeCommand(request, response); });
    if (deps_.logo != nullptr) {
      Get("/brand/logo", [this](const Request&, Response& response) {
        response.set_content(deps_.logo->bytes, std::string(deps_.logo->content_type));
      });
    }
    if (!options_.metrics) return;
    Get("/metrics", [this](const Request&, Response& response) {
      response.set_content(deps_.page.Metrics(), "text/plain; version=0.0.4");
    });
  }

  // Not by a redirect: on the way from a file to another site a browser leaves a strict cookie out.
  void LetIn(const Request& request, Response& response) {
    const auto cookie = deps_.login.Redeem(RequestCheck::TokenIn(request.body));
    if (!cookie) {
      return ShowRefusal(response, {403,
                                    "This start page was used already. Open it again: it has been "
                                    "written anew."});
    }
    if (!EndsWhatWasShown(response)) return;
    response.set_header("Set-Cookie",
                        fmt::format("idkiosk={}; Path=/; HttpOnly; SameSite=Strict", *cookie));
    response.set_content(
        "<!doctype html><meta charset=utf-8><title>idkiosk</title>"
        "<link rel=icon href=/icon.svg type=image/svg+xml>"
        "<meta http-equiv=refresh content='0; url=/'>",
        "text/html; charset=utf-8");
  }

  // Whoever opens the page sees nothing of who was here before.
  [[nodiscard]] bool EndsWhatWasShown(Response& response) {
    const Status ended = deps_.page.PageOpened();
    if (!ended) ShowRefusal(response, {503, "The program is busy. Open the page again."});
    return ended.has_value();
  }

  // For who opened it in a browser.
  static void ShowRefusal(Response& response, const RequestCheck::Refusal& refusal) {
    response.status = refusal.status;
    response.set_content(fmt::format("<!doctype html><meta charset=utf-8><title>idkiosk</title>"
                                     "<h1>Not here</h1><p>{}</p>",
                                     refusal.sentence),
                         "text/html; charset=utf-8");
  }

  // Whether a stream of that browser ends: it does with its cookie.
  [[nodiscard]] bool IsOver(uint64_t browser) const {
    return ending_ || deps_.login.taken() != browser;
  }

  // A page tells numbers and PINs to whatever listens at the port for as long as its stream goes
  // on, and the port is anybody's once it is not ours. So all streams end, and the pages have
  // noticed, before the port is given back.
  void EndStreams() {
    ending_ = true;
    if (!event_places_.AnyTaken()) return;
    const auto latest = std::chrono::steady_clock::now() + kStreamsEnd;
    while (event_places_.AnyTaken() && std::chrono::steady_clock::now() < latest) {
      std::this_thread::sleep_for(kShort);
    }
    std::this_thread::sleep_for(kPagesNotice);
  }

  void TakeCommand(const Request& request, Response& response) {
    if (ending_) return Refuse(response, 503, kEnds);
    auto body = JsonDocument::Parse(request.body);
    const CommandReply reply =
        body && body->root().IsObject()
            ? deps_.page.Command(std::move(*body))
            : CommandReply{Fail(ErrorCode::kInvalid, "a command is a JSON object")};
    response.status = reply.status      ? 204
                      : reply.under_way ? 202
                                        : StatusOf(reply.status.error().code);
    if (reply.status) return;
    JsonWriter json;
    json.BeginObject().Field("error", reply.status.error().message);
    if (reply.problem) json.Field("problem", Name(*reply.problem));
    if (reply.seconds > 0) json.Field("seconds", reply.seconds);
    if (!reply.reference.empty()) json.Field("reference", reply.reference);
    response.set_content(json.EndObject().Take(), "application/json");
  }

  void GivePicture(const Request& request, Response& response) {
    const auto index = static_cast<size_t>(request.matches[1].str()[0] - '0');
    Give(response, deps_.page.Picture(request.get_param_value("s"), index));
  }

  static void Give(Response& response, Result<SecretBytes> picture) {
    if (!picture) return Refuse(response, StatusOf(picture.error().code), picture.error().message);
    auto bytes = std::make_shared<const SecretBytes>(std::move(*picture));
    const bool is_png = bytes->text().starts_with("\x89PNG");
    response.set_content_provider(bytes->size(), is_png ? "image/png" : "image/jpeg",
                                  [bytes](size_t offset, size_t size, httplib::DataSink& sink) {
                                    return sink.write(bytes->text().data() + offset, size);
                                  });
  }

  void GiveSentence(const Request& request, Response& response) {
    if (deps_.voice == nullptr) return Refuse(response, 404, "Nothing is spoken here.");
    auto wav = deps_.voice->Find(request.matches[1].str(), request.matches[2].str());
    if (!wav) return Refuse(response, StatusOf(wav.error().code), wav.error().message);
    response.set_content(std::string(AsText(*wav)), "audio/wav");
  }

  void StreamEvents(Response& response) {
    auto place = event_places_.Take();
    if (!place) return Refuse(response, 503, "Too many pages are open.");
    if (ending_) return Refuse(response, 503, kEnds);
    response.set_header("Idkiosk-Proof", deps_.login.proof());
    response.set_chunked_content_provider(
        "text/event-stream",
        [this, place, watch = deps_.snapshots.Watch(), browser = browser_, seen = uint64_t{0},
         looks = 0](size_t, httplib::DataSink& sink) mutable {
          const auto entry = deps_.snapshots.Next(seen, kLook);
          if (IsOver(browser)) {
            (void)shutdown(connection().socket(), SHUT_RDWR);  // before its place is free
            return false;
          }
          if (!entry && ++looks < kLooksBetweenHeartbeats) return sink.is_writable();
          looks = 0;
          if (!entry) return sink.write(":\n\n", 3);
          seen = entry->revision;
          SecretBytes message = Join("data: ", entry->json->text(), "\n\n");
          return sink.write(message.text().data(), message.size());
        });
  }

  void StreamPreview(Response& response) {
    auto place = preview_places_.Take();
    if (!place) return Refuse(response, 503, "Too many pages are open.");
    if (!deps_.preview.open()) return Refuse(response, 404, "The camera is closed.");
    auto watch = std::make_shared<PreviewSlot::Watch>(deps_.preview);
    response.set_content_provider(
        fmt::format("multipart/x-mixed-replace; boundary={}", kBoundary),
        [this, place, watch, browser = browser_, seen = uint64_t{0}](
            size_t, httplib::DataSink& sink) mutable {
          if (!deps_.preview.open()) return false;
          const auto picture = watch->Next(seen, kPatience);
          if (IsOver(browser)) return false;
          if (!picture) return sink.is_writable();
          // The boundary that follows a picture lets the browser show it at once.
          const std::string head = fmt::format(
              "{}Content-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n",
              seen == 0 ? fmt::format("--{}\r\n", kBoundary) : "", picture->jpeg->size());
          const std::string tail = fmt::format("\r\n--{}\r\n", kBoundary);
          seen = picture->number;
          return sink.write(head.data(), head.size()) &&
                 sink.write(picture->jpeg->text().data(), picture->jpeg->size()) &&
                 sink.write(tail.data(), tail.size());
        });
  }

  static SecretBytes Join(std::string_view before, std::string_view text, std::string_view after) {
    SecretBytes joined(before.size() + text.size() + after.size());
    auto to = joined.mutable_view().begin();
    for (const std::string_view part : {before, text, after}) {
      to = std::ranges::copy(AsBytes(part), to).out;
    }
    return joined;
  }

  // Whose request this thread answers, as BrowserLogin counts them.
  static thread_local uint64_t browser_;

  const LoopbackServer::Options options_;
  const Dependencies deps_;
  std::optional<RequestCheck> check_;  // set before the first connection is taken
  Places event_places_{kEventStreams};
  Places preview_places_{kPreviews};
  std::atomic<bool> ending_ = false;
  int port_ = 0;
  std::optional<PeerQueue> peers_;  // while connections are taken: before they wait
};

thread_local uint64_t LoopbackServer::Listener::browser_ = 0;

LoopbackServer::LoopbackServer(std::unique_ptr<Listener> listener)
    : listener_(std::move(listener)) {}

LoopbackServer::~LoopbackServer() = default;

int LoopbackServer::port() const { return listener_->port(); }

Result<std::unique_ptr<LoopbackServer>> LoopbackServer::Start(const Options& options,
                                                              const Dependencies& deps) {
  auto listener = std::make_unique<Listener>(options, deps);
  if (Status listening = listener->Listen(); !listening) {
    return std::unexpected(listening.error());
  }
  return std::unique_ptr<LoopbackServer>(new LoopbackServer(std::move(listener)));
}

}  // namespace idkiosk
