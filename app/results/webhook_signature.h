#ifndef IDKIOSK_APP_RESULTS_WEBHOOK_SIGNATURE_H_
#define IDKIOSK_APP_RESULTS_WEBHOOK_SIGNATURE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "platform/api/crypto.h"
#include "platform/api/secure_storage.h"

// Signatures as Standard Webhooks (standardwebhooks.com) describes them.
namespace idkiosk {

// Names in SecureStorage. While keys are changed a message is signed with both.
inline constexpr std::string_view kWebhookKey = "webhook-key";
inline constexpr std::string_view kWebhookKeyBefore = "webhook-key-before";

// The bytes of "whsec_BASE64". Errors: kInvalid (another form, or not 24 to 64 bytes).
[[nodiscard]] Result<SecretBytes> ParseWebhookKey(const SecretBytes& written);

// Puts a key into the vault. The one that is there signs, too, until the same key is put again.
// Returns whether one does. Errors: ParseWebhookKey's; SecureStorage's, and then it may be run
// again.
[[nodiscard]] Result<bool> PutWebhookKey(SecureStorage& vault, const SecretBytes& written);

// "v1,BASE64" with each key of the vault, separated by a space. `seconds`: since 1970. Errors:
// SecureStorage's; kNotFound (there is no key), kInvalid.
[[nodiscard]] Result<std::string> SignWebhook(SecureStorage& vault, const Crypto& crypto,
                                              std::string_view id, int64_t seconds,
                                              const SecretBytes& body);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_RESULTS_WEBHOOK_SIGNATURE_H_
