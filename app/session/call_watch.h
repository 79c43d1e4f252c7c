#ifndef IDKIOSK_APP_SESSION_CALL_WATCH_H_
#define IDKIOSK_APP_SESSION_CALL_WATCH_H_

#include <functional>
#include <optional>

#include "app/session/call_answer.h"
#include "app/session/queue_client.h"
#include "platform/api/clock.h"
#include "platform/api/task_runner.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// Looks after the one call that somebody waits for, until there is something to tell of it.
// On the control thread.
class CallWatch {
 public:
  struct News {
    // The end of the watch. A call that takes longer than a minute is kept.
    std::optional<CallAnswer> answer;
    WaitingStage stage = WaitingStage::kQueued;
    bool is_long = false;  // nobody need wait any longer
  };

  // All must outlive this. `tell` hears of every look.
  CallWatch(TaskRunner& runner, const Clock& clock, QueueClient& queue,
            std::function<void(const News&)> tell)
      : runner_(runner), clock_(clock), queue_(queue), tell_(std::move(tell)) {}

  // From now on, and of no other call.
  void Begin(const CallReference& reference);
  void End();
  void OnCallChanged(const CallReference& reference);

 private:
  void Look();
  void OnShown(const Result<CallSummary>& call);

  const ThreadChecker control_thread_;
  TaskRunner& runner_;
  const Clock& clock_;
  QueueClient& queue_;
  const std::function<void(const News&)> tell_;
  CallReference reference_;  // empty: none
  uint64_t watch_ = 0;       // counts up; an answer to an earlier one is late
  MonotonicTime begun_{};
  std::optional<MonotonicTime> sending_since_;
  WaitingStage stage_ = WaitingStage::kQueued;
  ScopedTimer look_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_CALL_WATCH_H_
