#ifndef IDKIOSK_APP_CLI_CALL_REPORT_H_
#define IDKIOSK_APP_CLI_CALL_REPORT_H_

#include <optional>
#include <string>

#include "app/assembly/command_result.h"
#include "app/assembly/components.h"
#include "app/capture/capture_record.h"
#include "app/consent/consent_log.h"
#include "app/queue/call_json.h"
#include "app/service/verification_call.h"

namespace idkiosk {

// How a call is told: the shell's number, and the sentence that a person reads.
[[nodiscard]] ExitCode ExitCodeOf(const CallSummary& call);
[[nodiscard]] std::string SentenceOf(const CallSummary& call);

// "made for https://customer.example (sandbox)", of a call that was made for another address.
[[nodiscard]] std::string MadeForOf(const CallSummary& call);

// In whose name a decision of this process stands in ledger and audit trail: "user anna".
[[nodiscard]] std::string UserName();

// The value of an option --since: a date, which begins in UTC, or a time. Empty: from the
// beginning. Failures: kUsage.
[[nodiscard]] CommandResult<std::optional<WallTime>> ReadSince(const std::string& since);

// "KD7 Q2M", as it is read out.
[[nodiscard]] std::string Spaced(const CallReference& reference);

// The time that each step of one command took.
struct CallTimings {
  Duration capture{};
  Duration accept{};
  Duration delivery{};
  Duration total{};
};

// For whom and how long a command works on a call.
struct Asking {
  Duration wait{};                      // for the answer
  std::string operator_id;              // who asks, for the ledger; may be empty
  CallReference asked_before;           // what PassIntake found
  std::optional<Consent> consent = {};  // what its person agreed to, before the command
};

// Asks the intake: DurableQueue::FindObstacle. Where the same was asked before, says so, and goes
// on where `again` says that it is paid again, or the person at a terminal does. Returns that
// call's reference, or "". Failures: kKept (no room, or a spend cap), kNeedsPerson (held, or nobody
// said that it is asked again), kNotVerified (somebody said no).
[[nodiscard]] CommandResult<CallReference> PassIntake(Components& components,
                                                      const VerificationCall& question, bool again);

// The part of it for a question that was asked before, as `before`.
[[nodiscard]] CommandResult<CallReference> ConfirmAskedBefore(Components& components,
                                                              const CallSummary& before,
                                                              bool again);

// Tells what became of a call: words on standard error, and one JSON object on standard output.
// `attempts`: of the ledger. `record`: how its pictures came about; null: it has none.
[[nodiscard]] ExitCode ReportCall(Components& components, const CallSummary& call,
                                  const std::vector<LedgerRow>& attempts, const Asking& asking,
                                  const CaptureRecord* record, const CallTimings& timings);

// Accepts a call that was checked, works on it, and reports it (ReportCall).
[[nodiscard]] CommandResult<ExitCode> AcceptAndDeliver(Components& components,
                                                       const VerificationCall& call,
                                                       const Asking& asking,
                                                       const CaptureRecord* record,
                                                       Duration capture_time);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CLI_CALL_REPORT_H_
