#ifndef IDKIOSK_TOOLS_SANDBOX_SERVICE_ENDPOINT_H_
#define IDKIOSK_TOOLS_SANDBOX_SERVICE_ENDPOINT_H_

#include <cstdint>
#include <span>
#include <string_view>

namespace idkiosk::sandbox {

enum class Endpoint {
  kCheck,
  kReasons,
  kVerify,
  kLookupPhone,
  kLookupNin,
  kLookupNinPhone,
  kLogin,
  kRegister,
  kChangePassword,
};

enum class Credentials {
  kNone,
  kApiKeyAsBearer,  // Authorization: Bearer <API_KEY>, nothing else
  kThreeHeaders,    // X-API-KEY, X-USER-ID, Authorization: Bearer <ACCESS_TOKEN>
};

struct EndpointRow {
  Endpoint endpoint;
  std::string_view name;
  std::string_view title;  // for people
  std::string_view method;
  std::string_view path;
  Credentials credentials;
  bool billed;
  int64_t price;  // in the hundredth of the currency; assumed
  size_t level;   // the index in AccessLevels() of the lowest that may use it
};

// The endpoints of the service. Which methods and paths are the document's own and which are
// assumed is marked in openapi.json.
[[nodiscard]] std::span<const EndpointRow> Endpoints();

// Null where the service has no such endpoint.
[[nodiscard]] const EndpointRow* FindEndpoint(std::string_view method, std::string_view path);
[[nodiscard]] const EndpointRow* FindEndpoint(std::string_view name);

// Access levels: the document says that there are some and that the operator assigns them. Assumed:
//   basic     request reasons, phone, generic verification
//   standard  and NIN details
//   full      and NIN with facial images
// Login, registration and password change are open to every level.
[[nodiscard]] std::span<const std::string_view> AccessLevels();
[[nodiscard]] bool LevelAllows(std::string_view level, Endpoint endpoint);

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_SERVICE_ENDPOINT_H_
