#ifndef IDKIOSK_TESTS_APP_OPERATOR_FAKE_OFFICE_BACKEND_H_
#define IDKIOSK_TESTS_APP_OPERATOR_FAKE_OFFICE_BACKEND_H_

#include <string>
#include <vector>

#include "app/operator/office_backend.h"

namespace idkiosk {

// Keeps every question until the test answers it.
class FakeOfficeBackend final : public OfficeBackend {
 public:
  void ReadPeople(Then<Result<PeopleView>> then) override { people.push_back(std::move(then)); }
  void Decide(Decisions decisions, Then<Status> then) override {
    decided_about.push_back(std::move(decisions));
    decided.push_back(std::move(then));
  }
  void ShowNumber(const CallReference& reference, Then<Result<SecretBytes>> then) override {
    numbers_of.push_back(reference);
    numbers.push_back(std::move(then));
  }
  void ErasePerson(SecretBytes nin, Then<Result<std::string>> then) override {
    erased_people.push_back(std::move(nin));
    erased.push_back(std::move(then));
  }
  void ReadBooks(BooksQuestion question, Then<Result<BooksView>> then) override {
    books_of.push_back(std::move(question));
    books.push_back(std::move(then));
  }
  void ListStick(std::string ending, Then<Result<std::vector<std::string>>> then) override {
    endings.push_back(std::move(ending));
    lists.push_back(std::move(then));
  }
  void ReadMessage(std::string file, Then<Result<SecretBytes>> then) override {
    messages_of.push_back(std::move(file));
    messages.push_back(std::move(then));
  }
  void PutOnStick(Export what, BooksQuestion question, Then<Result<std::string>> then) override {
    exports.emplace_back(what, std::move(question));
    written.push_back(std::move(then));
  }
  void PutTextOnStick(std::string name, std::string text, Then<Result<std::string>> then) override {
    texts.emplace_back(std::move(name), std::move(text));
    written.push_back(std::move(then));
  }
  void TakeReply(std::string file, bool settle, Then<Result<ReplyView>> then) override {
    replies_of.emplace_back(std::move(file), settle);
    replies.push_back(std::move(then));
  }
  void HoldInvoice(std::string file, BooksQuestion question,
                   Then<Result<InvoiceView>> then) override {
    invoices_of.emplace_back(std::move(file), std::move(question));
    invoices.push_back(std::move(then));
  }

  std::vector<Then<Result<PeopleView>>> people;
  std::vector<Decisions> decided_about;
  std::vector<Then<Status>> decided;
  std::vector<CallReference> numbers_of;
  std::vector<Then<Result<SecretBytes>>> numbers;
  std::vector<SecretBytes> erased_people;
  std::vector<Then<Result<std::string>>> erased;
  std::vector<BooksQuestion> books_of;
  std::vector<Then<Result<BooksView>>> books;
  std::vector<std::string> endings;
  std::vector<Then<Result<std::vector<std::string>>>> lists;
  std::vector<std::string> messages_of;
  std::vector<Then<Result<SecretBytes>>> messages;
  std::vector<std::pair<Export, BooksQuestion>> exports;
  std::vector<std::pair<std::string, std::string>> texts;
  std::vector<Then<Result<std::string>>> written;
  std::vector<std::pair<std::string, bool>> replies_of;
  std::vector<Then<Result<ReplyView>>> replies;
  std::vector<std::pair<std::string, BooksQuestion>> invoices_of;
  std::vector<Then<Result<InvoiceView>>> invoices;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_OPERATOR_FAKE_OFFICE_BACKEND_H_
