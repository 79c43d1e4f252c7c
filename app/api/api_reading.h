#ifndef IDKIOSK_APP_API_API_READING_H_
#define IDKIOSK_APP_API_API_READING_H_

#include "app/queue/call_record.h"

// What the local API answers, read back by a client. Members that are missing are left as they are.
// Errors of every function: kInvalid, naming the member that makes no sense.
namespace idkiosk {

[[nodiscard]] Result<CallSummary> ReadCheck(JsonView json);
[[nodiscard]] Result<Hold> ReadHold(JsonView json);
[[nodiscard]] Result<LedgerRow> ReadAttempt(JsonView json);
// The counts, times and holds of /v1/queue.
[[nodiscard]] Result<QueueStats> ReadStats(JsonView json);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_API_API_READING_H_
