#ifndef IDKIOSK_APP_RESULTS_OUTBOX_H_
#define IDKIOSK_APP_RESULTS_OUTBOX_H_

#include "app/audit/audit_log.h"
#include "app/queue/policy/retry_policy.h"
#include "app/results/destination.h"
#include "app/results/outbox_cursor.h"
#include "platform/api/clock.h"

namespace idkiosk {

// Hands every end of a call over to one destination, in the order of the ledger, each at least
// once: the next one only after the one before was taken, and its place is on the disk. Holds no
// copy of anything: what is still to be handed over is what the ledger has behind that place.
//
// A destination that was never served before gets what ends from then on. One thread.
class Outbox {
 public:
  // All must outlive this.
  struct Dependencies {
    DurableQueue& queue;
    const ResultWriter& writer;
    Destination& destination;
    OutboxCursorFile cursor;
    const RetryPolicy& policy;
    AuditLog& audit;
    const Clock& clock;
  };
  explicit Outbox(Dependencies deps) : deps_(std::move(deps)) {}

  // Hands one end over, where one waits and it is time. Returns when to come again.
  [[nodiscard]] MonotonicTime Step();

 private:
  // Errors: what keeps it from handing over now.
  [[nodiscard]] Status Begin();
  // From the first end in the ledger on, because of `why`.
  void StartOver(std::string_view why);
  [[nodiscard]] MonotonicTime HandOver(const CallEnd& end);
  [[nodiscard]] MonotonicTime Later(const std::string& why,
                                    std::optional<Duration> retry_after = std::nullopt);
  // The cursor once that end was handed over.
  [[nodiscard]] OutboxCursor After(const CallEnd& end) const;
  void Advance(const CallEnd& end);
  void Save();

  const Dependencies deps_;
  OutboxCursor cursor_;
  std::optional<OutboxCursor> first_;  // of a destination that was never served before
  bool begun_ = false;
  bool gone_ = false;    // by this program's own try
  int failures_ = 0;     // in a row
  MonotonicTime due_{};  // not earlier
  std::optional<MonotonicTime> trouble_said_;
  uint64_t opened_ = 0;  // the place whose answer the audit trail knows to be handed over
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_RESULTS_OUTBOX_H_
