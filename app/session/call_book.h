#ifndef IDKIOSK_APP_SESSION_CALL_BOOK_H_
#define IDKIOSK_APP_SESSION_CALL_BOOK_H_

#include <optional>
#include <vector>

#include "app/service/answer_codec.h"
#include "app/session/call_desk.h"

namespace idkiosk {

// What staff sees of the calls, and decides. Everything on the control thread, which never waits
// for the disk: answers come later, on the same thread.
class CallBook {
 public:
  template <typename T>
  using Then = CallDesk::Then<T>;

  // A question that was looked up, given back, and the newest call that asked the same within
  // billing.duplicate_window.
  struct Looked {
    VerificationCall call;
    std::optional<CallSummary> before;
  };
  // The calls for a screen, the newest first, and what was or may have been billed today: since
  // midnight in the kiosk's own time zone. The ledger's days are UTC.
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

  virtual ~CallBook() = default;

  // Nobody is kept from asking because the past cannot be read: that is told as nothing.
  virtual void FindDuplicate(VerificationCall call, Then<Looked> then) = 0;

  // Errors: DurableQueue::Newest's.
  virtual void Look(Then<Result<Overview>> then) = 0;
  virtual void Count(Then<Result<Tally>> then) = 0;

  // Opens a sealed answer, in memory alone. Errors: DurableQueue::Answer's and ReadAnswer's.
  virtual void OpenAnswer(const CallReference& reference, Then<Result<AnswerParts>> then) = 0;

  // Sends an unknown call once more, which may bill twice. Errors also: kFailedPrecondition (any
  // other call), and DurableQueue::Retry's.
  virtual void Resend(const CallReference& reference, Then<Status> then) = 0;

  // Errors: DurableQueue::GiveUp's.
  virtual void GiveUp(const CallReference& reference, Then<Status> then) = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_CALL_BOOK_H_
