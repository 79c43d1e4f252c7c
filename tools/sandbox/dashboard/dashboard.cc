#include "tools/sandbox/dashboard/dashboard.h"

#include <algorithm>

#include "platform/base/text/letter_case.h"
#include "tools/sandbox/control/resources.h"
#include "tools/sandbox/dashboard/page.h"
#include "tools/sandbox/service/endpoint.h"
#include "tools/sandbox/service/portrait.h"
#include "tools/sandbox/store/digest.h"
#include "tools/sandbox/store/password.h"

namespace idkiosk::sandbox {
namespace {

constexpr std::string_view kRoot = "/dashboard/";
constexpr std::string_view kApi = "/dashboard/api/";
constexpr std::chrono::seconds kSessionLifetime{30 * 60};
constexpr int64_t kRowsShown = 200;

constexpr std::pair<std::string_view, std::string_view> kSafetyHeaders[] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
     "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cache-Control", "no-store"},
};

// The host of a Host header, without its port.
std::string_view WithoutPort(std::string_view host) {
  const size_t colon = host.rfind(':');
  const bool in_brackets = host.ends_with(']');
  return colon == std::string_view::npos || in_brackets ? host : host.substr(0, colon);
}

// Browsers say where a request comes from; other programs say nothing.
bool ComesFromElsewhere(const HttpRequest& request) {
  const std::string_view site = request.Header("Sec-Fetch-Site");
  return !site.empty() && site != "same-origin" && site != "none";
}

HttpAnswer Redirect(std::string_view to) {
  HttpAnswer answer;
  answer.status = 303;
  answer.headers.emplace_back("Location", to);
  return answer;
}

void WriteKey(const ApiKey& key, JsonWriter& json) {
  json.BeginObject()
      .Field("id", key.id)
      .Field("name", key.name)
      .Field("ending", key.ending)
      .Field("created", FormatRfc3339(key.created));
  if (key.revoked) json.Field("revoked", FormatRfc3339(*key.revoked));
  json.EndObject();
}

void WriteKeys(const std::vector<ApiKey>& keys, JsonWriter& json) {
  json.Key("keys").BeginArray();
  for (const ApiKey& key : keys) WriteKey(key, json);
  json.EndArray();
}

int64_t IdOf(JsonView body) { return body["id"].AsInteger().value_or(0); }

}  // namespace

struct Dashboard::Route {
  std::string_view method;
  std::string_view path;  // below kApi
  HttpAnswer (Dashboard::*handle)(const Visit&);
  bool for_trainers = false;
};

const Dashboard::Route Dashboard::kRoutes[] = {
    {"GET", "session", &Dashboard::ReadSession},
    {"DELETE", "session", &Dashboard::LogOut},
    {"GET", "keys", &Dashboard::ReadKeys},
    {"POST", "keys", &Dashboard::CreateKey},
    {"POST", "keys/regenerate", &Dashboard::RegenerateKey},
    {"POST", "keys/revoke", &Dashboard::RevokeKey},
    {"GET", "ledger", &Dashboard::ReadLedger},
    {"GET", "requests", &Dashboard::ReadRequests},
    {"POST", "password", &Dashboard::ChangePassword},
    {"GET", "faults", &Dashboard::ReadFaults, true},
    {"POST", "faults", &Dashboard::AddFault, true},
    {"DELETE", "faults", &Dashboard::RemoveFaults, true},
    {"GET", "people", &Dashboard::ReadPeople, true},
    {"POST", "people", &Dashboard::AddPerson, true},
    {"DELETE", "people", &Dashboard::RemovePerson, true},
    {"POST", "people/face", &Dashboard::SetFace, true},
    {"GET", "people/portrait", &Dashboard::ReadPortrait, true},
};

// The prefix __Host- makes browsers insist on Secure and on this host alone; plain HTTP cannot
// have it.
Dashboard::Dashboard(Dependencies deps)
    : deps_(std::move(deps)),
      cookie_name_(deps_.base_url.starts_with("https:") ? "__Host-sandbox" : "sandbox"),
      csrf_(RandomHex(32)) {}

bool Dashboard::Serves(std::string_view path) {
  return path == "/" || path == "/dashboard" || path.starts_with(kRoot);
}

HttpAnswer Dashboard::Handle(const HttpRequest& request) {
  HttpAnswer answer;
  if (!IsOurHost(request)) {
    answer = Refusal(403, "The dashboard is not served under this name.");
  } else if (!request.path.starts_with(kRoot)) {
    answer = Redirect(kRoot);
  } else if (request.path.starts_with(kApi)) {
    answer = HandleApi(request);
  } else if (const Page* page = FindPage(request.path.substr(kRoot.size()));
             page != nullptr && request.method == "GET") {
    answer.body = page->content;
    answer.content_type = page->content_type;
  } else {
    answer = Refusal(404, "The dashboard has no such page.");
  }
  for (const auto& [name, value] : kSafetyHeaders) answer.headers.emplace_back(name, value);
  return answer;
}

bool Dashboard::IsOurHost(const HttpRequest& request) const {
  const std::string_view host = WithoutPort(request.Header("Host"));
  return std::ranges::any_of(
      deps_.hosts, [&](const std::string& ours) { return EqualsIgnoringCase(ours, host); });
}

HttpAnswer Dashboard::HandleApi(const HttpRequest& request) {
  if (ComesFromElsewhere(request)) {
    return Refusal(403, "The request comes from another site.");
  }
  const std::string_view path = request.path.substr(kApi.size());
  if (path == "session" && request.method == "POST") return LogIn(request);
  const auto account = Visitor(request);
  if (!account) return account.error();
  const auto body = JsonDocument::Parse(request.body.empty() ? "{}" : request.body);
  if (!body) return RefusalFor(body.error());
  for (const Route& route : kRoutes) {
    if (route.path != path || route.method != request.method) continue;
    if (route.for_trainers && !account->trainer) {
      return Refusal(403, "Only trainers see this part of the dashboard.");
    }
    return (this->*route.handle)({.request = request, .body = body->root(), .account = *account});
  }
  return Refusal(404, "The dashboard has no such method and path.");
}

std::expected<Account, HttpAnswer> Dashboard::Visitor(const HttpRequest& request) {
  const std::string_view session = request.Cookie(cookie_name_);
  const auto id = sessions_.Use(session, deps_.clock.Now(), kSessionLifetime);
  auto account = id ? deps_.accounts.Find(*id) : std::nullopt;
  if (!account) return std::unexpected(Refusal(401, "Log in first."));
  const bool changes = request.method != "GET";
  if (changes && !EqualInConstantTime(request.Header("X-CSRF-Token"), csrf_.Of(session))) {
    return std::unexpected(Refusal(403, "The header X-CSRF-Token is not this session's."));
  }
  return *account;
}

HttpAnswer Dashboard::LogIn(const HttpRequest& request) {
  if (!request.Header("Content-Type").starts_with("application/json")) {
    return Refusal(400, "The body must be JSON.");
  }
  const auto body = JsonDocument::Parse(request.body);
  if (!body) return RefusalFor(body.error());
  const WallTime now = deps_.clock.Now();
  auto account = deps_.memberships.Authenticate(
      TextOf(body->root()["email"]), TextOf(body->root()["password"]), request.remote_address, now);
  if (!account) return std::move(account.error().http);
  const std::string session = sessions_.Issue(account->id, now, kSessionLifetime);
  HttpAnswer answer = JsonAnswer(200, SessionJson(*account, session));
  answer.headers.emplace_back("Set-Cookie", SetCookie(session, ""));
  return answer;
}

std::string Dashboard::SetCookie(std::string_view value, std::string_view more) const {
  const bool secure = deps_.base_url.starts_with("https:");
  return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict{}{}", cookie_name_, value,
                     secure ? "; Secure" : "", more);
}

std::string Dashboard::SessionJson(const Account& account, std::string_view session) const {
  JsonWriter json;
  json.BeginObject()
      .Field("csrf", csrf_.Of(session))
      .Field("base_url", deps_.base_url)
      .Field("email", account.email)
      .Field("name", account.name)
      .Field("user_id", account.user_id)
      .Field("level", account.level)
      .Field("environment", Name(account.environment))
      .Field("trainer", account.trainer)
      .Key("endpoints")
      .BeginArray();
  for (const EndpointRow& row : Endpoints()) {
    json.BeginObject()
        .Field("name", row.name)
        .Field("title", row.title)
        .Field("method", row.method)
        .Field("path", row.path)
        .Field("billed", row.billed)
        .Field("price", FormatAmount(row.price))
        .Field("allowed", LevelAllows(account.level, row.endpoint))
        .EndObject();
  }
  return json.EndArray().EndObject().Take();
}

HttpAnswer Dashboard::ReadSession(const Visit& visit) {
  return JsonAnswer(200, SessionJson(visit.account, visit.request.Cookie(cookie_name_)));
}

HttpAnswer Dashboard::LogOut(const Visit& visit) {
  sessions_.Revoke(visit.request.Cookie(cookie_name_));
  HttpAnswer answer = JsonAnswer(200, "{}");
  answer.headers.emplace_back("Set-Cookie", SetCookie("", "; Max-Age=0"));
  return answer;
}

HttpAnswer Dashboard::ReadKeys(const Visit& visit) {
  JsonWriter json;
  json.BeginObject();
  WriteKeys(deps_.accounts.Keys(visit.account.id), json);
  return JsonAnswer(200, json.EndObject().Take());
}

// With all keys: until the page has them, what it shows offers to change one that is gone.
HttpAnswer Dashboard::MadeKeyAnswer(const Visit& visit, const Result<MadeKey>& made) {
  if (!made) return RefusalFor(made.error());
  JsonWriter json;
  json.BeginObject().Field("value", made->value).Key("key");
  WriteKey(made->key, json);
  WriteKeys(deps_.accounts.Keys(visit.account.id), json);
  return JsonAnswer(201, json.EndObject().Take());
}

HttpAnswer Dashboard::CreateKey(const Visit& visit) {
  return MadeKeyAnswer(visit, deps_.accounts.CreateKey(visit.account.id, TextOf(visit.body["name"]),
                                                       deps_.clock.Now()));
}

HttpAnswer Dashboard::RegenerateKey(const Visit& visit) {
  return MadeKeyAnswer(
      visit, deps_.accounts.RegenerateKey(visit.account.id, IdOf(visit.body), deps_.clock.Now()));
}

HttpAnswer Dashboard::RevokeKey(const Visit& visit) {
  const auto revoked =
      deps_.accounts.RevokeKey(visit.account.id, IdOf(visit.body), deps_.clock.Now());
  return revoked ? ReadKeys(visit) : RefusalFor(revoked.error());
}

HttpAnswer Dashboard::ReadLedger(const Visit& visit) {
  LedgerQuery query;
  query.account = visit.account.id;
  query.limit = kRowsShown;
  return JsonAnswer(deps_.ledger.BillingJson(query));
}

// A trainer also sees the requests of others, and those of nobody: a missing header is what a
// training is about.
HttpAnswer Dashboard::ReadRequests(const Visit& visit) {
  LedgerQuery query;
  if (!visit.account.trainer) query.account = visit.account.id;
  query.limit = kRowsShown;
  return JsonAnswer(deps_.ledger.RequestsJson(query));
}

HttpAnswer Dashboard::ChangePassword(const Visit& visit) {
  const auto changed = deps_.accounts.ChangePassword(
      visit.account.id, TextOf(visit.body["current"]), TextOf(visit.body["fresh"]));
  if (!changed) return RefusalFor(changed.error());
  deps_.access_tokens.RevokeAllOf(visit.account.id);
  sessions_.RevokeAllOf(visit.account.id);
  return JsonAnswer(200, "{}");
}

HttpAnswer Dashboard::ReadFaults(const Visit& /*visit*/) {
  return JsonAnswer(200, FaultsJson(deps_.faults));
}

HttpAnswer Dashboard::AddFault(const Visit& visit) {
  auto fault = ParseFault(visit.body);
  if (!fault) return RefusalFor(fault.error());
  deps_.faults.Add(std::move(*fault));
  return JsonAnswer(201, FaultsJson(deps_.faults));
}

HttpAnswer Dashboard::RemoveFaults(const Visit& visit) {
  if (!visit.body["id"].exists()) {
    deps_.faults.Clear();
  } else if (!deps_.faults.Remove(IdOf(visit.body))) {
    return Refusal(404, "This fault is switched off already.");
  }
  return ReadFaults(visit);
}

HttpAnswer Dashboard::ReadPeople(const Visit& /*visit*/) {
  return JsonAnswer(200, PeopleJson(deps_.people));
}

HttpAnswer Dashboard::AddPerson(const Visit& visit) {
  const auto added = deps_.people.Add(ParsePerson(visit.body));
  return added ? JsonAnswer(201, PeopleJson(deps_.people)) : RefusalFor(added.error());
}

HttpAnswer Dashboard::RemovePerson(const Visit& visit) {
  const auto removed = deps_.people.Remove(TextOf(visit.body["nin"]));
  return removed ? ReadPeople(visit) : RefusalFor(removed.error());
}

HttpAnswer Dashboard::SetFace(const Visit& visit) {
  const auto set = deps_.people.SetFaceMatches(TextOf(visit.body["nin"]),
                                               visit.body["face_matches"].AsBool().value_or(true));
  return set ? ReadPeople(visit) : RefusalFor(set.error());
}

HttpAnswer Dashboard::ReadPortrait(const Visit& visit) {
  HttpAnswer answer;
  answer.body = AsText(DrawPortrait(visit.request.Query("nin").value_or("")));
  answer.content_type = "image/jpeg";
  return answer;
}

}  // namespace idkiosk::sandbox
