#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <utility>

#include "app/queue/queue_internals.h"
#include "app/service/answer_codec.h"
#include "platform/base/json.h"
#include "platform/base/text/digits.h"
#include "platform/base/text/letter_case.h"

// Erasure on request: what is here of one person, and how it goes.

namespace idkiosk {
namespace {

// So much of a call's request stands for its key alone.
constexpr size_t kRequestKey = 32;

bool IsNinType(std::string_view type) { return type == VerificationCall().id_type; }

// By another number nobody's calls would be found: it needs a member of PersonNumbers, and its
// place below, first.
constexpr bool IsLookedFor(Endpoint endpoint) {
  const EndpointTraits traits = TraitsOf(endpoint);
  return traits.task.empty() || traits.Takes(Placeholder::kNin) ||
         traits.Takes(Placeholder::kPhone) || traits.Takes(Placeholder::kIdNumber);
}
static_assert(std::ranges::all_of(kEndpoints, IsLookedFor));

// Every question that these numbers may have been asked in.
std::vector<VerificationCall> QuestionsAbout(const PersonNumbers& person,
                                             const ServiceProfile& profile) {
  std::vector<VerificationCall> questions;
  // A NIN may come as the identity number of that type.
  const bool typed_nin = IsNinType(person.id_type) && !person.id_number.empty();
  const SecretBytes& nin = person.nin.empty() && typed_nin ? person.id_number : person.nin;
  for (const Endpoint endpoint : kEndpoints) {
    const EndpointTraits traits = TraitsOf(endpoint);
    if (traits.task.empty()) continue;
    std::vector<std::string> kinds = profile.at(endpoint).kinds;
    kinds.emplace_back(traits.kind);
    kinds.push_back(person.id_type);
    for (const std::string& kind : kinds) {
      VerificationCall question;
      question.endpoint = endpoint;
      if (traits.Takes(Placeholder::kType)) question.id_type = kind;
      if (traits.Takes(Placeholder::kSearchType)) question.search_type = kind;
      const bool is_nin = IsNinType(question.id_type);
      if (traits.Takes(Placeholder::kNin)) question.nin = nin.Clone();
      if (traits.Takes(Placeholder::kPhone)) question.phone = person.phone.Clone();
      if (traits.Takes(Placeholder::kIdNumber)) {
        question.id_number = is_nin ? nin.Clone() : person.id_number.Clone();
      }
      if (question.nin.empty() && question.phone.empty() && question.id_number.empty()) continue;
      questions.push_back(std::move(question));
    }
  }
  return questions;
}

// Whether the person can have been asked about by these numbers. Who mistypes one must not be told
// that nothing of the person is here.
Status CheckNumbers(const PersonNumbers& person, const ServiceProfile& profile) {
  // What they were asked for is nothing that tells them apart.
  const std::string any_reason = "any";
  if (!person.id_number.empty()) {
    VerificationCall typed;
    typed.endpoint = Endpoint::kCheck;
    typed.id_type = person.id_type;
    typed.reason = any_reason;
    if (Status known = CheckKind(typed, profile.at(typed.endpoint)); !known) return known;
  }
  const CallRules rules{
      .environment = Environment::kSandbox, .test_nin = {}, .reasons = {any_reason}};
  for (VerificationCall& question : QuestionsAbout(person, profile)) {
    question.reason = any_reason;
    if (Status good = CheckQuestion(question, rules); !good) return good;
  }
  return {};
}

// Shorter ones stand in answers for other things.
constexpr size_t kShortestNumber = 7;
constexpr size_t kLongestNumber = 64;
// Of a mobile number, whatever stands before: "0", "234" or "+234".
constexpr size_t kOwnDigits = 10;

constexpr std::string_view kSigns = " -./()+,:_\t\n\r";

// Looks for a person's numbers in answers, of which a photograph is most.
class NumberSearch {
 public:
  explicit NumberSearch(const PersonNumbers& person)
      : nin_(PlainOf(person.nin)),
        id_number_(PlainOf(person.id_number)),
        phone_(PlainOf(person.phone)) {}

  // Whether a value of an answer, or its name, is or holds one of them.
  [[nodiscard]] bool In(JsonView value) const {
    if (In(value.key())) return true;
    if (const auto text = value.AsString()) return In(*text);
    if (const auto number = value.AsInteger()) return Is(std::to_string(*number));
    return std::ranges::any_of(value.children(), [&](JsonView each) { return In(each); });
  }
  // The same of a text: as it stands, as words or digits in it with signs between them.
  [[nodiscard]] bool In(std::string_view text) const {
    return Is(text) || HasRun(text, IsDigitOrLetter) || HasRun(text, IsDigit);
  }

 private:
  using Plain = std::array<char, kLongestNumber>;

  // Writes it small and without signs. Returns how long it is then.
  static size_t Write(std::string_view number, Plain& plain) {
    size_t size = 0;
    for (const char c : number.substr(0, kLongestNumber)) {
      if (!kSigns.contains(c)) plain[size++] = LowerLetter(c);
    }
    return size;
  }
  static SecretBytes PlainOf(const SecretBytes& number) {
    Plain plain{};
    const size_t size = Write(number.text(), plain);
    SecretBytes copy = SecretBytes::CopyOf(std::string_view(plain.data(), size));
    explicit_bzero(plain.data(), plain.size());
    return copy;
  }
  // Whether it is one of them, whatever signs are in it.
  [[nodiscard]] bool Is(std::string_view text) const {
    if (text.size() < kShortestNumber || text.size() > kLongestNumber) return false;
    Plain plain{};
    const std::string_view it(plain.data(), Write(text, plain));
    const auto is = [&](const SecretBytes& number) {
      return number.size() >= kShortestNumber && number.text() == it;
    };
    const bool found = is(nin_) || is(id_number_) || IsPhone(it);
    explicit_bzero(plain.data(), plain.size());
    return found;
  }
  [[nodiscard]] bool IsPhone(std::string_view text) const {
    const std::string_view phone = phone_.text();
    return phone.size() >= kOwnDigits && text.size() >= kOwnDigits && AreDigits(text) &&
           text.substr(text.size() - kOwnDigits) == phone.substr(phone.size() - kOwnDigits);
  }
  static bool IsDigitOrLetter(char c) { return IsDigit(c) || IsLetter(c); }
  // Whether, from a group of such characters on, as many as follow with nothing but signs between
  // them are one of the numbers.
  [[nodiscard]] bool HasRun(std::string_view text, bool (*belongs)(char)) const {
    for (auto begin = text.begin(); begin != text.end();) {
      begin = std::find_if(begin, text.end(), belongs);
      const auto next = std::find_if_not(begin, text.end(), belongs);
      for (auto end = next;
           begin != end && std::string_view(begin, end).size() <= kLongestNumber;) {
        if (Is(std::string_view(begin, end))) return true;
        const auto more =
            std::find_if_not(end, text.end(), [](char c) { return kSigns.contains(c); });
        if (more == end || more == text.end() || !belongs(*more)) break;
        end = std::find_if_not(more, text.end(), belongs);
      }
      begin = next;
    }
    return false;
  }

  const SecretBytes nin_;
  const SecretBytes id_number_;
  const SecretBytes phone_;
};

bool IsAbout(const SecretBytes& answer, const NumberSearch& numbers) {
  if (const auto document = ParseAnswer(answer.view())) return numbers.In(document->root());
  // No JSON, such as a page that quotes the question.
  return numbers.In(answer.text());
}

}  // namespace

// A lookup by a phone number is answered with a NIN: who has that erased means this, too.
Status DurableQueue::Internals::FindAnswersAbout(const PersonNumbers& person,
                                                 std::set<int64_t>& found) {
  const NumberSearch numbers(person);
  const auto ids = calls.AllWithAnswer();
  if (!ids) return std::unexpected(ids.error());
  for (const int64_t id : *ids) {
    if (found.contains(id)) continue;
    const auto row = calls.LoadById(id);
    if (!row) return std::unexpected(row.error());
    // What cannot be opened any more is readable for nobody.
    if (const auto answer = OpenAnswer(*row); answer && IsAbout(*answer, numbers)) found.insert(id);
  }
  return {};
}

Result<std::vector<CallSummary>> DurableQueue::FindPerson(const PersonNumbers& person) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  // One that comes back may be about this person.
  if (Status gone = internals.WithdrawRefused(); !gone) return std::unexpected(gone.error());
  if (Status fresh = internals.RefreshKeys(); !fresh) return std::unexpected(fresh.error());
  std::set<int64_t> found;
  for (const VerificationCall& question : QuestionsAbout(person, internals.profile)) {
    // As an earlier idkiosk wrote it down, and by the key of each epoch.
    const Crypto::Digest old = internals.crypto.HmacSha256(
        internals.keys.question, Internals::SerializeWhoIsAsked(question).view());
    std::vector<Bytes> macs = {Bytes(old.begin(), old.end())};
    for (const uint32_t epoch : internals.epochs.All()) {
      macs.push_back(internals.QuestionMac(question, epoch));
    }
    for (const Bytes& mac : macs) {
      const auto ids = internals.calls.AllWithQuestion(mac);
      if (!ids) return std::unexpected(ids.error());
      found.insert(ids->begin(), ids->end());
    }
  }
  if (Status more = internals.FindAnswersAbout(person, found); !more) {
    return std::unexpected(more.error());
  }
  if (found.empty()) {
    if (Status good = CheckNumbers(person, internals.profile); !good) {
      return std::unexpected(good.error());
    }
  }
  const auto holds = internals.Holds();
  if (!holds) return std::unexpected(holds.error());
  std::vector<CallSummary> calls;
  for (const int64_t id : found) {
    const auto row = internals.calls.LoadById(id);
    if (!row) return std::unexpected(row.error());
    calls.push_back(internals.Summarize(*row, *holds));
  }
  return calls;
}

Result<PersonNumbers> DurableQueue::PersonOf(const CallReference& reference) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  const auto row = internals.LoadGenuine(reference);
  if (!row) return std::unexpected(row.error());
  auto question = internals.OpenQuestion(*row);
  if (!question) question = internals.OpenKeptQuestion(*row);
  return question ? Internals::PersonIn(std::move(*question)) : PersonNumbers();
}

PersonNumbers DurableQueue::Internals::PersonIn(VerificationCall question) {
  PersonNumbers person;
  const bool is_nin = IsNinType(question.id_type);
  person.nin =
      question.nin.empty() && is_nin ? std::move(question.id_number) : std::move(question.nin);
  person.phone = std::move(question.phone);
  if (!is_nin) person.id_number = std::move(question.id_number);
  person.id_type = question.id_type;
  return person;
}

void DurableQueue::Internals::ForgetQuestion(CallRow& row) {
  row.question_mac.clear();
  // The key of its request stays, so that one that comes twice is not billed twice.
  row.request.resize(std::min(row.request.size(), kRequestKey));
}

Status DurableQueue::Internals::EraseOf(CallRow& row) {
  const bool unsent = WaitsUnsent(row.state, row.billed_attempts) && !MayLackNow();
  const bool ended = HasEnded(row.state);
  if (Status gone = EraseAll(row); !gone) return gone;
  ForgetQuestion(row);
  if (ended) {
    KeepForRetention(row);
    Close(row);
  } else {
    row.verdict = unsent ? Verdict::kNone : Verdict::kGivenUp;
    End(row, unsent ? CallState::kCancelled : CallState::kDone, time.WallNow());
  }
  return calls.Save(row);
}

Result<CallSummary> DurableQueue::ErasePerson(const CallReference& reference) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  CallSummary before;
  const auto erase = [&](CallRow& row) REQUIRES(internals.mutex) -> Status {
    if (row.state == CallState::kSending) {
      return Fail(ErrorCode::kFailedPrecondition,
                  "{} is being sent at this moment: its answer is awaited, and can be erased then",
                  reference);
    }
    before = internals.Summarize(row, {});
    if (internals.MayLackNow()) before.billed_attempts = std::max(before.billed_attempts, 1);
    if (Status gone = internals.EraseOf(row); !gone) return gone;
    LedgerEntry entry;
    entry.kind = LedgerEntry::Kind::kErased;
    entry.row.reference = reference;
    entry.row.ended_at = internals.time.WallNow();
    internals.closing.push_back(std::move(entry));
    return {};
  };
  if (Status erased = internals.Decide(reference, erase); !erased) {
    return std::unexpected(erased.error());
  }
  // Its key may open nothing else.
  internals.epochs_looked_at = std::nullopt;
  internals.EraseCopies();
  if (Status gone = internals.EraseCopyOf(reference); !gone) return std::unexpected(gone.error());
  if (Status tidied = internals.Tidy(); !tidied) return std::unexpected(tidied.error());
  return before;
}

}  // namespace idkiosk
