#include <algorithm>
#include <unordered_map>
#include <utility>

#include "app/queue/durable_queue.h"
#include "app/queue/queue_internals.h"
#include "platform/base/log.h"

// The second copy of each call, and what the ledger knows of calls: which were accepted, and which
// have ended.

namespace idkiosk {
namespace {

using Kind = LedgerEntry::Kind;

// While calls are delivered without a rest, so many copies of ended ones may pile up; then so many
// are erased together, mostly with one sync, and nobody waits for all of them at once.
constexpr size_t kMostToErase = 64;
constexpr size_t kErasedOnTheWay = 8;

constexpr std::string_view kPerson = "person";
constexpr std::string_view kRule = "rule";

std::string_view WordFor(const CallRow& row) {
  if (row.state == CallState::kDone) {
    return row.verdict == Verdict::kGivenUp ? "given up" : "answered";
  }
  return Name(row.state);
}

template <typename T>
void MoveBehind(std::vector<T>& to, std::vector<T>& from) {
  std::ranges::move(from, std::back_inserter(to));
  from.clear();
}

}  // namespace

Result<SealedCall> DurableQueue::Internals::SealCall(const VerificationCall& call, CallRow row) {
  const CallKey key = seal.MakeKey();
  SealedCall sealed;
  sealed.row = std::move(row);
  sealed.row.has_payload = true;
  sealed.row.sealed_key = seal.Wrap(sealed.row.reference, key);
  const SecretBytes question = SerializeQuestion(call);
  const std::pair<SealedField, const SecretBytes*> fields[] = {
      {SealedField::kQuestion, &question},
      {SealedField::kSelfie, &call.pictures.selfie},
      {SealedField::kLiveness1, &call.pictures.liveness[0]},
      {SealedField::kLiveness2, &call.pictures.liveness[1]},
      {SealedField::kLiveness3, &call.pictures.liveness[2]},
      {SealedField::kLiveness4, &call.pictures.liveness[3]},
  };
  for (const auto& [field, plain] : fields) {
    if (plain->empty() && field != SealedField::kQuestion) continue;
    auto chunks = seal.Seal(sealed.row.reference, key, field, plain->view());
    if (!chunks) return std::unexpected(chunks.error());
    sealed.fields[field] = std::move(*chunks);
  }
  return sealed;
}

Status DurableQueue::Internals::InsertSealed(SealedCall& call) {
  if (Status inserted = calls.Insert(call.row); !inserted) return inserted;
  return PutPayload(call.row.id, call.fields);
}

Status DurableQueue::Internals::PutPayload(int64_t id, const SealedPayloadFields& fields) {
  for (const auto& [field, chunks] : fields) {
    if (Status put = calls.PutField(id, field, chunks); !put) return put;
  }
  return {};
}

Result<SealedPayloadFields> DurableQueue::Internals::SealedPayload(CallStore& from,
                                                                   const CallRow& row) {
  SealedPayloadFields fields;
  for (uint8_t each = 0; each < static_cast<uint8_t>(SealedField::kAnswer); ++each) {
    const auto field = static_cast<SealedField>(each);
    auto chunks = from.GetField(row.id, field);
    if (!chunks) return std::unexpected(chunks.error());
    if (!chunks->empty()) fields[field] = std::move(*chunks);
  }
  if (fields.contains(SealedField::kQuestion)) return fields;
  auto copy = copies.Read(row.reference);
  if (copy) return std::move(copy->fields);
  if (copy.error().code != ErrorCode::kNotFound) return std::unexpected(copy.error());
  return Fail(ErrorCode::kCorrupt, "what is sealed of {} is gone", row.reference);
}

LedgerEntry DurableQueue::Internals::AcceptedEntry(const CallRow& row) {
  LedgerEntry entry;
  entry.kind = Kind::kAccepted;
  entry.row.reference = row.reference;
  entry.row.endpoint = row.endpoint;
  entry.row.started_at = FromMilliseconds(row.accepted_at);
  entry.question_mac = row.question_mac;
  entry.request = row.request;
  return entry;
}

void DurableQueue::Internals::NoteAccepted(const CallRow& row) {
  if (lock == nullptr || ledger.doubtful()) return;
  if (Status noted = ledger.NoteAccepted(AcceptedEntry(row)); !noted) {
    LogWarning("{} is kept, and not in the ledger yet: {}", row.reference, noted.error().message);
  }
}

void DurableQueue::Internals::WriteDownAccepted() {
  if (lock == nullptr || ledger.doubtful()) return;
  if (Status written = ledger.WriteAccepted(); !written) {
    LogWarning("accepted calls are not in the ledger yet: {}", written.error().message);
  }
}

void DurableQueue::Internals::Close(const CallRow& row) {
  if (ledger.calls().Closed(row.reference)) return;
  LedgerEntry entry;
  entry.kind = Kind::kClosed;
  entry.row.reference = row.reference;
  entry.row.ended_at = time.WallNow();
  entry.state = row.state;
  entry.verdict = row.verdict;
  entry.what = WordFor(row);
  const bool decided = row.state == CallState::kCancelled || row.verdict == Verdict::kGivenUp;
  entry.by = decided ? kPerson : kRule;
  closing.push_back(std::move(entry));
}

void DurableQueue::Internals::WriteDownClosed() {
  restored.insert(restoring.begin(), restoring.end());
  restoring.clear();
  MoveBehind(closed, closing);
  MoveBehind(to_erase, wiped);
  if (!closed.empty()) {
    if (Status written = WriteDown(closed); written) {
      closed.clear();
    } else {
      LogWarning("the end of calls is not written down yet: {}", written.error().message);
    }
  }
  if (lock == nullptr) {
    EraseCopies();
  } else if (to_erase.size() > kMostToErase) {
    EraseCopies(kErasedOnTheWay);
  }
}

Status DurableQueue::Internals::WriteDown(const std::vector<LedgerEntry>& entries) {
  // Beside a ledger that nobody has looked at, the one who writes it leaves notes, too.
  if (lock == nullptr || ledger.doubtful()) {
    for (const LedgerEntry& each : entries) {
      uint64_t number = 0;
      entropy.Fill({reinterpret_cast<uint8_t*>(&number), sizeof number});
      const std::string name =
          each.kind == Kind::kClosed ? each.row.reference : fmt::format("{:016x}", number);
      if (Status written = notes.Write(name, each); !written) return written;
    }
    return {};
  }
  for (auto entry = entries.begin(); entry != entries.end();) {
    for (; entry != entries.end() && ledger.staged() < kEntriesAtOnce; ++entry) {
      const bool known =
          entry->kind == Kind::kClosed && ledger.calls().Closed(entry->row.reference).has_value();
      if (!known) ledger.Stage(entry->Copy());
    }
    if (Status written = ledger.has_staged() ? ledger.Write() : Status(); !written) {
      ledger.Drop();
      return written;
    }
  }
  return {};
}

Status DurableQueue::Internals::WriteDownDecision(std::string what, const std::string& by) {
  LedgerEntry entry;
  entry.kind = Kind::kDecided;
  entry.row.ended_at = time.WallNow();
  entry.what = std::move(what);
  entry.by = by;
  std::vector<LedgerEntry> entries;
  entries.push_back(std::move(entry));
  return WriteDown(entries);
}

// The ledger first, and then the file: where the power takes a row that the copy could bring back
// with its answer, that must still be there.
void DurableQueue::Internals::EraseCopies(size_t most) {
  if (erasing || (closed.empty() && to_erase.empty())) return;
  if (!closed.empty()) {
    if (!WriteDown(closed)) return;
    closed.clear();
  }
  erasing = true;
  const bool on_disk = !file_lags || Commit([] { return Status(); });
  erasing = false;
  if (!on_disk) return;
  const auto now = std::span(to_erase).first(std::min(most, to_erase.size()));
  if (Status erased = copies.Erase(now); !erased) LogWarning("{}", erased.error().message);
  const auto gone = std::ranges::remove_if(
      now, [&](const auto& each) REQUIRES(mutex) { return !copies.Has(each); });
  to_erase.erase(to_erase.begin() + (gone.begin() - now.begin()),
                 to_erase.begin() + (gone.end() - now.begin()));
}

Status DurableQueue::Internals::EraseCopyOf(const CallReference& reference) {
  if (!copies.Has(reference)) return {};
  const Status erased = copies.Erase({&reference, 1});
  if (!copies.Has(reference)) return {};
  return Fail(ErrorCode::kUnavailable,
              "the second copy of {} is still there, and is tried again: {}", reference,
              erased ? "it cannot be erased now" : erased.error().message);
}

void DurableQueue::Internals::EndRun() {
  (void)WithdrawRefused();
  WriteDownAccepted();
  if (!begins_ledger) (void)RepairRows();
  EraseCopies();
  (void)ledger.Mark();
}

Status DurableQueue::Internals::TakeNotes() {
  if (lock == nullptr || ledger.doubtful()) return {};
  const auto found = notes.List();
  if (!found) return std::unexpected(found.error());
  if (found->empty()) return {};
  std::vector<LedgerEntry> entries;
  for (const DecisionNotes::Note& each : *found) entries.push_back(each.entry.Copy());
  if (Status written = WriteDown(entries); !written) return written;
  for (const DecisionNotes::Note& each : *found) {
    if (each.entry.kind == Kind::kClosed) {
      to_erase.push_back(each.entry.row.reference);
      not_restored.erase(each.entry.row.reference);
    }
    if (Status erased = notes.Erase(each.name); !erased) return erased;
  }
  return {};
}

Result<std::vector<CallReference>> DurableQueue::Internals::MissingAmong(
    const std::set<CallReference>& copied) {
  const auto heads = calls.Heads(0);
  if (!heads) return std::unexpected(heads.error());
  std::unordered_map<CallReference, CallState> there;
  for (const CallStore::Head& each : *heads) there.emplace(each.reference, each.state);
  std::vector<CallReference> missing;
  for (const CallReference& each : copied) {
    const auto row = there.find(each);
    const auto end = ledger.calls().Closed(each);
    bool is_there = row != there.end() && row->second != CallState::kDamaged;
    if (is_there && end && ledger.IsNews(*end)) {
      // The news reaches no record that proves to be none.
      const auto proven = calls.Load(each);
      is_there = !proven || proven->state != CallState::kDamaged;
    }
    if (end) to_erase.push_back(each);
    if (!is_there && (!end || ledger.IsNews(*end))) missing.push_back(each);
  }
  return missing;
}

// They come back at another start, and are a person's then, too.
Status DurableQueue::Internals::DoubtNotRestored() {
  for (auto next = not_restored.begin(); next != not_restored.end();) {
    const auto begin = next;
    Status done = CommitWithReserve([&]() REQUIRES(mutex) -> Status {
      next = begin;
      for (size_t i = 0; i < kEntriesAtOnce && next != not_restored.end(); ++i, ++next) {
        const CallReference& each = next->first;
        if (!IsDoubted(each) && !ledger.calls().Closed(each)) ledger.Stage(DoubtOf(each));
      }
      return {};
    });
    if (!done) return done;
  }
  return {};
}

// What they asked.
Status DurableQueue::Internals::LearnNotRestored() {
  constexpr size_t kRecordsAtOnce = 1000;
  for (uint64_t at = 0; !not_restored.empty();) {
    const auto records = ledger.Records(at, kRecordsAtOnce);
    if (!records) return std::unexpected(records.error());
    if (records->empty()) break;
    for (const LedgerRecord& record : *records) {
      for (const LedgerEntry& each : record.entries) {
        const auto waits = not_restored.find(each.row.reference);
        if (waits == not_restored.end() || each.question_mac.empty()) continue;
        waits->second = each.Copy();
      }
    }
    at = records->back().position.number;
  }
  return {};
}

Status DurableQueue::Internals::RestoreCalls(bool maybe_sent) {
  const auto found = copies.List();
  if (!found) return std::unexpected(found.error());
  const auto lacking = MissingAmong(found->calls);
  if (!lacking) return std::unexpected(lacking.error());
  const std::vector<CallReference>& missing = *lacking;
  not_restored.clear();
  if (missing.empty()) {
    copies_wait = false;
    const auto tidy = [&]() REQUIRES(mutex) {
      copies.Tidy(*found);
      return Status();
    };
    return Commit(tidy, Durability::kByLedger);
  }
  std::vector<CallReference> back;
  for (auto next = missing.begin(); next != missing.end() || copies_wait;) {
    const size_t before = back.size();
    const auto begin = next;
    Status done = CommitWithReserve([&]() REQUIRES(mutex) -> Status {
      copies.Tidy(*found);
      back.resize(before);
      next = begin;
      for (size_t i = 0; i < kEntriesAtOnce && next != missing.end(); ++i, ++next) {
        if (Status one = RestoreOne(*next, maybe_sent, back); !one) return one;
      }
      return {};
    });
    if (!done && done.error().code != ErrorCode::kExhausted) return done;
    if (!done) {
      back.resize(before);
      Say(fmt::format("not all calls could be brought back from their copies, which stay: {}",
                      done.error().message));
      for (auto each = begin; each != missing.end(); ++each) not_restored.try_emplace(*each);
      break;
    }
    copies_wait = next != missing.end();
  }
  copies_wait = copies_wait || !not_restored.empty();
  std::erase_if(to_erase, [&](const CallReference& each)
                              REQUIRES(mutex) { return not_restored.contains(each); });
  if (Status learned = LearnNotRestored(); !learned) return learned;
  if (Status left = maybe_sent ? DoubtNotRestored() : Status(); !left) return left;
  if (!back.empty()) {
    Say(
        fmt::format("the queue's file lacked accepted calls: {} were brought back from their "
                    "copies. The power failed, or the file or its log is an older copy",
                    CountAndNames(back)));
  }
  return {};
}

Status DurableQueue::Internals::RestoreOne(const CallReference& reference, bool maybe_sent,
                                           std::vector<CallReference>& back) {
  auto copy = copies.Read(reference);
  if (!copy && CallCopies::MayBeWhole(copy.error())) {
    // It stays, and what the ledger knows of it is told with it, at another start.
    Say(fmt::format("{} is not brought back from its copy now: {}", reference,
                    copy.error().message));
    not_restored.try_emplace(reference);
    return {};
  }
  // How it ended is told to it afterwards.
  const bool has_ended = ledger.calls().Closed(reference).has_value();
  const auto is_back = Restore(
      std::move(copy), maybe_sent && !has_ended ? RestoreAs::kUnknown : RestoreAs::kAccepted);
  if (!is_back) return std::unexpected(is_back.error());
  if (*is_back) {
    back.push_back(reference);
  } else if (IsTorn(reference)) {
    to_erase.push_back(reference);
  }
  return {};
}

bool DurableQueue::Internals::IsWhole(const CallRow& row, const SealedPayloadFields& fields) {
  const auto key = seal.Unwrap(row.reference, row.sealed_key);
  // A key that the vault lacks now may come back.
  if (!key) return key.error().code == ErrorCode::kUnauthenticated;
  const auto opens = [&](SealedField field) REQUIRES(mutex) {
    const auto found = fields.find(field);
    return found != fields.end() &&
           seal.Open(row.reference, *key, field, found->second).has_value();
  };
  if (!opens(SealedField::kQuestion)) return false;
  return !TraitsOf(row.endpoint).TakesPictures() || std::ranges::all_of(kPictureFields, opens);
}

Result<bool> DurableQueue::Internals::Restore(Result<SealedCall> copy, RestoreAs as) {
  if (!copy && CallCopies::MayBeWhole(copy.error())) return std::unexpected(copy.error());
  if (!copy || !IsWhole(copy->row, copy->fields)) return false;
  const CallReference reference = copy->row.reference;
  const auto old = calls.Load(reference);
  if (!old && old.error().code != ErrorCode::kNotFound) return std::unexpected(old.error());
  if (old && old->state != CallState::kDamaged) return false;
  if (old) {
    if (Status deleted = calls.Delete(old->id); !deleted) return std::unexpected(deleted.error());
  }
  const int64_t now = time.Milliseconds();
  CallRow& row = copy->row;
  row.person_waits = false;
  row.due_at = now;
  // A new file has no time of its own but the board's clock, by which no call may end.
  const int64_t latest = now + ToMilliseconds(options.queue.max_age);
  row.age_at = file_is_new ? latest : std::min(row.age_at.value_or(INT64_MAX), latest);
  const AttemptIndex::OfCall known = ledger.attempts().Find(reference);
  if (as != RestoreAs::kAccepted) {
    row.attempts = std::max({row.attempts, known.attempts, copies.NotedAttempt(row.reference)});
    row.billed_attempts = std::max(row.billed_attempts, known.billed);
  }
  // The ledger may have lost an attempt, or surely lost what is noted beside the copy.
  const bool in_doubt = as == RestoreAs::kUnknown || MayLackRecordsOf(row) ||
                        copies.NotedAttempt(reference) > known.attempts;
  const bool by_person = in_doubt || ledger.attempts().WasDoubted(reference) ||
                         ledger.calls().WasRejectedInDoubt(reference);
  constexpr std::string_view kLost = "the queue's file lost it, and it may have been sent before";
  if (by_person || row.billed_attempts > 0) {
    row.state = CallState::kUnknown;
    row.outcome = OutcomeKind::kLost;
    row.engineer = kLost;
    row.due_at = by_person ? std::nullopt : guard.ResendAt(row, now);
  }
  if (in_doubt) Doubt(row, kLost);
  if (Status inserted = InsertSealed(*copy); !inserted) return std::unexpected(inserted.error());
  restoring.push_back(reference);
  return true;
}

Result<bool> DurableQueue::Internals::RestoreDamaged(const CallReference& reference) {
  auto copy = copies.Read(reference);
  if (!copy && CallCopies::MayBeWhole(copy.error())) {
    LogWarning("{} is damaged, and is not brought back from its copy now: {}", reference,
               copy.error().message);
    // Nor can its row say any more what it asked.
    const bool is_new = not_restored.try_emplace(reference).second;
    const Status learned = is_new ? LearnNotRestored() : Status();
    return learned ? Result<bool>(false) : std::unexpected(learned.error());
  }
  auto is_back = Restore(std::move(copy), RestoreAs::kKnown);
  if (is_back && *is_back) {
    not_restored.erase(reference);
    LogWarning("{} was damaged, and is brought back from its copy", reference);
  }
  return is_back;
}

// True: it is back from its copy, or waits for that, which cannot be read now.
Result<bool> DurableQueue::Internals::BringBackOrWait(const CallRow& row) {
  constexpr Duration kReadAgain = std::chrono::hours(1);
  if (!MayRestore(row.reference)) return false;
  const auto is_back = RestoreDamaged(row.reference);
  if (!is_back || *is_back) return is_back;
  const auto copy = copies.Read(row.reference);
  if (copy || !CallCopies::MayBeWhole(copy.error())) return false;
  const Status again = calls.MarkDamaged(row.id, time.Milliseconds() + ToMilliseconds(kReadAgain));
  return again ? Result<bool>(true) : std::unexpected(again.error());
}

bool DurableQueue::Internals::IsOnItsWay(const CallReference& reference) const {
  const std::vector<LedgerRow> open = ledger.attempts().Open();
  return std::ranges::find(open, reference, &LedgerRow::reference) != open.end();
}

bool DurableQueue::Internals::MayLackNow() const { return ledger.doubtful() || begins_ledger; }

bool DurableQueue::Internals::MayRestore(const CallReference& reference) const {
  return lock != nullptr && !MayLackNow() && !ledger.calls().Closed(reference) &&
         !IsOnItsWay(reference);
}

Status DurableQueue::Internals::BringBack(const CallReference& reference) {
  const auto row = calls.Load(reference);
  const bool is_damaged = row && row->state == CallState::kDamaged;
  if (!is_damaged || !MayRestore(reference)) return {};
  const auto is_back = RestoreDamaged(reference);
  return is_back ? Status() : std::unexpected(is_back.error());
}

void DurableQueue::Internals::LookThrough(int count) {
  // Beside a doubtful ledger nothing is brought back.
  if (lock == nullptr || ledger.doubtful()) return;
  const auto rows = calls.Page(std::nullopt, 0, looked_through_to, count);
  if (!rows) return LogWarning("records cannot be looked at now: {}", rows.error().message);
  Status all;
  for (const CallRow& each : *rows) {
    if (each.state != CallState::kDamaged || each.set_aside) continue;
    const Status done = Commit([&]() REQUIRES(mutex) { return Quarantine(each.id); });
    if (!done) all = done;
  }
  if (!all) LogWarning("a damaged record stays as it is: {}", all.error().message);
  looked_through_to.reset();
  if (rows->size() == static_cast<size_t>(count)) looked_through_to = rows->back().id;
}

bool DurableQueue::Internals::IsTorn(const CallReference& reference) {
  const bool may_be_known = ledger.doubtful() || ledger.calls().Knows(reference) ||
                            ledger.attempts().Find(reference).attempts > 0 ||
                            ledger.attempts().WasDoubted(reference);
  if (may_be_known || copies.IsOwnFile(reference)) return false;
  const auto copy = copies.Read(reference);
  return !copy && copy.error().code == ErrorCode::kCorrupt;
}

}  // namespace idkiosk
