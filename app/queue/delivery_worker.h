#ifndef IDKIOSK_APP_QUEUE_DELIVERY_WORKER_H_
#define IDKIOSK_APP_QUEUE_DELIVERY_WORKER_H_

#include <functional>
#include <optional>

#include "app/queue/durable_queue.h"
#include "app/service/service_client.h"

namespace idkiosk {

// Makes a bundle of pictures smaller. The composition root joins it to app/capture.
class BundleShrinker {
 public:
  virtual ~BundleShrinker() = default;
  // The pictures one rung smaller; `rung` counts from 1. Errors: kInvalid (cannot be read),
  // kExhausted (no smaller rung).
  [[nodiscard]] virtual Result<FacePictures> Shrink(const FacePictures& pictures, int rung) = 0;
  // The service took pictures of this rung after it had refused larger ones: later captures start
  // there.
  virtual void Remember(int rung) = 0;
};

// Takes calls off the queue and sends them, one at a time. Never sleeps: it says when it wants to
// be asked again. One thread, which may block for as long as one exchange.
class DeliveryWorker {
 public:
  // All must outlive this.
  DeliveryWorker(DurableQueue& queue, ServiceClient& service, BundleShrinker& shrinker,
                 const Clock& clock);

  struct Step {
    std::optional<CallReference> reference;  // the call that was worked on
    std::optional<Outcome> outcome;          // of its attempt
    std::optional<Hold> hold;                // why nothing may be sent
    // When to ask again; nothing: after a new call or a person's decision.
    std::optional<MonotonicTime> next;
  };
  // At most one attempt. `only`: that call or none. Errors: those of the queue.
  [[nodiscard]] Result<Step> DeliverNext(const std::optional<CallReference>& only = std::nullopt);

  // Waits until `time` in the way of whoever calls; false: stop.
  using WaitUntil = std::function<bool(MonotonicTime time)>;
  // For the command line: works on one call until it is done, unknown for good, held, or `deadline`
  // has come. Returns how it stands then.
  [[nodiscard]] Result<CallSummary> DeliverUntil(const CallReference& reference,
                                                 MonotonicTime deadline, const WaitUntil& wait);
  // The same for everything that may be sent. Returns how many attempts were made.
  [[nodiscard]] Result<int> DeliverAll(MonotonicTime deadline, const WaitUntil& wait);

 private:
  DurableQueue& queue_;
  ServiceClient& service_;
  BundleShrinker& shrinker_;
  const Clock& clock_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_DELIVERY_WORKER_H_
