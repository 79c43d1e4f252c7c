#include "app/api/api_routes.h"

// Commands of headquarters, which idkiosk-fleet brings and does not understand.
namespace idkiosk {
namespace {

// Whoever brings one, its signatures decide; who may not ask learns nothing of them, either.
std::optional<Problem> RequireFleet(ApiBackend& backend, const ApiRequest& request) {
  if (!request.peer.is_fleets) {
    return Problem{ProblemKind::kForbidden, "This program may not do that.",
                   fmt::format("commands of headquarters are brought by the user that "
                               "api.fleet_user names, which uid {} is not",
                               request.peer.user)};
  }
  if (backend.deps().headquarters == nullptr) {
    return Problem{ProblemKind::kUnavailable, "This kiosk takes no commands of headquarters.",
                   "it has no part that would carry them out"};
  }
  return std::nullopt;
}

}  // namespace

ApiAnswer GetFleetCommands(ApiBackend& backend, const ApiRequest& request) {
  if (auto no = RequireFleet(backend, request)) return std::unexpected(std::move(*no));
  return backend.Ask([&]() -> ApiAnswer {
    JsonWriter json;
    json.BeginObject().Key("commands").BeginArray();
    for (const FleetReply& each : backend.deps().headquarters->replies()) WriteReply(json, each);
    return ApiReply{.body = json.EndArray().EndObject().Take()};
  });
}

ApiAnswer TakeFleetCommand(ApiBackend& backend, const ApiRequest& request) {
  if (auto no = RequireFleet(backend, request)) return std::unexpected(std::move(*no));
  Headquarters& headquarters = *backend.deps().headquarters;
  // Before the storage thread hears of it, which has other work.
  if (!headquarters.MayLook()) {
    return std::unexpected(Problem{ProblemKind::kBusy, "Too many commands came at once.",
                                   "the next one is looked at within a second"});
  }
  return backend.Ask([&]() -> ApiAnswer {
    JsonWriter json;
    WriteReply(json, headquarters.Take(request.body));
    return ApiReply{.body = json.Take()};
  });
}

}  // namespace idkiosk
