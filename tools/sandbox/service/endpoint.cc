#include "tools/sandbox/service/endpoint.h"

#include <algorithm>
#include <array>

#include "platform/base/enum_rows.h"

namespace idkiosk::sandbox {
namespace {

using enum Endpoint;
using enum Credentials;

// From the lowest to the highest.
constexpr std::array<std::string_view, 3> kLevels = {"basic", "standard", "full"};
constexpr size_t kBasic = 0, kStandard = 1, kFull = 2;

constexpr EndpointRow kEndpoints[] = {
    {kCheck, "check", "Generic verification", "POST", "/v1/verify", kApiKeyAsBearer, true, 25'00,
     kBasic},
    {kReasons, "reasons", "Request reasons", "GET", "/api/v1/ninAuth/getRequestReasons",
     kThreeHeaders, false, 0, kBasic},
    {kVerify, "verify", "NIN with facial images", "POST", "/api/v1/ninAuth/verifyNINWithFace",
     kThreeHeaders, true, 100'00, kFull},
    {kLookupPhone, "lookup_phone", "Phone number", "GET", "/verify/verifyPhoneNumber",
     kThreeHeaders, true, 30'00, kBasic},
    {kLookupNin, "lookup_nin", "NIN details", "POST", "/ninAuth/getNINDetails", kThreeHeaders, true,
     50'00, kStandard},
    {kLookupNinPhone, "lookup_nin_phone", "NIN details with phone", "POST",
     "/ninAuth/getNINDetailsWithPhone", kThreeHeaders, true, 50'00, kStandard},
    {kLogin, "login", "Login", "POST", "/api/v1/auth/login", kNone, false, 0, kBasic},
    {kRegister, "register", "Registration", "POST", "/api/v1/auth/register", kNone, false, 0,
     kBasic},
    {kChangePassword, "change_password", "Password change", "POST", "/api/v1/auth/changePassword",
     kThreeHeaders, false, 0, kBasic},
};
static_assert(HasEachRow(kEndpoints, &EndpointRow::endpoint));

template <typename Matches>
const EndpointRow* FindWhere(Matches matches) {
  const auto* found = std::ranges::find_if(kEndpoints, matches);
  return found == std::end(kEndpoints) ? nullptr : found;
}

}  // namespace

std::span<const EndpointRow> Endpoints() { return kEndpoints; }

const EndpointRow* FindEndpoint(std::string_view method, std::string_view path) {
  return FindWhere(
      [&](const EndpointRow& row) { return row.path == path && row.method == method; });
}

const EndpointRow* FindEndpoint(std::string_view name) {
  return FindWhere([&](const EndpointRow& row) { return row.name == name; });
}

std::span<const std::string_view> AccessLevels() { return kLevels; }

bool LevelAllows(std::string_view level, Endpoint endpoint) {
  const auto index = static_cast<size_t>(std::ranges::find(kLevels, level) - kLevels.begin());
  return index < kLevels.size() && index >= kEndpoints[static_cast<size_t>(endpoint)].level;
}

}  // namespace idkiosk::sandbox
