#ifndef IDKIOSK_DRIVERS_SECURE_STORAGE_TPM_TROUBLE_H_
#define IDKIOSK_DRIVERS_SECURE_STORAGE_TPM_TROUBLE_H_

#include <expected>
#include <string>
#include <string_view>

#include "platform/base/error.h"

namespace idkiosk {

// The reasons for which a TPM does not open a vault.
enum class TpmTrouble {
  kAbsent,
  kNoAccess,
  kLockedOut,
  kCleared,
  kExchanged,
  kChanged,    // the registers that the key is bound to
  kWrongAuth,  // the one in the key file
  kOwned,
  kNoCounter,
  kRolledBack,
  kFailed,
};

// A row of the table of them.
struct TpmTroubleTraits {
  TpmTrouble trouble;
  std::string_view name;  // in two words: "locked out"
  ErrorCode code;
  std::string_view text;  // a sentence without its full stop
  std::string_view mend;  // sentences
};
[[nodiscard]] const TpmTroubleTraits& TraitsOf(TpmTrouble trouble);

struct TpmError {
  TpmTrouble trouble;
  std::string detail;  // for an engineer: "0x98e"; or the numbers of a rollback

  // "the TPM is locked ... (swtpm:..., 0x921). Wait ...". Its code is that of the table.
  [[nodiscard]] Error ToError() const;
};

template <typename T>
using TpmResult = std::expected<T, TpmError>;

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_SECURE_STORAGE_TPM_TROUBLE_H_
