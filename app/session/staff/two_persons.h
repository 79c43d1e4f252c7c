#ifndef IDKIOSK_APP_SESSION_STAFF_TWO_PERSONS_H_
#define IDKIOSK_APP_SESSION_STAFF_TWO_PERSONS_H_

#include <string_view>

#include "app/session/staff/staff_list.h"

namespace idkiosk {

// Whether a second operator must agree to what is dangerous, by staff.two_persons (`rule`).
[[nodiscard]] bool NeedsSecondOperator(std::string_view rule, size_t operators);

// The same by what the vault says now, for who is about to do it. A vault that does not open names
// nobody who could agree, and holds nothing that opens: nobody is asked. Errors: kForbidden, where
// one must agree and `confirmed` is false; kFailedPrecondition, where one must and there is none.
[[nodiscard]] Status CheckTwoPersons(SecureStorage& storage, std::string_view rule, bool confirmed);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_STAFF_TWO_PERSONS_H_
