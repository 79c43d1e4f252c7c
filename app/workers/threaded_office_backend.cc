#include "app/workers/threaded_office_backend.h"

#include <sstream>
#include <utility>

#include "app/operator/operators_reply.h"
#include "app/operator/person_erasure.h"
#include "app/settings/provisioning.h"

namespace idkiosk {
namespace {

constexpr size_t kWrongLinesShown = 50;

std::istringstream TextOf(const Bytes& bytes) {
  return std::istringstream(std::string(AsText(bytes)));
}

std::string LedgerName(const BooksQuestion& question) {
  std::string name = "ledger";
  for (const std::string* part : {&question.month, &question.endpoint, &question.operator_id}) {
    if (!part->empty()) name += fmt::format("-{}", *part);
  }
  return name + ".csv";
}

}  // namespace

template <typename Answer>
void ThreadedOfficeBackend::Ask(std::move_only_function<Result<Answer>(DurableQueue&)> question,
                                Then<Result<Answer>> then) {
  if (deps_.queue != nullptr) return deps_.queue->Ask(std::move(question), std::move(then));
  deps_.control.Post([answer = std::move(then)]() mutable {
    answer(Fail(ErrorCode::kFailedPrecondition, "this kiosk is not set up yet"));
  });
}

void ThreadedOfficeBackend::ReadPeople(Then<Result<PeopleView>> then) {
  Ask<PeopleView>(
      [this](DurableQueue& queue) -> Result<PeopleView> {
        auto list = idkiosk::ReadPeople(queue);
        if (!list) return std::unexpected(list.error());
        return PeopleView{std::move(*list), deps_.clock.WallNow(), deps_.queue->profile().currency};
      },
      std::move(then));
}

void ThreadedOfficeBackend::Decide(Decisions decisions, Then<Status> then) {
  Ask<void>(
      [this, decided = std::move(decisions), by = deps_.user.By()](DurableQueue& queue) {
        Status done = DecideAll(queue, deps_.audit, by, decided);
        if (!decided.resend.empty()) deps_.wake();
        return done;
      },
      std::move(then));
}

void ThreadedOfficeBackend::ShowNumber(const CallReference& reference,
                                       Then<Result<SecretBytes>> then) {
  Ask<SecretBytes>(
      [this, reference, by = deps_.user.By()](DurableQueue& queue) {
        return deps_.audit.Do(AuditEvent::kNumberShown, by, reference,
                              [&] { return queue.NumberOf(reference); });
      },
      std::move(then));
}

void ThreadedOfficeBackend::ErasePerson(SecretBytes nin, Then<Result<std::string>> then) {
  Ask<std::string>(
      [this, number = std::move(nin),
       by = deps_.user.By()](DurableQueue& queue) mutable -> Result<std::string> {
        ErasureRequest request;
        request.person.nin = std::move(number);
        const auto receipt =
            idkiosk::ErasePerson(request, by, queue, *deps_.consents, deps_.audit, deps_.clock);
        if (!receipt) return std::unexpected(receipt.error());
        return ReceiptText(*receipt);
      },
      std::move(then));
}

void ThreadedOfficeBackend::ReadBooks(BooksQuestion question, Then<Result<BooksView>> then) {
  Ask<BooksView>(
      [this, asked = std::move(question)](DurableQueue& queue) -> Result<BooksView> {
        const std::string& currency = deps_.queue->profile().currency;
        auto books = idkiosk::ReadBooks(queue, asked, currency);
        if (!books) return std::unexpected(books.error());
        return BooksView{std::move(*books), currency};
      },
      std::move(then));
}

void ThreadedOfficeBackend::ListStick(std::string ending,
                                      Then<Result<std::vector<std::string>>> then) {
  PostTaskAndReply(
      deps_.storage_runner, deps_.control,
      [this, wanted = std::move(ending)] { return stick_.List(wanted); }, std::move(then));
}

void ThreadedOfficeBackend::ReadMessage(std::string file, Then<Result<SecretBytes>> then) {
  PostTaskAndReply(
      deps_.storage_runner, deps_.control,
      [this, name = std::move(file)]() -> Result<SecretBytes> {
        auto bytes = stick_.Read(name);
        if (!bytes) return std::unexpected(bytes.error());
        SecretBytes message = SecretBytes::CopyOf(AsText(*bytes));
        Wipe(*bytes);
        if (message.size() <= kLongestOnboarding) return message;
        return Fail(ErrorCode::kInvalid, "{} is too long for an onboarding message", name);
      },
      std::move(then));
}

void ThreadedOfficeBackend::PutOnStick(Export what, BooksQuestion question,
                                       Then<Result<std::string>> then) {
  Ask<std::string>(
      [this, what, asked = std::move(question)](DurableQueue& queue) -> Result<std::string> {
        const std::string& currency = deps_.queue->profile().currency;
        if (what == Export::kLedger) {
          const auto text = BooksCsv(queue, asked, currency);
          if (!text) return text;
          return stick_.Write(LedgerName(asked), *text);
        }
        const auto doubtful = DoubtfulAttempts(queue.Ledger(std::nullopt));
        if (!doubtful) return std::unexpected(doubtful.error());
        return stick_.Write("unknown.csv", DoubtfulCsv(*doubtful, currency));
      },
      std::move(then));
}

void ThreadedOfficeBackend::PutTextOnStick(std::string name, std::string text,
                                           Then<Result<std::string>> then) {
  PostTaskAndReply(
      deps_.storage_runner, deps_.control,
      [this, file = std::move(name), content = std::move(text)] {
        return stick_.Write(file, content);
      },
      std::move(then));
}

void ThreadedOfficeBackend::TakeReply(std::string file, bool settle, Then<Result<ReplyView>> then) {
  Ask<ReplyView>([this, name = std::move(file), settle, by = deps_.user.By()](
                     DurableQueue& queue) { return TakeReplyNow(queue, name, settle, by); },
                 std::move(then));
}

Result<OfficeBackend::ReplyView> ThreadedOfficeBackend::TakeReplyNow(DurableQueue& queue,
                                                                     const std::string& file,
                                                                     bool settle,
                                                                     const std::string& by) const {
  const auto bytes = stick_.Read(file);
  if (!bytes) return std::unexpected(bytes.error());
  const auto ledger = queue.Ledger(std::nullopt);
  if (!ledger) return std::unexpected(ledger.error());
  std::istringstream in = TextOf(*bytes);
  auto reply = ReadOperatorsReply(in, *ledger);
  if (!reply) return std::unexpected(reply.error().Within(file));
  if (reply->decided.empty()) {
    return Fail(ErrorCode::kInvalid, "{}: nothing in it decides about an attempt in doubt here{}{}",
                file, reply->wrong.empty() ? "" : "; ",
                reply->wrong.empty() ? "" : reply->wrong.front());
  }
  ReplyView view{.file = file, .text = PlanOf(*reply), .wrong = {}};
  if (settle) {
    const int64_t settled = SettleAll(*reply, [&](const LedgerRow& attempt, Settlement outcome) {
      return SettleInName(by, queue, deps_.audit, attempt.reference, attempt.number, outcome);
    });
    view.text = fmt::format("{} settled, {} not.", settled, reply->wrong.size());
    deps_.wake();
  }
  view.wrong = std::move(reply->wrong);
  if (view.wrong.size() > kWrongLinesShown) {
    const size_t more = view.wrong.size() - kWrongLinesShown;
    view.wrong.resize(kWrongLinesShown);
    view.wrong.push_back(fmt::format("and {} lines more", more));
  }
  return view;
}

void ThreadedOfficeBackend::HoldInvoice(std::string file, BooksQuestion question,
                                        Then<Result<InvoiceView>> then) {
  Ask<InvoiceView>(
      [this, name = std::move(file),
       asked = std::move(question)](DurableQueue& queue) -> Result<InvoiceView> {
        const auto bytes = stick_.Read(name);
        if (!bytes) return std::unexpected(bytes.error());
        std::istringstream in = TextOf(*bytes);
        auto view = idkiosk::HoldInvoice(queue, in, asked, deps_.queue->profile().currency);
        if (!view) return std::unexpected(view.error().Within(name));
        return view;
      },
      std::move(then));
}

}  // namespace idkiosk
