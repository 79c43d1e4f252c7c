#ifndef IDKIOSK_APP_OPERATOR_PEOPLE_LIST_H_
#define IDKIOSK_APP_OPERATOR_PEOPLE_LIST_H_

#include <string>
#include <string_view>
#include <vector>

#include "app/audit/audit_log.h"
#include "app/queue/durable_queue.h"

// The calls that have not ended, by whom they ask about: after an outage many are in doubt, and a
// person decides about all of them at once.
namespace idkiosk {

// One call of a list. Holds nothing of a person.
struct ListedCall {
  CallSummary call;
  int times = 1;              // that the same was asked
  CallReference answered_by;  // empty: no verdict came meanwhile
  int64_t spent = 0;          // hundredths of the currency
};

struct ListedPerson {
  std::string masked;  // "701 **** **89"; empty: the questions are erased
  std::vector<ListedCall> calls;
};

struct PeopleList {
  std::vector<ListedPerson> people;  // first those with a call in doubt
  int64_t left_out = 0;              // calls that are not in the list: it has kMostListed already
};
inline constexpr int kMostListed = 1000;

// Returns a number as it may be shown: its first three digits and the last two.
[[nodiscard]] std::string Masked(std::string_view number);

// Opens each question, in memory alone: those that need a person first, then those that go on.
// Lets others at the queue in between. Errors: DurableQueue's.
[[nodiscard]] Result<PeopleList> ReadPeople(DurableQueue& queue);

// What a person decided about calls in doubt, in one go.
struct Decisions {
  std::vector<CallReference> resend;
  std::vector<CallReference> give_up;
  int64_t price = 0;     // that the person was told for all that is sent again, in hundredths
  int64_t attempts = 0;  // that the person was shown of all that is sent again
};

// Does all of it, each call on its own: what cannot be done does not keep the others. Errors:
// kFailedPrecondition (price or attempts are others, or a call is not in doubt any more: nothing
// was done), or how many were not done, and why the first was not.
[[nodiscard]] Status DecideAll(DurableQueue& queue, AuditLog& audit, const std::string& by,
                               const Decisions& decisions);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_PEOPLE_LIST_H_
