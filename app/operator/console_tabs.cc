#include "app/operator/console_tabs.h"

#include <algorithm>
#include <ranges>

#include "app/session/model/clerk_view.h"
#include "app/settings/credentials.h"

namespace idkiosk {
namespace {

// What a person puts into the vault; the keys that the program keeps there are its own business.
std::vector<std::string_view> Secrets() {
  std::vector<std::string_view> names;
  for (const CredentialTraits& each : kAllCredentials) names.push_back(each.name);
  return names;
}

// The page's word for a state of a finding.
std::string_view PageWord(FindingState state) {
  return state == FindingState::kNote ? "warning" : Name(state);
}

void WritePart(JsonWriter& json, KioskPart part, std::string_view state, std::string_view text,
               std::string_view mend) {
  json.BeginObject()
      .Field("name", Name(part))
      .Field("state", state)
      .Field("text", text)
      .Field("mend", mend)
      .EndObject();
}

// To the second: "2026-11-20T08:00:00Z".
std::string TimeText(WallTime time) {
  const std::string text = FormatRfc3339(time);
  return text.substr(0, text.find_first_of(".Z")) + "Z";
}

// Why it stands as it stands.
std::string SentenceOf(const CallSummary& call) {
  if (call.hold) return fmt::format("{}. {}", call.hold->detail, MendOf(*call.hold));
  return call.engineer;
}

// The members of a call that every list has.
void WriteCallMembers(JsonWriter& json, const CallSummary& call, WallTime now,
                      const std::string& currency) {
  // To the minute, as it is shown: the page is not told anew each second.
  const auto minutes = std::max<int64_t>((now - call.accepted_at) / std::chrono::minutes(1), 0);
  json.Field("reference", call.reference)
      .Field("state", StateWord(call))
      .Field("question", TaskOf(call.endpoint))
      .Field("age_seconds", minutes * 60)
      .Field("attempts", call.attempts)
      .Field("text", SentenceOf(call));
  // Of sending it again, where that is possible.
  if (call.has_payload) json.Field("price", FormatPrice(call.resend_price, currency));
  if (call.verdict != Verdict::kNone) json.Field("verdict", Name(call.verdict));
}

// Before it is known: one line for the whole check.
void WriteChecking(JsonWriter& json, OperatorBackend::Check check) {
  WritePart(json, PartOf(check), "checking", "", "");
}

}  // namespace

void WriteListedCall(JsonWriter& json, const ListedCall& listed, WallTime now,
                     const std::string& currency) {
  const CallSummary& call = listed.call;
  json.BeginObject();
  WriteCallMembers(json, call, now, currency);
  json.Field("spent", FormatAmount(listed.spent)).Field("times", listed.times);
  if (call.has_payload && !call.other_address) json.Field("hundredths", call.resend_price);
  if (!listed.answered_by.empty()) json.Field("answered_by", listed.answered_by);
  if (!call.operator_id.empty()) json.Field("operator", call.operator_id);
  if (!call.case_id.empty()) json.Field("case", call.case_id);
  json.EndObject();
}

void WriteRow(JsonWriter& json, const LedgerRow& row, const std::string& present) {
  json.BeginObject()
      .Field("time", TimeText(row.started_at))
      .Field("reference", row.reference)
      .Field("endpoint", Name(row.endpoint))
      .Field("operator", row.operator_id)
      .Field("stage", Name(row.stage))
      .Key("status");
  row.http_status == 0 ? json.Null() : json.Value(row.http_status);
  json.Field("billed", Name(row.billed))
      .Field("price", FormatPrice(row.Cost(), row.currency.empty() ? present : row.currency))
      .Field("text", row.genuine ? row.rule : row.rule + " (changed by somebody else)")
      .EndObject();
}

void WriteReady(JsonWriter& json, const CheckFindings& found) {
  json.Key("ready").BeginObject().Key("parts").BeginArray();
  for (const OperatorBackend::Check check : OperatorBackend::kChecks) {
    const auto findings = found.find(check);
    if (findings == found.end()) {
      WriteChecking(json, check);
      continue;
    }
    for (const Finding& each : findings->second) {
      WritePart(json, each.part, PageWord(each.state), each.text, each.mend);
    }
  }
  json.EndArray().EndObject();
}

void WriteQueue(JsonWriter& json, const OperatorBackend::QueueView& queue) {
  json.Key("queue").BeginObject().Key("open").BeginArray();
  for (const auto& [state, count] : OpenCountsOf(queue.stats)) {
    json.BeginObject().Field("state", state).Field("count", count).EndObject();
  }
  json.EndArray()
      .Field("ended_count",
             queue.stats.In(CallCourse::kEnded) + queue.stats.In(CallCourse::kWithdrawn))
      .Key("holds")
      .BeginArray();
  for (const Hold& each : queue.stats.holds) {
    json.BeginObject()
        .Field("id", HoldId(each))
        .Field("text", fmt::format("{}. {}.", each.detail, MendOf(each)))
        .Field("liftable", IsLiftable(each.reason))
        .EndObject();
  }
  // Those that have not ended stand with whom they ask about.
  json.EndArray().Key("ended").BeginArray();
  for (const CallSummary& each : queue.calls) {
    if (!HasEnded(each.state)) continue;
    json.BeginObject();
    WriteCallMembers(json, each, queue.now, queue.currency);
    json.EndObject();
  }
  json.EndArray().EndObject();
}

void WriteLedger(JsonWriter& json, const OperatorBackend::LedgerView& ledger) {
  int64_t calls = 0;
  int64_t price = 0;
  for (const BilledHour& each : ledger.hours) {
    calls += each.calls;
    price += each.price;
  }
  json.Key("ledger")
      .BeginObject()
      .Field("currency", ledger.currency)
      .Field("calls", calls)
      .Field("spend", FormatAmount(price))
      .Key("hours")
      .BeginArray();
  for (const BilledHour& each : ledger.hours) {
    json.BeginObject()
        .Field("from", TimeText(each.from))
        .Field("calls", each.calls)
        .Field("spend", static_cast<double>(each.price) / 100)
        .EndObject();
  }
  json.EndArray().EndObject();
}

void WriteCamera(JsonWriter& json, const CameraView& camera) {
  json.Key("camera")
      .BeginObject()
      .Field("source", camera.source)
      .Field("format", camera.format)
      .Field("detector", camera.detector)
      .Field("trouble", camera.trouble)
      .Key("measures")
      .BeginArray();
  for (const Measure& each : camera.measures) {
    json.BeginObject()
        .Field("name", each.name)
        .Field("value", each.value)
        .Field("unit", each.unit)
        .Field("low", each.low)
        .Field("high", each.high)
        .Field("good", each.good)
        .Field("limits", each.limits)
        .EndObject();
  }
  json.EndArray().EndObject();
}

void WriteVault(JsonWriter& json, const SecureStorage::Info& vault) {
  json.Key("vault").BeginObject().Field("text", vault.protection).Key("entries").BeginArray();
  for (const std::string_view name : Secrets()) {
    const bool set = std::ranges::find(vault.names, name) != vault.names.end();
    json.BeginObject().Field("name", name).Field("state", set ? "set" : "missing").EndObject();
  }
  json.EndArray().EndObject();
}

void WriteStaff(JsonWriter& json, const OperatorBackend::StaffView& staff) {
  json.Key("staff")
      .BeginObject()
      .Field("two_persons", staff.two_persons)
      .Key("people")
      .BeginArray();
  for (const StaffDirectory::Person& each : staff.people) {
    json.BeginObject()
        .Field("name", each.name)
        .Field("role", Name(each.staff))
        .Field("signed_in", each.name == staff.signed_in)
        .EndObject();
  }
  json.EndArray().EndObject();
}

void WriteLog(JsonWriter& json, const std::vector<LogLine>& lines) {
  json.Key("log").BeginObject().Key("lines").BeginArray();
  for (const LogLine& line : lines | std::views::reverse) {
    json.BeginObject()
        .Field("time", TimeText(line.time))
        .Field("level", Name(line.level))
        .Field("text", line.text)
        .EndObject();
  }
  json.EndArray().EndObject();
}

void WriteSetup(JsonWriter& json, const SetupView& setup) {
  json.Key("setup")
      .BeginObject()
      .Field("provisioned", setup.provisioned)
      .Field("scanning", setup.scanning)
      .Field("second_needed", setup.second_needed)
      .Field("text", setup.text)
      .Key("bundle");
  setup.bundle.empty() ? json.Null() : json.Value(setup.bundle);
  json.EndObject();
}

}  // namespace idkiosk
