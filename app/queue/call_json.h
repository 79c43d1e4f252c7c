#ifndef IDKIOSK_APP_QUEUE_CALL_JSON_H_
#define IDKIOSK_APP_QUEUE_CALL_JSON_H_

#include <span>
#include <string>

#include "app/queue/call_record.h"

// Calls and attempts for other programs: on the command line and in the local API.
namespace idkiosk {

// Writes a call's members into an object that is open.
void WriteCall(JsonWriter& json, const CallSummary& call);

// Writes the attempts of a call, as "tries": what a person names when asking the service's operator
// about it.
void WriteAttempts(JsonWriter& json, std::span<const LedgerRow> attempts);
// Writes what they cost and may have cost on top, as "cost". `currency`: of those attempts that
// say none.
void WriteCost(JsonWriter& json, std::span<const LedgerRow> attempts, const std::string& currency);
// The attempt's own number, and the service's, where there are some.
void WriteIdentity(JsonWriter& json, const LedgerRow& row);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_CALL_JSON_H_
