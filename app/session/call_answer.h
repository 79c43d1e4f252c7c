#ifndef IDKIOSK_APP_SESSION_CALL_ANSWER_H_
#define IDKIOSK_APP_SESSION_CALL_ANSWER_H_

#include <optional>

#include "app/queue/call_record.h"
#include "app/session/model/ui_snapshot.h"

namespace idkiosk {

// The answer that a person is shown about a call.
struct CallAnswer {
  AnswerKind kind = AnswerKind::kKept;
  std::optional<AnswerReason> reason;
};

// Nothing while waiting a little longer may bring an answer.
[[nodiscard]] std::optional<CallAnswer> AnswerOf(const CallSummary& call);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_CALL_ANSWER_H_
