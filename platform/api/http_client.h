#ifndef IDKIOSK_PLATFORM_API_HTTP_CLIENT_H_
#define IDKIOSK_PLATFORM_API_HTTP_CLIENT_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/bytes.h"
#include "platform/base/error.h"
#include "platform/base/secret_bytes.h"
#include "platform/base/time.h"

namespace idkiosk {

// The bytes of a request, made while they are sent: a bundle of pictures is never there twice.
class HttpBody {
 public:
  virtual ~HttpBody() = default;
  [[nodiscard]] virtual uint64_t size() const = 0;
  // Fills the front of `out`; the number of bytes written, 0 at the end.
  [[nodiscard]] virtual size_t Read(std::span<char> out) = 0;
};

struct HttpRequest {
  struct Header {
    std::string name;
    SecretBytes value;
  };

  std::string method = "GET";
  SecretBytes url;  // absolute; secret because some endpoints carry a number in their query
  std::vector<Header> headers;
  HttpBody* body = nullptr;  // borrowed; nothing is sent where there is none
  Duration connect_timeout = std::chrono::seconds(10);
  Duration total_timeout = std::chrono::seconds(60);
  size_t max_answer_size = 4 << 20;  // bytes
  // Whoever asks wants to know no more than the answer's head: an answer whose head came in whole
  // counts as whole, however long its body is, and wherever it was cut. What came of the body is
  // there.
  bool needs_head_alone = false;
  // How long the connection is watched behind an answer of this status, for more bytes that nobody
  // asked for (HttpAnswer::more_behind). Empty: only what came together with its last bytes is
  // seen.
  std::function<Duration(int status)> watch_behind;
  // A connection that was used before may be dead, and the request's fate is unknown then.
  bool fresh_connection = false;
};

// How far a request came. Only kNotSent proves that the server did not act on it.
enum class SendStage {
  kNotSent,   // no byte of the request left
  kSent,      // bytes may have left; no whole answer came
  kAnswered,  // a whole answer came
};

struct HttpAnswer {
  struct Header {
    std::string name;  // lower case
    std::string value;
  };

  int status = 0;
  std::vector<Header> headers;
  SecretBytes body;
  // It began before the request had left in whole: a refusal may, an answer to the question cannot.
  bool early = false;
  // It said neither its length nor that it comes in chunks: whatever was cut from its end, it looks
  // whole.
  bool ended_by_close = false;
  // More bytes came behind its end, as if another answer followed: together with its last bytes, or
  // within HttpRequest::watch_behind.
  bool more_behind = false;

  // The first header of that name, which is given in lower case; nothing if there is none.
  [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const {
    for (const Header& each : headers) {
      if (each.name == name) return each.value;
    }
    return std::nullopt;
  }
};

// The times of the steps of one exchange, from its start.
struct HttpTimings {
  Duration connected{};   // transport and TLS are there; zero for a connection used before
  Duration first_byte{};  // of the answer
  Duration total{};
};

struct HttpExchange {
  SendStage stage = SendStage::kNotSent;
  HttpAnswer answer;           // where stage is kAnswered
  std::optional<Error> error;  // where it is not
  HttpTimings timings;
  // Bytes that nobody had asked for lay on the connection that was used before: a fresh one was
  // made, and all the rest is said of that one.
  bool met_stale_bytes = false;
};

// Sends HTTP requests, one at a time, on the caller's thread. Keeps no connection but that of the
// last answer, and not that one if the answer was early, or if bytes came after its end: they would
// be read as the answer of the next request. An answer that says in two ways how long it is counts
// as none. Follows no redirect, repeats nothing, uses no proxy that was not configured, verifies
// the server's certificate.
//
// Error codes of an exchange: kUnavailable (name not found, connection refused, reset, cut),
// kTimeout, kUnauthenticated (the server's certificate or pin is not the expected one), kExhausted
// (answer too large), kCancelled, kInvalid (the URL makes no sense), or what `before_send`
// returned.
class HttpClient {
 public:
  // Called once, when the connection stands and before the first byte of the request leaves. An
  // error stops the exchange with nothing sent.
  using BeforeSend = std::move_only_function<Status()>;

  virtual ~HttpClient() = default;

  // If the transport wants to send the request a second time, the exchange ends instead, with
  // stage kSent.
  [[nodiscard]] virtual HttpExchange Send(const HttpRequest& request, BeforeSend before_send) = 0;

  // Any thread: the exchange under way, if any, ends soon with kCancelled. A request that had not
  // begun to leave is not sent.
  virtual void Cancel() = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_API_HTTP_CLIENT_H_
