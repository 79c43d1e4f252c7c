#ifndef IDKIOSK_APP_SETTINGS_SERVICE_ADDRESS_H_
#define IDKIOSK_APP_SETTINGS_SERVICE_ADDRESS_H_

#include <optional>
#include <string>
#include <string_view>

#include "app/settings/settings.h"

namespace idkiosk {

// The service at one address: credentials belong to it, and so do calls.
struct ServiceAddress {
  Environment environment = Environment::kSandbox;
  // Scheme, host and port of the base address: "https://customer.example:8443". Without a port
  // where it is the scheme's own.
  std::string origin;

  bool operator==(const ServiceAddress&) const = default;
};

// `base_url`: service.base_url, as CheckBaseUrl leaves it; its path counts for nothing.
[[nodiscard]] ServiceAddress AddressOf(Environment environment, std::string_view base_url);

// "sandbox https://customer.example:8443", for storing, and back. Nothing: not such a text.
[[nodiscard]] std::string ToText(const ServiceAddress& address);
[[nodiscard]] std::optional<ServiceAddress> ParseServiceAddress(std::string_view text);

// "https://customer.example:8443 (sandbox)", for people.
[[nodiscard]] std::string Describe(const ServiceAddress& address);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_SERVICE_ADDRESS_H_
