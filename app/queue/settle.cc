#include <algorithm>
#include <utility>

#include "app/queue/durable_queue.h"
#include "app/queue/queue_internals.h"

// What the service's operator says became of an attempt whose answer never came.

namespace idkiosk {
namespace {

struct SettlementTraits {
  Settlement settlement;
  std::string_view name;
  OutcomeKind kind;
  Verdict verdict;
};

constexpr SettlementTraits kSettlements[] = {
    {Settlement::kNotReceived, "not_received", OutcomeKind::kLost, Verdict::kNone},
    {Settlement::kVerified, "verified", OutcomeKind::kVerified, Verdict::kVerified},
    {Settlement::kNotVerified, "not_verified", OutcomeKind::kNotVerified, Verdict::kNotVerified},
    {Settlement::kRejected, "rejected", OutcomeKind::kRejected, Verdict::kRejected},
};
static_assert(HasEachRow(kSettlements, &SettlementTraits::settlement));

const SettlementTraits& TraitsOf(Settlement settlement) {
  return kSettlements[static_cast<size_t>(settlement)];
}

// Whether what is told now says more than the answer that was told before. The answers stand in
// kSettlements with the one that says most first.
bool SaysMore(Settlement told, Verdict than) {
  const auto* const before = std::ranges::find(kSettlements, than, &SettlementTraits::verdict);
  return before != std::end(kSettlements) && told < before->settlement;
}

}  // namespace

std::string_view Name(Settlement settlement) { return TraitsOf(settlement).name; }

std::optional<Settlement> SettlementOf(std::string_view name) {
  const auto* const found = std::ranges::find(kSettlements, name, &SettlementTraits::name);
  if (found == std::end(kSettlements)) return std::nullopt;
  return found->settlement;
}

Status DurableQueue::Settle(const CallReference& reference, int attempt, Settlement settlement) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  if (Status may = internals.RequireDelivery(); !may) return may;
  return internals.Commit([&]() REQUIRES(internals.mutex) -> Status {
    if (Status back = internals.BringBack(reference); !back) return back;
    const auto doubtful = internals.FindInDoubt(reference, attempt);
    if (!doubtful) return std::unexpected(doubtful.error());
    auto row = internals.LoadGenuine(reference);
    if (!row && row.error().code != ErrorCode::kNotFound) return std::unexpected(row.error());
    // What it is told would not reach the attempt that is on its way, and another could follow
    // that.
    if (row && row->state == CallState::kSending) {
      return Fail(ErrorCode::kFailedPrecondition,
                  "another attempt of {} is on its way: import the reply again once it has ended",
                  reference);
    }
    // Of what was sent to another service this one's operator knows nothing.
    if (row && settlement == Settlement::kNotReceived) {
      if (Status looked = internals.LookAtService(); !looked) return looked;
      if (const auto other = internals.AddressHold(*row)) {
        return Fail(ErrorCode::kFailedPrecondition,
                    "{} was {}: that it never arrived there counts while that service is "
                    "provisioned; give it up, or provision that one again",
                    reference, other->detail);
      }
    }
    return internals.Settle(row ? &*row : nullptr, *doubtful, settlement);
  });
}

Result<LedgerRow> DurableQueue::Internals::FindInDoubt(const CallReference& reference,
                                                       int attempt) const {
  const std::vector<LedgerRow> rows = ledger.attempts().Of(reference);
  const auto found = std::ranges::find(rows, attempt, &LedgerRow::number);
  if (found == rows.end()) {
    return Fail(ErrorCode::kNotFound, "the ledger lists no attempt {} of {}", attempt, reference);
  }
  if (!found->ended_at) {
    return Fail(ErrorCode::kFailedPrecondition,
                "attempt {} of {} is on its way: import the reply again once it has ended", attempt,
                reference);
  }
  if (found->billed != Billed::kMaybe) {
    return Fail(ErrorCode::kFailedPrecondition,
                "attempt {} of {} is not in doubt: billed is '{}' in the ledger", attempt,
                reference, Name(found->billed));
  }
  return *found;
}

bool DurableQueue::Internals::IsToldOfLast(const CallRow& row, const LedgerRow& told) const {
  if (told.number == row.attempts) return true;
  return std::ranges::any_of(ledger.attempts().Of(row.reference), [&](const LedgerRow& each) {
    return each.number == row.attempts && each.rule.starts_with(kTold);
  });
}

bool DurableQueue::Internals::WasEndedByTelling(const CallRow& row) const {
  if (row.state != CallState::kDone || !row.outcome) return false;
  const std::vector<LedgerRow> attempts = ledger.attempts().Of(row.reference);
  const auto told = [&](const LedgerRow& each) {
    return each.rule == fmt::format("{}{}", kTold, Name(*row.outcome));
  };
  const auto answered = [&](const LedgerRow& each) { return each.rule == Name(*row.outcome); };
  return std::ranges::any_of(attempts, told) && std::ranges::none_of(attempts, answered);
}

Status DurableQueue::Internals::Settle(CallRow* row, const LedgerRow& attempt,
                                       Settlement settlement) {
  const SettlementTraits& told = TraitsOf(settlement);
  const bool arrived = told.verdict != Verdict::kNone;
  // What the call itself came to stays as it is once that is known.
  const bool concerns_call = row != nullptr && IsWaiting(row->state);
  const bool was_in_doubt = row != nullptr && row->state == CallState::kDone &&
                            row->verdict == Verdict::kRejected && row->has_payload;
  // Whatever the order in which it was told.
  const bool says_more =
      row != nullptr && SaysMore(settlement, row->verdict) && WasEndedByTelling(*row);
  const bool ends = arrived && (concerns_call || was_in_doubt || says_more);
  LedgerEntry entry;
  entry.kind = LedgerEntry::Kind::kEnded;
  entry.row = attempt;
  const WallTime now = time.WallNow();
  entry.row.ended_at = now;
  entry.row.billed = arrived ? Billed::kYes : Billed::kNo;
  entry.row.rule = fmt::format("{}{}", kTold, told.name);
  entry.outcome.endpoint = attempt.endpoint;
  entry.outcome.kind = told.kind;
  entry.outcome.verdict = told.verdict;
  entry.outcome.disposition = ends ? Disposition::kDone : Disposition::kRetry;
  entry.outcome.engineer =
      fmt::format("the service's operator said of attempt {}: {}", attempt.number, told.name);
  const std::string engineer = entry.outcome.engineer;
  ledger.Stage(std::move(entry));
  if (row == nullptr || (arrived && !ends && row->verdict != Verdict::kGivenUp)) return {};
  row->engineer = engineer;
  if (arrived) {
    row->outcome = told.kind;
    if (!ends) return calls.Save(*row);
    row->verdict = told.verdict;
    // An answer of before says something else.
    if (Status erased = EraseAll(*row); !erased) return erased;
    End(*row, CallState::kDone, now);
    return calls.Save(*row);
  }
  return SettleUnsent(*row, attempt);
}

// The ledger says that it cost nothing, and so says whoever counts by the call.
Status DurableQueue::Internals::SettleUnsent(CallRow& row, const LedgerRow& attempt) {
  const bool concerns_call = IsWaiting(row.state);
  // Where it has lost attempts, this one may have been told of before, and another be left.
  const auto known = static_cast<int>(ledger.attempts().Of(row.reference).size());
  const int left = row.attempts > known ? 1 : 0;
  row.billed_attempts = std::max(row.billed_attempts - 1, std::min(row.billed_attempts, left));
  // What was rejected in doubt stays so: a person decides whether to ask again.
  const bool is_open = concerns_call || row.verdict == Verdict::kGivenUp;
  if (is_open && row.billed_attempts == 0 && IsToldOfLast(row, attempt)) {
    row.outcome.reset();
    row.http_status = 0;
  }
  if (!concerns_call) return calls.Save(row);
  // What a person granted was one more, and not as many as are left now.
  row.granted_attempts = std::min(row.granted_attempts, row.billed_attempts + 1);
  if (row.billed_attempts == 0 && row.has_payload) {
    // Nothing of it ever arrived, so it is sent as if for the first time.
    row.state = CallState::kPending;
    row.due_at = time.Milliseconds();
  } else if (row.billed_attempts == 0) {
    // Nor can it be sent any more: its age has erased what it asked.
    End(row, CallState::kExpired, time.WallNow());
  }
  return calls.Save(row);
}

}  // namespace idkiosk
