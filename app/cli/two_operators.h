#ifndef IDKIOSK_APP_CLI_TWO_OPERATORS_H_
#define IDKIOSK_APP_CLI_TWO_OPERATORS_H_

#include <string>
#include <vector>

#include "app/assembly/components.h"
#include "app/audit/audit_event.h"
#include "platform/base/command_line/command.h"

namespace idkiosk {

// Where the PINs of two operators come from, for a command that needs them.
struct OperatorPins {
  std::string first_file;  // empty: typed, or a line of standard input
  std::string second_file;

  // The arguments of it.
  void AddTo(std::vector<Argument>& arguments);
};

// Asks two operators for their PINs where staff.two_persons wants both to agree to `event`. Waits
// first, where so many PINs were wrong before. Returns in whose names it is done, for the audit
// trail: UserName(), and theirs. Failures: kUsage (it is nobody's PIN, or the same person's), and
// then nothing may be done.
[[nodiscard]] CommandResult<std::string> AgreedBy(Components& components, const OperatorPins& pins,
                                                  AuditEvent event);

// The same before somebody becomes an operator, is none any more, or gets another PIN as one: who
// alone could do that would soon be two. Fewer than two operators are asked for nothing, whatever
// the rule, as somebody must be able to make them two; what is returned says so for the trail.
[[nodiscard]] CommandResult<std::string> OperatorsChangedBy(Components& components,
                                                            const OperatorPins& pins,
                                                            AuditEvent event);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CLI_TWO_OPERATORS_H_
