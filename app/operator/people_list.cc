#include "app/operator/people_list.h"

#include <algorithm>
#include <functional>

namespace idkiosk {
namespace {

constexpr int kAtOnce = 50;

bool IsUnknown(const ListedCall& listed) { return listed.call.state == CallState::kUnknown; }

class Grouping {
 public:
  void Add(DurableQueue::AskedCall asked) {
    // Calls whose question is erased have nobody else to stand with.
    auto person = std::ranges::find_if(
        people_, [&](const Person& each) { return each.number.text() == asked.number.text(); });
    if (person == people_.end()) {
      std::string masked = Masked(asked.number.text());
      person = people_.insert(person, {std::move(asked.number), {std::move(masked), {}}});
    }
    person->listed.calls.push_back(
        {std::move(asked.call), asked.times, std::move(asked.answered_by), asked.spent});
    ++count_;
  }
  [[nodiscard]] int count() const { return count_; }

  [[nodiscard]] std::vector<ListedPerson> Finish() {
    std::vector<ListedPerson> list;
    for (Person& each : people_) list.push_back(std::move(each.listed));
    const auto in_doubt = [](const ListedPerson& person) {
      return std::ranges::count_if(person.calls, IsUnknown);
    };
    std::ranges::stable_sort(list, std::greater(), in_doubt);
    return list;
  }

 private:
  struct Person {
    SecretBytes number;
    ListedPerson listed;
  };
  std::vector<Person> people_;
  int count_ = 0;
};

// Every call of that state, as far as there is room. Returns how many were left out.
Result<int64_t> AddAll(DurableQueue& queue, CallState state, Grouping& grouping) {
  DurableQueue::CallFilter filter{.state = state, .since = {}, .before = {}, .limit = kAtOnce};
  int64_t read = 0;
  while (grouping.count() < kMostListed) {
    filter.limit = std::min(kAtOnce, kMostListed - grouping.count());
    auto page = queue.WhoIsAsked(filter);
    if (!page) return std::unexpected(page.error());
    read += static_cast<int64_t>(page->calls.size());
    for (DurableQueue::AskedCall& each : page->calls) grouping.Add(std::move(each));
    if (!page->next) return 0;
    filter.before = page->next;
  }
  const auto stats = queue.Stats();
  if (!stats) return std::unexpected(stats.error());
  return std::max<int64_t>(stats->In(state) - read, 0);
}

}  // namespace

std::string Masked(std::string_view number) {
  constexpr size_t kFirst = 3;
  constexpr size_t kLast = 2;
  constexpr size_t kGroup = 7;
  // Of a short one nothing is shown: two digits would be most of it.
  if (number.size() < kFirst + kLast + kFirst) return std::string(number.size(), '*');
  std::string masked;
  for (size_t i = 0; i < number.size(); ++i) {
    if (i == kFirst || i == kGroup) masked += ' ';
    masked += i < kFirst || i >= number.size() - kLast ? number[i] : '*';
  }
  return masked;
}

Result<PeopleList> ReadPeople(DurableQueue& queue) {
  PeopleList list;
  Grouping grouping;
  for (const CallState state : OpenStates()) {
    const auto left_out = AddAll(queue, state, grouping);
    if (!left_out) return std::unexpected(left_out.error());
    list.left_out += *left_out;
  }
  list.people = grouping.Finish();
  return list;
}

Status DecideAll(DurableQueue& queue, AuditLog& audit, const std::string& by,
                 const Decisions& decisions) {
  int64_t price = 0;
  int64_t attempts = 0;
  std::map<CallReference, int> seen;  // attempts of each
  for (const auto* list : {&decisions.resend, &decisions.give_up}) {
    for (const CallReference& each : *list) {
      const auto call = queue.Show(each);
      if (!call) return std::unexpected(call.error());
      if (call->state != CallState::kUnknown) {
        return Fail(ErrorCode::kFailedPrecondition,
                    "nothing was done: {} is {} now; look at the list again", each,
                    StateWord(*call));
      }
      seen[each] = call->attempts;
      if (list == &decisions.give_up) continue;
      price += call->resend_price;
      attempts += call->attempts;
    }
  }
  if (price != decisions.price) {
    return Fail(ErrorCode::kFailedPrecondition,
                "nothing was done: it costs {} now, and not {}; look at the list again",
                FormatAmount(price), FormatAmount(decisions.price));
  }
  // One yes pays for one attempt: what was sent, and lost, meanwhile needs another.
  if (attempts != decisions.attempts) {
    return Fail(ErrorCode::kFailedPrecondition,
                "nothing was done: it was sent {} times by now, and not {}; look at the list again",
                attempts, decisions.attempts);
  }
  size_t failed = 0;
  std::optional<Error> first;
  const auto note = [&](const Status& done) {
    if (done) return;
    ++failed;
    if (!first) first = done.error();
  };
  for (const CallReference& each : decisions.give_up) {
    note(audit.Do(AuditEvent::kCallGivenUp, by, each, [&] { return queue.GiveUp(each); }));
  }
  for (const CallReference& each : decisions.resend) {
    note(audit.Do(AuditEvent::kCallSentAgain, by, each,
                  [&] { return queue.Retry(each, seen[each]); }));
  }
  if (!first) return {};
  return Fail(first->code, "{} of {} calls were not done; the first: {}", failed,
              decisions.resend.size() + decisions.give_up.size(), first->message);
}

}  // namespace idkiosk
