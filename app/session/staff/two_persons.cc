#include "app/session/staff/two_persons.h"

namespace idkiosk {

bool NeedsSecondOperator(std::string_view rule, size_t operators) {
  return rule == "always" || (rule == "auto" && operators >= 2);
}

Status CheckTwoPersons(SecureStorage& storage, std::string_view rule, bool confirmed) {
  const auto staff = ReadStaff(storage);
  if (!staff) return {};
  const size_t operators = NamesOf(*staff, Staff::kOperator).size();
  if (!NeedsSecondOperator(rule, operators) || confirmed) return {};
  if (operators >= 2) return Fail(ErrorCode::kForbidden, "a second operator must agree");
  return Fail(ErrorCode::kFailedPrecondition,
              "staff.two_persons asks for two operators, and there {}: add one with 'idkiosk staff "
              "add NAME --role operator', or set it to \"auto\"",
              operators == 0 ? "is none" : "is one alone");
}

}  // namespace idkiosk
