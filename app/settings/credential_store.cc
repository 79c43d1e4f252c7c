#include "app/settings/credential_store.h"

#include <array>
#include <utility>

#include "app/settings/credentials.h"

namespace idkiosk {

std::optional<ServiceAddress> ParseAddressOfCredentials(const std::optional<SecretBytes>& stored) {
  return stored ? ParseServiceAddress(stored->text()) : std::nullopt;
}

Error OtherAddressError(const ServiceAddress& theirs, const ServiceAddress& address) {
  return {ErrorCode::kFailedPrecondition,
          fmt::format("the vault holds the credentials of {}, but service.base_url and environment "
                      "name {}: change these back, or set the kiosk up for the new address with "
                      "'idkiosk provision' or 'idkiosk vault set'; then restart idkiosk",
                      Describe(theirs), Describe(address))};
}

Result<std::vector<SecretBytes>> ReadCredentials(SecureStorage& storage,
                                                 const ServiceAddress& address,
                                                 std::span<const std::string_view> names) {
  std::vector<std::string_view> all(names.begin(), names.end());
  all.push_back(kAddressOfCredentials);
  auto stored = storage.GetTogether(all);
  if (!stored) return std::unexpected(stored.error());
  const auto theirs = ParseAddressOfCredentials(stored->back());
  if (theirs && *theirs != address) return std::unexpected(OtherAddressError(*theirs, address));
  std::vector<SecretBytes> credentials;
  for (size_t i = 0; i < names.size(); ++i) {
    if (!(*stored)[i]) {
      return Fail(ErrorCode::kNotFound,
                  "the vault holds no secret '{}': set it with 'idkiosk vault set {}'", names[i],
                  names[i]);
    }
    credentials.push_back(std::move(*(*stored)[i]));
  }
  return credentials;
}

Result<bool> TakeCredentialsOf(SecureStorage& storage, const ServiceAddress& address) {
  const std::array names = {kAddressOfCredentials};
  const auto stored = storage.GetTogether(names);
  if (!stored) return std::unexpected(stored.error());
  const auto theirs = ParseAddressOfCredentials(stored->front());
  if (theirs == address) return false;
  bool any = false;
  for (const CredentialTraits& each : kAllCredentials) {
    if (!theirs) break;
    const Status removed = storage.Remove(each.name);
    if (!removed && removed.error().code != ErrorCode::kNotFound) {
      return std::unexpected(removed.error());
    }
    any = any || removed;
  }
  Status put = storage.Put(kAddressOfCredentials, SecretBytes::CopyOf(ToText(address)));
  return put ? Result<bool>(any) : std::unexpected(put.error());
}

}  // namespace idkiosk
