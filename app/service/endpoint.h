#ifndef IDKIOSK_APP_SERVICE_ENDPOINT_H_
#define IDKIOSK_APP_SERVICE_ENDPOINT_H_

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "app/service/request_template.h"

namespace idkiosk {

// In the order of the clerk's tasks and of the commands.
enum class Endpoint {
  kVerify,
  kCheck,
  kLookupPhone,
  kLookupNin,
  kLookupNinPhone,
  kReasons,
  kLogin,
  kRegister,
  kChangePassword,
};

class PlaceholderSet {
 public:
  constexpr PlaceholderSet(std::initializer_list<Placeholder> placeholders) {
    for (const Placeholder each : placeholders) bits_ |= Bit(each);
  }
  [[nodiscard]] constexpr bool Has(Placeholder one) const { return (bits_ & Bit(one)) != 0; }
  // Returns them in the order of the enumeration.
  [[nodiscard]] std::vector<Placeholder> list() const;

 private:
  static constexpr uint32_t Bit(Placeholder one) { return 1U << static_cast<unsigned>(one); }
  uint32_t bits_ = 0;
};

// All that the program knows of an endpoint by itself; the rest stands in the profile. The parser
// of profiles, the codecs, the checks, the queue, the commands and the clerk's desk go by it.
struct EndpointTraits {
  std::string_view name;       // in the profile
  PlaceholderSet asks = {};    // what each request must hold
  PlaceholderSet offers = {};  // and what it may hold besides
  // The command, and the clerk's task, that asks it. Empty: it asks nothing about a person.
  std::string_view task = {};
  std::string_view summary = {};  // of the command
  bool looks_up = false;          // its answer says more than yes or no: a command of `lookup`
  std::string_view kind = {};     // the {type} or {search_type} that the service's document shows
  std::string_view pointer = {};  // the part of its answer that the program cannot do without

  [[nodiscard]] constexpr bool Takes(Placeholder one) const {
    return asks.Has(one) || offers.Has(one);
  }
  [[nodiscard]] constexpr bool TakesPictures() const { return Takes(Placeholder::kSelfie); }
};

// The one table of endpoints. The compiler finds an endpoint without a row. Empty: no endpoint.
[[nodiscard]] constexpr EndpointTraits TraitsOf(Endpoint endpoint) {
  using enum Placeholder;
  switch (endpoint) {
    case Endpoint::kVerify:
      return {
          .name = "verify",
          .asks = {kNin, kRequestReason, kSelfie, kLiveness1, kLiveness2, kLiveness3, kLiveness4},
          .task = "verify",
          .summary = "Verify a NIN with a selfie and four liveness pictures"};
    case Endpoint::kCheck:
      return {.name = "check",
              .asks = {kIdNumber},
              .offers = {kType, kRequestReason},
              .task = "check",
              .summary = "Verify an identity number alone",
              .kind = "nin"};
    case Endpoint::kLookupPhone:
      return {.name = "lookup_phone",
              .asks = {kPhone},
              .offers = {kSearchType},
              .task = "phone",
              .summary = "Look up a phone number",
              .looks_up = true,
              .kind = "advance"};
    case Endpoint::kLookupNin:
      return {.name = "lookup_nin",
              .asks = {kNin, kRequestReason},
              .task = "nin",
              .summary = "Look up the details of a NIN",
              .looks_up = true};
    case Endpoint::kLookupNinPhone:
      return {.name = "lookup_nin_phone",
              .asks = {kPhone, kRequestReason},
              .task = "nin-phone",
              .summary = "Look up a NIN's details by phone number",
              .looks_up = true};
    case Endpoint::kReasons:
      return {.name = "reasons", .pointer = "list"};
    case Endpoint::kLogin:
      return {.name = "login", .asks = {kLogin, kPassword}, .pointer = "token"};
    case Endpoint::kRegister:
      return {.name = "register", .asks = {kLogin, kPassword}, .offers = {kName}};
    case Endpoint::kChangePassword:
      return {.name = "change_password", .asks = {kNewPassword}, .offers = {kLogin, kPassword}};
  }
  return {};
}

inline constexpr size_t kEndpointCount = [] {
  size_t count = 0;
  while (!TraitsOf(static_cast<Endpoint>(count)).name.empty()) ++count;
  return count;
}();

inline constexpr auto kEndpoints = [] {
  std::array<Endpoint, kEndpointCount> all{};
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Endpoint>(i);
  return all;
}();

[[nodiscard]] constexpr std::string_view Name(Endpoint endpoint) { return TraitsOf(endpoint).name; }
[[nodiscard]] std::optional<Endpoint> EndpointOf(std::string_view name);

[[nodiscard]] constexpr std::string_view TaskOf(Endpoint endpoint) {
  return TraitsOf(endpoint).task;
}
[[nodiscard]] std::optional<Endpoint> EndpointOfTask(std::string_view task);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_ENDPOINT_H_
