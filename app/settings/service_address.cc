#include "app/settings/service_address.h"

#include <fmt/format.h>

#include <algorithm>

namespace idkiosk {
namespace {

struct SchemePort {
  std::string_view scheme;
  std::string_view port;
};
constexpr SchemePort kOwnPorts[] = {{"https://", ":443"}, {"http://", ":80"}};

}  // namespace

ServiceAddress AddressOf(Environment environment, std::string_view base_url) {
  const size_t scheme = base_url.find("://");
  const size_t host = scheme == std::string_view::npos ? 0 : scheme + 3;
  std::string_view origin = base_url.substr(0, base_url.find('/', host));
  for (const SchemePort& each : kOwnPorts) {
    if (!origin.starts_with(each.scheme) || !origin.ends_with(each.port)) continue;
    origin.remove_suffix(each.port.size());
  }
  return {environment, std::string(origin)};
}

std::string ToText(const ServiceAddress& address) {
  return fmt::format("{} {}", Name(address.environment), address.origin);
}

std::optional<ServiceAddress> ParseServiceAddress(std::string_view text) {
  for (const Environment each : {Environment::kSandbox, Environment::kProduction}) {
    const std::string_view name = Name(each);
    if (!text.starts_with(name) || text.substr(name.size(), 1) != " ") continue;
    return ServiceAddress{each, std::string(text.substr(name.size() + 1))};
  }
  return std::nullopt;
}

std::string Describe(const ServiceAddress& address) {
  return fmt::format("{} ({})", address.origin, Name(address.environment));
}

}  // namespace idkiosk
