#ifndef IDKIOSK_APP_HTTP_HEADER_NAMES_H_
#define IDKIOSK_APP_HTTP_HEADER_NAMES_H_

#include <httplib.h>

#include <optional>
#include <string>

namespace idkiosk {

// Returns a header's name that is none by RFC 9110, if the request has one: "Transfer-Encoding " is
// not found by who looks for it, and may mean something to whoever passes the request on.
[[nodiscard]] std::optional<std::string> OddHeaderName(const httplib::Request& request);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_HTTP_HEADER_NAMES_H_
