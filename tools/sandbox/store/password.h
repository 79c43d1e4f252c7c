#ifndef IDKIOSK_TOOLS_SANDBOX_STORE_PASSWORD_H_
#define IDKIOSK_TOOLS_SANDBOX_STORE_PASSWORD_H_

#include <string>
#include <string_view>

namespace idkiosk::sandbox {

// Argon2id (19 MiB, 2 passes), encoded with its salt and costs. Takes some 30 ms, on purpose.
[[nodiscard]] std::string HashPassword(std::string_view password);
[[nodiscard]] bool PasswordMatches(std::string_view password, const std::string& hash);

// Returns, in one sentence for the person who chose it, what a password lacks; empty for a good
// one. The service's document calls these requirements typical and shows no exact policy.
[[nodiscard]] std::string PasswordWeakness(std::string_view password);

// A password that has no weakness.
[[nodiscard]] std::string MakePassword();

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_STORE_PASSWORD_H_
