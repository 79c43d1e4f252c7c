#ifndef IDKIOSK_APP_API_CHECK_JSON_H_
#define IDKIOSK_APP_API_CHECK_JSON_H_

#include <span>
#include <string>

#include "app/api/camera_visits.h"
#include "app/queue/call_record.h"

// A check as the local API shows it. Nothing of it identifies a person.
namespace idkiosk {

// Writes it as a value: one of a list.
void WriteCheck(JsonWriter& json, const CallSummary& call);

// The same, with each attempt, what they may have cost, and what sending it (again) may.
[[nodiscard]] std::string CheckJson(const CallSummary& call, std::span<const LedgerRow> attempts,
                                    const std::string& currency);

void WriteHold(JsonWriter& json, const Hold& hold);

// What is told to whoever listens.
[[nodiscard]] std::string EventJson(const CallSummary& call);

// How a visit stands whose check the queue does not have.
[[nodiscard]] std::string VisitJson(const CameraVisits::Visit& visit);
// The same once the queue has it.
[[nodiscard]] std::string VisitJson(const CallSummary& call);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_API_CHECK_JSON_H_
