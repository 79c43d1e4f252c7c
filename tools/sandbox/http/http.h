#ifndef IDKIOSK_TOOLS_SANDBOX_HTTP_HTTP_H_
#define IDKIOSK_TOOLS_SANDBOX_HTTP_HTTP_H_

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/base/error.h"
#include "platform/base/time.h"

namespace idkiosk::sandbox {

// One part of a multipart/form-data body. Borrowed from the request.
struct HttpPart {
  std::string_view name;
  std::string_view filename;  // empty for a plain field
  std::string_view content;
};

// A request as it came in. Everything in it is borrowed: it is valid until the answer is returned.
struct HttpRequest {
  std::string_view method;
  std::string_view path;
  std::string_view remote_address;
  std::vector<std::pair<std::string_view, std::string_view>> headers;
  std::vector<std::pair<std::string_view, std::string_view>> query;
  std::string_view body;  // empty for multipart
  std::vector<HttpPart> parts;

  // The first header of that name, in any case; empty where there is none.
  [[nodiscard]] std::string_view Header(std::string_view name) const;
  [[nodiscard]] std::optional<std::string_view> Query(std::string_view name) const;
  // The value of a cookie; empty where there is none.
  [[nodiscard]] std::string_view Cookie(std::string_view name) const;
  [[nodiscard]] size_t BodySize() const;
};

// How much of an answer reaches the client.
enum class Delivery {
  kWhole,
  kCut,      // the headers and half of the body, then the connection closes
  kDropped,  // nothing; the connection closes
  kReset,    // nothing; the connection is reset (TCP RST)
};

struct HttpAnswer {
  int status = 200;
  std::string body;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;
  Delivery delivery = Delivery::kWhole;
  std::chrono::milliseconds delay{0};  // waited before the first byte; ends early at shutdown
};

// {"status":"success","message":...,"data":...}; `data` is JSON text, left out where it is empty.
[[nodiscard]] HttpAnswer Success(int status, std::string_view message, std::string_view data);
// {"status":"error","message":...}
[[nodiscard]] HttpAnswer Refusal(int status, std::string_view message);

// "Fri, 20 Nov 2026 19:21:47 GMT"
[[nodiscard]] std::string FormatHttpDate(WallTime time);

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_HTTP_HTTP_H_
