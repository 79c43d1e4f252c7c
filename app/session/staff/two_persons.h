#ifndef IDKIOSK_APP_SESSION_STAFF_TWO_PERSONS_H_
#define IDKIOSK_APP_SESSION_STAFF_TWO_PERSONS_H_

#include <optional>
#include <string>
#include <string_view>

#include "app/session/staff/staff_list.h"

namespace idkiosk {

// Whether a second operator must agree to what is dangerous, by staff.two_persons (`rule`).
// `operators`: CountOperators.
[[nodiscard]] bool NeedsSecondOperator(std::string_view rule, size_t operators);

// The names of who is signed in on the page, and of the other operator whose PIN was right.
struct Agreement {
  std::string first;   // empty: the one operator without a name
  std::string second;  // empty: nobody else was asked
};

// The same by what the vault says now, which may have changed since they signed in: both must still
// be operators. Nothing in place of `agreed`: nobody was asked yet. A vault that does not open
// names nobody who could agree, and holds nothing that opens: nobody is asked. Where operators have
// names, the one without a name neither counts nor agrees. Errors: kForbidden, where another
// operator must agree; kRejected, where one of the two is none any more, or has no name;
// kFailedPrecondition, where another must agree and there is none; SecureStorage's, where its root
// key is good and it still cannot be read now.
[[nodiscard]] Status CheckTwoPersons(SecureStorage& storage, std::string_view rule,
                                     const std::optional<Agreement>& agreed);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_STAFF_TWO_PERSONS_H_
