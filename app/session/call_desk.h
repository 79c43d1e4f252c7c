#ifndef IDKIOSK_APP_SESSION_CALL_DESK_H_
#define IDKIOSK_APP_SESSION_CALL_DESK_H_

#include <functional>
#include <optional>

#include "app/queue/call_record.h"
#include "app/service/verification_call.h"

namespace idkiosk {

// Where a session hands its question in. Everything on the control thread, which never waits for
// the disk: answers come later, on the same thread.
class CallDesk {
 public:
  template <typename T>
  using Then = std::move_only_function<void(T)>;

  virtual ~CallDesk() = default;

  // Whether one more call fits. Errors: DurableQueue::CheckRoom's.
  virtual void CheckRoom(Then<Status> then) = 0;

  // What speaks against taking pictures for a question now.
  struct Obstacles {
    Status room;                         // DurableQueue::CheckRoom
    std::optional<Hold> hold;            // DurableQueue::HoldOn
    std::optional<CallSummary> earlier;  // DurableQueue::FindDuplicate
  };
  // `question`: as far as it is known; its pictures are not looked at. Without a number, nothing is
  // `earlier`. What cannot be found out keeps nobody from asking.
  virtual void FindObstacles(VerificationCall question, Then<Obstacles> then) = 0;

  // Seals and keeps a call that was checked, then hurries its delivery: a person waits. Errors:
  // DurableQueue::Accept's.
  virtual void Accept(VerificationCall call, Then<Result<CallReference>> then) = 0;

  // How a call stands. Errors: DurableQueue::Show's.
  virtual void Show(const CallReference& reference, Then<Result<CallSummary>> then) = 0;

  // The person has left.
  virtual void NobodyWaits(const CallReference& reference) = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_CALL_DESK_H_
