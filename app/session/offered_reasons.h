#ifndef IDKIOSK_APP_SESSION_OFFERED_REASONS_H_
#define IDKIOSK_APP_SESSION_OFFERED_REASONS_H_

#include <vector>

#include "app/service/answer_codec.h"
#include "app/service/verification_call.h"
#include "app/settings/settings.h"

namespace idkiosk {

// Of the service's reasons, those that the configuration lets people choose from here.
[[nodiscard]] std::vector<RequestReason> OfferedReasons(const Settings& settings,
                                                        const std::vector<RequestReason>& known);

// What a call is checked by. Every reason of the service's will do.
[[nodiscard]] CallRules RulesOf(const Settings& settings, const std::vector<RequestReason>& known);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_OFFERED_REASONS_H_
