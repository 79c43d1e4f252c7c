#ifndef IDKIOSK_APP_SERVICE_OUTCOME_SENTENCES_H_
#define IDKIOSK_APP_SERVICE_OUTCOME_SENTENCES_H_

#include <string_view>

#include "app/service/outcome.h"

// More that the table of outcomes says, for whoever tells people how a call ended.
namespace idkiosk {

// Returns the verdict of a call that ends by such an outcome; kNone: it does not end by it.
[[nodiscard]] Verdict VerdictOf(OutcomeKind kind);

// Returns what ClerkSentence says where only the verdict is known; empty for kNone and kGivenUp,
// which no outcome has.
[[nodiscard]] std::string_view ClerkSentence(Verdict verdict);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_OUTCOME_SENTENCES_H_
