#include "app/session/model/clerk_view.h"

#include <utility>

namespace idkiosk {
namespace {

// The fields that a clerk fills in, in this order, as the command `ask` names them.
constexpr std::pair<Placeholder, std::string_view> kFields[] = {
    {Placeholder::kType, "type"},
    {Placeholder::kIdNumber, "id_number"},
    {Placeholder::kNin, "nin"},
    {Placeholder::kPhone, "phone"},
    {Placeholder::kRequestReason, "reason"},
};

void WriteTask(JsonWriter& json, const ClerkView::Task& task) {
  const EndpointTraits traits = TraitsOf(task.endpoint);
  json.BeginObject().Field("name", traits.task).Field("price", task.price);
  json.Key("fields").BeginArray();
  for (const auto& [placeholder, field] : kFields) {
    const bool is_reason = placeholder == Placeholder::kRequestReason;
    if (is_reason ? task.has_reason : traits.Takes(placeholder)) json.Value(field);
  }
  json.EndArray().EndObject();
}

void WriteCall(JsonWriter& json, const ClerkView::Call& call) {
  json.BeginObject()
      .Field("reference", call.reference)
      .Field("state", call.state)
      .Field("question", call.question)
      .Field("age_seconds", call.age_minutes * 60)
      .Field("attempts", call.attempts)
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

void WriteDesk(JsonWriter& json, const ClerkView& desk) {
  json.Key("desk").BeginObject();
  json.Key("tasks").BeginArray();
  for (const ClerkView::Task& each : desk.tasks) WriteTask(json, each);
  json.EndArray();
  json.Key("types").BeginArray();
  for (const std::string& each : desk.types) json.Value(each);
  json.EndArray()
      .Key("today")
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
  json.Field("price", agent.price).EndObject();
}

}  // namespace idkiosk
