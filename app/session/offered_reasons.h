#ifndef IDKIOSK_APP_SESSION_OFFERED_REASONS_H_
#define IDKIOSK_APP_SESSION_OFFERED_REASONS_H_

#include <vector>

#include "app/service/answer_codec.h"
#include "app/service/verification_call.h"
#include "app/settings/settings.h"

namespace idkiosk {

// Returns those of the service's reasons that the configuration lets people choose here.
[[nodiscard]] std::vector<RequestReason> OfferedReasons(const Settings& settings,
                                                        const std::vector<RequestReason>& known);

// Errors: kInvalid (ui.reasons names a code that is not among `known`): nobody can choose it.
[[nodiscard]] Status CheckOffered(const Settings& settings,
                                  const std::vector<RequestReason>& known);

// Returns the rules that a call is checked by. Every reason of the service is allowed.
[[nodiscard]] CallRules RulesOf(const Settings& settings, const std::vector<RequestReason>& known);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_OFFERED_REASONS_H_
