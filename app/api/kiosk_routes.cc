#include <algorithm>

#include "app/accounts/period.h"
#include "app/api/api_routes.h"
#include "app/api/check_json.h"
#include "app/api/openapi_text.h"
#include "app/operator/ledger_export.h"
#include "app/service/request_reasons.h"
#include "app/settings/settings_report.h"

// Operations about the kiosk itself.
namespace idkiosk {
namespace {

// Whether a kiosk in which that part is bad takes no checks: without its page it takes those of
// other programs, and it works on where others may change its files, which its log says.
bool KeepsFromAsking(KioskPart part) {
  return part != KioskPart::kCalls && part != KioskPart::kResults && part != KioskPart::kService &&
         part != KioskPart::kScreen && part != KioskPart::kFiles;
}

// In one word: what a program may go by. A note about the queue says that its sending rests.
std::string_view StateOf(const Findings& findings, bool ready, bool held) {
  if (!ready) return held ? "held" : "not_ready";
  const bool offline = std::ranges::any_of(findings, [](const Finding& each) {
    return (each.part == KioskPart::kService && each.state == FindingState::kBad) ||
           (each.part == KioskPart::kQueue && each.state == FindingState::kNote);
  });
  return offline ? "offline" : "ready";
}

ApiReply Json(std::string body, int status = 200) {
  return {.status = status, .body = std::move(body)};
}

}  // namespace

ApiAnswer GetDocument(ApiBackend&, const ApiRequest&) { return Json(std::string(OpenApiText())); }

ApiAnswer GetHealth(ApiBackend& backend, const ApiRequest&) {
  const Findings findings = backend.Ask([&] { return backend.Health(); });
  const bool held = std::ranges::any_of(findings, [](const Finding& each) {
    return each.part == KioskPart::kQueue && each.state == FindingState::kBad;
  });
  const bool ready = std::ranges::none_of(findings, [](const Finding& each) {
    return each.state == FindingState::kBad && KeepsFromAsking(each.part);
  });
  JsonWriter json;
  json.BeginObject()
      .Field("ready", ready)
      .Field("state", StateOf(findings, ready, held))
      .Field("visit", backend.deps().is_visit())
      .Key("parts");
  WriteFindings(json, findings);
  return Json(json.EndObject().Take(), ready ? 200 : 503);
}

ApiAnswer GetMetrics(ApiBackend& backend, const ApiRequest&) {
  return ApiReply{.content_type = "text/plain; version=0.0.4", .body = backend.deps().metrics()};
}

// A bank's program needs no path of this machine.
ApiAnswer GetSettings(ApiBackend& backend, const ApiRequest& request) {
  JsonWriter json;
  WriteSettings(json, backend.deps().settings,
                request.peer.is_fleets ? SettingsView::kWhole : SettingsView::kWithoutPaths);
  return Json(json.Take());
}

ApiAnswer GetReasons(ApiBackend& backend, const ApiRequest&) {
  return backend.Ask([&]() -> ApiAnswer {
    const auto& deps = backend.deps();
    RequestReasons reasons(deps.files, deps.clock,
                           deps.settings.state_folder + "/request-reasons.json");
    if (Status loaded = reasons.Load(); !loaded) {
      return std::unexpected(
          Problem{ProblemKind::kUnavailable, "The service's list of reasons is not known yet.",
                  loaded.error().Within("the kiosk asks for it by itself").message});
    }
    JsonWriter json;
    json.BeginObject().Key("reasons").BeginArray();
    for (const RequestReason& each : reasons.list()) {
      json.BeginObject().Field("code", each.code).Field("label", each.label).EndObject();
    }
    json.EndArray();
    if (const auto age = reasons.age()) {
      json.Field("age_seconds", static_cast<int64_t>(*age / std::chrono::seconds(1)));
    }
    return Json(json.EndObject().Take());
  });
}

ApiAnswer GetHolds(ApiBackend& backend, const ApiRequest&) {
  const auto stats = backend.Ask([&] { return backend.deps().queue.Stats(); });
  if (!stats) return std::unexpected(ProblemOf(stats.error(), "The queue cannot be read."));
  JsonWriter json;
  json.BeginObject().Key("holds").BeginArray();
  for (const Hold& each : stats->holds) WriteHold(json, each);
  return Json(json.EndArray().EndObject().Take());
}

std::optional<Problem> RequireSupervisor(const ApiRequest& request) {
  if (request.peer.sees_all) return std::nullopt;
  return Problem{ProblemKind::kForbidden, "Only a supervisor may see or decide that.",
                 fmt::format("it is about everybody's checks: name the user of uid {} in "
                             "api.supervisors",
                             request.peer.user)};
}

ApiAnswer LiftHold(ApiBackend& backend, const ApiRequest& request) {
  const auto& deps = backend.deps();
  const std::string& id = request.names.front();
  if (auto no = RequireSupervisor(request)) return std::unexpected(std::move(*no));
  return backend.Ask([&]() -> ApiAnswer {
    const auto stats = deps.queue.Stats();
    if (!stats) return std::unexpected(ProblemOf(stats.error(), "The queue cannot be read."));
    if (std::ranges::count(stats->holds, id, &HoldId) == 0) {
      return std::unexpected(Problem{ProblemKind::kNotFound, "Nothing is held by that name.",
                                     "there is no such hold; /v1/holds lists them"});
    }
    const Status lifted = deps.audit.Do(AuditEvent::kHoldLifted, NameOf(request.peer), id,
                                        [&] { return deps.queue.Lift(id); });
    if (!lifted) return std::unexpected(ProblemOf(lifted.error(), "That cannot be lifted now."));
    deps.wake();
    return Json(JsonWriter().BeginObject().Field("lifted", id).EndObject().Take());
  });
}

ApiAnswer GetLedger(ApiBackend& backend, const ApiRequest& request) {
  const auto asked = [&request](const char* name) {
    const auto found = request.query.find(name);
    return found == request.query.end() ? std::string() : found->second;
  };
  const std::string format = asked("format");
  const auto period = ReadPeriod("", "", asked("month"), Zone::kKiosk);
  if (!period || !period->since) {
    return std::unexpected(Problem{ProblemKind::kBadRequest, "The month is not clear.",
                                   "month must be one like 2026-11"});
  }
  if (!format.empty() && format != "csv" && format != "jsonl") {
    return std::unexpected(Problem{ProblemKind::kBadRequest, "The list has no such form.",
                                   "format must be csv or jsonl; without one it is jsonl"});
  }
  const auto rows = backend.Ask([&] { return backend.deps().queue.Ledger(period->since); });
  if (!rows) return std::unexpected(ProblemOf(rows.error(), "The ledger cannot be read."));
  const bool csv = format == "csv";
  std::string text = csv ? LedgerCsvHead() + "\r\n" : std::string();
  for (const LedgerRow& row : *rows) {
    if (!period->Has(row.started_at)) continue;
    if (!backend.owners().MaySee(request.peer, row.reference)) continue;
    const LedgerLine line = LineOf(row, backend.deps().profile.currency);
    text += csv ? LedgerCsv(line, Zone::kKiosk) + "\r\n" : LedgerJson(line, Zone::kKiosk) + "\n";
  }
  return ApiReply{.content_type = csv ? "text/csv; charset=utf-8" : "application/jsonl",
                  .body = std::move(text)};
}

ApiAnswer GetEvents(ApiBackend& backend, const ApiRequest& request) {
  return ApiReply{.content_type = "text/event-stream",
                  .body = {},
                  .events = std::make_shared<EventReader>(
                      backend.events(), request.last_event_id,
                      request.peer.sees_all ? std::nullopt : std::optional(request.peer.user))};
}

}  // namespace idkiosk
