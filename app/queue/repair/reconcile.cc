#include <algorithm>
#include <set>
#include <utility>

#include "app/queue/durable_queue.h"
#include "app/queue/queue_internals.h"
#include "app/queue/storage/old_ledger.h"
#include "platform/base/log.h"

// The queue's file and the ledger, held against each other.

namespace idkiosk {
namespace {

constexpr std::string_view kPosition = "ledger";
constexpr std::string_view kAccepted = "ledger_accepted";

constexpr std::string_view kNotCarriedOut =
    "the ledger is accepted, and which calls are unknown by that is not written down yet";
constexpr std::string_view kInterrupted = "idkiosk ended while this call was on its way";

}  // namespace

void DurableQueue::Internals::Say(std::string sentence) {
  LogWarning("{}", sentence);
  notices.push_back(std::move(sentence));
}

Status DurableQueue::Internals::LoadLedger() {
  if (Status own = CheckOwnFile(); !own) return own;
  const auto stored = state.Setting(kPosition);
  if (!stored) return std::unexpected(stored.error());
  JournalPosition position;
  // One that cannot be read is none: everything is held against the calls again.
  if (*stored) position = ParsePosition(**stored).value_or(JournalPosition());
  if (Status loaded = ledger.Load(position); !loaded) return loaded;
  const auto missing = Unnamed();
  if (!missing) return std::unexpected(missing.error());
  if (*missing && (*missing)->accepted) ledger.Doubt();
  if (CopiesKnowMore()) ledger.Doubt();
  if (Status fresh = RefreshLedger(); !fresh) return fresh;
  const auto old = HasOldLedger(*database);
  if (!old) return std::unexpected(old.error());
  // Who delivers takes it over.
  if (*old && lock == nullptr) {
    const auto rows = ReadOldLedger(*database, crypto, keys.rows, ledger.taken_over());
    if (!rows) return std::unexpected(rows.error());
    for (const LedgerRow& each : *rows) ledger.attempts().Add(each);
  }
  return {};
}

Status DurableQueue::Internals::RefreshLedger() {
  if (lock != nullptr) return {};
  if (Status fresh = ledger.Refresh(); !fresh) return fresh;
  // Who delivers goes on from a ledger that somebody accepted, and may not have said yet which
  // calls are unknown by that.
  const auto unfinished = IsAcceptanceUnfinished();
  if (!unfinished) return std::unexpected(unfinished.error());
  begins_ledger = *unfinished;
  return {};
}

Status DurableQueue::Internals::BeginLedger() {
  bool looked_at = false;
  if (ledger.doubtful()) {
    const auto accepted = LedgerIsAccepted();
    if (!accepted) return std::unexpected(accepted.error());
    if (!*accepted) {
      Say(fmt::format(
          "THE LEDGER IS NOT GENUINE: {}. Nothing is sent until somebody has looked at it: {}",
          Describe(ledger.verdict()), MendOf(HoldReason::kLedger)));
      return {};
    }
    looked_at = true;
  }
  // Its process was killed after the ledger had gone on, and before what waits was unknown.
  const auto asked = looked_at ? Result<bool>(false) : IsAcceptanceUnfinished();
  if (!asked) return std::unexpected(asked.error());
  const bool unfinished = *asked;
  // The file and each of its parts may be older than the records that are lost.
  const bool may_lack = looked_at || unfinished;
  begins_ledger = may_lack;
  std::optional<AttemptLedger::Look> look;
  if (looked_at) {
    if (Status taken = TakeLook(look.emplace()); !taken) return taken;
  }
  if (Status begun = ledger.Begin(look); !begun) return begun;
  if (Status noted = TakeNotes(); !noted) return noted;
  // Before what came of them is told to the file.
  const bool nothing_known = ledger.is_new() && file_is_new;
  if (Status back = RestoreCalls(may_lack || nothing_known); !back) return back;
  if (Status replayed = ReplayLedger(); !replayed) return replayed;
  if (Status taken = TakeOverOldLedger(); !taken) return taken;
  // Before what has lost its payload is taken for damaged, and so for never sent.
  if (Status doubted = may_lack ? DoubtWaiting() : Status(); !doubted) return doubted;
  if (Status repaired = RepairRows(/*may_be_older=*/true); !repaired) return repaired;
  while (!ledger.attempts().Open().empty()) {
    Status ended = CommitWithReserve([&]() REQUIRES(mutex) -> Status {
      StageInterrupted();
      return {};
    });
    if (!ended) return ended;
  }
  if (Status ended = may_lack ? EndAcceptance() : Status(); !ended) return ended;
  if (Status ended = EndInterrupted(); !ended) return ended;
  begins_ledger = false;
  // Behind a vault of before the look, too, a new call is told from those that are older. Where
  // that fails, one that is killed before the ledger knows it is in doubt.
  if (epochs.LookOf(epochs.newest()) != ledger.last_look()) {
    if (Status begun = BeginEpoch(ledger.last_look()); !begun) {
      LogWarning("new calls have no key of their own yet: {}", begun.error().message);
    }
  }
  (void)ledger.Mark();
  return RenewMark();
}

Status DurableQueue::Internals::EndAcceptance() {
  return Commit([&]() REQUIRES(mutex) -> Status {
    if (Status set = state.SetSetting(kAccepted, {}); !set) return set;
    // The place that it names may be among the lost ones: the next start tells it all.
    return not_restored.empty() ? TellPosition() : state.SetSetting(kPosition, {});
  });
}

Status DurableQueue::Internals::TakeLook(AttemptLedger::Look& look) {
  // Once: what follows may have failed the last time.
  while (number_of_look == 0) {
    uint64_t number = 0;
    entropy.Fill({reinterpret_cast<uint8_t*>(&number), sizeof number});
    if (Status begun = BeginEpoch(number); !begun) return begun;
    number_of_look = number;
  }
  look.number = number_of_look;
  auto missing = Unnamed();
  if (!missing) return std::unexpected(missing.error());
  look.unnamed = *missing;
  auto doubts = DoubtsByLoss();
  if (!doubts) return std::unexpected(doubts.error());
  look.doubts = std::move(*doubts);
  return {};
}

// A full disk must not keep from sending what would empty it.
Status DurableQueue::Internals::RenewMark() {
  mark_renewed_at = time.Milliseconds();
  const Status renewed = ledger.Renew();
  if (renewed || renewed.error().code != ErrorCode::kExhausted) return renewed;
  LogWarning("an older copy of everything might not be noticed: {}", renewed.error().message);
  return {};
}

void DurableQueue::Internals::RenewOldMark() {
  constexpr Duration kRenewedEvery = std::chrono::hours(1);
  const bool is_old = time.Milliseconds() >= mark_renewed_at + ToMilliseconds(kRenewedEvery);
  if (!is_old || !ledger.is_renewal_useful()) return;
  if (Status renewed = RenewMark(); !renewed) {
    LogWarning("the vault's mark is not renewed, and will be later: {}", renewed.error().message);
  }
}

Result<std::vector<LedgerEntry>> DurableQueue::Internals::DoubtsByLoss() {
  const auto heads = calls.Heads(0);
  if (!heads) return std::unexpected(heads.error());
  const auto found = copies.List();
  if (!found) return std::unexpected(found.error());
  std::set<CallReference> without_row = found->calls;
  for (CallReference& each : ledger.calls().Open()) without_row.insert(std::move(each));
  std::vector<LedgerEntry> doubts;
  for (const CallStore::Head& each : *heads) {
    // What its head says may be damaged.
    const auto row = calls.LoadById(each.id);
    if (!row) continue;
    if (row->state == CallState::kDamaged) {
      if (ParseReference(each.reference)) without_row.insert(each.reference);
      continue;
    }
    without_row.erase(row->reference);
    const bool is_open = !HasEnded(row->state);
    if (ledger.calls().Closed(row->reference)) continue;
    // What only the file tells of now, an older one would not.
    int count = row->billed_attempts - ledger.attempts().Find(row->reference).billed;
    count = std::max(count, 0) + (is_open ? 1 : 0);
    if (count > 0 && !ledger.calls().Knows(row->reference)) doubts.push_back(AcceptedEntry(*row));
    for (; count > 0; --count) doubts.push_back(DoubtOf(row->reference));
  }
  for (const CallReference& each : without_row) {
    if (ledger.calls().Closed(each)) continue;
    if (!ledger.calls().Knows(each)) {
      if (const auto copy = copies.Read(each)) doubts.push_back(AcceptedEntry(copy->row));
    }
    doubts.push_back(DoubtOf(each));
  }
  return doubts;
}

Status DurableQueue::Internals::DoubtWaiting() {
  const auto heads = calls.Heads(0);
  if (!heads) return std::unexpected(heads.error());
  std::vector<CallReference> doubted;
  for (auto next = heads->begin(); next != heads->end();) {
    const auto begin = next;
    const size_t before = doubted.size();
    Status done = CommitWithReserve([&]() REQUIRES(mutex) -> Status {
      doubted.resize(before);
      next = begin;
      for (size_t i = 0; i < kEntriesAtOnce && next != heads->end(); ++i, ++next) {
        if (ledger.calls().Closed(next->reference)) continue;  // it ends by RepairRows
        auto row = calls.LoadById(next->id);
        if (!row || HasEnded(row->state) || row->state == CallState::kDamaged) continue;
        if (GoesByItself(*row)) doubted.push_back(row->reference);
        Doubt(*row, "records of the ledger are lost: it may have been sent, or cancelled");
        if (Status saved = calls.Save(*row); !saved) return saved;
      }
      return {};
    });
    if (!done) return done;
  }
  if (!doubted.empty()) {
    Say(
        fmt::format("by records that the ledger lost, waiting calls may have been sent or "
                    "cancelled: {} are unknown now. Compare them with the service's invoice before "
                    "you send one again",
                    CountAndNames(doubted)));
  }
  return {};
}

bool DurableQueue::Internals::MayLackRecordsOf(const CallRow& row) const {
  if (ledger.calls().Knows(row.reference)) return false;
  // A key that does not open it may have the number of the one that would.
  const auto key = seal.Unwrap(row.reference, row.sealed_key);
  return ledger.MayLack(key ? epochs.LookOf(key->epoch) : 0, FromMilliseconds(row.accepted_at));
}

// An earlier idkiosk's look is judged by a clock, which decides nothing about what is to be sent.
bool DurableQueue::Internals::IsOlderThanLook(const CallRow& row) const {
  return ledger.last_look() != 0 && MayLackRecordsOf(row);
}

LedgerEntry DurableQueue::Internals::DoubtOf(const CallReference& reference) {
  LedgerEntry entry;
  entry.kind = LedgerEntry::Kind::kDoubted;
  entry.row.reference = reference;
  entry.row.ended_at = time.WallNow();
  return entry;
}

bool DurableQueue::Internals::IsDoubted(const CallReference& reference) const {
  return ledger.attempts().IsDoubted(reference) ||
         ledger.IsStaged(LedgerEntry::Kind::kDoubted, reference);
}

// Neither a copy nor an older file would tell of it. Only who delivers writes the ledger.
void DurableQueue::Internals::StageDoubt(const CallRow& row) {
  if (lock == nullptr || IsDoubted(row.reference)) return;
  if (!ledger.calls().Knows(row.reference)) ledger.Stage(AcceptedEntry(row));
  ledger.Stage(DoubtOf(row.reference));
}

void DurableQueue::Internals::Doubt(CallRow& row, std::string_view why) {
  const AttemptIndex::OfCall known = ledger.attempts().Find(row.reference);
  row.billed_attempts = std::max(row.billed_attempts, known.billed);
  if (!IsDoubted(row.reference)) {
    ++row.billed_attempts;
    StageDoubt(row);
  }
  row.attempts = std::max(row.attempts, copies.NotedAttempt(row.reference));
  row.due_at = std::nullopt;
  // Of one that is on its way the attempt is ended first.
  if (row.state == CallState::kSending) return;
  row.state = CallState::kUnknown;
  row.outcome = OutcomeKind::kLost;
  row.engineer = why;
}

Status DurableQueue::Internals::TakeOverOldLedger() {
  if (!set_aside.empty()) {
    const auto from = SqliteDatabase::OpenToRead(set_aside, options.sqlite_vfs);
    if (from && HasOldLedger(**from).value_or(false)) {
      Status taken = TakeOver(SalvageOldLedger(**from, crypto, keys.rows, ledger.taken_over()));
      if (!taken) return taken;
    }
  }
  const auto old = HasOldLedger(*database);
  if (!old) return std::unexpected(old.error());
  if (!*old) return {};
  const auto rows = ReadOldLedger(*database, crypto, keys.rows, ledger.taken_over());
  if (!rows) return std::unexpected(rows.error());
  if (Status taken = TakeOver(*rows); !taken) return taken;
  return Commit([&]() REQUIRES(mutex) -> Status {
    if (Status dropped = database->Execute("DROP TABLE attempt"); !dropped) return dropped;
    if (Status told = TellSchemaVersion(*database); !told) return told;
    return TellPosition();
  });
}

Status DurableQueue::Internals::TakeOver(const std::vector<LedgerRow>& rows) {
  int changed = 0;
  for (auto row = rows.begin(); row != rows.end();) {
    for (size_t count = 0; count < kEntriesAtOnce && row != rows.end(); ++count, ++row) {
      changed += row->genuine ? 0 : 1;
      LedgerEntry entry;
      entry.kind = LedgerEntry::Kind::kTakenOver;
      entry.row = *row;
      // A time that a clock ahead has written would hold the queue until then.
      entry.row.board_at = std::min(row->board_at, time.Milliseconds());
      ledger.Stage(std::move(entry));
    }
    if (Status written = ledger.Write(); !written) {
      ledger.Drop();
      return written;
    }
  }
  if (changed > 0) {
    Say(
        fmt::format("{} rows of the ledger were changed by something else than idkiosk: they are "
                    "listed, but not counted. See 'idkiosk --json ledger list'.",
                    changed));
  }
  return {};
}

Status DurableQueue::Internals::ReplayLedger() {
  // What was written since is told to the file with the news, or with the next record.
  if (!ledger.has_news()) {
    tells_position = not_restored.empty();
    return {};
  }
  Replayed replayed;
  Status done = CommitWithReserve([&]() REQUIRES(mutex) -> Status {
    replayed = {};
    Status each_done = ledger.Replay([&](const LedgerEntry& entry, ByteSpan answer) REQUIRES(
                                         mutex) { return Replay(entry, answer, replayed); });
    if (each_done) each_done = InsertUnknown(replayed);
    if (!each_done) return each_done;
    return ledger.doubtful() || !not_restored.empty() ? Status() : TellPosition();
  });
  if (!done) return done;
  tells_position = not_restored.empty();
  if (replayed.ended > 0) {
    Say(fmt::format(
        "the queue's file did not know how {} ended, and has it from the ledger: the power failed, "
        "or the file or its log is an older copy",
        replayed.ended == 1 ? "an attempt" : fmt::format("{} attempts", replayed.ended)));
  }
  SayWhatLacked(replayed);
  return {};
}

Status DurableQueue::Internals::Replay(const LedgerEntry& entry, ByteSpan answer,
                                       Replayed& so_far) {
  const CallReference& reference = entry.row.reference;
  if (reference.empty()) return {};
  const auto there = calls.Exists(reference);
  if (!there) return std::unexpected(there.error());
  // What waits in its copy for another start is told then, with its answer.
  if (!*there && not_restored.contains(reference)) return {};
  if (!*there) return Remember(entry, so_far);
  if (entry.kind == LedgerEntry::Kind::kErased) return EraseAgain(reference);
  const bool begins = entry.kind == LedgerEntry::Kind::kBegun;
  const bool is_doubt = entry.kind == LedgerEntry::Kind::kDoubted;
  if (!begins && !is_doubt && entry.kind != LedgerEntry::Kind::kEnded) return {};
  auto row = calls.Load(reference);
  if (!row) return std::unexpected(row.error());
  if (HasEnded(row->state) || row->state == CallState::kDamaged) return {};
  if (is_doubt) {
    // One that came from its copy may count it already.
    const int known = ledger.attempts().Find(reference).billed;
    row->billed_attempts =
        std::max(row->billed_attempts, std::min(row->billed_attempts + 1, known));
    if (row->state == CallState::kPending) row->state = CallState::kUnknown;
    row->due_at = std::nullopt;
    return calls.Save(*row);
  }
  if (begins) {
    if (row->attempts >= entry.row.number) return {};
    row->attempts = entry.row.number;
    if (entry.approved) {
      row->state = CallState::kSending;
      row->due_at = std::nullopt;
      ++row->billed_attempts;
    }
    so_far.reference = reference;
    so_far.number = entry.row.number;
    return calls.Save(*row);
  }
  const bool unknown_until_now = so_far.reference == reference && so_far.number == entry.row.number;
  const bool on_its_way = row->state == CallState::kSending && row->attempts == entry.row.number;
  if (!unknown_until_now && !on_its_way) return {};
  so_far.reference.clear();
  ++so_far.ended;
  return ReplayEnd(*row, entry, answer);
}

// An older file brings back what a person had erased.
Status DurableQueue::Internals::EraseAgain(const CallReference& reference) {
  auto row = calls.Load(reference);
  if (!row) return std::unexpected(row.error());
  const bool has_ended = HasEnded(row->state) || row->state == CallState::kDamaged;
  if (!has_ended && ledger.calls().Closed(reference)) {
    if (Status closed_so = CloseAgain(*row); !closed_so) return closed_so;
    row = calls.Load(reference);
    if (!row) return std::unexpected(row.error());
  }
  const bool holds_nothing = row->question_mac.empty() && !row->has_answer && !row->has_payload;
  if (row->state == CallState::kDamaged) {
    if (Status deleted = calls.Delete(row->id); !deleted) return deleted;
    return RememberByLedger(reference);
  }
  return holds_nothing ? Status() : EraseOf(*row);
}

Status DurableQueue::Internals::ReplayEnd(CallRow& row, const LedgerEntry& entry, ByteSpan answer) {
  const bool approved = row.state == CallState::kSending;
  if (approved && entry.row.billed == Billed::kNo) --row.billed_attempts;
  if (!approved && entry.row.billed != Billed::kNo) ++row.billed_attempts;
  SealedAnswer sealed;
  if (!answer.empty()) sealed.emplace_back(answer.begin(), answer.end());
  const auto key = seal.Unwrap(row.reference, row.sealed_key);
  // A key that the vault lacks now may come back.
  const bool may_open =
      key ? seal.Open(row.reference, *key, SealedField::kAnswer, sealed).has_value()
          : key.error().code == ErrorCode::kUnauthenticated;
  if (!may_open) sealed.clear();
  if (sealed.empty()) {
    auto in_file = LongAnswerOf(row, entry.row.number);
    if (!in_file) return std::unexpected(in_file.error());
    sealed = std::move(*in_file);
  }
  return Apply(row, entry.outcome, sealed, entry.row.ended_at.value_or(time.WallNow()));
}

void DurableQueue::Internals::StageInterrupted() {
  for (LedgerRow& row : ledger.attempts().Open()) {
    LedgerEntry entry;
    entry.kind = LedgerEntry::Kind::kEnded;
    row.ended_at = time.WallNow();
    row.rule = "interrupted";
    entry.outcome.endpoint = row.endpoint;
    entry.outcome.kind = OutcomeKind::kLost;
    entry.outcome.disposition = Disposition::kUnknown;
    entry.outcome.stage = SendStage::kSent;
    entry.outcome.engineer = kInterrupted;
    entry.row = std::move(row);
    ledger.Stage(std::move(entry));
    if (ledger.staged() == kEntriesAtOnce) return;
  }
}

Status DurableQueue::Internals::TellPosition() {
  return state.SetSetting(kPosition, SerializePosition(ledger.newest()));
}

Status DurableQueue::Internals::WriteLedger(bool& written) {
  written = false;
  if (!ledger.has_staged()) return {};
  if (Status added = ledger.Write(); !added) return added;
  written = true;
  return tells_position ? TellPosition() : Status();
}

bool DurableQueue::Internals::LedgerKnowsMore(const CallRow& row) const {
  const AttemptIndex::OfCall known = ledger.attempts().Find(row.reference);
  return known.billed > row.billed_attempts;
}

Status DurableQueue::Internals::MakeUnknown(CallRow row) {
  const AttemptIndex::OfCall known = ledger.attempts().Find(row.reference);
  Say(
      fmt::format("{}: the ledger knows {} attempts that were or may have been billed, the queue's "
                  "file {}: it is not sent again by itself",
                  row.reference, known.billed, row.billed_attempts));
  row.state = CallState::kUnknown;
  row.attempts = std::max(row.attempts, known.attempts);
  row.billed_attempts = known.billed;
  row.outcome = OutcomeKind::kLost;
  row.engineer = "the ledger knows of an attempt that the queue's file does not";
  const bool by_person = ledger.calls().WasRejectedInDoubt(row.reference);
  row.due_at = by_person ? std::nullopt : guard.ResendAt(row, time.Milliseconds());
  if (Status dropped = DropAnswer(row); !dropped) return dropped;
  return calls.Save(row);
}

Bytes DurableQueue::Internals::LedgerAcceptance() const {
  Bytes accepted;
  const std::string words = Describe(ledger.verdict());
  for (std::string_view part :
       {std::string_view("idkiosk/ledger-accepted/1"), std::string_view(words)}) {
    AppendUint32(accepted, static_cast<uint32_t>(part.size()));
    accepted.insert(accepted.end(), part.begin(), part.end());
  }
  const Crypto::Digest digest = crypto.HmacSha256(keys.rows, accepted);
  return {digest.begin(), digest.end()};
}

Result<bool> DurableQueue::Internals::LedgerIsAccepted() {
  const auto stored = state.Setting(kAccepted);
  if (!stored) return std::unexpected(stored.error());
  return *stored && std::ranges::equal(**stored, LedgerAcceptance());
}

Result<bool> DurableQueue::Internals::IsAcceptanceUnfinished() {
  const auto stored = state.Setting(kAccepted);
  if (!stored) return std::unexpected(stored.error());
  return *stored && !(*stored)->empty();
}

// Until it can be carried out, all calls are held, and all else goes on.
void DurableQueue::Internals::LookForAcceptance() {
  if (!begins_ledger && !ledger.doubtful()) return;
  const auto accepted = begins_ledger ? Result<bool>(true) : LedgerIsAccepted();
  Status begun;
  if (!accepted) begun = std::unexpected(accepted.error());
  if (accepted && *accepted) begun = BeginLedger();
  if (begun) {
    warned_of_acceptance = false;
  } else if (!std::exchange(warned_of_acceptance, true)) {
    LogWarning("that the ledger is accepted cannot be carried out now: {}", begun.error().message);
  }
}

std::optional<Hold> DurableQueue::Internals::LedgerHold() const {
  if (begins_ledger) {
    return Hold{HoldReason::kLedger, std::nullopt, time.WallNow(), std::nullopt,
                std::string(kNotCarriedOut)};
  }
  if (!ledger.doubtful()) return std::nullopt;
  return Hold{HoldReason::kLedger, std::nullopt, time.WallNow(), std::nullopt,
              fmt::format("the ledger of attempts is {}", Describe(ledger.verdict()))};
}

JournalVerdict DurableQueue::LedgerVerdict() const {
  const MutexLock guard(internals_->mutex);
  return internals_->ledger.verdict();
}

bool DurableQueue::IsHeldForLedger() const {
  const MutexLock guard(internals_->mutex);
  return internals_->MayLackNow();
}

Status DurableQueue::AcceptLedger(const std::string& by) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  const bool delivers = internals.lock != nullptr;
  if (delivers && internals.begins_ledger) return internals.BeginLedger();
  // Who accepted it is put down first: what follows is tried again where it fails, by whoever
  // delivers then.
  Status accepted = internals.Commit([&]() REQUIRES(internals.mutex) -> Status {
    if (Status fresh = internals.RefreshLedger(); !fresh) return fresh;
    const std::string verdict = Describe(internals.ledger.verdict());
    if (!internals.ledger.doubtful()) {
      return internals.begins_ledger ? Fail(ErrorCode::kFailedPrecondition, "{}", kNotCarriedOut)
                                     : Fail(ErrorCode::kFailedPrecondition,
                                            "the ledger is {}: it holds no calls back", verdict);
    }
    Status named = internals.WriteDownDecision(
        fmt::format("the ledger was accepted as it is: {}", verdict), by);
    if (!named) return named;
    return internals.state.SetSetting(kAccepted, internals.LedgerAcceptance());
  });
  if (!accepted) return accepted;
  return delivers ? internals.BeginLedger() : Status();
}

}  // namespace idkiosk
