#ifndef IDKIOSK_APP_WORKERS_THREADED_OFFICE_BACKEND_H_
#define IDKIOSK_APP_WORKERS_THREADED_OFFICE_BACKEND_H_

#include <functional>
#include <string>

#include "app/audit/audit_log.h"
#include "app/consent/consent_log.h"
#include "app/operator/office_backend.h"
#include "app/operator/stick.h"
#include "app/session/staff/page_user.h"
#include "app/workers/threaded_queue_client.h"
#include "platform/api/clock.h"
#include "platform/api/task_runner.h"

namespace idkiosk {

// Asks queue, ledger and stick on the storage thread, which may wait for the disk.
class ThreadedOfficeBackend final : public OfficeBackend {
 public:
  // All must outlive this; the storage thread ends before it goes.
  struct Dependencies {
    FileSystem& files;
    const Clock& clock;
    AuditLog& audit;
    ConsentLog* consents;  // null: the kiosk does not know its service yet
    const PageUser& user;  // the control thread
    TaskRunner& storage_runner;
    TaskRunner& control;
    std::string sticks;          // staff.sticks
    ThreadedQueueClient* queue;  // null: the kiosk does not know its service yet
    // Tells the delivery that a person has decided; any thread.
    std::function<void()> wake;
  };
  explicit ThreadedOfficeBackend(Dependencies deps)
      : deps_(std::move(deps)), stick_(deps_.files, deps_.sticks) {}

  void ReadPeople(Then<Result<PeopleView>> then) override;
  void Decide(Decisions decisions, Then<Status> then) override;
  void ShowNumber(const CallReference& reference, Then<Result<SecretBytes>> then) override;
  void ErasePerson(SecretBytes nin, Then<Result<std::string>> then) override;
  void ReadBooks(BooksQuestion question, Then<Result<BooksView>> then) override;
  void ListStick(std::string ending, Then<Result<std::vector<std::string>>> then) override;
  void ReadMessage(std::string file, Then<Result<SecretBytes>> then) override;
  void PutOnStick(Export what, BooksQuestion question, Then<Result<std::string>> then) override;
  void PutTextOnStick(std::string name, std::string text, Then<Result<std::string>> then) override;
  void TakeReply(std::string file, bool settle, Then<Result<ReplyView>> then) override;
  void HoldInvoice(std::string file, BooksQuestion question,
                   Then<Result<InvoiceView>> then) override;

 private:
  // Asks the queue; says so where there is none.
  template <typename Answer>
  void Ask(std::move_only_function<Result<Answer>(DurableQueue&)> question,
           Then<Result<Answer>> then);
  // Storage thread.
  [[nodiscard]] Result<ReplyView> TakeReplyNow(DurableQueue& queue, const std::string& file,
                                               bool settle, const std::string& by) const;

  const Dependencies deps_;
  const Stick stick_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_WORKERS_THREADED_OFFICE_BACKEND_H_
