#include <algorithm>
#include <set>
#include <utility>

#include "app/queue/durable_queue.h"
#include "app/queue/queue_internals.h"

// Calls that the queue's file lacks: those that lie in copies alone, and those that nothing holds
// any more, which a person ends.

namespace idkiosk {

Result<std::vector<CallReference>> DurableQueue::Internals::UnreadCopies() {
  const auto found = copies.List();
  if (!found) return std::unexpected(found.error());
  std::vector<CallReference> unread;
  for (const CallReference& each : found->calls) {
    const auto row = calls.Load(each);
    if (row && row->state != CallState::kDamaged) continue;
    const auto copy = copies.Read(each);
    if (!copy && CallCopies::MayBeWhole(copy.error())) unread.push_back(each);
  }
  return unread;
}

Result<std::vector<CallReference>> DurableQueue::Internals::InCopiesAlone() {
  std::vector<CallReference> apart;
  // Who delivers has brought them back, unless there was no room.
  if (!ledger.doubtful() && lock != nullptr && !copies_wait) return apart;
  if (Status fresh = RefreshLedger(); !fresh) return std::unexpected(fresh.error());
  const auto found = copies.List();
  if (!found) return std::unexpected(found.error());
  for (const CallReference& each : found->calls) {
    const auto there = calls.Exists(each);
    if (!there) return std::unexpected(there.error());
    // One that is being accepted now is in the ledger last.
    const bool may_be_new = !ledger.doubtful() && !ledger.calls().Knows(each);
    if (*there || may_be_new || ledger.calls().Closed(each)) continue;
    // One that is damaged does not come back: Lost names it.
    const auto copy = copies.Read(each);
    const bool is_damaged =
        copy ? !IsWhole(copy->row, copy->fields) : copy.error().code == ErrorCode::kCorrupt;
    if (!is_damaged) apart.push_back(each);
  }
  return apart;
}

std::string_view DurableQueue::Internals::WhenCopiesComeBack() const {
  return ledger.doubtful() ? "once the ledger has been accepted ('idkiosk ledger accept')"
                           : "at the next start of idkiosk, or with 'idkiosk queue deliver'";
}

Result<std::vector<CallReference>> DurableQueue::Internals::Lost() {
  if (Status fresh = RefreshLedger(); !fresh) return std::unexpected(fresh.error());
  const auto found = copies.List();
  if (!found) return std::unexpected(found.error());
  const auto heads = calls.Heads(0);
  if (!heads) return std::unexpected(heads.error());
  std::set<CallReference> there;
  for (const CallStore::Head& each : *heads) there.insert(each.reference);
  std::set<CallReference> accepted = found->calls;
  for (CallReference& each : ledger.calls().Open()) accepted.insert(std::move(each));
  const auto decided = notes.List();
  if (!decided) return std::unexpected(decided.error());
  for (const DecisionNotes::Note& each : *decided) accepted.erase(each.entry.row.reference);
  std::vector<CallReference> lost;
  for (const CallReference& each : accepted) {
    if (there.contains(each) || ledger.calls().Closed(each)) continue;
    const auto copy = copies.Read(each);
    if (copy && IsWhole(copy->row, copy->fields)) continue;
    // Losses tells that it cannot be read now.
    if (!copy && CallCopies::MayBeWhole(copy.error())) continue;
    // A pipe or a folder of that name says nothing of a call.
    const bool is_no_file = !copy && copy.error().code == ErrorCode::kInvalid;
    if (is_no_file && !ledger.calls().Knows(each)) continue;
    if (IsTorn(each)) continue;
    lost.push_back(each);
  }
  return lost;
}

std::string DurableQueue::WhenCopiesComeBack() const {
  const MutexLock guard(internals_->mutex);
  return std::string(internals_->WhenCopiesComeBack());
}

Result<std::vector<CallReference>> DurableQueue::InCopiesAlone() {
  const MutexLock guard(internals_->mutex);
  return internals_->InCopiesAlone();
}

Result<std::vector<CallReference>> DurableQueue::Lost() {
  const MutexLock guard(internals_->mutex);
  return internals_->Lost();
}

Result<int> DurableQueue::Internals::BilledOfLost(const CallReference& reference) {
  const auto row = calls.Load(reference);
  if (row && row->state != CallState::kDamaged) {
    return Fail(ErrorCode::kFailedPrecondition,
                "{} is {}: only a damaged or a lost call can be discarded", reference,
                Name(row->state));
  }
  if (IsOnItsWay(reference)) {
    return Fail(ErrorCode::kFailedPrecondition,
                "{} is being sent at this moment: its answer is awaited", reference);
  }
  const auto copy = copies.Read(reference);
  const bool comes_back = copy && IsWhole(copy->row, copy->fields);
  if (row && comes_back && !ledger.calls().Closed(reference)) {
    return Fail(ErrorCode::kFailedPrecondition,
                "{} is damaged in the queue's file alone: {}cancel it, give it up, send it again "
                "or erase its person, which brings it back from its copy first",
                reference,
                ledger.doubtful() ? "once the ledger is accepted ('idkiosk ledger accept'), " : "");
  }
  const auto lost = Lost();
  if (!lost) return std::unexpected(lost.error());
  const bool is_unread = !copy && CallCopies::MayBeWhole(copy.error()) &&
                         (ledger.calls().Knows(reference) || copies.Has(reference));
  if (!row && !is_unread && std::ranges::find(*lost, reference) == lost->end()) {
    return Fail(ErrorCode::kNotFound, "there is no call {}", reference);
  }
  return std::max(ledger.attempts().Find(reference).billed, MayLackNow() ? 1 : 0);
}

Result<int> DurableQueue::BilledOfLost(const CallReference& reference) {
  const MutexLock guard(internals_->mutex);
  return internals_->BilledOfLost(reference);
}

Status DurableQueue::Discard(const CallReference& reference, const std::string& by) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  const auto billed = internals.BilledOfLost(reference);
  if (!billed) return std::unexpected(billed.error());
  const auto row = internals.calls.Load(reference);
  const bool may_be_sent = *billed > 0;
  std::vector<LedgerEntry> entries(1);
  LedgerEntry& entry = entries.front();
  entry.kind = LedgerEntry::Kind::kClosed;
  entry.row.reference = reference;
  entry.row.ended_at = internals.time.WallNow();
  entry.state = may_be_sent ? CallState::kDone : CallState::kCancelled;
  entry.verdict = may_be_sent ? Verdict::kGivenUp : Verdict::kNone;
  // The copy alone of one that has ended, which changes nothing about how.
  const auto ended = row ? std::nullopt : internals.ledger.calls().Closed(reference);
  if (ended) {
    entry.state = ended->state;
    entry.verdict = ended->verdict;
  }
  entry.what = kDiscarded;
  entry.by = by;
  // Written down first: after that nothing brings it back.
  if (Status written = internals.WriteDown(entries); !written) return written;
  Status discarded = internals.Commit([&]() REQUIRES(internals.mutex) -> Status {
    internals.wiped.push_back(reference);
    internals.not_restored.erase(reference);
    const Status deleted = row ? internals.calls.Delete(row->id) : Status();
    return deleted ? internals.RememberByLedger(reference, &entry) : deleted;
  });
  if (!discarded) return discarded;
  internals.EraseCopies();
  if (Status gone = internals.EraseCopyOf(reference); !gone) return gone;
  return internals.Tidy();
}

}  // namespace idkiosk
