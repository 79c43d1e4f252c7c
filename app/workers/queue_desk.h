#ifndef IDKIOSK_APP_WORKERS_QUEUE_DESK_H_
#define IDKIOSK_APP_WORKERS_QUEUE_DESK_H_

#include <functional>
#include <string>

#include "app/queue/durable_queue.h"
#include "app/session/call_desk.h"
#include "platform/api/task_runner.h"

namespace idkiosk {

// The durable queue, asked on a thread that may wait for the disk.
class QueueDesk final : public CallDesk {
 public:
  // All must outlive this; `storage_runner` is that thread. `operator_id` is who asks, for the
  // ledger; empty where people ask for themselves. `wake` tells the delivery that a call has come;
  // any thread.
  QueueDesk(DurableQueue& queue, TaskRunner& storage_runner, TaskRunner& control,
            std::string operator_id, std::function<void()> wake)
      : queue_(queue),
        storage_runner_(storage_runner),
        control_(control),
        operator_id_(std::move(operator_id)),
        wake_(std::move(wake)) {}

  void CheckRoom(Then<Status> then) override;
  void FindObstacles(VerificationCall question, Then<Obstacles> then) override;
  void Accept(VerificationCall call, Then<Result<CallReference>> then) override;
  void Show(const CallReference& reference, Then<Result<CallSummary>> then) override;
  void NobodyWaits(const CallReference& reference) override;

 private:
  DurableQueue& queue_;
  TaskRunner& storage_runner_;
  TaskRunner& control_;
  const std::string operator_id_;
  const std::function<void()> wake_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_WORKERS_QUEUE_DESK_H_
