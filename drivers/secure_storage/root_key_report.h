#ifndef IDKIOSK_DRIVERS_SECURE_STORAGE_ROOT_KEY_REPORT_H_
#define IDKIOSK_DRIVERS_SECURE_STORAGE_ROOT_KEY_REPORT_H_

#include <optional>

#include "drivers/secure_storage/tpm_trouble.h"
#include "drivers/secure_storage/vault_format.h"
#include "platform/api/secure_storage.h"

// What a person is told about a root key: where it is, and against whom that protects it.
namespace idkiosk {

[[nodiscard]] SecureStorage::RootKey GoodRootKey(RootKeyPlace place,
                                                 const std::optional<VaultCounter>& counter);

// `place`: nothing, where the key file does not say. `trouble`: with the TPM; nothing: the files
// are to blame, as `error` says.
[[nodiscard]] SecureStorage::RootKey BadRootKey(std::optional<RootKeyPlace> place,
                                                const std::optional<TpmError>& trouble,
                                                const Error& error);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_SECURE_STORAGE_ROOT_KEY_REPORT_H_
