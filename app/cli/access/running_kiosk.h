#ifndef IDKIOSK_APP_CLI_ACCESS_RUNNING_KIOSK_H_
#define IDKIOSK_APP_CLI_ACCESS_RUNNING_KIOSK_H_

#include "app/cli/access/queue_access.h"
#include "app/cli/call_report.h"
#include "app/service/answer_codec.h"

// Work that the running kiosk does for a command, which waits for it.
namespace idkiosk {

// The service's list of reasons, and how long ago it was fetched where that is known.
struct KnownReasons {
  std::vector<RequestReason> list;
  std::optional<Duration> age;
};

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

// The kiosk's own list of reasons. Whoever may only ask it reads none of its files. Failures: kKept
// (it knows none yet).
[[nodiscard]] CommandResult<KnownReasons> ReasonsOfKiosk(ApiClient& kiosk);

// Does what PassIntake does, asked of the kiosk.
[[nodiscard]] CommandResult<CallReference> LookByKiosk(Components& components, QueueAccess& queue,
                                                       const VerificationCall& question,
                                                       bool again);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CLI_ACCESS_RUNNING_KIOSK_H_
