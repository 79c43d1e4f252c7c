#ifndef IDKIOSK_APP_QUEUE_INTAKE_H_
#define IDKIOSK_APP_QUEUE_INTAKE_H_

#include <expected>
#include <optional>
#include <vector>

#include "app/queue/call_record.h"
#include "platform/base/error.h"

namespace idkiosk {

// The reason why a call is not taken in. `message` is the engineer's sentence; page, desk and
// command line each have one place that puts a kind into words.
struct Obstacle : Error {
  // In the order in which the intake looks for them: the first one that it finds counts.
  enum class Kind {
    kNoRoom,       // the disk or the queue is full, or the disk fails
    kHeld,         // nothing is sent before a person has mended something
    kSpendCap,     // nothing is sent until `hold->until`
    kAskedBefore,  // no refusal: whoever asks may confirm that it is billed again
  };
  Kind kind = Kind::kNoRoom;
  std::optional<Hold> hold = {};           // of kHeld and kSpendCap
  std::optional<CallSummary> before = {};  // of kAskedBefore: the newest call that asked the same
};

// A call that was taken in, or why it was not.
using Accepted = std::expected<CallReference, Obstacle>;

// The facts about one question that the intake goes by.
struct IntakeFacts {
  Status room;              // DurableQueue::CheckRoom
  std::vector<Hold> holds;  // those of its endpoint and of the whole queue
  // The newest call of the last billing.duplicate_window that asked the same.
  std::optional<CallSummary> before;
  bool confirmed = false;  // whoever asks was told of `before`
};

// Returns the first obstacle to a call, or nothing where it may be asked. The one intake for kiosk,
// desk and command line: asked before a camera opens and before a person is asked for anything, and
// by DurableQueue::Accept once more, because time passes between the two.
[[nodiscard]] std::optional<Obstacle> Intake(const IntakeFacts& facts);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_INTAKE_H_
