#ifndef IDKIOSK_APP_FLEET_TOPICS_H_
#define IDKIOSK_APP_FLEET_TOPICS_H_

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace idkiosk {

// The names under which a kiosk speaks with headquarters. README.md says what each carries.
//   idkiosk/v1/TENANT/KIOSK/state | metrics | ledger | audit | settings | reply      from the kiosk
//   idkiosk/v1/TENANT/KIOSK/ack/ledger | ack/audit | command                         to it

// Whether a tenant or a kiosk may have that name: nothing in it means anything to a broker.
[[nodiscard]] inline bool IsTopicName(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

[[nodiscard]] inline std::string Topic(std::string_view tenant, std::string_view kiosk,
                                       std::string_view what) {
  return fmt::format("idkiosk/v1/{}/{}/{}", tenant, kiosk, what);
}

}  // namespace idkiosk

#endif  // IDKIOSK_APP_FLEET_TOPICS_H_
