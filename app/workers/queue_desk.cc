#include "app/workers/queue_desk.h"

#include <utility>

#include "platform/api/post_task_and_reply.h"
#include "platform/base/log.h"

namespace idkiosk {

void QueueDesk::CheckRoom(Then<Status> then) {
  PostTaskAndReply(
      storage_runner_, control_, [this] { return queue_.CheckRoom(); }, std::move(then));
}

void QueueDesk::FindObstacles(VerificationCall question, Then<Obstacles> then) {
  PostTaskAndReply(
      storage_runner_, control_,
      [this, asked = std::move(question)] {
        Obstacles found{.room = queue_.CheckRoom(), .hold = {}, .earlier = {}};
        if (auto hold = queue_.HoldOn(asked.endpoint)) found.hold = std::move(*hold);
        if (asked.nin.empty()) return found;
        if (auto earlier = queue_.FindDuplicate(asked)) found.earlier = std::move(*earlier);
        return found;
      },
      std::move(then));
}

void QueueDesk::Accept(VerificationCall call, Then<Result<CallReference>> then) {
  PostTaskAndReply(
      storage_runner_, control_,
      [this, accepted = std::move(call)]() -> Result<CallReference> {
        auto reference =
            queue_.Accept(accepted, {.person_waits = true, .operator_id = operator_id_});
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
  PostTaskAndReply(
      storage_runner_, control_, [this, reference] { return queue_.Show(reference); },
      std::move(then));
}

void QueueDesk::NobodyWaits(const CallReference& reference) {
  storage_runner_.Post([this, reference] {
    if (Status left = queue_.NobodyWaits(reference); !left) {
      LogWarning("{}: {}", reference, left.error().message);
    }
  });
}

}  // namespace idkiosk
