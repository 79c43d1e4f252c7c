#ifndef IDKIOSK_APP_OPERATOR_BACK_OFFICE_H_
#define IDKIOSK_APP_OPERATOR_BACK_OFFICE_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/operator/office_backend.h"
#include "app/session/command_reply.h"
#include "platform/api/clock.h"
#include "platform/api/task_runner.h"
#include "platform/base/json.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// What an operator does with lists and files: decides about calls in doubt, person by person, reads
// the books, holds an invoice against them, and takes files from a memory stick and puts them
// there. On the control thread.
class BackOffice {
 public:
  // `changed`: what it writes has become another. All must outlive it.
  BackOffice(OfficeBackend& backend, TaskRunner& control, const Clock& clock,
             std::function<void()> changed);

  // Returns false where it is none of its commands, and then the reply is left.
  [[nodiscard]] bool Do(std::string_view command, JsonView arguments, Reply& reply);

  // Shows the whole number that a call asks about, for ten seconds.
  void ShowNumber(const CallReference& reference, Reply reply);

  // Reads what the tab shows; with the stick's files.
  void OpenQueue();
  void OpenLedger();
  void OpenSetup() { ListStick(".json"); }
  // Nothing of what was read stays.
  void Forget();

  // Why none were read since the tab was opened; empty: they were, or are not known yet.
  [[nodiscard]] std::string_view WhyNoPeople() const {
    return people_ ? std::string_view() : people_problem_;
  }
  [[nodiscard]] std::string_view WhyNoBooks() const {
    return books_ ? std::string_view() : books_problem_;
  }
  // Members of the snapshot's `operator`: `Operator` in the page's snapshot.d.ts.
  void WritePeople(JsonWriter& json) const;
  void WriteBooks(JsonWriter& json) const;
  void WriteStick(JsonWriter& json) const;

  // A file of this name was put on the stick.
  void NoteWritten(std::string file);

 private:
  struct Command;
  static const Command kCommands[];

  void Decide(JsonView arguments, Reply reply);
  void ErasePerson(JsonView arguments, Reply reply);
  void Books(JsonView arguments, Reply reply);
  void Export(JsonView arguments, Reply reply);
  void TakeReply(JsonView arguments, Reply reply);
  void Match(JsonView arguments, Reply reply);
  void LookAtStick(JsonView arguments, Reply reply);

  void ReadPeople();
  void ReadBooks();
  void ListStick(const std::string& ending);
  void HideNumber();
  // `function` of an answer that is worth something only as long as nothing was forgotten since.
  template <typename Function>
  auto Meanwhile(Function function);
  // Replies why a file was not read or written; then the page lists what is there now.
  [[nodiscard]] OfficeBackend::Then<Result<std::string>> SayWritten(Reply reply);

  const ThreadChecker control_thread_;
  OfficeBackend& backend_;
  TaskRunner& control_;
  const Clock& clock_;
  const std::function<void()> changed_;
  uint64_t forgotten_ = 0;

  std::optional<OfficeBackend::PeopleView> people_;
  std::string people_problem_;  // why they could not be read the last time; empty: they could
  CallReference shown_;         // whose number is shown; empty: none
  SecretBytes number_;
  std::optional<OfficeBackend::ReplyView> reply_;
  std::string receipt_;  // of the erasure that was asked last; empty: none
  BooksQuestion question_;
  std::optional<OfficeBackend::BooksView> books_;
  std::string books_problem_;
  std::optional<InvoiceView> match_;
  std::vector<std::string> files_;  // on the stick
  std::string ending_ = ".csv";     // of them
  std::string said_;                // of the reply that was taken last
  std::string written_;             // the file that was put there last
  ScopedTimer again_;
  ScopedTimer hide_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_BACK_OFFICE_H_
