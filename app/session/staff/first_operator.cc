#include "app/session/staff/first_operator.h"

#include <utility>

#include "app/session/staff/page_user.h"
#include "app/session/staff/pin_tries.h"
#include "app/session/staff/staff_list.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

std::unexpected<CommandReply> Refuse(const Error& why, CommandProblem problem) {
  return std::unexpected(
      CommandReply{Fail(ErrorCode::kForbidden, "{}", why.message), problem, 0, ""});
}

}  // namespace

FirstOperator BecomeFirstOperator(const FirstOperatorDependencies& deps, const std::string& name,
                                  const SecretBytes& pin) {
  const auto staff = ReadStaff(deps.storage);
  if (!staff) return Refuse(staff.error(), CommandProblem::kFailed);
  if (!NamesOf(*staff, Staff::kOperator).empty()) {
    return Refuse(Error{ErrorCode::kForbidden, "somebody is operator here already"},
                  CommandProblem::kTaken);
  }
  Status good = CheckStaffName(name);
  // A clerk may have come first, at the command line.
  if (good && FindMember(*staff, name) != nullptr) {
    good = Fail(ErrorCode::kInvalid, "a clerk has this name");
  }
  if (!good) return Refuse(good.error().Within("the name"), CommandProblem::kBadName);
  const SecretBytes account[] = {SecretBytes::CopyOf(deps.test_nin)};
  good = CheckNewPin(pin, account);
  if (good) good = CheckPinOfNobodyElse(pin, name, Staff::kOperator, *staff, deps.crypto);
  if (!good) return Refuse(good.error(), CommandProblem::kWeakPin);
  const StaffMember member{name, Staff::kOperator,
                           MakePinRecord(pin, deps.iterations, deps.crypto, deps.entropy)};
  const Status kept = deps.audit.Do(AuditEvent::kStaffAdded, ByOnPage(name),
                                    fmt::format("{} {}", Name(Staff::kOperator), name),
                                    [&] { return PutMember(deps.storage, member); });
  if (!kept) return Refuse(kept.error(), CommandProblem::kFailed);
  // No count yet is a count that somebody has deleted, and locks everybody out.
  PinTries tries({deps.storage, deps.files, deps.crypto}, Staff::kOperator, deps.state_folder);
  const std::string names[] = {name};
  if (const Status forgiven = tries.Forgive(names, name); !forgiven) {
    LogWarning("the first operator waits after a restart: {}", forgiven.error().message);
  }
  return StaffDirectory::Person{name, Staff::kOperator, member.Id()};
}

}  // namespace idkiosk
