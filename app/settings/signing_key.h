#ifndef IDKIOSK_APP_SETTINGS_SIGNING_KEY_H_
#define IDKIOSK_APP_SETTINGS_SIGNING_KEY_H_

#include <optional>
#include <string>
#include <string_view>

#include "platform/base/bytes.h"

namespace idkiosk {

// Who may sign commands of headquarters.
struct SigningKey {
  std::string name;  // "security-desk"
  Bytes der;         // the public key, a SubjectPublicKeyInfo of the curve P-256
};

// Reads "NAME BASE64". Whether the point is on the curve is not looked at. Nothing: it is none.
[[nodiscard]] std::optional<SigningKey> ParseSigningKey(std::string_view text);

// Whether a tenant, a kiosk, a group or a key may have that name: 1 to 64 small letters, digits and
// hyphens, so that it means nothing to a broker.
[[nodiscard]] bool IsFleetName(std::string_view name);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_SIGNING_KEY_H_
