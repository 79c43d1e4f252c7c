#ifndef IDKIOSK_APP_WORKERS_THREADED_QUEUE_CLIENT_H_
#define IDKIOSK_APP_WORKERS_THREADED_QUEUE_CLIENT_H_

#include <functional>
#include <string>
#include <utility>

#include "app/audit/audit_log.h"
#include "app/queue/durable_queue.h"
#include "app/session/queue_client.h"
#include "app/session/staff/page_user.h"
#include "platform/api/post_task_and_reply.h"
#include "platform/api/task_runner.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// The durable queue, asked on the storage thread, which may wait for the disk.
class ThreadedQueueClient final : public QueueClient {
 public:
  // All must outlive this.
  struct Dependencies {
    DurableQueue& queue;
    const ServiceProfile& profile;
    const Clock& clock;
    AuditLog& audit;
    TaskRunner& storage_runner;
    TaskRunner& control;
    // Who asks and decides, for ledger and trail; nobody where people ask for themselves.
    const PageUser& user;
    // Tells the delivery that a call has come, or that a person has decided; any thread.
    std::function<void()> wake;
  };
  explicit ThreadedQueueClient(Dependencies deps) : deps_(std::move(deps)) {}

  // Runs `question` with the queue on the storage thread, then `then` with its answer on the
  // control thread.
  void Ask(auto question, auto then) {
    control_thread_.Check();
    PostTaskAndReply(
        deps_.storage_runner, deps_.control,
        [this, asked = std::move(question)]() mutable { return asked(deps_.queue); },
        std::move(then));
  }
  [[nodiscard]] const ServiceProfile& profile() const { return deps_.profile; }

  void FindObstacle(VerificationCall question, bool confirmed, Then<Looked> then) override;
  void Accept(VerificationCall call, Terms terms, Then<Accepted> then) override;
  void NobodyWaits(const CallReference& reference) override;
  void Show(const CallReference& reference, Then<Result<CallSummary>> then) override;
  void ReadOverview(Then<Result<Overview>> then) override;
  void ReadTally(Then<Result<Tally>> then) override;
  void OpenAnswer(const CallReference& reference, Then<Result<AnswerParts>> then) override;
  void Resend(const CallReference& reference, int seen, Then<Status> then) override;
  void GiveUp(const CallReference& reference, Then<Status> then) override;

 private:
  const ThreadChecker control_thread_;
  const Dependencies deps_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_WORKERS_THREADED_QUEUE_CLIENT_H_
