#ifndef IDKIOSK_APP_QUEUE_MADE_FOR_H_
#define IDKIOSK_APP_QUEUE_MADE_FOR_H_

#include <optional>
#include <string>
#include <string_view>

#include "app/settings/service_address.h"

namespace idkiosk {

// The service that a call was made for: it is never sent to another one by itself.
struct MadeFor {
  ServiceAddress address;
  // Keyed digest of the user ID, 32 hex digits; empty: the vault held none.
  std::string account;

  bool operator==(const MadeFor&) const = default;
};

// "sandbox https://customer.example 0123...", as a row and a copy have it, and back. Nothing: not
// such a text.
[[nodiscard]] std::string ToText(const MadeFor& made_for);
[[nodiscard]] std::optional<MadeFor> ParseMadeFor(std::string_view text);

// Whether a call that was made for the one belongs to the other. An account that is not known tells
// no two apart.
[[nodiscard]] bool IsSameService(const MadeFor& one, const MadeFor& other);

// "made for https://customer.example (sandbox)", with what tells the account apart where the
// address is that of `in_force`. `text`: of a row; one that cannot be read is an unknown address.
[[nodiscard]] std::string DescribeMadeFor(std::string_view text, const MadeFor& in_force);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_MADE_FOR_H_
