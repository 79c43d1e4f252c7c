#include "app/fleet/kiosk_api.h"

#include <httplib.h>
#include <sys/socket.h>

namespace idkiosk {
namespace {

constexpr time_t kPatience = 10;  // seconds

}  // namespace

Result<std::string> SocketKioskApi::Get(const std::string& target) {
  httplib::Client client(socket_);
  client.set_address_family(AF_UNIX);
  client.set_connection_timeout(kPatience);
  client.set_read_timeout(kPatience);
  const httplib::Result answer = client.Get(target);
  if (!answer) {
    return Fail(ErrorCode::kUnavailable, "idkiosk does not answer at {}: {}", socket_,
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
  const ErrorCode code = answer->status == 503 ? ErrorCode::kUnavailable : ErrorCode::kInternal;
  return Fail(code, "idkiosk answered {} with {}", target, answer->status);
}

}  // namespace idkiosk
