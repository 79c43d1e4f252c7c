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

const SettlementTraits& TraitsOf(Settlement settlement) {
  return kSettlements[static_cast<size_t>(settlement)];
}

// Only what is in doubt can be settled.
Status CheckInDoubt(const CallRow& call, const LedgerRow* attempt, int number) {
  if (call.state != CallState::kUnknown) {
    return Fail(ErrorCode::kFailedPrecondition, "{} is {}: nothing about it is in doubt",
                call.reference, Name(call.state));
  }
  if (attempt == nullptr) {
    return Fail(ErrorCode::kNotFound, "the ledger lists no attempt {} of {}", number,
                call.reference);
  }
  if (attempt->billed != Billed::kMaybe) {
    return Fail(ErrorCode::kFailedPrecondition,
                "attempt {} of {} is not in doubt: billed is '{}' in the ledger", number,
                call.reference, Name(attempt->billed));
  }
  return {};
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
    auto row = internals.LoadGenuine(reference);
    return row ? internals.Settle(*row, attempt, settlement) : std::unexpected(row.error());
  });
}

Status DurableQueue::Internals::Settle(CallRow& row, int attempt, Settlement settlement) {
  const std::vector<LedgerRow> rows = ledger.attempts().List(std::nullopt);
  const auto found = std::ranges::find_if(rows, [&](const LedgerRow& each) {
    return each.genuine && each.reference == row.reference && each.number == attempt;
  });
  const LedgerRow* const doubtful = found == rows.end() ? nullptr : &*found;
  if (Status in_doubt = CheckInDoubt(row, doubtful, attempt); !in_doubt) return in_doubt;

  const SettlementTraits& told = TraitsOf(settlement);
  const bool ends = told.verdict != Verdict::kNone;
  LedgerEntry entry;
  entry.kind = LedgerEntry::Kind::kEnded;
  entry.row = *doubtful;
  entry.row.ended_at = time.WallNow();
  entry.row.billed = ends ? Billed::kYes : Billed::kNo;
  entry.row.reason = fmt::format("told_{}", told.name);
  entry.outcome.endpoint = row.endpoint;
  entry.outcome.kind = told.kind;
  entry.outcome.verdict = told.verdict;
  entry.outcome.disposition = ends ? Disposition::kDone : Disposition::kRetry;
  entry.outcome.engineer =
      fmt::format("the service's operator said of attempt {}: {}", attempt, told.name);
  row.outcome = told.kind;
  row.engineer = entry.outcome.engineer;
  ledger.Stage(std::move(entry));
  if (ends) {
    row.verdict = told.verdict;
    if (Status erased = ErasePayload(row); !erased) return erased;
    End(row, CallState::kDone);
  } else if (--row.billed_attempts == 0 && row.has_payload) {
    // Nothing of it ever arrived, so it is sent as if for the first time.
    row.state = CallState::kPending;
    row.due_at = time.Milliseconds();
  }
  return calls.Save(row);
}

}  // namespace idkiosk
