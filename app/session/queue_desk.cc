#include "app/session/queue_desk.h"

#include <utility>

#include "platform/base/log.h"

namespace idkiosk {

template <typename Answer, typename Question>
void QueueDesk::Ask(Question question, Then<Answer> then) {
  keeper_.Post([this, ask = std::move(question), answer = std::move(then)]() mutable {
    control_.Post(
        [answer = std::move(answer), result = ask()]() mutable { answer(std::move(result)); });
  });
}

void QueueDesk::CheckRoom(Then<Status> then) {
  Ask<Status>([this] { return queue_.CheckRoom(); }, std::move(then));
}

void QueueDesk::Accept(VerificationCall call, Then<Result<CallReference>> then) {
  Ask<Result<CallReference>>(
      [this, accepted = std::move(call)] {
        auto reference = queue_.Accept(accepted, {.person_waits = true, .operator_id = {}});
        if (!reference) return reference;
        // One try now, whatever backoff is under way: the person reads what came of it.
        if (Status hurried = queue_.Hurry(); !hurried) {
          LogWarning("{}: {}", *reference, hurried.error().message);
        }
        wake_();
        return reference;
      },
      std::move(then));
}

void QueueDesk::Show(const CallReference& reference, Then<Result<CallSummary>> then) {
  Ask<Result<CallSummary>>([this, reference] { return queue_.Show(reference); }, std::move(then));
}

void QueueDesk::NobodyWaits(const CallReference& reference) {
  keeper_.Post([this, reference] {
    if (Status left = queue_.NobodyWaits(reference); !left) {
      LogWarning("{}: {}", reference, left.error().message);
    }
  });
}

}  // namespace idkiosk
