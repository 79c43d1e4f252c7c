#ifndef IDKIOSK_TOOLS_SANDBOX_HTTP_HTTP_SERVER_H_
#define IDKIOSK_TOOLS_SANDBOX_HTTP_HTTP_SERVER_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "tools/sandbox/http/http.h"

namespace idkiosk::sandbox {

// Answers the requests of an HttpServer. Called on many threads at once.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;

  // Asked when the headers are there and the body is not. An answer here is sent (or dropped) at
  // once and the connection closes; nothing goes on to read the body.
  [[nodiscard]] virtual std::optional<HttpAnswer> BeforeBody(const HttpRequest& request) = 0;

  [[nodiscard]] virtual HttpAnswer Handle(const HttpRequest& request) = 0;

  // A request that HTTP itself refuses with `status`: garbled, too large, cut short by its sender.
  [[nodiscard]] virtual HttpAnswer Refuse(const HttpRequest& request, int status) = 0;
};

struct HttpServerOptions {
  std::string address = "127.0.0.1";
  int port = 0;                     // 0: any free one
  std::string certificate_file;     // PEM chain; empty: plain HTTP
  std::string key_file;             // PEM
  size_t max_body = 8 << 20;        // bytes; more is refused with 413
  size_t max_connections = 512;     // more are closed at once
  std::function<WallTime()> clock;  // for the Date header
};

// HTTP/1.1 over TLS 1.2 and 1.3, one thread for each connection in use.
class HttpServer {
 public:
  // Takes the address and port; connections wait until Serve().
  // Errors: kInvalid for a bad certificate; kUnavailable when the address and port cannot be had.
  [[nodiscard]] static Result<std::unique_ptr<HttpServer>> Bind(HttpServerOptions options);
  // Ends every connection and joins every thread.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Once, on a thread of its own. `handler` must outlive the server.
  void Serve(HttpHandler& handler);

  [[nodiscard]] int port() const;

 private:
  class Listener;
  explicit HttpServer(std::unique_ptr<Listener> listener);
  std::unique_ptr<Listener> listener_;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_HTTP_HTTP_SERVER_H_
