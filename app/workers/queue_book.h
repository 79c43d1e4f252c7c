#ifndef IDKIOSK_APP_WORKERS_QUEUE_BOOK_H_
#define IDKIOSK_APP_WORKERS_QUEUE_BOOK_H_

#include <functional>

#include "app/queue/durable_queue.h"
#include "app/session/call_book.h"
#include "platform/api/task_runner.h"

namespace idkiosk {

// The durable queue as staff sees it, asked on a thread that may wait for the disk.
class QueueBook final : public CallBook {
 public:
  // All must outlive this; `storage_runner` is that thread. `wake` tells the delivery that a person
  // has decided; any thread.
  struct Dependencies {
    DurableQueue& queue;
    const ServiceProfile& profile;
    const Clock& clock;
    TaskRunner& storage_runner;
    TaskRunner& control;
    std::function<void()> wake;
  };
  explicit QueueBook(Dependencies deps) : deps_(std::move(deps)) {}

  void FindDuplicate(VerificationCall call, Then<Looked> then) override;
  void Look(Then<Result<Overview>> then) override;
  void Count(Then<Result<Tally>> then) override;
  void OpenAnswer(const CallReference& reference, Then<Result<AnswerParts>> then) override;
  void Resend(const CallReference& reference, Then<Status> then) override;
  void GiveUp(const CallReference& reference, Then<Status> then) override;

 private:
  // Storage thread.
  [[nodiscard]] Result<Overview> LookNow();
  [[nodiscard]] Result<Tally> CountNow();
  [[nodiscard]] Result<AnswerParts> OpenNow(const CallReference& reference);
  [[nodiscard]] Status ResendNow(const CallReference& reference);

  const Dependencies deps_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_WORKERS_QUEUE_BOOK_H_
