#ifndef IDKIOSK_APP_SETTINGS_OPERATOR_NAME_H_
#define IDKIOSK_APP_SETTINGS_OPERATOR_NAME_H_

#include <string_view>

#include "platform/base/error.h"

namespace idkiosk {

// The name of who asks, for the ledger: as payrolls name people, never a NIN or a phone number.
// Errors: kInvalid.
[[nodiscard]] Status CheckOperatorName(std::string_view name);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_OPERATOR_NAME_H_
