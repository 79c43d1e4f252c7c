#ifndef IDKIOSK_APP_CLI_ACCESS_RUNNING_KIOSK_H_
#define IDKIOSK_APP_CLI_ACCESS_RUNNING_KIOSK_H_

#include "app/cli/access/queue_access.h"
#include "app/cli/call_report.h"

// Work that the running kiosk does for a command, which waits for it.
namespace idkiosk {

// Returns the call once it has ended, is held or unknown, and at `deadline` at the latest.
[[nodiscard]] Result<CallSummary> AwaitKiosk(Components& components, QueueAccess& queue,
                                             const CallReference& reference,
                                             MonotonicTime deadline);

// Has the kiosk send everything that may be sent. Returns how many attempts it made meanwhile.
[[nodiscard]] Result<int> DeliverByKiosk(Components& components, QueueAccess& queue,
                                         MonotonicTime deadline);

// Has the kiosk ask a question that was checked, with its pictures where it takes some. Tells what
// became of it, as AcceptAndDeliver does. `asking.asked_before`: what LookByKiosk returned.
[[nodiscard]] CommandResult<ExitCode> AskByKiosk(Components& components, QueueAccess& queue,
                                                 const VerificationCall& call, const Asking& asking,
                                                 const CaptureRecord* record,
                                                 Duration capture_time);

// Does what PassIntake does, asked of the kiosk.
[[nodiscard]] CommandResult<CallReference> LookByKiosk(Components& components, QueueAccess& queue,
                                                       const VerificationCall& question,
                                                       bool again);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CLI_ACCESS_RUNNING_KIOSK_H_
