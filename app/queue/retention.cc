#include <algorithm>
#include <utility>

#include "app/queue/durable_queue.h"
#include "app/queue/queue_internals.h"
#include "platform/base/log.h"

// What age does to calls, the sums over all of them, upkeep, and when the keys of their days go.

namespace idkiosk {
namespace {

constexpr int kAgedAtOnce = 100;

constexpr std::string_view kEpochBegan = "epoch_began";
constexpr Duration kEpochLasts = std::chrono::hours(24);
// The newest epoch by which a call was sealed.
constexpr std::string_view kSealedBy = "sealed_by";
// Keys that nothing needs any more are looked for once in this time. A new epoch waits as long
// before the earlier key goes: another process may still keep a call that it sealed by that one.
constexpr Duration kHour = std::chrono::hours(1);

// How soon a call whose age is doubtful is judged again.
constexpr Duration kJudgedAgain = std::chrono::hours(1);

}  // namespace

int64_t DurableQueue::Internals::RowOutlivesAnswer(const CallRow& row) const {
  const Duration known = row.request.empty() ? Duration() : kRequestIsKnown;
  const Duration more = std::max(options.billing.duplicate_window, known) - options.queue.retention;
  return ToMilliseconds(std::max(more, Duration()));
}

void DurableQueue::Internals::End(CallRow& row, CallState ended, WallTime at) {
  row.state = ended;
  row.ended_at = ToMilliseconds(at);
  row.due_at = std::nullopt;
  if (row.has_payload) return;
  KeepForRetention(row);
  Close(row);
}

void DurableQueue::Internals::KeepForRetention(CallRow& row) {
  row.age_at = time.Milliseconds() + ToMilliseconds(options.queue.retention);
  if (!row.has_answer) *row.age_at += RowOutlivesAnswer(row);
}

Status DurableQueue::Internals::Age(CallRow& row) {
  const int64_t now = time.Milliseconds();
  switch (row.state) {
    case CallState::kPending:
    case CallState::kUnknown:
      return AgeOpen(row);
    case CallState::kSending:
      // Its answer is about to be recorded.
      row.age_at = now + ToMilliseconds(std::chrono::minutes(10));
      return calls.Save(row);
    case CallState::kDamaged:
      if (!row.set_aside) return Quarantine(row.id);
      if (const auto settled = BringBackOrWait(row); !settled || *settled) {
        return settled ? Status() : std::unexpected(settled.error());
      }
      // Its end is in the ledger, or nobody can have been told of it by that name.
      if (ParseReference(row.reference) != row.reference) return calls.Delete(row.id);
      wiped.push_back(row.reference);
      if (!ledger.calls().Closed(row.reference)) return calls.EraseDamaged(row.id);
      if (Status deleted = calls.Delete(row.id); !deleted) return deleted;
      return RememberByLedger(row.reference);
    case CallState::kDone:
    case CallState::kCancelled:
    case CallState::kExpired: {
      // Rejected in doubt, with what it asked: from here on it is kept as one that ended now.
      if (row.has_payload) {
        const Duration kept = options.queue.retention;
        const WallTime ended = FromMilliseconds(row.ended_at.value_or(0));
        const bool is_over = ended + kept <= time.WallNow() && time.DoubtOfAge(ended, kept).empty();
        Status erased = is_over ? EraseAll(row) : ErasePayload(row);
        if (!erased) return erased;
        KeepForRetention(row);
        Close(row);
        return calls.Save(row);
      }
      const bool answer_goes = row.has_answer && RowOutlivesAnswer(row) > 0;
      Close(row);
      if (!answer_goes) return calls.Delete(row.id);
      if (Status erased = EraseAll(row); !erased) return erased;
      row.age_at = now + RowOutlivesAnswer(row);
      return calls.Save(row);
    }
  }
  return {};
}

Status DurableQueue::Internals::AgeOpen(CallRow& row) {
  // What the ledger lost may say that it was sent: to tell its person that it never was would have
  // the same asked, and billed, anew.
  if (ledger.doubtful()) {
    row.age_at = time.Milliseconds() + ToMilliseconds(kJudgedAgain);
    return calls.Save(row);
  }
  const auto key = seal.Unwrap(row.reference, row.sealed_key);
  if (!key && key.error().code == ErrorCode::kUnauthenticated) {
    row.age_at = time.Milliseconds() + ToMilliseconds(kJudgedAgain);
    return calls.Save(row);
  }
  const std::string doubt =
      time.DoubtOfAge(FromMilliseconds(row.accepted_at), options.queue.max_age);
  if (!doubt.empty()) {
    LogWarning(
        "{} has reached queue.max_age by this board's running time, but {}: it is kept for now",
        row.reference, doubt);
    row.age_at = time.Milliseconds() + ToMilliseconds(kJudgedAgain);
    return calls.Save(row);
  }
  if (Status erased = EraseAll(row); !erased) return erased;
  if (WaitsUnsent(row.state, row.billed_attempts) && !MayLackNow()) {
    End(row, CallState::kExpired, time.WallNow());
    return calls.Save(row);
  }
  // It may have been sent: a person says what it was.
  row.state = CallState::kUnknown;
  row.due_at = std::nullopt;
  row.age_at = std::nullopt;
  return calls.Save(row);
}

// By a clock that is not trusted nothing is old.
bool DurableQueue::Internals::IsTooOld(const CallRow& row) const {
  return time.trusted() && row.age_at && *row.age_at <= time.Milliseconds();
}

Result<int> DurableQueue::Internals::AgeAll() {
  int changed = 0;
  while (time.trusted()) {
    const auto aged = calls.Aged(time.Milliseconds(), kAgedAtOnce);
    if (!aged) return std::unexpected(aged.error());
    if (aged->empty()) break;
    Status done = Commit([&]() REQUIRES(mutex) -> Status {
      for (int64_t id : *aged) {
        auto row = calls.LoadById(id);
        if (!row) return std::unexpected(row.error());
        if (Status step = Age(*row); !step) return step;
      }
      // Rows went: what the ledger tells of them is not told again at the next start.
      return ledger.doubtful() || !tells_position ? Status() : TellPosition();
    });
    if (!done) return std::unexpected(done.error());
    changed += static_cast<int>(aged->size());
  }
  return changed;
}

Result<int> DurableQueue::Expire() {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  if (Status settled = internals.SettleClock(); !settled) return std::unexpected(settled.error());
  const auto changed = internals.AgeAll();
  if (!changed) return changed;
  // While this runs, only credentials change.
  const auto holds = internals.state.Active(internals.time);
  if (!holds) return std::unexpected(holds.error());
  if (!holds->empty()) {
    Status lifted =
        internals.Commit([&]() REQUIRES(internals.mutex) { return internals.LiftMended(); });
    if (!lifted) return std::unexpected(lifted.error());
  }
  if (internals.TimeIsOld()) {
    Status kept =
        internals.Commit([&]() REQUIRES(internals.mutex) { return internals.KeepTime(true); });
    if (!kept) return std::unexpected(kept.error());
  }
  if (Status noted = internals.TakeNotes(); !noted) return std::unexpected(noted.error());
  if (Status repaired = internals.RepairRows(); !repaired) return std::unexpected(repaired.error());
  constexpr int kLookedAtOnce = 200;
  internals.LookThrough(kLookedAtOnce);
  internals.WriteDownAccepted();
  internals.EraseCopies();
  if (Status tidied = internals.Tidy(); !tidied) return std::unexpected(tidied.error());
  (void)internals.ledger.Mark();
  internals.RenewOldMark();
  internals.TurnEpoch();
  return changed;
}

void DurableQueue::LearnServiceTime(Duration skew) {
  const MutexLock guard(internals_->mutex);
  internals_->time.LearnServiceTime(skew);
}

void DurableQueue::Internals::TurnEpoch() {
  if (Status turned = TryTurnEpoch(); !turned) {
    LogWarning("the queue could not make its next key, and will retry: {}", turned.error().message);
  }
}

// The vault has the key before a call is sealed with it, and loses one only after the last row that
// needs it was committed without.
Status DurableQueue::Internals::TryTurnEpoch() {
  const bool delivers = lock != nullptr;
  if (!delivers || !time.trusted()) return {};
  const int64_t now = time.Milliseconds();
  const auto began = state.Number(kEpochBegan);
  if (!began) return std::unexpected(began.error());
  const bool is_old = *began > now || now >= *began + ToMilliseconds(kEpochLasts) ||
                      epochs.newest() == EpochKeys::kDerived;
  const bool was_looked_at = epochs_looked_at && now < *epochs_looked_at + ToMilliseconds(kHour);
  if (!is_old && was_looked_at) return {};
  auto used = UsedEpochs();
  if (!used) return std::unexpected(used.error());
  const auto spent = IsSpent(*used);
  if (!spent) return std::unexpected(spent.error());
  const bool turns = is_old || *spent;
  if (turns) {
    if (Status begun = BeginEpoch(ledger.last_look()); !begun) return begun;
    if (Status set = Commit([&]() REQUIRES(mutex) { return state.SetNumber(kEpochBegan, now); });
        !set)
      return set;
  }
  epochs_looked_at = now;
  if (const auto may = MayForgetEpochs(); !may || !*may) {
    return may ? Status() : std::unexpected(may.error());
  }
  if (Status added = AddEpochsOfCopies(*used); !added) return added;
  const bool just_turned = turns || now < *began + ToMilliseconds(kHour);
  return epochs.Forget(*used, just_turned);
}

Status DurableQueue::Internals::BeginEpoch(uint64_t look) {
  auto taken = UsedEpochs();
  if (!taken) return std::unexpected(taken.error());
  // Nor may it have the number of one that a copy alone needs.
  (void)AddEpochsOfCopies(*taken);
  return epochs.Begin(look, *taken);
}

// Who delivers may have turned the epoch since, and forgets the one before.
Status DurableQueue::Internals::RefreshKeys() { return lock == nullptr ? epochs.Load() : Status(); }

// What the file does not hold may need any of the keys.
Result<bool> DurableQueue::Internals::MayForgetEpochs() {
  if (Status in_place = database->CheckInPlace(); !in_place) {
    return std::unexpected(in_place.error());
  }
  if (Status own = CheckOwnFile(); !own) return std::unexpected(own.error());
  const auto aside = SetAsideFiles();
  if (!aside) return std::unexpected(aside.error());
  if (!aside->empty() || copies_wait) return false;
  // So may one whose copy can only not be read now.
  const auto lost = Lost();
  if (!lost) return std::unexpected(lost.error());
  return lost->empty();
}

Result<std::set<uint32_t>> DurableQueue::Internals::UsedEpochs() {
  const auto sealed = calls.Epochs();
  if (!sealed) return std::unexpected(sealed.error());
  auto used = calls.QuestionEpochs();
  if (!used) return used;
  for (const auto& [epoch, call] : *sealed) used->insert(epoch);
  return used;
}

// Of a damaged record the copy alone says which key it needs.
Status DurableQueue::Internals::AddEpochsOfCopies(std::set<uint32_t>& used) {
  const auto found = copies.List();
  if (!found) return std::unexpected(found.error());
  for (const CallReference& each : found->calls) {
    if (ledger.calls().Closed(each)) continue;
    const auto row = calls.Load(each);
    if (row && row->state != CallState::kDamaged) continue;
    const auto copy = copies.Read(each);
    // A pipe or a link that somebody put there is no call's.
    const bool is_none = !copy && copy.error().code == ErrorCode::kInvalid;
    if (is_none && !ledger.calls().Knows(each)) continue;
    if (!copy) return std::unexpected(copy.error());
    used.insert(PayloadSeal::EpochOf(copy->row.sealed_key));
  }
  return {};
}

Status DurableQueue::Internals::NoteSealedBy() {
  const auto sealed_by = state.Number(kSealedBy);
  if (!sealed_by) return std::unexpected(sealed_by.error());
  return *sealed_by == epochs.newest() ? Status() : state.SetNumber(kSealedBy, epochs.newest());
}

// Whether calls were sealed by the newest key and none of them is left: what was erased of them is
// to be opened by nobody any more.
Result<bool> DurableQueue::Internals::IsSpent(const std::set<uint32_t>& used) {
  if (used.contains(epochs.newest())) return false;
  const auto sealed_by = state.Number(kSealedBy);
  if (!sealed_by) return std::unexpected(sealed_by.error());
  return *sealed_by == epochs.newest();
}

// Erased pages leave the log and the file, and the reserve comes back.
Status DurableQueue::Internals::Tidy() {
  if (Status gone = WithdrawRefused(); !gone) return gone;
  if (Status vacuumed = database->Run("PRAGMA incremental_vacuum(2000)"); !vacuumed)
    return vacuumed;
  if (Status emptied = database->Run("PRAGMA wal_checkpoint(TRUNCATE)"); !emptied) return emptied;
  // What is in the file now is on the disk: the ledger need not bring it back, but for what waits
  // for another start.
  if (lock != nullptr && !ledger.doubtful() && tells_position) {
    if (Status own = CheckOwnFile(); !own) return own;
    if (Status dropped = ledger.DropOldAnswers(); !dropped) return dropped;
  }
  // A disk that has no room for it is reported by CheckRoom.
  (void)KeepReserve();
  return {};
}

Result<QueueStats> DurableQueue::Stats() {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  QueueStats stats;
  for (size_t i = 0; i < kCallStateCount; ++i) {
    const auto count = internals.calls.Count(static_cast<CallState>(i));
    if (!count) return std::unexpected(count.error());
    stats.calls[i] = *count;
  }
  auto holds = internals.Holds();
  if (!holds) return std::unexpected(holds.error());
  stats.holds = *holds;
  for (const Endpoint endpoint : kEndpoints) {
    const bool covered = Internals::Covering(*holds, endpoint).has_value();
    if (Status others = internals.CountOthers(!covered, endpoint, stats); !others) {
      return std::unexpected(others.error());
    }
    if (!covered) continue;
    const auto count = internals.calls.Count(CallState::kPending, endpoint);
    if (!count) return std::unexpected(count.error());
    stats.held += *count;
  }
  // They come back once a person has looked at the ledger, and are held until then.
  const auto apart = internals.InCopiesAlone();
  if (!apart) return std::unexpected(apart.error());
  stats.In(CallState::kPending) += static_cast<int64_t>(apart->size());
  stats.held += static_cast<int64_t>(apart->size());
  const auto pace = internals.Pace();
  if (!pace) return std::unexpected(pace.error());
  // Calls that leave one by one are sent.
  const Duration pause = pace->busy > 0 ? pace->pause_until : Duration();
  const int64_t until = ToMilliseconds(std::max(pace->retry_at, pause));
  if (until > internals.time.Milliseconds()) stats.paused_until = internals.time.WallOf(until);
  const auto oldest = internals.calls.OldestPending();
  if (!oldest) return std::unexpected(oldest.error());
  if (*oldest) stats.oldest_pending = FromMilliseconds(**oldest);
  return stats;
}

Result<std::vector<LedgerRow>> DurableQueue::Ledger(std::optional<WallTime> since) {
  const MutexLock guard(internals_->mutex);
  if (Status fresh = internals_->RefreshLedger(); !fresh) return std::unexpected(fresh.error());
  return internals_->ledger.attempts().List(since);
}

Result<std::vector<LedgerRow>> DurableQueue::Attempts(const CallReference& reference) {
  const MutexLock guard(internals_->mutex);
  if (Status fresh = internals_->RefreshLedger(); !fresh) return std::unexpected(fresh.error());
  return internals_->ledger.attempts().Of(reference);
}

Result<std::vector<LedgerRow>> DurableQueue::NewestAttempts(int limit) {
  const MutexLock guard(internals_->mutex);
  if (Status fresh = internals_->RefreshLedger(); !fresh) return std::unexpected(fresh.error());
  return internals_->ledger.attempts().Newest(limit);
}

Result<std::vector<BilledHour>> DurableQueue::BilledHours(int count) {
  const MutexLock guard(internals_->mutex);
  const WallTime first = std::chrono::floor<std::chrono::hours>(internals_->time.WallNow()) -
                         std::chrono::hours(count - 1);
  if (Status fresh = internals_->RefreshLedger(); !fresh) return std::unexpected(fresh.error());
  const auto billed = internals_->ledger.attempts().BilledByHour(first);
  std::vector<BilledHour> hours;
  for (int i = 0; i < count; ++i) {
    const WallTime from = first + std::chrono::hours(i);
    const auto found = billed.find(from.time_since_epoch().count());
    hours.push_back(found == billed.end() ? BilledHour{from} : found->second);
  }
  return hours;
}

Result<std::vector<LedgerSum>> DurableQueue::Sum(LedgerBy by, std::optional<WallTime> since) {
  const MutexLock guard(internals_->mutex);
  if (Status fresh = internals_->RefreshLedger(); !fresh) return std::unexpected(fresh.error());
  return internals_->ledger.attempts().Sum(by, since);
}

Result<std::vector<LedgerDecision>> DurableQueue::Decisions(std::optional<WallTime> since) {
  const MutexLock guard(internals_->mutex);
  if (Status fresh = internals_->RefreshLedger(); !fresh) return std::unexpected(fresh.error());
  std::vector<LedgerDecision> decisions = internals_->ledger.decisions();
  std::erase_if(decisions, [&](const auto& each) { return since && each.at < *since; });
  return decisions;
}

}  // namespace idkiosk
