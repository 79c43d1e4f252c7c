#ifndef IDKIOSK_APP_SERVICE_REQUEST_REASON_CHECK_H_
#define IDKIOSK_APP_SERVICE_REQUEST_REASON_CHECK_H_

#include "app/service/verification_call.h"

namespace idkiosk {

// What CheckQuestion says of the call's request reason, where its endpoint takes one: asked before
// a person types a number. Errors: kInvalid, kFailedPrecondition (no list of reasons yet).
[[nodiscard]] Status CheckRequestReason(const VerificationCall& call, const CallRules& rules);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_REQUEST_REASON_CHECK_H_
