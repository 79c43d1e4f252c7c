#ifndef IDKIOSK_APP_SETTINGS_CREDENTIAL_STORE_H_
#define IDKIOSK_APP_SETTINGS_CREDENTIAL_STORE_H_

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/settings/service_address.h"
#include "platform/api/secure_storage.h"

// The credentials in the vault, with the address that they belong to beside them: no process reads
// one that belongs to another address than its own, whatever another process provisions meanwhile.
// A vault of an idkiosk that did not write the address down is taken at its word.
namespace idkiosk {

// Its name in SecureStorage. Written before the first credential of that address, and after the
// last one of another address is gone.
inline constexpr std::string_view kAddressOfCredentials = "service.address";

// Nothing: the text at that name is missing or unreadable.
[[nodiscard]] std::optional<ServiceAddress> ParseAddressOfCredentials(
    const std::optional<SecretBytes>& stored);

// The error for a process of `address` whose vault holds the credentials of `theirs`:
// kFailedPrecondition, naming both and the mend.
[[nodiscard]] Error OtherAddressError(const ServiceAddress& theirs, const ServiceAddress& address);

// The credentials of these names, as they stood together at one moment. Errors: SecureStorage's;
// kNotFound (one is missing, with the command that sets it); OtherAddressError.
[[nodiscard]] Result<std::vector<SecretBytes>> ReadCredentials(
    SecureStorage& storage, const ServiceAddress& address, std::span<const std::string_view> names);

// From now on the vault takes the credentials of `address`: those of another one are taken out
// first. Returns whether there were any. Errors: SecureStorage's; may be run again.
[[nodiscard]] Result<bool> TakeCredentialsOf(SecureStorage& storage, const ServiceAddress& address);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_CREDENTIAL_STORE_H_
