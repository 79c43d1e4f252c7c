#ifndef IDKIOSK_APP_API_API_ROUTES_H_
#define IDKIOSK_APP_API_API_ROUTES_H_

#include "app/api/api_backend.h"
#include "app/api/api_route.h"

// The operations, as the table in api_route.cc names them. Each on a server's thread.
namespace idkiosk {

inline constexpr std::string_view kSinceIsWrong =
    "since must be a time like 2026-11-20T08:00:00Z; in an address a + is written %2B";

// Only who sees every check may decide that; nothing: it may.
[[nodiscard]] std::optional<Problem> RequireSupervisor(const ApiRequest& request);

// kiosk_routes.cc
[[nodiscard]] ApiAnswer GetDocument(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer GetHealth(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer GetReasons(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer GetSettings(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer GetMetrics(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer GetHolds(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer LiftHold(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer GetLedger(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer GetEvents(ApiBackend& backend, const ApiRequest& request);

// journal_routes.cc
[[nodiscard]] ApiAnswer GetLedgerJournal(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer GetAuditJournal(ApiBackend& backend, const ApiRequest& request);

// fleet_routes.cc
[[nodiscard]] ApiAnswer GetFleetCommands(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer TakeFleetCommand(ApiBackend& backend, const ApiRequest& request);

// check_routes.cc
[[nodiscard]] ApiAnswer ListChecks(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer GetCheck(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer GetAnswer(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer ResendCheck(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer GiveUpCheck(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer CancelCheck(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer GetVisit(ApiBackend& backend, const ApiRequest& request);

// supervisor_routes.cc
[[nodiscard]] ApiAnswer GetQueue(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer DeliverNow(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer SettleCheck(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer ListAttempts(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer ListDecisions(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer ListConsents(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer EraseByNumber(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer EraseByCheck(ApiBackend& backend, const ApiRequest& request);

// accept_check.cc
[[nodiscard]] ApiAnswer LookAtCheck(ApiBackend& backend, const ApiRequest& request);
[[nodiscard]] ApiAnswer AcceptCheck(ApiBackend& backend, const ApiRequest& request);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_API_API_ROUTES_H_
