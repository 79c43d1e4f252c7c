#ifndef IDKIOSK_APP_QUEUE_DELIVERY_WORKER_H_
#define IDKIOSK_APP_QUEUE_DELIVERY_WORKER_H_

#include <functional>
#include <optional>

#include "app/queue/durable_queue.h"
#include "app/service/service_client.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// Makes a bundle of pictures smaller. The composition root joins it to app/capture.
class BundleShrinker {
 public:
  static constexpr int kRungs = 2;

  virtual ~BundleShrinker() = default;
  // The pictures as small as `rung` (1 .. kRungs) asks. Errors: kInvalid (cannot be read),
  // kExhausted (they are that small already).
  [[nodiscard]] virtual Result<FacePictures> Shrink(const FacePictures& pictures, int rung) = 0;
  // The service took pictures of this rung after it had refused larger ones: later captures start
  // there.
  virtual void Remember(int rung) = 0;
};

// Takes calls off the queue and sends them, one at a time. Never sleeps: it says when it wants to
// be asked again. One thread, the first that asks, which is blocked for as long as one exchange
// lasts.
class DeliveryWorker {
 public:
  // All must outlive this.
  DeliveryWorker(DurableQueue& queue, ServiceClient& service, BundleShrinker& shrinker,
                 const Clock& clock);

  struct Step {
    std::optional<CallReference> reference;  // the call that was worked on
    std::optional<Outcome> outcome;          // of its attempt
    std::optional<Hold> hold;                // why nothing, or not everything, may be sent
    // When to ask again. Also ask after a new call or a person's decision.
    MonotonicTime next;
    // Nothing will be sent before one of those two: `next` is for upkeep alone.
    bool nothing_ahead = false;
  };
  // At most one attempt; where there is none to make, what age does to calls. `only`: that call or
  // none. Errors: the queue's. An answer that could not be recorded is kept, and recorded by the
  // next step before anything else is sent.
  [[nodiscard]] Result<Step> DeliverNext(const std::optional<CallReference>& only = std::nullopt);

  // Hears of each step while calls are delivered one after the other.
  struct Run {
    std::function<bool()> go_on;              // asked before the next call; false: stop
    std::function<void(const Step&)> report;  // of every attempt, once it is recorded
  };
  // Attempts, for as long as `go_on` says so and there is one to make now. While the connection and
  // the token are good, the answer to one call and the approval of the next are one commit: half
  // the syncs, which are most of what a delivery costs here. Returns the last step.
  [[nodiscard]] Result<Step> DeliverRun(const Run& run);

  // Waits until `time`, as the caller chooses to wait; false: stop now.
  using WaitUntil = std::function<bool(MonotonicTime time)>;

  // For the command line: works on one call until it is done, held or unknown for good, or until
  // `deadline`. Returns how it stands then. A backoff that was under way is over.
  [[nodiscard]] Result<CallSummary> DeliverUntil(const CallReference& reference,
                                                 MonotonicTime deadline, const WaitUntil& wait);
  // The same for everything that may be sent until `deadline`: without a backoff for as long as the
  // service answers, so that one call meets an outage and not all. Returns the number of attempts.
  // `go_on` is asked before each call; false: no further one.
  [[nodiscard]] Result<int> DeliverAll(
      MonotonicTime deadline, const WaitUntil& wait,
      const std::function<bool()>& go_on = [] { return true; });

 private:
  // An attempt that is over, and not yet in the queue.
  struct Unrecorded {
    CallReference reference;
    Endpoint endpoint = Endpoint::kVerify;
    Outcome outcome;
    SecretBytes answer;
    int rung = 0;  // that its pictures had
  };

  // `approved`: a call that is approved already, to be sent before any other; then the one that was
  // approved with the answer.
  [[nodiscard]] Result<Step> Deliver(const std::optional<CallReference>& only, bool at_once,
                                     std::optional<DurableQueue::Claimed>& approved,
                                     const std::function<bool()>& go_on);
  [[nodiscard]] Unrecorded Attempt(DurableQueue::Claimed claimed,
                                   HttpClient::BeforeSend before_send);
  [[nodiscard]] Result<Step> Record(std::optional<DurableQueue::Claimed>& approved,
                                    const std::function<bool()>& go_on);
  [[nodiscard]] Result<Step> Rest(const DurableQueue::Idle& idle);
  // Says in the log, once until something is sent again, that a cap of spending is reached.
  void TellOfCap(const std::optional<Hold>& hold);
  // Tells the queue, and warns once of a clock that is far off.
  void LearnServiceTime();

  const ThreadChecker thread_ = ThreadChecker::Detached();
  DurableQueue& queue_;
  ServiceClient& service_;
  BundleShrinker& shrinker_;
  const Clock& clock_;
  std::optional<Unrecorded> unrecorded_;
  std::optional<MonotonicTime> next_upkeep_;
  bool warned_of_skew_ = false;
  bool told_of_cap_ = false;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_DELIVERY_WORKER_H_
