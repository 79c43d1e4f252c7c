#ifndef IDKIOSK_APP_QUEUE_CALL_RECORD_H_
#define IDKIOSK_APP_QUEUE_CALL_RECORD_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/service/outcome.h"
#include "platform/base/enum_rows.h"
#include "platform/base/json.h"
#include "platform/base/picture_means.h"
#include "platform/base/text/amount.h"
#include "platform/base/time.h"

// Calls and attempts as the queue lists them. Nothing here identifies a person but PersonNumbers.
namespace idkiosk {

// Six letters and digits for people, without look-alikes: "KD7Q2M".
using CallReference = std::string;
inline constexpr size_t kReferenceSize = 6;
inline constexpr std::string_view kReferenceAlphabet = "23456789ACDEFHJKMNPQRTVWXY";

// "KD7Q2M, ACDEFH"; behind the first 20 of them "...".
[[nodiscard]] std::string NamesOf(std::span<const CallReference> references);
// How many there are and which, as NamesOf says it: "2 (KD7Q2M, ACDEFH)".
[[nodiscard]] std::string CountAndNames(std::span<const CallReference> references);

// As a person types it: any case, spaces and hyphens. Errors: kInvalid.
[[nodiscard]] Result<CallReference> ParseReference(std::string_view typed);

enum class CallState {
  kPending,    // accepted and provably not sent in this attempt
  kSending,    // committed before the first byte of the request left
  kDone,       // answered, or given up by a person
  kUnknown,    // bytes may have left and no trustworthy answer came
  kCancelled,  // ended unsent by a person
  kExpired,    // ended unsent by its age
  kDamaged,    // its record does not prove genuine; kept, never sent
};

// What has to happen to a call in some state.
enum class CallCourse {
  kGoesOn,       // it is sent by itself, once nothing holds it
  kNeedsPerson,  // a person decides, unless a rule sends it once more
  kEnded,        // it has its end, and is only erased
  kWithdrawn,    // the same without an answer; unbilled, it counts as never asked
};

// The names are part of the stored format.
struct CallStateTraits {
  CallState state;
  std::string_view name;
  CallCourse course;
};
inline constexpr CallStateTraits kCallStates[] = {
    {CallState::kPending, "pending", CallCourse::kGoesOn},
    {CallState::kSending, "sending", CallCourse::kGoesOn},
    {CallState::kDone, "done", CallCourse::kEnded},
    {CallState::kUnknown, "unknown", CallCourse::kNeedsPerson},
    {CallState::kCancelled, "cancelled", CallCourse::kWithdrawn},
    {CallState::kExpired, "expired", CallCourse::kWithdrawn},
    {CallState::kDamaged, "damaged", CallCourse::kNeedsPerson},
};
static_assert(HasEachRow(kCallStates, &CallStateTraits::state));
inline constexpr size_t kCallStateCount = std::size(kCallStates);

// Why calls wait that are `pending`: something that a person, the configuration or time must mend.
enum class HoldReason {
  kAccess,           // 403
  kWrongAddress,     // 404 on the path itself
  kUnexpected,       // an answer that nobody foresaw
  kNotDelivered,     // the profile does not hold the endpoint
  kMissingSecret,    // the vault lacks a credential
  kCredentials,      // the service refused them
  kSpendCap,         // billing.calls_per_hour or _per_day
  kBreaker,          // attempts in a row that cost and verified nothing
  kNoRoom,           // the disk has no place for an answer
  kClock,            // the wall clock is not trusted
  kLedger,           // not genuine, and nobody has looked at it
  kOtherAddress,     // of one call: made for another environment, address or account
  kNewProvisioning,  // the vault's credentials belong to another address than this process uses
  kHeadquarters,     // headquarters have ordered that nothing is sent
};

[[nodiscard]] std::string_view Name(CallState state);
[[nodiscard]] std::string_view Name(HoldReason reason);
[[nodiscard]] std::optional<CallState> CallStateOf(std::string_view name);
[[nodiscard]] CallCourse CourseOf(CallState state);
// Returns whether a call is over.
[[nodiscard]] bool HasEnded(CallState state);
// Returns those that have not ended: first what needs a person.
[[nodiscard]] std::vector<CallState> OpenStates();
// Returns whether a call has neither ended nor is on its way or damaged: pending or unknown.
[[nodiscard]] bool IsWaiting(CallState state);
// Returns whether a call waits and nothing of it can have been billed: to end it loses nothing.
[[nodiscard]] bool WaitsUnsent(CallState state, int64_t billed_attempts);
[[nodiscard]] std::optional<HoldReason> HoldReasonOf(std::string_view name);
// Returns the mend of a hold, as a sentence for a person.
[[nodiscard]] std::string_view MendOf(HoldReason reason);
// Whether a person may lift it: not what is measured anew each time.
[[nodiscard]] bool IsLiftable(HoldReason reason);

struct Hold {
  HoldReason reason = HoldReason::kClock;
  std::optional<Endpoint> endpoint;  // nothing: the whole queue
  WallTime since;
  std::optional<WallTime> until;  // when it is tried again by itself; nothing: never
  std::string detail;             // the engineer's sentence
};

// "lookup_nin:access", "all:credentials": how people name a hold.
[[nodiscard]] std::string HoldId(const Hold& hold);
// Whether it goes where a person has a call of that endpoint sent again.
[[nodiscard]] bool IsLiftedByRetry(const Hold& hold, Endpoint endpoint);
// What a person does about it, with its name where the command wants one.
[[nodiscard]] std::string MendOf(const Hold& hold);

// One call as it is listed and shown.
struct CallSummary {
  CallReference reference;
  CallState state = CallState::kPending;
  std::optional<Hold> hold;    // of a pending call: `held`
  std::string made_for;        // "https://customer.example (sandbox)", for people
  bool other_address = false;  // that is not the address in force: nothing is sent by itself
  Endpoint endpoint = Endpoint::kVerify;
  std::string operator_id;
  std::string case_id;  // the asker's own number for it; may be empty
  bool person_waits = false;
  WallTime accepted_at;
  std::optional<WallTime> next_attempt;  // of a pending call, or an unknown one that resends itself
  std::optional<WallTime> ended_at;
  int attempts = 0;         // rows of the ledger
  int billed_attempts = 0;  // of those, billed `yes` or `maybe`
  Verdict verdict = Verdict::kNone;
  std::optional<OutcomeKind> last_outcome;
  int http_status = 0;                // of the last answer
  std::string engineer;               // the last outcome's sentence
  bool has_payload = false;           // question and pictures are still there: it can be sent again
  std::optional<PictureMeans> means;  // by which its pictures were taken; nothing: it has none
  bool has_answer = false;            // a sealed answer is still there
  int64_t resend_price = 0;  // what sending it (again) may cost, in hundredths of the currency
};

// What people read instead of "pending" where a hold keeps a call.
inline constexpr std::string_view kHeldWord = "held";

// Returns the word that people read: "pending", "held", "sending", ...
[[nodiscard]] std::string_view StateWord(const CallSummary& call);

// "100.00 NGN", of hundredths of the currency.
[[nodiscard]] std::string FormatPrice(int64_t hundredths, std::string_view currency);

// One attempt. Kept after its call is erased.
struct LedgerRow {
  int64_t id = 0;
  CallReference reference;
  int number = 0;  // of the call's attempts, from 1
  Endpoint endpoint = Endpoint::kVerify;
  std::string operator_id;
  WallTime started_at;
  int64_t board_at = 0;  // the same by the queue's own time, which caps of spending go by
  std::optional<WallTime> ended_at;
  SendStage stage = SendStage::kSent;
  int http_status = 0;
  Billed billed = Billed::kMaybe;
  int64_t price = 0;     // hundredths of the currency
  std::string currency;  // empty: an idkiosk wrote it that did not write the currency down
  std::string case_id;   // the asker's own number for the call; empty: none
  // Of the call's pictures. Nothing: it has none, or as with the currency.
  std::optional<PictureMeans> means;
  // What decided `billed`, a word: Name(OutcomeKind), "in_flight", "interrupted", "told_" and what
  // the service's operator said of it.
  std::string rule;
  // 32 hex digits that went out with it, and with no other one; empty: the profile has no place.
  std::string attempt_id;
  std::string service_reference;  // the service's own, from its answer; empty: none
  bool genuine = true;  // false: changed, in the table of an older idkiosk; counts for nothing

  // What it cost or may have cost, in hundredths: 0 where it was free, whatever the price was.
  [[nodiscard]] int64_t Cost() const { return billed == Billed::kNo ? 0 : price; }
};

// The numbers by which a person is looked for; one is enough.
struct PersonNumbers {
  SecretBytes nin;
  SecretBytes phone;
  SecretBytes id_number;        // of another type than a NIN
  std::string id_type = "nin";  // of it

  [[nodiscard]] bool empty() const { return nin.empty() && phone.empty() && id_number.empty(); }
};

// What the service's operator says became of an attempt whose answer never came.
enum class Settlement { kNotReceived, kVerified, kNotVerified, kRejected };

// "not_received", "verified", "not_verified", "rejected".
[[nodiscard]] std::string_view Name(Settlement settlement);
[[nodiscard]] std::optional<Settlement> SettlementOf(std::string_view name);
// The ledger's rule for such an attempt is that name behind this.
inline constexpr std::string_view kTold = "told_";

// What a person decided about what was damaged or lost, or what is in doubt since.
struct LedgerDecision {
  WallTime at;
  std::string by;    // a user, or "person"; empty: in doubt
  std::string what;  // a sentence, without its stop
};

struct LedgerSum {
  std::string key;  // the hour, day, endpoint or operator that was asked for
  int64_t attempts = 0;
  int64_t billed_yes = 0;
  int64_t billed_maybe = 0;
  int64_t price_yes = 0;    // hundredths of the currency
  int64_t price_maybe = 0;  // may have been billed on top
};

// The attempts that were or may have been billed in one hour.
struct BilledHour {
  WallTime from;
  int64_t calls = 0;
  int64_t price = 0;  // hundredths of the currency
  bool operator==(const BilledHour&) const = default;
};

enum class LedgerBy { kTotal, kHour, kDay, kEndpoint, kOperator };

struct QueueStats {
  std::array<int64_t, kCallStateCount> calls{};  // by CallState
  int64_t held = 0;                              // of the pending ones
  std::vector<Hold> holds;
  std::optional<WallTime> paused_until;  // network, gateway or rate limit
  std::optional<WallTime> oldest_pending;

  [[nodiscard]] int64_t& In(CallState state) { return calls[static_cast<size_t>(state)]; }
  [[nodiscard]] int64_t In(CallState state) const { return calls[static_cast<size_t>(state)]; }
  [[nodiscard]] int64_t In(CallCourse course) const;
};

// Returns each state's word with its calls. The first is "pending", which counts the held ones, the
// second "held".
[[nodiscard]] std::vector<std::pair<std::string_view, int64_t>> CountsOf(const QueueStats& stats);

// Returns the same of those that have not ended, first what needs a person. Here each call counts
// once: "pending" is without the held ones.
[[nodiscard]] std::vector<std::pair<std::string_view, int64_t>> OpenCountsOf(
    const QueueStats& stats);

// Writes the counts and times into an object that is open: all but the holds.
void WriteStats(JsonWriter& json, const QueueStats& stats);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_CALL_RECORD_H_
