#include "app/queue/repair/unnamed_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/queue/queue_internals.h"

namespace idkiosk {
namespace {

// Accepted, and not in the ledger yet: no record is gone.
bool IsBehind(const UnnamedCalls& calls) { return calls.last < calls.first; }

std::string Records(const UnnamedCalls& calls) {
  return calls.first == calls.last ? fmt::format("record {} is", calls.first)
                                   : fmt::format("records {} to {} are", calls.first, calls.last);
}

}  // namespace

std::string NameOf(const UnnamedCalls& calls) {
  return IsBehind(calls) ? fmt::format("behind-record-{}", calls.last)
                         : fmt::format("records-{}-{}", calls.first, calls.last);
}

std::string Describe(const UnnamedCalls& calls) {
  if (!calls.accepted) {
    return fmt::format(
        "{} gone from the ledger. A call that was accepted then and is not in 'idkiosk queue list' "
        "is lost, and nobody can name it",
        Records(calls));
  }
  const std::string where =
      IsBehind(calls) ? fmt::format("were accepted behind record {} of the ledger", calls.last)
                      : fmt::format("were accepted, and {} gone from the ledger", Records(calls));
  const std::string open =
      calls.open == 0 ? "all had ended" : fmt::format("at most {} had not ended", calls.open);
  return fmt::format("CALLS THAT NOBODY CAN NAME: {} {}. The vault knows only how many; {}",
                     *calls.accepted, where, open);
}

Result<std::optional<UnnamedCalls>> DurableQueue::Internals::Unnamed() {
  auto missing = ledger.Missing();
  if (!missing || missing->accepted.value_or(0) == 0) {
    return missing && missing->accepted ? std::nullopt : missing;
  }
  const auto found = copies.List();
  if (!found) return std::unexpected(found.error());
  const auto heads = calls.Heads(0);
  if (!heads) return std::unexpected(heads.error());
  // Named by the file or the copies alone. Of half a copy nobody was told.
  std::set<CallReference> named;
  for (const CallStore::Head& each : *heads) named.insert(each.reference);
  for (const CallReference& each : found->calls) {
    const auto copy = copies.Read(each);
    if (copy || CallCopies::MayBeWhole(copy.error())) named.insert(each);
  }
  std::erase_if(named, [this](const CallReference& each)
                           REQUIRES(mutex) { return ledger.calls().Knows(each); });
  missing->accepted = *missing->accepted - std::min<uint64_t>(*missing->accepted, named.size());
  missing->open = std::min(missing->open, *missing->accepted);
  return *missing->accepted > 0 ? missing : std::nullopt;
}

Result<std::vector<UnnamedCalls>> DurableQueue::Internals::ToldUnnamed() {
  if (Status fresh = RefreshLedger(); !fresh) return std::unexpected(fresh.error());
  const auto decided = notes.List();
  if (!decided) return std::unexpected(decided.error());
  std::vector<UnnamedCalls> told = ledger.unnamed();
  for (const DecisionNotes::Note& each : *decided) {
    if (each.entry.kind == LedgerEntry::Kind::kUnnamed) std::erase(told, each.entry.unnamed);
  }
  return told;
}

Result<std::optional<UnnamedCalls>> DurableQueue::MissingFromLedger() {
  const MutexLock guard(internals_->mutex);
  return internals_->Unnamed();
}

std::string MissingFrom(DurableQueue& queue) {
  const auto missing = queue.MissingFromLedger();
  return missing && *missing ? Describe(**missing) : std::string();
}

Result<std::vector<UnnamedCalls>> DurableQueue::Unnamed() {
  const MutexLock guard(internals_->mutex);
  return internals_->ToldUnnamed();
}

Status DurableQueue::DiscardUnnamed(std::string_view name, const std::string& by) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  const auto told = internals.ToldUnnamed();
  if (!told) return std::unexpected(told.error());
  const auto named =
      std::ranges::find_if(*told, [=](const UnnamedCalls& each) { return NameOf(each) == name; });
  if (named == told->end()) {
    return Fail(ErrorCode::kNotFound, "nothing of the name {} is lost", name);
  }
  std::vector<LedgerEntry> entries(1);
  entries.front().kind = LedgerEntry::Kind::kUnnamed;
  entries.front().row.ended_at = internals.time.WallNow();
  entries.front().unnamed = *named;
  entries.front().by = by;
  return internals.WriteDown(entries);
}

}  // namespace idkiosk
