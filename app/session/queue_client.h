#ifndef IDKIOSK_APP_SESSION_QUEUE_CLIENT_H_
#define IDKIOSK_APP_SESSION_QUEUE_CLIENT_H_

#include <functional>
#include <optional>
#include <vector>

#include "app/queue/call_record.h"
#include "app/service/answer_codec.h"
#include "app/service/verification_call.h"

namespace idkiosk {

// The queue of billed calls, as people before a screen ask it. Everything on the control thread,
// which never waits for the disk: answers come later, on the same thread.
class QueueClient {
 public:
  template <typename T>
  using Then = std::move_only_function<void(T)>;

  // What speaks against taking pictures for a question now.
  struct Obstacles {
    Status room;                         // DurableQueue::CheckRoom
    std::optional<Hold> hold;            // DurableQueue::HoldOn
    std::optional<CallSummary> earlier;  // DurableQueue::FindDuplicate
  };
  // A question that was looked up, given back, and the newest call that asked the same within
  // billing.duplicate_window.
  struct Looked {
    VerificationCall call;
    std::optional<CallSummary> before;
  };
  // The calls for a screen, the newest first, and what was or may have been billed since midnight
  // in the kiosk's own time zone. The ledger's days are UTC.
  struct Overview {
    std::vector<CallSummary> calls;
    int64_t billed_today = 0;
    int64_t spent_today = 0;  // hundredths of the currency
  };
  // What an agent has to know on the way.
  struct Tally {
    int64_t waiting = 0;                     // not sent yet
    std::optional<WallTime> last_delivered;  // the newest answer; nothing: none of late
  };

  virtual ~QueueClient() = default;

  // Whether one more call fits. Errors: DurableQueue::CheckRoom's.
  virtual void CheckRoom(Then<Status> then) = 0;

  // `question`: as far as it is known; its pictures are not looked at. Without a number, nothing is
  // `earlier`. What cannot be found out keeps nobody from asking.
  virtual void FindObstacles(VerificationCall question, Then<Obstacles> then) = 0;
  // Nobody is kept from asking because the past cannot be read: that is told as nothing.
  virtual void FindDuplicate(VerificationCall call, Then<Looked> then) = 0;

  // Seals and keeps a call that was checked, and wakes its delivery: a person waits. Errors:
  // DurableQueue::Accept's.
  virtual void Accept(VerificationCall call, Then<Result<CallReference>> then) = 0;
  // The person has left.
  virtual void NobodyWaits(const CallReference& reference) = 0;

  // How a call stands. Errors: DurableQueue::Show's.
  virtual void Show(const CallReference& reference, Then<Result<CallSummary>> then) = 0;
  // Errors: DurableQueue::Newest's.
  virtual void ReadOverview(Then<Result<Overview>> then) = 0;
  virtual void ReadTally(Then<Result<Tally>> then) = 0;
  // Opens a sealed answer, in memory alone. Errors: DurableQueue::Answer's and ReadAnswer's.
  virtual void OpenAnswer(const CallReference& reference, Then<Result<AnswerParts>> then) = 0;

  // Sends an unknown call once more, which may bill twice. Errors also: kFailedPrecondition (any
  // other call), and DurableQueue::Retry's.
  virtual void Resend(const CallReference& reference, Then<Status> then) = 0;
  // Errors: DurableQueue::GiveUp's.
  virtual void GiveUp(const CallReference& reference, Then<Status> then) = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_QUEUE_CLIENT_H_
