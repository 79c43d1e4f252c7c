#include "app/queue/call_record.h"

#include <algorithm>

#include "platform/base/enum_rows.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

struct HoldRow {
  HoldReason reason;
  std::string_view name;
  bool liftable;  // by a person: otherwise only what it names lifts it
  std::string_view mend;
};
// In the order of HoldReason.
constexpr HoldRow kHolds[] = {
    {HoldReason::kAccess, "access", true,
     "ask the service's operator for access to this endpoint, then 'idkiosk hold lift ID'; other "
     "credentials lift it by themselves"},
    {HoldReason::kWrongAddress, "wrong_address", true,
     "correct service.base_url or the endpoint's path in the profile and restart, which lifts it; "
     "'idkiosk hold lift ID' if both are right"},
    {HoldReason::kUnexpected, "unexpected_answer", true,
     "look at the answer with 'idkiosk queue show ID --answer', mend what it says, then 'idkiosk "
     "hold lift ID'"},
    {HoldReason::kNotDelivered, "not_delivered", true,
     "fill in the endpoint in the profile, then restart"},
    {HoldReason::kMissingSecret, "missing_secret", true,
     "set the secret with 'idkiosk vault set'; waiting calls then go out by themselves"},
    {HoldReason::kCredentials, "credentials", true,
     "set login, password, api_key and user_id with 'idkiosk vault set' or 'idkiosk provision', "
     "which lifts it; 'idkiosk hold lift ID' if they are right"},
    {HoldReason::kSpendCap, "spend_cap", false,
     "wait until fewer were billed in the last hour or 24 hours, or raise "
     "billing.calls_per_hour or billing.calls_per_day"},
    {HoldReason::kBreaker, "breaker", true,
     "find out why the last calls verified nobody, then 'idkiosk hold lift ID'"},
    {HoldReason::kNoRoom, "no_room", false,
     "make room on the disk: what is sent is billed, and its answer must be kept"},
    {HoldReason::kClock, "clock", false,
     "set the clock or give the kiosk a time server; until then certificates cannot be checked"},
    {HoldReason::kLedger, "ledger", false,
     "find out who changed the state folder, compare 'idkiosk ledger list' with the service's "
     "invoice, then go on with 'idkiosk ledger accept'"},
    {HoldReason::kOtherAddress, "other_address", false,
     "'idkiosk queue retry ID' asks it at the present address instead, 'idkiosk queue cancel ID' "
     "erases it; once its own address is provisioned again, it is sent by itself"},
    {HoldReason::kNewProvisioning, "new_provisioning", false,
     "restart idkiosk; if address or environment were changed by hand, run 'idkiosk provision' or "
     "set each credential again with 'idkiosk vault set'"},
    {HoldReason::kHeadquarters, "headquarters", true,
     "ask headquarters to let calls go on; 'idkiosk hold lift ID' where they cannot be asked"},
};
static_assert(HasEachRow(kHolds, &HoldRow::reason));

}  // namespace

std::string NamesOf(std::span<const CallReference> references) {
  constexpr size_t kMost = 20;
  const auto first = references.first(std::min(references.size(), kMost));
  return fmt::format("{}{}", fmt::join(first, ", "), references.size() > kMost ? ", ..." : "");
}

std::string CountAndNames(std::span<const CallReference> references) {
  return fmt::format("{} ({})", references.size(), NamesOf(references));
}

Result<CallReference> ParseReference(std::string_view typed) {
  CallReference reference;
  for (const char c : UpperCase(typed)) {
    if (c != ' ' && c != '-') reference.push_back(c);
  }
  const bool fits =
      reference.size() == kReferenceSize &&
      std::ranges::all_of(reference, [](char c) { return kReferenceAlphabet.contains(c); });
  if (fits) return reference;
  return Fail(ErrorCode::kInvalid,
              "'{}' is not the reference of a call, which has {} letters and digits of {}", typed,
              kReferenceSize, kReferenceAlphabet);
}

std::string_view Name(CallState state) { return kCallStates[static_cast<size_t>(state)].name; }
CallCourse CourseOf(CallState state) { return kCallStates[static_cast<size_t>(state)].course; }
bool HasEnded(CallState state) {
  const CallCourse course = CourseOf(state);
  return course == CallCourse::kEnded || course == CallCourse::kWithdrawn;
}

std::vector<CallState> OpenStates() {
  std::vector<CallState> open;
  for (const CallCourse course : {CallCourse::kNeedsPerson, CallCourse::kGoesOn}) {
    for (const CallStateTraits& each : kCallStates) {
      if (each.course == course) open.push_back(each.state);
    }
  }
  return open;
}

bool IsWaiting(CallState state) {
  return state == CallState::kPending || state == CallState::kUnknown;
}

bool WaitsUnsent(CallState state, int64_t billed_attempts) {
  return state == CallState::kPending && billed_attempts == 0;
}

int64_t QueueStats::In(CallCourse course) const {
  int64_t sum = 0;
  for (const CallStateTraits& each : kCallStates) {
    if (each.course == course) sum += In(each.state);
  }
  return sum;
}

std::string_view Name(HoldReason reason) { return kHolds[static_cast<size_t>(reason)].name; }
std::string_view MendOf(HoldReason reason) { return kHolds[static_cast<size_t>(reason)].mend; }
bool IsLiftable(HoldReason reason) { return kHolds[static_cast<size_t>(reason)].liftable; }

std::string MendOf(const Hold& hold) {
  constexpr std::string_view kAnyHold = "hold lift ID";
  std::string mend(MendOf(hold.reason));
  const size_t at = mend.find(kAnyHold);
  if (at == std::string::npos) return mend;
  return mend.replace(at, kAnyHold.size(), fmt::format("hold lift {}", HoldId(hold)));
}

bool IsLiftedByRetry(const Hold& hold, Endpoint endpoint) {
  if (hold.endpoint && *hold.endpoint != endpoint) return false;
  // Who wants one call does not mean what headquarters said.
  return IsLiftable(hold.reason) && hold.reason != HoldReason::kHeadquarters;
}

std::string HoldId(const Hold& hold) {
  return fmt::format("{}:{}", hold.endpoint ? Name(*hold.endpoint) : "all", Name(hold.reason));
}

std::optional<CallState> CallStateOf(std::string_view name) {
  const auto found = std::ranges::find(kCallStates, name, &CallStateTraits::name);
  if (found == std::end(kCallStates)) return std::nullopt;
  return found->state;
}

std::optional<HoldReason> HoldReasonOf(std::string_view name) {
  const auto found = std::ranges::find(kHolds, name, &HoldRow::name);
  if (found == std::end(kHolds)) return std::nullopt;
  return found->reason;
}

std::string FormatPrice(int64_t hundredths, std::string_view currency) {
  return fmt::format("{} {}", FormatAmount(hundredths), currency);
}

std::string_view StateWord(const CallSummary& call) {
  return call.state == CallState::kPending && call.hold ? kHeldWord : Name(call.state);
}

std::vector<std::pair<std::string_view, int64_t>> CountsOf(const QueueStats& stats) {
  std::vector<std::pair<std::string_view, int64_t>> counts;
  for (size_t i = 0; i < kCallStateCount; ++i) {
    counts.emplace_back(kCallStates[i].name, stats.calls[i]);
    if (i == 0) counts.emplace_back(kHeldWord, stats.held);
  }
  return counts;
}

std::vector<std::pair<std::string_view, int64_t>> OpenCountsOf(const QueueStats& stats) {
  std::vector<std::pair<std::string_view, int64_t>> counts;
  for (const CallState each : OpenStates()) {
    const bool may_be_held = each == CallState::kPending;
    counts.emplace_back(Name(each), stats.In(each) - (may_be_held ? stats.held : 0));
    if (may_be_held) counts.emplace_back(kHeldWord, stats.held);
  }
  return counts;
}

void WriteStats(JsonWriter& json, const QueueStats& stats) {
  for (const auto& [word, count] : CountsOf(stats)) json.Field(word, count);
  if (stats.oldest_pending) json.Field("oldest_pending", FormatRfc3339(*stats.oldest_pending));
  if (stats.paused_until) json.Field("paused_until", FormatRfc3339(*stats.paused_until));
}

}  // namespace idkiosk
