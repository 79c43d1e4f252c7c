#include "app/api/check_json.h"

#include "app/queue/call_json.h"
#include "app/queue/call_meaning.h"

namespace idkiosk {

void WriteHold(JsonWriter& json, const Hold& hold) {
  json.BeginObject()
      .Field("id", HoldId(hold))
      .Field("reason", Name(hold.reason))
      .Field("since", FormatRfc3339(hold.since))
      .Field("detail", hold.detail)
      .Field("mend", MendOf(hold))
      .Field("liftable", IsLiftable(hold.reason));
  if (hold.until) json.Field("until", FormatRfc3339(*hold.until));
  json.EndObject();
}

namespace {

void WriteMembers(JsonWriter& json, const CallSummary& call) {
  WriteCall(json, call);
  if (!call.operator_id.empty()) json.Field("operator", call.operator_id);
  if (!call.case_id.empty()) json.Field("case", call.case_id);
  json.Field("has_answer", call.has_answer).Field("has_question", call.has_payload);
  if (call.other_address) json.Field("other_address", true);
  if (call.hold) {
    json.Key("hold");
    WriteHold(json, *call.hold);
  }
}

}  // namespace

void WriteCheck(JsonWriter& json, const CallSummary& call) {
  json.BeginObject();
  WriteMembers(json, call);
  json.EndObject();
}

std::string CheckJson(const CallSummary& call, std::span<const LedgerRow> attempts,
                      const std::string& currency) {
  JsonWriter json;
  json.BeginObject();
  WriteMembers(json, call);
  json.Field("confirm_price", FormatPrice(call.resend_price, currency));
  WriteCost(json, attempts, currency);
  WriteAttempts(json, attempts);
  return json.EndObject().Take();
}

namespace {

std::string VisitJson(const CallReference& reference, std::string_view state, std::string_view why,
                      std::string_view case_id) {
  JsonWriter json;
  json.BeginObject().Field("reference", reference).Field("state", state);
  if (!why.empty()) json.Field("why", why);
  if (!case_id.empty()) json.Field("case", case_id);
  return json.EndObject().Take();
}

}  // namespace

std::string VisitJson(const CameraVisits::Visit& visit) {
  // What the person has sent is on its way to the queue.
  const bool is_over = visit.stage == CameraVisits::Stage::kOver;
  const std::string_view over = visit.why.empty() ? "handed_in" : "not_taken";
  return VisitJson(visit.reference, is_over ? over : "at_camera", visit.why, visit.case_id);
}

std::string VisitJson(const CallSummary& call) {
  return VisitJson(call.reference, "handed_in", "", call.case_id);
}

std::string EventJson(const CallSummary& call) {
  JsonWriter json;
  json.BeginObject().Field("reference", call.reference).Field("state", StateWord(call));
  if (call.verdict != Verdict::kNone) json.Field("verdict", Name(call.verdict));
  json.Field("means", MeaningOf(call));
  if (!call.case_id.empty()) json.Field("case", call.case_id);
  return json.EndObject().Take();
}

}  // namespace idkiosk
