#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "app/queue/durable_queue.h"
#include "app/queue/queue_internals.h"
#include "platform/base/log.h"

// The rows of the queue's file, held against the ledger and the second copies.

namespace idkiosk {
namespace {

// Copies of older calls are not made where they would fill the disk.
constexpr uint64_t kRoomBesideCopies = 8 << 20;

void Append(std::vector<CallReference>& to, const std::vector<CallReference>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

struct DurableQueue::Internals::Repaired {
  std::vector<CallReference> closed_again;
  std::vector<CallReference> older;  // their copies are gone
  std::vector<CallReference> restored;
  std::vector<LedgerEntry> learned;
  std::optional<Error> not_copied;
  bool has_unread = false;  // a copy of one cannot be read now, and it has no other
  bool may_be_older = false;
};

Status DurableQueue::Internals::RepairRows(bool may_be_older) {
  if (lock == nullptr || ledger.doubtful() || !tells_position) return {};
  const auto heads = calls.Heads(repaired_until);
  if (!heads) return std::unexpected(heads.error());
  if (heads->empty()) return {};
  const auto found = copies.List();
  if (!found) return std::unexpected(found.error());
  std::vector<CallStore::Head> wrong;
  for (const CallStore::Head& each : *heads) {
    if (NeedsRepair(each, found->calls.contains(each.reference))) wrong.push_back(each);
  }
  Repaired all;
  all.may_be_older = may_be_older;
  for (std::span<const CallStore::Head> rest = wrong; !rest.empty();) {
    const auto some = rest.first(std::min(kEntriesAtOnce, rest.size()));
    if (Status done = RepairSome(some, found->calls, all); !done) return done;
    rest = rest.subspan(some.size());
  }
  SayRepaired(all);
  looked_until = heads->back().id;
  // What has no room for a copy now is looked at again.
  if (!all.not_copied && !all.has_unread) repaired_until = looked_until;
  return {};
}

bool DurableQueue::Internals::NeedsRepair(const CallStore::Head& head, bool has_copy) {
  if (head.state == CallState::kDamaged) return false;
  const bool ended = HasEnded(head.state);
  const bool ledger_agrees =
      ledger.calls().Knows(head.reference) &&
      ledger.calls().Closed(head.reference).has_value() == (ended && !head.has_payload);
  const bool copied = !head.has_payload || (head.in_file && has_copy);
  const bool ended_with_payload = ended && head.has_payload;
  return !ledger_agrees || !copied || ended_with_payload || restored.contains(head.reference);
}

Status DurableQueue::Internals::RepairSome(std::span<const CallStore::Head> some,
                                           const std::set<CallReference>& copied, Repaired& all) {
  Repaired repaired;
  Status done = CommitWithReserve([&]() REQUIRES(mutex) -> Status {
    repaired = {};
    repaired.may_be_older = all.may_be_older;
    repaired.not_copied = all.not_copied;
    for (const CallStore::Head& each : some) {
      const bool has_copy = copied.contains(each.reference);
      if (Status one = RepairRow(each, has_copy, repaired); !one) return one;
    }
    return {};
  });
  if (!done) return done;
  Append(all.closed_again, repaired.closed_again);
  Append(all.older, repaired.older);
  Append(all.restored, repaired.restored);
  if (repaired.not_copied) all.not_copied = repaired.not_copied;
  all.has_unread = all.has_unread || repaired.has_unread;
  return WriteDown(repaired.learned);
}

void DurableQueue::Internals::SayRepaired(const Repaired& all) {
  if (!all.closed_again.empty()) {
    Say(
        fmt::format("the queue's file is an older copy: {} of its calls that wait had ended, and "
                    "are not sent",
                    CountAndNames(all.closed_again)));
  }
  if (!all.older.empty()) {
    Say(
        fmt::format("the queue's file, the ledger and the vault may be an older copy: {} wait "
                    "there, and their second copies are gone, as they are once a call has ended. "
                    "They are unknown now. Compare them with the service's invoice before you send "
                    "one again",
                    CountAndNames(all.older)));
  }
  if (!all.restored.empty()) {
    Say(fmt::format("{} damaged calls were brought back from their copies",
                    CountAndNames(all.restored)));
  }
  // Once: those that had no room the last time were told then.
  if (all.not_copied && looked_until == repaired_until) {
    Say(fmt::format("not every call that waits has a second copy: {}", all.not_copied->message));
  }
}

// The order on the disk is: copy, row and ledger's record of a new call; row, ledger's record and
// note beside the copy of an attempt; row, ledger's record and the copy's erasure of an end. So a
// copy never knows more than a row that is read after it, unless the file is older. What cannot be
// read tells nothing here.
bool DurableQueue::Internals::CopiesKnowMore() {
  if (ledger.doubtful()) return false;
  const auto heads = calls.Heads(0);
  const auto found = copies.List();
  if (!heads || !found) return false;
  const auto say_older = [this](const CallReference& reference) REQUIRES(mutex) {
    Say(
        fmt::format("{} waits, and its second copy says that it was sent or has ended: the queue's "
                    "file, the ledger and the vault's mark may be an older copy",
                    reference));
    return true;
  };
  std::set<CallReference> without_row = found->calls;
  for (const CallStore::Head& each : *heads) {
    without_row.erase(each.reference);
    if (!IsWaiting(each.state) || ledger.calls().Closed(each.reference)) continue;
    const auto row = calls.LoadById(each.id);
    // Of one in doubt a person decides already; of any other a reply may.
    if (!row || (!GoesByItself(*row) && ledger.attempts().WasDoubted(row->reference))) continue;
    const bool copied = found->calls.contains(each.reference);
    if (copied ? WasSentSince(each.reference, row->attempts) : WasErasedSince(*row, each.in_file)) {
      return say_older(each.reference);
    }
  }
  for (const CallReference& each : without_row) {
    if (ledger.calls().Closed(each) || !WasSentSince(each, 0)) continue;
    // Another process may have accepted and sent it since the rows were read.
    if (!calls.Exists(each).value_or(true)) return say_older(each);
  }
  return false;
}

bool DurableQueue::Internals::WasSentSince(const CallReference& reference, int attempts) {
  return copies.NotedAttempt(reference) >
         std::max(attempts, ledger.attempts().Find(reference).attempts);
}

// Where there is no witness its row alone is unknown (RepairRow), or damaged.
bool DurableQueue::Internals::WasErasedSince(const CallRow& row, bool in_file) {
  if (!ledger.is_witnessed()) return false;
  // A fresh one is sealed nowhere else: it had a copy, though the ledger may not know of it yet.
  if (!in_file) return row.has_payload && copies.WasErased(row.endpoint);
  if (!ledger.calls().Knows(row.reference)) return false;
  const auto payload = SealedPayload(calls, row);
  return payload && copies.WasErased({row, *payload});
}

Status DurableQueue::Internals::RepairRow(const CallStore::Head& head, bool has_copy,
                                          Repaired& repaired) {
  auto row = calls.LoadById(head.id);
  if (!row)
    return row.error().code == ErrorCode::kNotFound ? Status() : std::unexpected(row.error());
  if (row->state == CallState::kDamaged) {
    if (ledger.calls().Closed(row->reference)) return {};
    const auto is_back = RestoreDamaged(row->reference);
    if (!is_back) return std::unexpected(is_back.error());
    if (*is_back) repaired.restored.push_back(row->reference);
    return {};
  }
  const bool over = HasEnded(row->state) && !row->has_payload;
  if (ledger.calls().Closed(row->reference) && !over) {
    repaired.closed_again.push_back(row->reference);
    return CloseAgain(*row);
  }
  if (over) {
    Close(*row);
    // The power failed before its copy was erased, too.
    if (has_copy) wiped.push_back(row->reference);
    return {};
  }
  // It came from its copy, and no replay told the row of attempts that are older than the place up
  // to which the file knows the ledger.
  if (restored.contains(row->reference) && LedgerKnowsMore(*row)) {
    if (Status made = MakeUnknown(*row); !made) return made;
  }
  if (repaired.may_be_older && GoesByItself(*row) && MayLackRecordsOf(*row)) {
    Doubt(*row, "the ledger does not know it, and has lost records since it was accepted");
    if (Status saved = calls.Save(*row); !saved) return saved;
  }
  // Another process took it over from a file that was set aside.
  if (!ledger.calls().Knows(row->reference) && row->state == CallState::kUnknown &&
      row->billed_attempts > ledger.attempts().Find(row->reference).billed) {
    StageDoubt(*row);
  }
  // A copy is made before the ledger hears of a call, and goes once that has ended.
  // Once: what a person has decided about it since holds.
  const bool lost_copy =
      head.id > looked_until && head.in_file && !has_copy && ledger.calls().Knows(row->reference);
  if (lost_copy && !HasEnded(row->state) && !ledger.is_witnessed()) {
    Doubt(*row, "its second copy is gone, as it is once a call has ended");
    repaired.older.push_back(row->reference);
    if (Status saved = calls.Save(*row); !saved) return saved;
  }
  if (row->has_payload) {
    if (Status kept = KeepTwice(*row, head.in_file, has_copy, repaired); !kept) return kept;
  }
  // The ledger hears of it once it has one.
  const bool copied = !row->has_payload || has_copy || !repaired.not_copied;
  if (copied && !ledger.calls().Knows(row->reference)) {
    repaired.learned.push_back(AcceptedEntry(*row));
  }
  return {};
}

Status DurableQueue::Internals::CloseAgain(CallRow row) {
  const auto end = ledger.calls().Closed(row.reference);
  if (!end) return {};
  const AttemptIndex::OfCall known = ledger.attempts().Find(row.reference);
  row.attempts = std::max(row.attempts, known.attempts);
  row.billed_attempts = std::max(row.billed_attempts, known.billed);
  row.engineer = "the ledger knows that it ended, the queue's file did not";
  ForgetHaste(row.id);
  // Any other answer is that of an attempt before: the file did not know this one.
  const bool had_ended = HasEnded(row.state) && row.verdict == end->verdict;
  const bool is_same = had_ended || end->verdict == Verdict::kGivenUp;
  if (Status erased = is_same ? ErasePayload(row) : EraseAll(row); !erased) return erased;
  row.verdict = end->verdict;
  End(row, end->state, time.WallNow());
  return calls.Save(row);
}

Status DurableQueue::Internals::RequireRoomForCopies() {
  const auto free = files.FreeSpace(options.folder);
  if (!free) return std::unexpected(free.error());
  const auto wanted = static_cast<uint64_t>(options.queue.reserve_bytes) + kRoomBesideCopies;
  return *free < wanted ? Fail(ErrorCode::kExhausted, "the disk has no room") : Status();
}

Status DurableQueue::Internals::KeepTwice(const CallRow& row, bool in_file, bool has_copy,
                                          Repaired& repaired) {
  if ((in_file && has_copy) || repaired.not_copied) return {};
  const auto payload = SealedPayload(calls, row);
  const bool is_damaged =
      payload ? !IsWhole(row, *payload) : payload.error().code == ErrorCode::kCorrupt;
  // What the file holds damaged is seen when it is sent.
  // So is that nothing is left of an unknown one, which may have been billed: it stays that.
  if (is_damaged) {
    return in_file || row.state == CallState::kUnknown ? Status() : Quarantine(row.id);
  }
  if (!payload) {
    LogWarning("{} has no second copy yet: {}", row.reference, payload.error().message);
    repaired.has_unread = true;
    return {};
  }
  Status kept = RequireRoomForCopies();
  if (kept && !in_file) return PutPayload(row.id, *payload);
  if (kept) kept = copies.Write({row, *payload});
  if (!kept) repaired.not_copied = kept.error();
  return {};
}

Status DurableQueue::Internals::CopyAnew(const CallRow& row) {
  if (Status room = RequireRoomForCopies(); !room) return room;
  auto payload = SealedPayload(calls, row);
  if (!payload) return std::unexpected(payload.error());
  return copies.Write({row, std::move(*payload)});
}

}  // namespace idkiosk
