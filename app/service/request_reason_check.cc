#include "app/service/request_reason_check.h"

#include <algorithm>

namespace idkiosk {

Status CheckRequestReason(const VerificationCall& call, const CallRules& rules) {
  using enum Placeholder;
  const EndpointTraits traits = TraitsOf(call.endpoint);
  const bool has_reason =
      traits.asks.Has(kRequestReason) || (traits.Takes(kRequestReason) && !call.reason.empty());
  if (!has_reason) return {};
  if (rules.reasons.empty()) {
    return Fail(ErrorCode::kFailedPrecondition,
                "the service's list of request reasons is not known yet: run 'idkiosk reasons "
                "--refresh' while the network is there");
  }
  if (std::ranges::find(rules.reasons, call.reason) == rules.reasons.end()) {
    return Fail(ErrorCode::kInvalid, "'{}' is not a request reason of this service; it knows {}",
                call.reason, fmt::join(rules.reasons, ", "));
  }
  return {};
}

}  // namespace idkiosk
