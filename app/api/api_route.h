#ifndef IDKIOSK_APP_API_API_ROUTE_H_
#define IDKIOSK_APP_API_API_ROUTE_H_

#include <expected>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/api/api_peer.h"
#include "app/api/problem.h"

namespace idkiosk {

class ApiBackend;
class EventReader;

// A request that may be asked, with everything its operation takes.
struct ApiRequest {
  ApiPeer peer;
  std::vector<std::string> names;            // what stood for each {name} of the path
  std::map<std::string, std::string> query;  // those that the route names
  std::string idempotency_key;               // of its user alone; empty: none was sent
  std::string last_event_id;                 // empty: none was sent
  std::string body;
};

struct ApiReply {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};
  // Instead of a body: events, until the reader or the server goes.
  std::shared_ptr<EventReader> events = nullptr;
};
// A problem is a value, too.
using ApiAnswer = std::expected<ApiReply, Problem>;

// One operation: a row of the one table of routes.
struct ApiRoute {
  std::string_view method;
  std::string_view path;        // "/v1/checks/{reference}:resend"
  std::string_view name;        // operationId in the document
  std::string_view query = {};  // names of parameters, "state since"
  size_t largest_body = 0;      // bytes; 0: takes none
  bool is_large = false;        // few at once: they take memory, or long
  ApiAnswer (*answer)(ApiBackend& backend, const ApiRequest& request) = nullptr;
  bool is_fleets = false;  // asked by api.fleet_user, too, which may ask nothing else
};

// A body of so many bytes is small: it has no pictures.
inline constexpr size_t kSmallBody = size_t{4} << 10;

// All of them, in the order of the document.
[[nodiscard]] std::span<const ApiRoute> AllRoutes();

struct FoundRoute {
  const ApiRoute* route = nullptr;
  std::vector<std::string> names;
};
// Finds the row for a request line, whose path is taken as it came: nothing is decoded, and what a
// row does not name is not there. `target`: with its query. Problems: kUnknownPath, kWrongMethod.
[[nodiscard]] std::expected<FoundRoute, Problem> FindRoute(std::string_view method,
                                                           std::string_view target);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_API_API_ROUTE_H_
