#include "app/api/api_reading.h"

#include <cmath>

#include "app/accounts/amount.h"

namespace idkiosk {
namespace {

// Reads members of an object, and keeps the first that makes no sense.
class MemberReader {
 public:
  explicit MemberReader(JsonView object) : object_(object) {}

  std::string Text(std::string_view name) const {
    return std::string(object_[name].AsString().value_or(""));
  }
  int Number(std::string_view name) const {
    return static_cast<int>(object_[name].AsInteger().value_or(0));
  }
  std::optional<WallTime> Time(std::string_view name) {
    const std::string text = Text(name);
    if (text.empty()) return std::nullopt;
    const auto time = ParseRfc3339(text);
    if (!time) Complain(name);
    return time ? std::optional(*time) : std::nullopt;
  }
  // A word of one of the tables. A missing one stays as `usual`.
  template <typename Value>
  Value Word(std::string_view name, std::optional<Value> (*of)(std::string_view), Value usual) {
    const std::string text = Text(name);
    if (text.empty()) return usual;
    const auto value = of(text);
    if (!value) Complain(name);
    return value.value_or(usual);
  }
  void Complain(std::string_view name) {
    if (bad_.empty()) bad_ = name;
  }
  [[nodiscard]] Status status() const {
    if (bad_.empty()) return {};
    return Fail(ErrorCode::kInvalid, "the running kiosk is another version: its {} makes no sense",
                bad_);
  }

 private:
  const JsonView object_;
  std::string bad_;
};

std::optional<CallState> StateOf(std::string_view word) {
  return word == kHeldWord ? std::optional(CallState::kPending) : CallStateOf(word);
}

std::optional<PictureMeans> MeansOf(std::string_view word) { return PictureMeansOf(word); }

}  // namespace

Result<Hold> ReadHold(JsonView json) {
  MemberReader read(json);
  Hold hold;
  hold.reason = read.Word("reason", &HoldReasonOf, HoldReason::kClock);
  const std::string id = read.Text("id");
  hold.endpoint = EndpointOf(id.substr(0, id.find(':')));
  hold.since = read.Time("since").value_or(WallTime());
  hold.until = read.Time("until");
  hold.detail = read.Text("detail");
  if (Status good = read.status(); !good) return std::unexpected(good.error());
  return hold;
}

Result<CallSummary> ReadCheck(JsonView json) {
  MemberReader read(json);
  CallSummary call;
  call.reference = read.Text("reference");
  call.state = read.Word("state", &StateOf, CallState::kPending);
  call.endpoint = read.Word("endpoint", &EndpointOf, Endpoint::kVerify);
  call.verdict = read.Word("verdict", &VerdictOf, Verdict::kNone);
  if (const JsonView held = json["hold"]; held.exists()) {
    auto hold = ReadHold(held);
    if (!hold) return std::unexpected(hold.error());
    call.hold = std::move(*hold);
  }
  call.made_for = read.Text("made_for");
  call.other_address = json["other_address"].AsBool().value_or(false);
  call.operator_id = read.Text("operator");
  call.case_id = read.Text("case");
  if (json["pictures"].exists()) call.means = read.Word("pictures", &MeansOf, PictureMeans::kDrawn);
  call.accepted_at = read.Time("accepted_at").value_or(WallTime());
  call.next_attempt = read.Time("next_attempt");
  call.ended_at = read.Time("ended_at");
  call.attempts = read.Number("attempts");
  call.billed_attempts = read.Number("billed_attempts");
  if (json["last_outcome"].exists()) {
    call.last_outcome = read.Word("last_outcome", &OutcomeKindOf, OutcomeKind::kLost);
  }
  call.http_status = read.Number("http_status");
  call.engineer = read.Text("detail");
  call.has_answer = json["has_answer"].AsBool().value_or(false);
  call.has_payload = json["has_question"].AsBool().value_or(false);
  call.resend_price = std::llround(json["resend_price"].AsNumber().value_or(0) * 100);
  if (Status good = read.status(); !good) return std::unexpected(good.error());
  return call;
}

Result<LedgerRow> ReadAttempt(JsonView json) {
  MemberReader read(json);
  LedgerRow row;
  row.reference = read.Text("reference");
  row.number = read.Number("attempt");
  row.endpoint = read.Word("endpoint", &EndpointOf, Endpoint::kVerify);
  row.operator_id = read.Text("operator");
  row.started_at = read.Time("started_at").value_or(WallTime());
  row.ended_at = read.Time("ended_at");
  row.stage = read.Word("stage", &SendStageOf, SendStage::kSent);
  row.http_status = read.Number("http_status");
  row.billed = read.Word("billed", &BilledOf, Billed::kMaybe);
  const auto price = ParseAmount(read.Text("price"));
  if (!price) read.Complain("price");
  row.price = price.value_or(0);
  row.currency = read.Text("currency");
  row.case_id = read.Text("case");
  if (!read.Text("pictures").empty()) {
    row.means = read.Word("pictures", &MeansOf, PictureMeans::kDrawn);
  }
  row.rule = read.Text("rule");
  row.genuine = json["genuine"].AsBool().value_or(true);
  row.attempt_id = read.Text("attempt_id");
  row.service_reference = read.Text("service_reference");
  if (Status good = read.status(); !good) return std::unexpected(good.error());
  return row;
}

Result<QueueStats> ReadStats(JsonView json) {
  MemberReader read(json);
  QueueStats stats;
  for (const CallStateTraits& each : kCallStates) {
    stats.In(each.state) = json[each.name].AsInteger().value_or(0);
  }
  stats.held = json[kHeldWord].AsInteger().value_or(0);
  stats.oldest_pending = read.Time("oldest_pending");
  stats.paused_until = read.Time("paused_until");
  for (const JsonView each : json["holds"].children()) {
    auto hold = ReadHold(each);
    if (!hold) return std::unexpected(hold.error());
    stats.holds.push_back(std::move(*hold));
  }
  if (Status good = read.status(); !good) return std::unexpected(good.error());
  return stats;
}

}  // namespace idkiosk
