#include "app/api/check_json.h"

#include "app/queue/call_json.h"

namespace idkiosk {
namespace {

void WriteMembers(JsonWriter& json, const CallSummary& call) {
  WriteCall(json, call);
  if (!call.operator_id.empty()) json.Field("operator", call.operator_id);
  if (!call.case_id.empty()) json.Field("case", call.case_id);
  json.Field("has_answer", call.has_answer);
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

std::string EventJson(const CallSummary& call) {
  JsonWriter json;
  json.BeginObject().Field("reference", call.reference).Field("state", StateWord(call));
  if (call.verdict != Verdict::kNone) json.Field("verdict", Name(call.verdict));
  if (!call.case_id.empty()) json.Field("case", call.case_id);
  return json.EndObject().Take();
}

}  // namespace idkiosk
