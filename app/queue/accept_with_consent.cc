#include "app/queue/queue_internals.h"

namespace idkiosk {

// Others may use the queue meanwhile: putting a consent on record waits for the disk.
Accepted DurableQueue::AcceptWithConsent(const VerificationCall& call, AcceptOptions options) {
  const Consent consent = *std::exchange(options.consent, std::nullopt);
  ConsentLog* const consents = internals_->options.consents;
  if (consents == nullptr) return Accept(call, options);
  if (auto obstacle = FindObstacle(call, options.confirmed)) {
    return std::unexpected(std::move(*obstacle));
  }
  if (options.reference.empty()) {
    auto drawn = DrawReference();
    if (!drawn) return std::unexpected(Obstacle{drawn.error()});
    options.reference = std::move(*drawn);
  }
  if (Status put = consents->Record(options.reference, consent, options.operator_id); !put) {
    return std::unexpected(
        Obstacle{put.error().Within("the call was not kept, as its consent cannot be recorded")});
  }
  auto accepted = Accept(call, options);
  if (!accepted) consents->NoteNotAccepted(options.reference);
  return accepted;
}

}  // namespace idkiosk
