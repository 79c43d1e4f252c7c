#ifndef IDKIOSK_APP_QUEUE_CALL_MEANING_H_
#define IDKIOSK_APP_QUEUE_CALL_MEANING_H_

#include <optional>
#include <string_view>

#include "app/queue/call_record.h"

namespace idkiosk {

// Returns what it means that a call has this state: one or two plain sentences for a clerk, or for
// whoever writes a program, who need know no code of the service. No personal data.
[[nodiscard]] std::string_view MeaningOf(const CallSummary& call);

// The same of an ended call, of which `last_outcome` may be unknown. Requires HasEnded(state).
[[nodiscard]] std::string_view MeaningOfEnd(CallState state, Verdict verdict,
                                            std::optional<OutcomeKind> last_outcome);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_CALL_MEANING_H_
