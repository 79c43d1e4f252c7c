#ifndef IDKIOSK_APP_OPERATOR_OFFICE_BACKEND_H_
#define IDKIOSK_APP_OPERATOR_OFFICE_BACKEND_H_

#include <functional>
#include <string>
#include <vector>

#include "app/operator/books.h"
#include "app/operator/people_list.h"

namespace idkiosk {

// What lists and files are asked of: the queue, its ledger, and a memory stick. Everything is
// called on the control thread and returns at once; answers come later, on the same thread.
class OfficeBackend {
 public:
  template <typename T>
  using Then = std::move_only_function<void(T)>;

  struct PeopleView {
    PeopleList list;
    WallTime now;  // that ages are told by
    std::string currency;
  };
  struct BooksView {
    Books books;
    std::string currency;
  };
  // What the service's operator said, before anybody has agreed to it, or once it is settled.
  struct ReplyView {
    std::string file;
    std::string text;                // what would be, or was, decided
    std::vector<std::string> wrong;  // lines that decide nothing, each with why
  };
  enum class Export { kUnknown, kLedger };

  virtual ~OfficeBackend() = default;

  virtual void ReadPeople(Then<Result<PeopleView>> then) = 0;
  // Errors: people_list.h's.
  virtual void Decide(Decisions decisions, Then<Status> then) = 0;
  // The whole number that a call asks about. It is put down who saw it.
  virtual void ShowNumber(const CallReference& reference, Then<Result<SecretBytes>> then) = 0;
  // Erases everything of a person, and returns what to give them: ReceiptText's. Errors:
  // ErasePerson's.
  virtual void ErasePerson(SecretBytes nin, Then<Result<std::string>> then) = 0;
  virtual void ReadBooks(BooksQuestion question, Then<Result<BooksView>> then) = 0;

  // The stick's files that end like this. Errors of what follows: Stick's.
  virtual void ListStick(std::string ending, Then<Result<std::vector<std::string>>> then) = 0;
  // The whole file, which may hold credentials. Errors also: kExhausted (longer than a message is).
  virtual void ReadMessage(std::string file, Then<Result<SecretBytes>> then) = 0;
  // Returns the name of the file that was written.
  virtual void PutOnStick(Export what, BooksQuestion question, Then<Result<std::string>> then) = 0;
  virtual void PutTextOnStick(std::string name, std::string text,
                              Then<Result<std::string>> then) = 0;
  // `settle`: somebody has agreed; else nothing is changed.
  virtual void TakeReply(std::string file, bool settle, Then<Result<ReplyView>> then) = 0;
  virtual void HoldInvoice(std::string file, BooksQuestion question,
                           Then<Result<InvoiceView>> then) = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_OFFICE_BACKEND_H_
