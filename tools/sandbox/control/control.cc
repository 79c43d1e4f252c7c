#include "tools/sandbox/control/control.h"

#include "tools/sandbox/control/resources.h"
#include "tools/sandbox/service/authentication.h"
#include "tools/sandbox/service/endpoint.h"
#include "tools/sandbox/store/digest.h"

namespace idkiosk::sandbox {
namespace {

constexpr int64_t kFarthestAdvance = 10L * 365 * 24 * 60 * 60;

std::string ListOf(std::span<const std::string_view> names) {
  std::string list;
  for (const std::string_view name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

}  // namespace

struct Control::Route {
  std::string_view method;
  std::string_view path;
  HttpAnswer (Control::*handle)(const HttpRequest&, JsonView);
};

const Control::Route Control::kRoutes[] = {
    {"GET", "/sandbox/ledger", &Control::ReadLedger},
    {"GET", "/sandbox/requests", &Control::ReadRequests},
    {"GET", "/sandbox/faults", &Control::ReadFaults},
    {"POST", "/sandbox/faults", &Control::AddFault},
    {"DELETE", "/sandbox/faults", &Control::ClearFaults},
    {"POST", "/sandbox/onboard", &Control::Onboard},
    {"GET", "/sandbox/accounts", &Control::ReadAccounts},
    {"POST", "/sandbox/accounts/level", &Control::SetLevel},
    {"GET", "/sandbox/people", &Control::ReadPeople},
    {"POST", "/sandbox/people", &Control::AddPerson},
    {"DELETE", "/sandbox/people", &Control::RemovePerson},
    {"POST", "/sandbox/people/face", &Control::SetFace},
    {"GET", "/sandbox/settings", &Control::ReadSettings},
    {"POST", "/sandbox/settings", &Control::ChangeSettings},
    {"POST", "/sandbox/clock", &Control::AdvanceClock},
    {"DELETE", "/sandbox/tokens", &Control::ForgetTokens},
};

HttpAnswer Control::Handle(const HttpRequest& request) {
  if (!EqualInConstantTime(BearerOf(request), deps_.admin_token)) {
    return Refusal(401, "Send the text of the file admin-token as bearer token.");
  }
  for (const Route& route : kRoutes) {
    if (route.path != request.path || route.method != request.method) continue;
    const auto body = JsonDocument::Parse(request.body.empty() ? "{}" : request.body);
    if (!body) return RefusalFor(body.error());
    return (this->*route.handle)(request, body->root());
  }
  return Refusal(404, "The control API has no such method and path.");
}

HttpAnswer Control::ReadLedger(const HttpRequest& request, JsonView /*body*/) {
  const auto query = ParseLedgerQuery(request);
  if (!query) return RefusalFor(query.error());
  return JsonAnswer(deps_.ledger.BillingJson(*query));
}

HttpAnswer Control::ReadRequests(const HttpRequest& request, JsonView /*body*/) {
  const auto query = ParseLedgerQuery(request);
  if (!query) return RefusalFor(query.error());
  return JsonAnswer(deps_.ledger.RequestsJson(*query));
}

HttpAnswer Control::ReadFaults(const HttpRequest& /*request*/, JsonView /*body*/) {
  return JsonAnswer(FaultsJson(deps_.faults));
}

HttpAnswer Control::AddFault(const HttpRequest& /*request*/, JsonView body) {
  auto fault = ParseFault(body);
  if (!fault) return RefusalFor(fault.error());
  const int64_t id = deps_.faults.Add(std::move(*fault));
  return JsonAnswer(201, JsonWriter().BeginObject().Field("id", id).EndObject().Take());
}

HttpAnswer Control::ClearFaults(const HttpRequest& request, JsonView /*body*/) {
  const auto id = request.Query("id");
  if (!id) {
    deps_.faults.Clear();
  } else if (!deps_.faults.Remove(std::atoll(std::string(*id).c_str()))) {
    return Refusal(404, "No fault has this number.");
  }
  return ReadFaults(request, {});
}

HttpAnswer Control::Onboard(const HttpRequest& /*request*/, JsonView body) {
  OnboardOptions options;
  options.email = TextOf(body["email"]);
  if (body["name"].exists()) options.name = TextOf(body["name"]);
  if (body["level"].exists()) options.level = TextOf(body["level"]);
  options.with_key = body["key"].AsBool().value_or(true);
  if (body["environment"].exists()) {
    const auto environment = ParseEnvironment(TextOf(body["environment"]));
    if (!environment) return Refusal(400, "'environment' must be sandbox or production");
    options.environment = *environment;
  }
  auto message = deps_.onboarding.Onboard(deps_.accounts, options, deps_.clock.Now());
  return message ? JsonAnswer(201, std::move(*message)) : RefusalFor(message.error());
}

HttpAnswer Control::ReadAccounts(const HttpRequest& /*request*/, JsonView /*body*/) {
  return JsonAnswer(AccountsJson(deps_.accounts));
}

HttpAnswer Control::SetLevel(const HttpRequest& request, JsonView body) {
  const std::string level = TextOf(body["level"]);
  if (!LevelAllows(level, Endpoint::kLogin)) {
    return Refusal(400, "'level' must be one of " + ListOf(AccessLevels()));
  }
  const auto set = deps_.accounts.SetLevel(TextOf(body["email"]), level);
  return set ? ReadAccounts(request, {}) : RefusalFor(set.error());
}

HttpAnswer Control::ReadPeople(const HttpRequest& /*request*/, JsonView /*body*/) {
  return JsonAnswer(PeopleJson(deps_.people));
}

HttpAnswer Control::AddPerson(const HttpRequest& /*request*/, JsonView body) {
  const auto added = deps_.people.Add(ParsePerson(body));
  return added ? JsonAnswer(201, PeopleJson(deps_.people)) : RefusalFor(added.error());
}

HttpAnswer Control::RemovePerson(const HttpRequest& request, JsonView /*body*/) {
  const auto removed = deps_.people.Remove(request.Query("nin").value_or(""));
  return removed ? ReadPeople(request, {}) : RefusalFor(removed.error());
}

HttpAnswer Control::SetFace(const HttpRequest& request, JsonView body) {
  const auto matches = body["face_matches"].AsBool();
  if (!matches) return Refusal(400, "'face_matches' must be true or false");
  const auto set = deps_.people.SetFaceMatches(TextOf(body["nin"]), *matches);
  return set ? ReadPeople(request, {}) : RefusalFor(set.error());
}

HttpAnswer Control::ReadSettings(const HttpRequest& /*request*/, JsonView /*body*/) {
  return JsonAnswer(deps_.settings.Json());
}

HttpAnswer Control::ChangeSettings(const HttpRequest& request, JsonView body) {
  const auto changed = deps_.settings.Change(body);
  return changed ? ReadSettings(request, {}) : RefusalFor(changed.error());
}

HttpAnswer Control::AdvanceClock(const HttpRequest& /*request*/, JsonView body) {
  const auto seconds = body["advance_seconds"].AsInteger();
  if (!seconds || *seconds < 0 || *seconds > kFarthestAdvance) {
    return Refusal(400, "'advance_seconds' must be a whole number of seconds from 0 on");
  }
  deps_.clock.Advance(std::chrono::seconds(*seconds));
  return JsonAnswer(
      JsonWriter().BeginObject().Field("now", FormatRfc3339(deps_.clock.Now())).EndObject().Take());
}

HttpAnswer Control::ForgetTokens(const HttpRequest& /*request*/, JsonView /*body*/) {
  for (const Account& account : deps_.accounts.All()) deps_.tokens.RevokeAllOf(account.id);
  return JsonAnswer("{}");
}

}  // namespace idkiosk::sandbox
