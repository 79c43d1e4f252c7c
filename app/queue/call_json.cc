#include "app/queue/call_json.h"

#include <map>

#include "app/queue/call_meaning.h"

namespace idkiosk {
namespace {

struct Cost {
  int attempts = 0;
  std::string price;  // "100.00 NGN"; of attempts in two currencies "100.00 NGN + 2.00 USD"
};

// What those of `attempts` cost that were billed like this. `currency`: of those that an idkiosk
// wrote down without one.
Cost CostOf(std::span<const LedgerRow> attempts, Billed billed, const std::string& currency) {
  Cost cost;
  std::map<std::string, int64_t> sums;
  for (const LedgerRow& row : attempts) {
    if (row.billed != billed) continue;
    ++cost.attempts;
    sums[row.currency.empty() ? currency : row.currency] += row.price;
  }
  if (sums.empty()) sums.emplace(currency, 0);
  for (const auto& [each, sum] : sums) {
    cost.price += fmt::format("{}{}", cost.price.empty() ? "" : " + ", FormatPrice(sum, each));
  }
  return cost;
}

}  // namespace

void WriteCall(JsonWriter& json, const CallSummary& call) {
  json.Field("reference", call.reference)
      .Field("state", StateWord(call))
      .Field("endpoint", Name(call.endpoint));
  if (call.verdict != Verdict::kNone) json.Field("verdict", Name(call.verdict));
  json.Field("means", MeaningOf(call));
  if (call.hold) {
    json.Field("held_for", Name(call.hold->reason)).Field("mend", MendOf(*call.hold));
  }
  if (!call.made_for.empty()) json.Field("made_for", call.made_for);
  if (call.means) json.Field("pictures", Name(*call.means));
  json.Field("accepted_at", FormatRfc3339(call.accepted_at));
  if (call.next_attempt) json.Field("next_attempt", FormatRfc3339(*call.next_attempt));
  if (call.ended_at) json.Field("ended_at", FormatRfc3339(*call.ended_at));
  json.Field("attempts", call.attempts).Field("billed_attempts", call.billed_attempts);
  if (call.last_outcome) json.Field("last_outcome", Name(*call.last_outcome));
  if (call.http_status != 0) json.Field("http_status", call.http_status);
  if (!call.engineer.empty()) json.Field("detail", call.engineer);
  json.Field("resend_price", static_cast<double>(call.resend_price) / 100);
}

void WriteAttempts(JsonWriter& json, std::span<const LedgerRow> attempts) {
  json.Key("tries").BeginArray();
  for (const LedgerRow& row : attempts) {
    json.BeginObject().Field("attempt", row.number);
    WriteIdentity(json, row);
    json.Field("started_at", FormatRfc3339(row.started_at))
        .Field("http_status", row.http_status)
        .Field("billed", Name(row.billed))
        .Field("rule", row.rule)
        .EndObject();
  }
  json.EndArray();
}

void WriteCost(JsonWriter& json, std::span<const LedgerRow> attempts, const std::string& currency) {
  const Cost sure = CostOf(attempts, Billed::kYes, currency);
  const Cost maybe = CostOf(attempts, Billed::kMaybe, currency);
  json.Key("cost")
      .BeginObject()
      .Field("billed", sure.attempts)
      .Field("maybe_billed", maybe.attempts)
      .Field("price", sure.price)
      .Field("maybe_price", maybe.price)
      .EndObject();
}

void WriteIdentity(JsonWriter& json, const LedgerRow& row) {
  if (!row.attempt_id.empty()) json.Field("attempt_id", row.attempt_id);
  if (!row.service_reference.empty()) json.Field("service_reference", row.service_reference);
}

}  // namespace idkiosk
