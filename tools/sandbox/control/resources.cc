#include "tools/sandbox/control/resources.h"

#include <charconv>

namespace idkiosk::sandbox {
namespace {

constexpr int64_t kMostRows = 100'000;

int StatusFor(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid:
    case ErrorCode::kRejected:
      return 400;
    case ErrorCode::kNotFound:
      return 404;
    case ErrorCode::kFailedPrecondition:
      return 409;
    default:
      return 500;
  }
}

}  // namespace

std::string FaultsJson(const Faults& faults) {
  JsonWriter json;
  json.BeginObject().Key("faults").BeginArray();
  for (const Fault& fault : faults.All()) WriteJson(fault, json);
  return json.EndArray().EndObject().Take();
}

std::string PeopleJson(People& people) {
  JsonWriter json;
  json.BeginObject().Field("test_nin", kTestNin).Key("people").BeginArray();
  for (const Person& person : people.All()) {
    json.BeginObject()
        .Field("nin", person.nin)
        .Field("name", person.name)
        .Field("phone", person.phone)
        .Field("born", person.born)
        .Field("gender", person.gender)
        .Field("face_matches", person.face_matches)
        .EndObject();
  }
  return json.EndArray().EndObject().Take();
}

std::string AccountsJson(Accounts& accounts) {
  JsonWriter json;
  json.BeginObject().Key("accounts").BeginArray();
  for (const Account& account : accounts.All()) {
    json.BeginObject()
        .Field("id", account.id)
        .Field("user_id", account.user_id)
        .Field("email", account.email)
        .Field("name", account.name)
        .Field("level", account.level)
        .Field("environment", Name(account.environment))
        .Field("trainer", account.trainer)
        .EndObject();
  }
  return json.EndArray().EndObject().Take();
}

HttpAnswer JsonAnswer(int status, std::string json) {
  HttpAnswer answer;
  answer.status = status;
  answer.body = std::move(json);
  return answer;
}

HttpAnswer JsonAnswer(Result<std::string> json) {
  return json ? JsonAnswer(200, std::move(*json)) : RefusalFor(json.error());
}

HttpAnswer RefusalFor(const Error& error) { return Refusal(StatusFor(error.code), error.message); }

Result<LedgerQuery> ParseLedgerQuery(const HttpRequest& request) {
  LedgerQuery query;
  query.endpoint = request.Query("endpoint").value_or("");
  query.subject = request.Query("nin").value_or("");
  query.attempt_id = request.Query("attempt_id").value_or("");
  if (const auto phone = request.Query("phone")) {
    query.subject = LocalPhone(*phone).value_or(std::string(*phone));
  }
  if (const auto since = request.Query("since")) {
    query.since = ParseRfc3339(*since);
    if (!query.since) {
      return Fail(ErrorCode::kInvalid, "'since' must be a time such as 2026-11-20T19:21:47Z");
    }
  }
  if (const auto limit = request.Query("limit")) {
    const auto [end, error] =
        std::from_chars(limit->data(), limit->data() + limit->size(), query.limit);
    if (error != std::errc() || end != limit->data() + limit->size() || query.limit < 0 ||
        query.limit > kMostRows) {
      return Fail(ErrorCode::kInvalid, "'limit' must be a whole number from 0 to {}", kMostRows);
    }
  }
  return query;
}

Person ParsePerson(JsonView json) {
  return {.nin = TextOf(json["nin"]),
          .name = TextOf(json["name"]),
          .phone = LocalPhone(TextOf(json["phone"])).value_or(TextOf(json["phone"])),
          .born = TextOf(json["born"]),
          .gender = TextOf(json["gender"]),
          .face_matches = json["face_matches"].AsBool().value_or(true)};
}

std::string TextOf(JsonView value) { return std::string(value.AsString().value_or("")); }

}  // namespace idkiosk::sandbox
