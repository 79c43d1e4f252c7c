#include "app/session/model/clerk_view.h"

#include <algorithm>
#include <array>
#include <utility>

namespace idkiosk {
namespace {

constexpr std::array<std::pair<Endpoint, std::string_view>, 5> kTasks = {{
    {Endpoint::kVerify, "verify"},
    {Endpoint::kCheck, "check"},
    {Endpoint::kLookupPhone, "phone"},
    {Endpoint::kLookupNin, "nin"},
    {Endpoint::kLookupNinPhone, "nin-phone"},
}};

void WriteWords(JsonWriter& json, std::string_view key, const std::vector<std::string>& words) {
  json.Key(key).BeginArray();
  for (const std::string& each : words) json.Value(each);
  json.EndArray();
}

void WriteCall(JsonWriter& json, const ClerkView::Call& call) {
  json.BeginObject()
      .Field("reference", call.reference)
      .Field("state", call.state)
      .Field("question", call.question)
      .Field("age_seconds", call.age_minutes * 60)
      .Field("answered", call.answered);
  if (!call.verdict.empty()) json.Field("verdict", call.verdict);
  if (!call.price.empty()) json.Field("price", call.price);
  json.EndObject();
}

void WriteAnswer(JsonWriter& json, const ClerkView::Answer& answer) {
  json.BeginObject()
      .Field("kind", Name(answer.kind))
      .Field("reference", answer.reference)
      .Field("question", answer.question)
      .Field("photo", answer.photo);
  if (answer.reason) json.Field("reason", Name(*answer.reason));
  json.Key("fields").BeginArray();
  for (const ClerkView::Field& each : answer.fields) {
    json.BeginObject().Field("name", each.name).Field("value", each.value).EndObject();
  }
  json.EndArray().EndObject();
}

}  // namespace

std::string_view TaskOf(Endpoint endpoint) {
  const auto* found =
      std::ranges::find(kTasks, endpoint, &std::pair<Endpoint, std::string_view>::first);
  return found == kTasks.end() ? Name(endpoint) : found->second;
}

std::optional<Endpoint> EndpointOfTask(std::string_view task) {
  const auto* found =
      std::ranges::find(kTasks, task, &std::pair<Endpoint, std::string_view>::second);
  return found == kTasks.end() ? std::nullopt : std::optional(found->first);
}

void WriteDesk(JsonWriter& json, const ClerkView& desk) {
  json.Key("desk").BeginObject();
  WriteWords(json, "tasks", desk.tasks);
  WriteWords(json, "types", desk.types);
  json.Key("today")
      .BeginObject()
      .Field("calls", desk.calls_today)
      .Field("spend", desk.spent_today)
      .Field("currency", desk.currency)
      .EndObject();
  json.Key("queue").BeginArray();
  for (const ClerkView::Call& each : desk.queue) WriteCall(json, each);
  json.EndArray()
      .Field("network", Name(desk.network))
      .Field("camera", desk.camera_away ? "away" : "ready")
      .Field("asking", desk.asking)
      .Key("problem");
  desk.problem ? json.Value(Name(*desk.problem)) : json.Null();
  json.Key("answer");
  desk.answer ? WriteAnswer(json, *desk.answer) : static_cast<void>(json.Null());
  json.EndObject();
}

void WriteAgent(JsonWriter& json, const AgentView& agent) {
  json.Key("agent").BeginObject().Key("battery");
  agent.battery ? json.Value(*agent.battery) : json.Null();
  json.Field("waiting", agent.waiting).Key("last_delivery_seconds");
  agent.minutes_since_delivery ? json.Value(*agent.minutes_since_delivery * 60) : json.Null();
  json.EndObject();
}

}  // namespace idkiosk
