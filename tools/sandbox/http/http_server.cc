#include "tools/sandbox/http/http_server.h"

#include <httplib.h>
#include <openssl/err.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <set>
#include <thread>

#include "platform/base/mutex.h"
#include "tools/sandbox/http/connection.h"
#include "tools/sandbox/http/growing_pool.h"

namespace idkiosk::sandbox {
namespace {

constexpr auto kIdleTimeout = std::chrono::seconds(75);
// As told to clients; a connection is not counted.
constexpr size_t kMaxRequestsOnConnection = 1'000'000;
constexpr time_t kReadTimeoutSeconds = 10;
constexpr time_t kWriteTimeoutSeconds = 30;

struct FreeTlsContext {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
using TlsContext = std::unique_ptr<SSL_CTX, FreeTlsContext>;

Result<TlsContext> LoadTls(const std::string& certificate_file, const std::string& key_file) {
  TlsContext context(SSL_CTX_new(TLS_server_method()));
  if (context == nullptr) return Fail(ErrorCode::kInternal, "OpenSSL could not make a TLS context");
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
  if (SSL_CTX_use_certificate_chain_file(context.get(), certificate_file.c_str()) != 1 ||
      SSL_CTX_use_PrivateKey_file(context.get(), key_file.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context.get()) != 1) {
    ERR_clear_error();
    return Fail(ErrorCode::kInvalid,
                "{} and {} are not a certificate and its key; remove both and they are made again",
                certificate_file, key_file);
  }
  return context;
}

bool AnnouncesBody(const httplib::Request& request) {
  return request.has_header("Content-Length") || request.has_header("Transfer-Encoding");
}

HttpRequest Borrow(const httplib::Request& from) {
  HttpRequest request;
  request.method = from.method;
  request.path = from.path;
  request.remote_address = from.remote_addr;
  request.headers.reserve(from.headers.size());
  for (const auto& [key, value] : from.headers) request.headers.emplace_back(key, value);
  for (const auto& [key, value] : from.params) request.query.emplace_back(key, value);
  request.body = from.body;
  for (const auto& [name, part] : from.files) {
    request.parts.push_back({.name = name, .filename = part.filename, .content = part.content});
  }
  return request;
}

size_t AnnouncedLength(const HttpRequest& request) {
  const std::string_view text = request.Header("Content-Length");
  size_t length = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), length);
  return length;
}

}  // namespace

// httplib reads requests and routes them; connections, their threads and their end are ours.
class HttpServer::Listener final : public httplib::Server {
 public:
  Listener(HttpServerOptions options, TlsContext tls)
      : options_(std::move(options)), tls_(std::move(tls)) {
    stopping_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    new_task_queue = [this] { return new GrowingPool(options_.max_connections); };
    // httplib's own choice, SO_REUSEPORT, would let two sandboxes share a port and its calls.
    set_socket_options([](socket_t socket) {
      const int on = 1;
      (void)setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    });
    set_tcp_nodelay(true);
    set_read_timeout(kReadTimeoutSeconds);
    set_write_timeout(kWriteTimeoutSeconds);
    set_keep_alive_timeout(kIdleTimeout.count());
    set_keep_alive_max_count(kMaxRequestsOnConnection);
    set_payload_max_length(options_.max_body);
    set_pre_routing_handler([this](const auto& request, auto& response) {
      return AnswerBeforeBody(request, response);
    });
    const auto handle = [this](const httplib::Request& request, httplib::Response& response) {
      Answer(handler_->Handle(Borrow(request)), response);
    };
    const std::string everything = "/.*";
    Get(everything, handle);
    Post(everything, handle);
    Put(everything, handle);
    Delete(everything, handle);
    set_error_handler([this](const httplib::Request& request, httplib::Response& response) {
      if (!serving_->answered) {
        serving_->close_after = true;
        Answer(handler_->Refuse(Borrow(request), response.status), response);
      }
    });
    set_post_routing_handler([](const httplib::Request&, httplib::Response& response) {
      if (!serving_->close_after) return;
      response.headers.erase("Keep-Alive");
      response.set_header("Connection", "close");
    });
  }

  ~Listener() override {
    const uint64_t one = 1;
    (void)!::write(stopping_, &one, sizeof one);
    {
      const MutexLock lock(open_mutex_);
      for (const int socket : open_) (void)shutdown(socket, SHUT_RD);
    }
    stop();
    if (thread_.joinable()) thread_.join();
    close(stopping_);
  }

  Status Bind() {
    port_ = options_.port;
    const bool bound = options_.port == 0 ? (port_ = bind_to_any_port(options_.address)) > 0
                                          : bind_to_port(options_.address, options_.port);
    if (!bound) {
      return Fail(ErrorCode::kUnavailable,
                  "cannot listen on {} port {}: it is taken, or not this machine's address",
                  options_.address, options_.port);
    }
    return {};
  }

  void Serve(HttpHandler& handler) {
    handler_ = &handler;
    thread_ = std::thread([this] { listen_after_bind(); });
    wait_until_ready();
  }

  [[nodiscard]] int port() const { return port_; }

 private:
  // The request that this thread is at.
  struct Exchange {
    bool answered = false;
    bool close_after = false;
    Delivery delivery = Delivery::kWhole;
    std::chrono::milliseconds delay{0};
  };

  // A socket that a stopping server hurries out of its reads.
  class OpenSocket {
   public:
    OpenSocket(Listener& listener, int socket) : listener_(listener), socket_(socket) {
      const MutexLock lock(listener_.open_mutex_);
      listener_.open_.insert(socket_);
    }
    ~OpenSocket() {
      const MutexLock lock(listener_.open_mutex_);
      listener_.open_.erase(socket_);
    }

   private:
    Listener& listener_;
    const int socket_;
  };

  bool process_and_close_socket(socket_t socket) override {
    Connection connection(socket, tls_.get());
    const OpenSocket open(*this, socket);
    if (!connection.Handshake()) return false;
    const std::string address = connection.RemoteAddress();
    while (WaitForInput(connection)) {
      Exchange exchange;
      serving_ = &exchange;
      bool closed_by_client = false;
      const bool written = process_request(connection, address, 0, "", 0,
                                           /*close_connection=*/false, closed_by_client,
                                           [](httplib::Request& request) {
                                             // Without a length httplib would wait for the end of
                                             // the connection.
                                             if (!AnnouncesBody(request))
                                               request.set_header("Content-Length", "0");
                                           });
      serving_ = nullptr;
      if (exchange.delay.count() > 0) (void)WaitForStop(exchange.delay);
      if (!connection.Deliver(exchange.delivery)) return false;
      if (!written || closed_by_client || exchange.close_after) return false;
    }
    return true;
  }

  // True once there is a request to read; false at shutdown or when the client stays silent.
  bool WaitForInput(const Connection& connection) const {
    if (connection.HasBufferedInput()) return true;
    pollfd waiting[] = {{.fd = connection.socket(), .events = POLLIN, .revents = 0},
                        {.fd = stopping_, .events = POLLIN, .revents = 0}};
    const auto timeout = std::chrono::duration_cast<std::chrono::milliseconds>(kIdleTimeout);
    return poll(waiting, 2, static_cast<int>(timeout.count())) > 0 && waiting[1].revents == 0;
  }

  bool WaitForStop(std::chrono::milliseconds time) const {
    pollfd waiting{.fd = stopping_, .events = POLLIN, .revents = 0};
    return poll(&waiting, 1, static_cast<int>(time.count())) > 0;
  }

  HandlerResponse AnswerBeforeBody(const httplib::Request& from, httplib::Response& response) {
    const HttpRequest request = Borrow(from);
    const bool too_large = AnnouncedLength(request) > options_.max_body;
    auto answer =
        too_large ? std::optional(handler_->Refuse(request, 413)) : handler_->BeforeBody(request);
    if (!answer) return HandlerResponse::Unhandled;
    serving_->close_after = true;
    Answer(std::move(*answer), response);
    return HandlerResponse::Handled;
  }

  void Answer(HttpAnswer answer, httplib::Response& response) {
    serving_->answered = true;
    serving_->delivery = answer.delivery;
    serving_->delay = answer.delay;
    response.status = answer.status;
    response.set_content(std::move(answer.body), answer.content_type);
    response.set_header("Date", FormatHttpDate(options_.clock()));
    for (auto& [key, value] : answer.headers) response.set_header(key, value);
  }

  static thread_local Exchange* serving_;

  const HttpServerOptions options_;
  const TlsContext tls_;
  HttpHandler* handler_ = nullptr;  // set before the first connection is served
  int stopping_ = -1;               // an eventfd, readable once the server stops
  int port_ = 0;
  std::thread thread_;
  Mutex open_mutex_;
  std::set<int> open_ GUARDED_BY(open_mutex_);
};

thread_local HttpServer::Listener::Exchange* HttpServer::Listener::serving_ = nullptr;

HttpServer::HttpServer(std::unique_ptr<Listener> listener) : listener_(std::move(listener)) {}
HttpServer::~HttpServer() = default;
int HttpServer::port() const { return listener_->port(); }

void HttpServer::Serve(HttpHandler& handler) { listener_->Serve(handler); }

Result<std::unique_ptr<HttpServer>> HttpServer::Bind(HttpServerOptions options) {
  TlsContext tls;
  if (!options.certificate_file.empty()) {
    auto loaded = LoadTls(options.certificate_file, options.key_file);
    if (!loaded) return std::unexpected(loaded.error());
    tls = std::move(*loaded);
  }
  auto listener = std::make_unique<Listener>(std::move(options), std::move(tls));
  if (auto bound = listener->Bind(); !bound) return std::unexpected(bound.error());
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(listener)));
}

}  // namespace idkiosk::sandbox
