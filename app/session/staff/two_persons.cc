#include "app/session/staff/two_persons.h"

#include <algorithm>
#include <vector>

namespace idkiosk {
namespace {

Status CheckStillOperator(std::span<const StaffMember> staff,
                          std::span<const std::string> may_agree, std::string_view name) {
  const StaffMember* const member = FindMember(staff, name.empty() ? Name(Staff::kOperator) : name);
  if (member != nullptr && std::ranges::find(may_agree, member->name) != may_agree.end()) return {};
  if (member != nullptr && member->staff == Staff::kOperator) {
    return Fail(ErrorCode::kRejected,
                "the PIN without a name does not count where operators have names: sign in with "
                "yours");
  }
  return Fail(ErrorCode::kRejected, "{} is no operator any more",
              name.empty() ? "who is signed in" : name);
}

// Whether the vault is only busy, or this program short of something: it opens again, and then it
// names who must agree.
bool MayPass(const Error& error, SecureStorage& storage) {
  switch (error.code) {
    case ErrorCode::kUnavailable:
    case ErrorCode::kTimeout:
    case ErrorCode::kCancelled:
    case ErrorCode::kExhausted:
    case ErrorCode::kInternal:
      return storage.DescribeRootKey().state == "good";
    default:
      return false;
  }
}

}  // namespace

bool NeedsSecondOperator(std::string_view rule, size_t operators) {
  return rule == "always" || (rule == "auto" && operators >= 2);
}

Status CheckTwoPersons(SecureStorage& storage, std::string_view rule,
                       const std::optional<Agreement>& agreed) {
  const auto staff = ReadStaff(storage);
  if (!staff && MayPass(staff.error(), storage)) {
    return std::unexpected(staff.error().Within("who may agree cannot be read now"));
  }
  if (!staff) return {};
  const auto may_agree = WhoMayAgree(NamesOf(*staff, Staff::kOperator));
  const size_t operators = may_agree.size();
  if (agreed && operators > 0) {
    if (Status still = CheckStillOperator(*staff, may_agree, agreed->first); !still) return still;
  }
  if (!NeedsSecondOperator(rule, operators)) return {};
  if (agreed && !agreed->second.empty()) {
    return CheckStillOperator(*staff, may_agree, agreed->second);
  }
  if (operators >= 2) return Fail(ErrorCode::kForbidden, "a second operator must agree");
  return Fail(ErrorCode::kFailedPrecondition,
              "staff.two_persons asks for two operators, and there {}: add one with 'idkiosk staff "
              "add NAME --role operator', or set it to \"auto\"",
              operators == 0 ? "is none" : "is one alone");
}

}  // namespace idkiosk
