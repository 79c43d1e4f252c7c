#ifndef IDKIOSK_TOOLS_SANDBOX_SERVICE_CALL_H_
#define IDKIOSK_TOOLS_SANDBOX_SERVICE_CALL_H_

#include <chrono>
#include <string>
#include <string_view>

#include "tools/sandbox/http/http.h"
#include "tools/sandbox/service/form.h"
#include "tools/sandbox/store/accounts.h"

namespace idkiosk::sandbox {

// A request that an endpoint may carry out: its caller is known and allowed to use it.
struct Call {
  const HttpRequest& request;
  const Form& form;
  const Account& account;  // an empty one for login and registration
  WallTime now;
};

// An endpoint's answer to a call, with what the ledger is to know of it.
struct Reply {
  HttpAnswer http;
  std::string message;  // of a refusal
  std::string_view outcome = "failed";
  std::string reference;  // empty where the answer has none
};

[[nodiscard]] inline Reply Refuse(int status, std::string message) {
  Reply reply{.http = Refusal(status, message),
              .message = {},
              .outcome = status == 400   ? "rejected"
                         : status == 404 ? "not_found"
                                         : "failed",
              .reference = {}};
  reply.message = std::move(message);
  return reply;
}

// 429, with how long to wait.
[[nodiscard]] inline Reply RefuseForNow(std::chrono::seconds wait, std::string message) {
  Reply reply = Refuse(429, std::move(message));
  reply.http.headers.emplace_back("Retry-After", std::to_string(wait.count()));
  return reply;
}

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_SERVICE_CALL_H_
