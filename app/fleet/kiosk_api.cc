#include "app/fleet/kiosk_api.h"

#include <httplib.h>
#include <sys/socket.h>

namespace idkiosk {
namespace {

constexpr time_t kPatience = 10;  // seconds

httplib::Client Connect(const std::string& socket) {
  httplib::Client client(socket);
  client.set_address_family(AF_UNIX);
  client.set_connection_timeout(kPatience);
  client.set_read_timeout(kPatience);
  return client;
}

Result<std::string> Read(const httplib::Result& answer, const std::string& socket,
                         const std::string& target) {
  if (!answer) {
    return Fail(ErrorCode::kUnavailable, "idkiosk does not answer at {}: {}", socket,
                httplib::to_string(answer.error()));
  }
  // An unready kiosk says how it is with 503, and that is an answer.
  const bool is_problem = answer->get_header_value("Content-Type") == "application/problem+json";
  if (answer->status == 403) {
    return Fail(ErrorCode::kForbidden,
                "idkiosk does not let this user ask: name it in api.fleet_user, and put it into "
                "api.group");
  }
  if (answer->status == 200 || (answer->status == 503 && !is_problem)) return answer->body;
  const ErrorCode code = answer->status == 503   ? ErrorCode::kExhausted
                         : answer->status == 413 ? ErrorCode::kInvalid
                                                 : ErrorCode::kInternal;
  return Fail(code, "idkiosk answered {} with {}", target, answer->status);
}

}  // namespace

Result<std::string> SocketKioskApi::Get(const std::string& target) {
  return Read(Connect(socket_).Get(target), socket_, target);
}

Result<std::string> SocketKioskApi::Post(const std::string& target, const std::string& body) {
  return Read(Connect(socket_).Post(target, body, "application/json"), socket_, target);
}

}  // namespace idkiosk
