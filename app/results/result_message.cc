#include "app/results/result_message.h"

#include <optional>

#include "app/journal/fields.h"
#include "app/queue/call_json.h"
#include "app/queue/call_meaning.h"
#include "app/service/answer_codec.h"

namespace idkiosk {
namespace {

constexpr size_t kIdBytes = 16;

// The service's reference of the attempt that decided: the newest that has one.
std::string ServiceReference(const std::vector<LedgerRow>& attempts) {
  for (auto each = attempts.rbegin(); each != attempts.rend(); ++each) {
    if (!each->service_reference.empty()) return each->service_reference;
  }
  return "";
}

// The ledger still has it where the queue's file has lost the call.
std::string CaseOf(const Result<CallSummary>& call, const std::vector<LedgerRow>& attempts) {
  if (call) return call->case_id;
  return attempts.empty() ? "" : attempts.back().case_id;
}

// Nothing where a person, or the service's operator, has decided what became of it.
std::optional<OutcomeKind> LastOutcome(const std::vector<LedgerRow>& attempts) {
  return attempts.empty() ? std::nullopt : OutcomeKindOf(attempts.back().rule);
}

void WriteAnswer(JsonWriter& json, const SecretBytes& answer) {
  if (ParseAnswer(answer.view())) {
    json.Key("answer").Raw(answer.text());
  } else {
    json.Field("unreadable_base64", ToBase64(answer.view()));
  }
}

}  // namespace

std::string ResultWriter::IdOf(const CallEnd& end) const {
  const Bytes named = FieldWriter()
                          .Text("id")
                          .Text(end.reference)
                          .Int64(static_cast<int64_t>(end.place))
                          .Text(Name(end.state))
                          .Text(Name(end.verdict))
                          .Int64(ToMilliseconds(end.ended_at))
                          .Take();
  const Crypto::Digest digest = deps_.crypto.HmacSha256(deps_.key, named);
  return "res_" + ToHex(ByteSpan(digest).first(kIdBytes));
}

Result<ResultMessage> ResultWriter::Write(const CallEnd& end) const {
  const auto attempts = deps_.queue.Attempts(end.reference);
  if (!attempts) return std::unexpected(attempts.error());
  const auto call = deps_.queue.Show(end.reference);
  if (!call && call.error().code != ErrorCode::kNotFound) return std::unexpected(call.error());

  ResultMessage message{
      .id = IdOf(end), .place = end.place, .reference = end.reference, .body = {}};
  JsonWriter json;
  json.BeginObject()
      .Field("id", message.id)
      .Field("type", "check.ended")
      .Field("timestamp", FormatRfc3339(end.ended_at))
      .Key("data")
      .BeginObject()
      .Field("reference", end.reference)
      .Field("endpoint", Name(end.endpoint))
      .Field("state", Name(end.state));
  if (end.verdict != Verdict::kNone) json.Field("verdict", Name(end.verdict));
  // What it came to may have been told since, and the call knows that.
  const bool is_as_it_is = call && call->state == end.state && call->verdict == end.verdict;
  json.Field("means", is_as_it_is ? MeaningOf(*call)
                                  : MeaningOfEnd(end.state, end.verdict, LastOutcome(*attempts)));
  const std::string case_id = CaseOf(call, *attempts);
  if (!case_id.empty()) json.Field("case", case_id);
  if (end.accepted_at) json.Field("accepted_at", FormatRfc3339(*end.accepted_at));
  json.Field("ended_at", FormatRfc3339(end.ended_at))
      .Field("attempts", static_cast<int64_t>(attempts->size()));
  // Those of another attempt go with its own end.
  const bool is_another = call && call->state != CallState::kDamaged && !is_as_it_is;
  const std::string service_reference = ServiceReference(*attempts);
  if (!service_reference.empty() && !is_another) json.Field("service_reference", service_reference);
  WriteCost(json, *attempts, deps_.profile.currency);
  WriteAttempts(json, *attempts);
  if (call && deps_.settings.Includes("nin")) {
    const auto nin = deps_.queue.Nin(end.reference);
    if (nin && !nin->empty()) {
      json.Field("nin", nin->text());
      message.is_personal = true;
    }
  }
  if (is_as_it_is && call->has_answer && deps_.settings.Includes("answer")) {
    // One that is erased or damaged by now is missing, and holds nothing up.
    if (const auto answer = deps_.queue.Answer(end.reference)) {
      WriteAnswer(json, *answer);
      message.is_personal = true;
    }
  }
  std::string text = json.EndObject().EndObject().Take();
  message.body = SecretBytes::Take(text);
  return message;
}

}  // namespace idkiosk
