#include "app/operator/back_office.h"

#include <algorithm>
#include <span>
#include <utility>

#include "app/operator/console_tabs.h"
#include "app/settings/nin.h"
#include "platform/base/text/amount.h"

namespace idkiosk {
namespace {

constexpr Duration kReadAgain = std::chrono::seconds(10);
constexpr Duration kNumberShown = std::chrono::seconds(10);
// As a table on the page; the file has all.
constexpr size_t kDifferencesShown = 200;

CommandReply ReplyOf(const Error& error) { return Refused(ErrorCode::kForbidden, error.message); }

// Nothing: it is no list of references.
std::optional<std::vector<CallReference>> References(JsonView list) {
  std::vector<CallReference> references;
  if (!list.IsArray()) return std::nullopt;
  for (const JsonView each : list.children()) {
    auto reference = ParseReference(each.AsString().value_or(""));
    if (!reference) return std::nullopt;
    references.push_back(std::move(*reference));
  }
  return references;
}

std::string Text(JsonView arguments, std::string_view name) {
  return std::string(arguments[name].AsString().value_or(""));
}

void WriteSums(JsonWriter& json, std::string_view name, const SumsByCurrency& by_currency) {
  json.Key(name).BeginArray();
  for (const auto& [currency, sums] : by_currency) {
    for (const LedgerSum& sum : sums) {
      json.BeginObject()
          .Field("key", sum.key)
          .Field("currency", currency)
          .Field("attempts", sum.attempts)
          .Field("billed", sum.billed_yes)
          .Field("maybe", sum.billed_maybe)
          .Field("price", FormatAmount(sum.price_yes))
          .Field("maybe_price", FormatAmount(sum.price_maybe))
          .EndObject();
    }
  }
  json.EndArray();
}

void WriteTexts(JsonWriter& json, std::string_view name, std::span<const std::string> texts) {
  json.Key(name).BeginArray();
  for (const std::string& each : texts) json.Value(each);
  json.EndArray();
}

void WriteMatch(JsonWriter& json, const InvoiceView& match) {
  json.Key("match").BeginObject().Field("all", match.all_match);
  WriteTexts(json, "bad_lines", match.bad_lines);
  json.Key("counts").BeginArray();
  for (const auto& [finding, count] : match.counts) {
    json.BeginObject().Field("finding", finding).Field("count", count).EndObject();
  }
  json.EndArray().Key("sums").BeginArray();
  for (const InvoiceView::Sums& each : match.sums) {
    json.BeginObject()
        .Field("currency", each.currency)
        .Field("invoiced", each.invoiced)
        .Field("billed", each.billed)
        .Field("maybe", each.maybe)
        .EndObject();
  }
  json.EndArray().Key("differences").BeginArray();
  for (size_t i = 0; i < std::min(match.differences.size(), kDifferencesShown); ++i) {
    json.BeginArray();
    for (const std::string& each : match.differences[i]) json.Value(each);
    json.EndArray();
  }
  json.EndArray()
      .Field("difference_count", static_cast<int64_t>(match.differences.size()))
      .EndObject();
}

}  // namespace

struct BackOffice::Command {
  std::string_view name;
  void (BackOffice::*run)(JsonView arguments, Reply reply);
};

constexpr BackOffice::Command BackOffice::kCommands[] = {
    {"operator.decide", &BackOffice::Decide},
    {"operator.erase_person", &BackOffice::ErasePerson},
    {"operator.books", &BackOffice::Books},
    {"operator.export", &BackOffice::Export},
    {"operator.reply", &BackOffice::TakeReply},
    {"operator.match", &BackOffice::Match},
    {"operator.stick", &BackOffice::LookAtStick},
};

BackOffice::BackOffice(OfficeBackend& backend, TaskRunner& control, const Clock& clock,
                       std::function<void()> changed)
    : backend_(backend), control_(control), clock_(clock), changed_(std::move(changed)) {}

bool BackOffice::Do(std::string_view command, JsonView arguments, Reply& reply) {
  control_thread_.Check();
  const auto known = std::ranges::find(kCommands, command, &Command::name);
  if (known == std::end(kCommands)) return false;
  (this->*known->run)(arguments, std::move(reply));
  return true;
}

template <typename Function>
auto BackOffice::Meanwhile(Function function) {
  return [this, forgotten = forgotten_, run = std::move(function)](auto&&... answer) mutable {
    if (forgotten == forgotten_) run(std::forward<decltype(answer)>(answer)...);
  };
}

void BackOffice::OpenQueue() {
  ReadPeople();
  ListStick(".csv");
}

void BackOffice::OpenLedger() {
  ReadBooks();
  ListStick(".csv");
}

void BackOffice::Forget() {
  control_thread_.Check();
  ++forgotten_;
  again_.Cancel();
  HideNumber();
  people_.reset();
  people_problem_.clear();
  reply_.reset();
  receipt_.clear();
  question_ = BooksQuestion();
  books_.reset();
  books_problem_.clear();
  match_.reset();
  files_.clear();
  said_.clear();
  written_.clear();
}

// --- Calls in doubt ---

void BackOffice::ReadPeople() {
  backend_.ReadPeople(Meanwhile([this](Result<OfficeBackend::PeopleView> read) {
    people_problem_ = read ? std::string() : read.error().message;
    if (read) people_ = std::move(*read);
    again_ = ScopedTimer(control_, clock_.Now() + kReadAgain, [this] { ReadPeople(); });
    changed_();
  }));
}

void BackOffice::Decide(JsonView arguments, Reply reply) {
  const auto resend = References(arguments["resend"]);
  const auto give_up = References(arguments["give_up"]);
  const auto price = arguments["price"].AsInteger();
  const auto attempts = arguments["attempts"].AsInteger();
  if (!resend || !give_up || !price || !attempts || resend->size() + give_up->size() == 0 ||
      arguments["confirmed"].AsBool() != true) {
    return reply(Refused(ErrorCode::kInvalid,
                         "a decision names calls, the price and the attempts of all that is sent "
                         "again, and must be confirmed"));
  }
  backend_.Decide({*resend, *give_up, *price, *attempts},
                  [this, forgotten = forgotten_, answer = std::move(reply)](Status done) mutable {
                    if (forgotten == forgotten_) ReadPeople();
                    answer(done ? CommandReply() : ReplyOf(done.error()));
                  });
}

void BackOffice::ShowNumber(const CallReference& reference, Reply reply) {
  control_thread_.Check();
  HideNumber();
  backend_.ShowNumber(reference, [this, reference, forgotten = forgotten_,
                                  answer = std::move(reply)](Result<SecretBytes> number) mutable {
    if (!number) return answer(ReplyOf(number.error()));
    if (forgotten != forgotten_) {
      return answer(Refused(ErrorCode::kFailedPrecondition, "the list was left meanwhile"));
    }
    shown_ = reference;
    number_ = std::move(*number);
    hide_ = ScopedTimer(control_, clock_.Now() + kNumberShown, [this] {
      HideNumber();
      changed_();
    });
    changed_();
    answer({});
  });
}

void BackOffice::HideNumber() {
  hide_.Cancel();
  shown_.clear();
  number_ = SecretBytes();
}

void BackOffice::ErasePerson(JsonView arguments, Reply reply) {
  const auto digits = arguments["nin"].AsString().value_or("");
  if (!IsNin(digits) || arguments["confirmed"].AsBool() != true) {
    return reply(
        Refused(ErrorCode::kInvalid,
                fmt::format("nin must be {} digits, and erasing be confirmed", kNinDigits)));
  }
  receipt_.clear();
  backend_.ErasePerson(SecretBytes::CopyOf(digits),
                       [this, forgotten = forgotten_,
                        answer = std::move(reply)](Result<std::string> erased) mutable {
                         if (forgotten == forgotten_) {
                           if (erased) receipt_ = *erased;
                           ReadPeople();
                           changed_();
                         }
                         answer(erased ? CommandReply() : ReplyOf(erased.error()));
                       });
}

void BackOffice::TakeReply(JsonView arguments, Reply reply) {
  const std::string file = Text(arguments, "file");
  if (file.empty()) return reply(Refused(ErrorCode::kInvalid, "file must be one of the stick's"));
  reply_.reset();
  const bool settle = arguments["confirmed"].AsBool().value_or(false);
  backend_.TakeReply(file, settle,
                     [this, settle, forgotten = forgotten_,
                      answer = std::move(reply)](Result<OfficeBackend::ReplyView> read) mutable {
                       if (!read) return answer(ReplyOf(read.error()));
                       if (forgotten == forgotten_) {
                         if (settle) {
                           said_ = std::move(read->text);
                           ReadPeople();
                         } else {
                           reply_ = std::move(*read);
                         }
                         changed_();
                       }
                       answer({});
                     });
}

// --- The books ---

void BackOffice::Books(JsonView arguments, Reply reply) {
  BooksQuestion asked{.month = Text(arguments, "month"),
                      .endpoint = Text(arguments, "endpoint"),
                      .operator_id = Text(arguments, "operator"),
                      .from = 0};
  const auto from = arguments["from"].AsInteger().value_or(0);
  asked.from = from < 0 ? 0 : static_cast<size_t>(from);
  // The match that is shown belongs to another month.
  if (asked.month != question_.month) match_.reset();
  question_ = std::move(asked);
  ReadBooks();
  reply({});
}

void BackOffice::ReadBooks() {
  backend_.ReadBooks(question_, Meanwhile([this](Result<OfficeBackend::BooksView> read) {
                       books_problem_ = read ? read->books.doubt : read.error().message;
                       if (read) books_ = std::move(*read);
                       changed_();
                     }));
}

void BackOffice::Match(JsonView arguments, Reply reply) {
  const std::string file = Text(arguments, "file");
  if (file.empty()) return reply(Refused(ErrorCode::kInvalid, "file must be one of the stick's"));
  match_.reset();
  backend_.HoldInvoice(
      file, question_,
      [this, forgotten = forgotten_, answer = std::move(reply)](Result<InvoiceView> held) mutable {
        if (!held) return answer(ReplyOf(held.error()));
        if (forgotten == forgotten_) {
          match_ = std::move(*held);
          changed_();
        }
        answer({});
      });
}

// --- The stick ---

void BackOffice::Export(JsonView arguments, Reply reply) {
  const std::string what = Text(arguments, "what");
  said_.clear();
  written_.clear();
  if (what == "unknown") {
    return backend_.PutOnStick(OfficeBackend::Export::kUnknown, {}, SayWritten(std::move(reply)));
  }
  if (what == "ledger") {
    return backend_.PutOnStick(OfficeBackend::Export::kLedger, question_,
                               SayWritten(std::move(reply)));
  }
  if (what == "receipt" && !receipt_.empty()) {
    return backend_.PutTextOnStick("receipt.txt", receipt_, SayWritten(std::move(reply)));
  }
  if (what != "differences" || !match_) {
    return reply(
        Refused(ErrorCode::kInvalid, "what must be unknown, ledger, receipt or differences"));
  }
  backend_.PutTextOnStick("differences.csv", match_->csv, SayWritten(std::move(reply)));
}

OfficeBackend::Then<Result<std::string>> BackOffice::SayWritten(Reply reply) {
  return
      [this, forgotten = forgotten_, answer = std::move(reply)](Result<std::string> name) mutable {
        if (forgotten == forgotten_) {
          if (name) written_ = *name;
          ListStick(ending_);
        }
        answer(name ? CommandReply() : ReplyOf(name.error()));
      };
}

void BackOffice::LookAtStick(JsonView arguments, Reply reply) {
  const std::string ending = Text(arguments, "ending");
  ListStick(ending == "json" ? ".json" : ".csv");
  reply({});
}

void BackOffice::ListStick(const std::string& ending) {
  ending_ = ending;
  backend_.ListStick(ending, Meanwhile([this](Result<std::vector<std::string>> files) {
                       files_ = files.value_or(std::vector<std::string>());
                       changed_();
                     }));
}

void BackOffice::NoteWritten(std::string file) {
  written_ = std::move(file);
  ListStick(ending_);
}

// --- For the page ---

void BackOffice::WritePeople(JsonWriter& json) const {
  if (!people_) return;
  const auto& [list, now, currency] = *people_;
  json.Key("people")
      .BeginObject()
      .Field("problem", people_problem_)
      .Field("currency", currency)
      .Field("left_out", list.left_out)
      .Key("list")
      .BeginArray();
  for (const ListedPerson& person : list.people) {
    json.BeginObject().Field("number", person.masked).Key("calls").BeginArray();
    for (const ListedCall& each : person.calls) WriteListedCall(json, each, now, currency);
    json.EndArray().EndObject();
  }
  json.EndArray();
  if (!shown_.empty()) {
    json.Key("shown")
        .BeginObject()
        .Field("reference", shown_)
        .Field("number", number_.text())
        .EndObject();
  }
  if (!receipt_.empty()) json.Field("receipt", receipt_);
  if (reply_) {
    json.Key("reply").BeginObject().Field("file", reply_->file).Field("text", reply_->text);
    constexpr size_t kNamed = 5;
    const size_t named = std::min(reply_->wrong.size(), kNamed);
    WriteTexts(json, "wrong", std::span(reply_->wrong).first(named));
    json.Field("more_wrong", static_cast<int64_t>(reply_->wrong.size() - named)).EndObject();
  }
  json.EndObject();
}

void BackOffice::WriteBooks(JsonWriter& json) const {
  if (!books_) return;
  json.Key("books")
      .BeginObject()
      .Field("problem", books_problem_)
      .Field("month", question_.month)
      .Field("endpoint", question_.endpoint)
      .Field("operator", question_.operator_id)
      .Field("from", static_cast<int64_t>(question_.from))
      .Field("count", static_cast<int64_t>(books_->books.count));
  WriteTexts(json, "operators", books_->books.operators);
  WriteSums(json, "total", books_->books.total);
  WriteSums(json, "endpoints", books_->books.by_endpoint);
  json.Key("rows").BeginArray();
  for (const LedgerRow& each : books_->books.rows) WriteRow(json, each, books_->currency);
  json.EndArray();
  if (match_) WriteMatch(json, *match_);
  json.EndObject();
}

void BackOffice::WriteStick(JsonWriter& json) const {
  json.Key("stick").BeginObject().Field("said", said_).Field("written", written_);
  WriteTexts(json, "files", files_);
  json.EndObject();
}

}  // namespace idkiosk
