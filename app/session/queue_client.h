#ifndef IDKIOSK_APP_SESSION_QUEUE_CLIENT_H_
#define IDKIOSK_APP_SESSION_QUEUE_CLIENT_H_

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/consent/consent_log.h"
#include "app/queue/intake.h"
#include "app/service/answer_codec.h"
#include "app/service/verification_call.h"
#include "app/session/visit/visit_order.h"

namespace idkiosk {

// The queue of billed calls, as people before a screen ask it. Everything on the control thread,
// which never waits for the disk: answers come later, on the same thread.
class QueueClient {
 public:
  template <typename T>
  using Then = std::move_only_function<void(T)>;

  // A question, given back, and what speaks against asking it now.
  struct Looked {
    VerificationCall question;
    std::optional<Obstacle> obstacle;
  };
  // The calls for a screen, the newest first, and what was or may have been billed since midnight
  // in the kiosk's own time zone. The ledger's days are UTC.
  struct Overview {
    std::vector<CallSummary> calls;
    int64_t billed_today = 0;
    int64_t spent_today = 0;  // hundredths of the currency
  };
  // The facts that the bar of a field agent shows.
  struct Tally {
    int64_t waiting = 0;                     // not sent yet
    std::optional<WallTime> last_delivered;  // the newest answer; nothing: none of late
  };

  virtual ~QueueClient() = default;

  // Asks the intake: DurableQueue::FindObstacle. Before a camera opens, and before a person is
  // asked for anything.
  virtual void FindObstacle(VerificationCall question, bool confirmed, Then<Looked> then) = 0;

  // How a call is handed in.
  struct Terms {
    bool confirmed = false;  // as FindObstacle was asked
    // What its person has agreed to; nothing: nobody was asked.
    std::optional<Consent> consent = {};
    std::shared_ptr<const VisitOrder> order = {};  // null: nobody else has asked for it
  };
  // Seals and keeps a call that was checked, and wakes its delivery: a person waits.
  virtual void Accept(VerificationCall call, Terms terms, Then<Accepted> then) = 0;
  // The person has left.
  virtual void NobodyWaits(const CallReference& reference) = 0;

  // How a call stands. Errors: DurableQueue::Show's.
  virtual void Show(const CallReference& reference, Then<Result<CallSummary>> then) = 0;
  // Errors: DurableQueue::Newest's.
  virtual void ReadOverview(Then<Result<Overview>> then) = 0;
  virtual void ReadTally(Then<Result<Tally>> then) = 0;
  // Opens a sealed answer, in memory alone. Errors: DurableQueue::Answer's and ReadAnswer's.
  virtual void OpenAnswer(const CallReference& reference, Then<Result<AnswerParts>> then) = 0;

  // Sends an unknown call once more, which may bill twice. `seen`: its attempts, as the person was
  // shown them. Errors also: kFailedPrecondition (any other call, or another number of attempts),
  // and DurableQueue::Retry's.
  virtual void Resend(const CallReference& reference, int seen, Then<Status> then) = 0;
  // Errors: DurableQueue::GiveUp's.
  virtual void GiveUp(const CallReference& reference, Then<Status> then) = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_QUEUE_CLIENT_H_
