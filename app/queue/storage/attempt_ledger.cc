#include "app/queue/storage/attempt_ledger.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <ranges>
#include <utility>

#include "platform/base/log.h"

namespace idkiosk {
namespace {

// So many acceptances and doubts surely fit into one record.
constexpr size_t kMostWithALook = 200;

// Where an older idkiosk kept the newest place: among the secrets of the vault.
constexpr std::string_view kOldAnchor = "ledger.anchor";

// So many calls are told to the journal together at most: a record has room for them beside 40 of
// the longest entries.
constexpr size_t kMostAccepted = 16;

constexpr size_t kPlaceSize = sizeof(uint64_t) + JournalPosition().mac.size();

void LogMarkError(const Status& failed) {
  LogWarning("the vault does not know the ledger's newest record: {}", failed.error().message);
}

}  // namespace

AttemptLedger::AttemptLedger(const std::string& folder, const Crypto& crypto, SecretBytes key,
                             FileSystem& files, SecureStorage& vault)
    : folder_(folder + "/ledger"),
      crypto_(crypto),
      key_(std::move(key)),
      files_(files),
      vault_(vault),
      witness_(folder + "/copies/ledger.witness", crypto_, key_, files_) {}

std::unique_ptr<Journal> AttemptLedger::MakeJournal() const {
  return std::make_unique<Journal>(Journal::Options{.folder = folder_, .label = "ledger"}, crypto_,
                                   key_, files_);
}

Status AttemptLedger::LoadAnchor() {
  auto mark = vault_.OpenMark();
  if (!mark) return std::unexpected(mark.error());
  mark_ = std::move(*mark);
  const auto marked = ParsePosition(mark_->value());
  has_mark_ = marked.has_value();
  anchor_ = marked.value_or(JournalPosition());
  const ByteSpan behind =
      ByteSpan(mark_->value()).subspan(std::min(kPlaceSize, mark_->value().size()));
  if (behind.size() >= sizeof(MarkedCalls)) {
    marked_ = {ReadUint64(behind.first<8>()), ReadUint64(behind.subspan<8, 8>())};
  }
  has_witness_ = has_witness_at_load_ =
      behind.size() > sizeof(MarkedCalls) && behind[sizeof(MarkedCalls)] != 0;
  const auto old = vault_.Get(kOldAnchor);
  has_old_anchor_ = old.has_value();
  if (!old) {
    return old.error().code == ErrorCode::kNotFound ? Status() : std::unexpected(old.error());
  }
  const auto before = ParsePosition(old->view());
  if (before && before->number > anchor_.number) anchor_ = *before;
  return {};
}

// The mark is made before the first record is, and says that there is a witness once there is.
// Where the vault knows of a mark, and there is neither it nor a record, this is no first start.
JournalVerdict AttemptLedger::VerdictOn(const JournalReading& reading) const {
  const JournalVerdict verdict = Judge(reading, database_, NewestKnown());
  if (verdict.state != JournalState::kGenuine) return verdict;
  if (LacksMark()) return {JournalState::kUnmarked, newest_.number};
  if (LacksWitness()) return {JournalState::kUnwitnessed, newest_.number};
  return {};
}

bool AttemptLedger::LacksMark() const {
  if (has_mark_ || has_old_anchor_) return false;
  return std::max(reading_.newest.number, database_.number) > 0 || mark_->is_lost();
}

Status AttemptLedger::Load(const JournalPosition& database) {
  if (Status loaded = LoadAnchor(); !loaded) return loaded;
  const auto witnessed = witness_.Read();
  if (!witnessed) return std::unexpected(witnessed.error());
  witnessed_ = witnessed->value_or(JournalPosition());
  known_at_load_ = NewestKnown().number;
  journal_ = MakeJournal();
  database_ = database;
  const std::array known = {database, anchor_, witnessed_};
  auto reading = journal_->Read(1, known, [this](const JournalRecord& record) { Take(record); });
  if (!reading) return std::unexpected(reading.error());
  if (unreadable_) return std::unexpected(*unreadable_);
  reading_ = *reading;
  newest_ = reading->newest;
  verdict_ = VerdictOn(reading_);
  // Damage that a person has looked at already holds nothing up; what came after it does.
  JournalReading unseen = reading_;
  const bool seen = reading_.altered_last <= looked_at_ &&
                    proven_before_looked_ == proven_when_looked_ &&
                    (last_look_ == 0 || digest_before_looked_ == digest_when_looked_);
  if (seen) unseen.altered.reset();
  doubtful_ = VerdictOn(unseen).state != JournalState::kGenuine;
  return {};
}

const JournalPosition& AttemptLedger::NewestKnown() const {
  return witnessed_.number > anchor_.number ? witnessed_ : anchor_;
}

Status AttemptLedger::TellWitness() {
  Status told = witness_.Set(newest_);
  if (told) {
    has_witness_ = true;
  } else if (!std::exchange(warned_of_witness_, true)) {
    LogWarning("an older copy of the ledger may not be noticed: {}", told.error().message);
  }
  return told;
}

std::optional<UnnamedCalls> AttemptLedger::Missing() const {
  const uint64_t newest = reading_.newest.number;
  UnnamedCalls missing;
  missing.first = reading_.unlike.value_or(newest + 1);
  if (reading_.altered) missing.first = std::min(missing.first, *reading_.altered);
  missing.last = std::max({newest, reading_.altered_last, database_.number, known_at_load_});
  const bool lacks_calls = marked_ && marked_->accepted > accepted();
  if (missing.last < missing.first && !lacks_calls) return std::nullopt;
  // Where it went on from an older copy, the calls of both ways are among those that it names.
  // And an older mark counts the calls of then.
  const bool is_older = known_at_load_ > anchor_.number && missing.last >= missing.first;
  if (!marked_ || reading_.unlike || is_older) return missing;
  missing.accepted = marked_->accepted - std::min(marked_->accepted, accepted());
  missing.open = marked_->open;
  return missing;
}

void AttemptLedger::Doubt() {
  if (verdict_.state == JournalState::kGenuine) {
    verdict_ = {JournalState::kRolledBack, newest_.number};
  }
  doubtful_ = true;
}

Status AttemptLedger::Refresh() {
  const uint64_t looked_at = looked_at_;
  const auto journal = MakeJournal();
  const auto reading = journal->Read(newest_.number + 1, {}, [this](const JournalRecord& record) {
    if (record.position.number > newest_.number) Take(record);
  });
  if (!reading) return std::unexpected(reading.error());
  if (unreadable_) return std::unexpected(*unreadable_);
  if (looked_at_ != looked_at) GoOn();
  return {};
}

// Somebody has looked.
void AttemptLedger::GoOn() {
  doubtful_ = false;
  if (!reading_.altered) verdict_ = {};
}

void AttemptLedger::Take(const JournalRecord& record) {
  const auto entries = ParseLedgerEntries(record.body);
  if (!entries) {
    unreadable_ = entries.error();
    return;
  }
  for (const LedgerEntry& each : *entries) {
    if (each.kind == LedgerEntry::Kind::kLookedAt) {
      proven_when_looked_ = each.proven;
      proven_before_looked_ = proven_;
      digest_when_looked_ = each.proven_digest;
      digest_before_looked_ = digest_;
    }
  }
  Take(*entries, record.position.number);
  Count(record.position);
  newest_ = record.position;
}

// Other records than those that a person has looked at have another digest: nobody can make their
// MACs.
void AttemptLedger::Count(const JournalPosition& record) {
  constexpr uint64_t kPrime = 0x100000001b3;
  ++proven_;
  digest_ = digest_ * kPrime + ReadUint64(ByteSpan(record.mac).first<8>());
}

void AttemptLedger::Take(const std::vector<LedgerEntry>& entries, uint64_t record) {
  for (const LedgerEntry& each : entries) Take(each, record);
  if (ends_) ends_->Take(entries, record);
}

Result<const EndIndex*> AttemptLedger::Ends() {
  if (ends_) return &*ends_;
  EndIndex ends;
  const auto reading = MakeJournal()->Read(1, {}, [&](const JournalRecord& record) {
    if (record.position.number > newest_.number) return;
    if (const auto entries = ParseLedgerEntries(record.body)) {
      ends.Take(*entries, record.position.number);
    }
  });
  if (!reading) return std::unexpected(reading.error());
  return &ends_.emplace(std::move(ends));
}

void AttemptLedger::Take(const LedgerEntry& entry, uint64_t record) {
  if (const auto end = entry.EndOfCall()) {
    calls_.Close(entry.row.reference, {end->state, end->verdict, record});
  } else if (entry.Ends()) {
    calls_.RejectInDoubt(entry.row.reference);
  }
  switch (entry.kind) {
    case LedgerEntry::Kind::kBegun:
      TakeTime(entry.row.started_at);
      return attempts_.Add(entry.row);
    case LedgerEntry::Kind::kEnded:
      return attempts_.End(entry.row);
    case LedgerEntry::Kind::kTakenOver:
      taken_over_ = std::max(taken_over_, entry.row.id);
      return attempts_.Add(entry.row);
    case LedgerEntry::Kind::kErased:
      return calls_.Erase(entry.row.reference);
    case LedgerEntry::Kind::kDoubted:
      TakeTime(entry.row.ended_at.value_or(WallTime()));
      calls_.Accept(entry.row.reference);
      decisions_.push_back(
          {entry.row.ended_at.value_or(WallTime()), "",
           fmt::format("records are lost: {} may have been sent and billed once more than its "
                       "attempts say",
                       entry.row.reference)});
      return attempts_.Doubt(entry.row.reference);
    case LedgerEntry::Kind::kLookedAt:
      looked_at_ = record;
      last_look_ = entry.look;
      looked_at_by_.reset();
      return;
    case LedgerEntry::Kind::kAccepted:
      return calls_.Accept(entry.row.reference);
    case LedgerEntry::Kind::kClosed:
      if (entry.what == kDiscarded) {
        decisions_.push_back({entry.row.ended_at.value_or(WallTime()), entry.by,
                              fmt::format("the call {} was discarded", entry.row.reference)});
      }
      return;
    case LedgerEntry::Kind::kDecided:
      TakeTime(entry.row.ended_at.value_or(WallTime()));
      decisions_.push_back({entry.row.ended_at.value_or(WallTime()), entry.by, entry.what});
      return;
    case LedgerEntry::Kind::kUnnamed:
      if (std::erase(unnamed_, entry.unnamed) == 0)
        unnamed_ever_ += entry.unnamed.accepted.value_or(0);
      if (entry.by.empty()) {
        unnamed_.push_back(entry.unnamed);
      } else {
        decisions_.push_back(
            {entry.row.ended_at.value_or(WallTime()), entry.by,
             fmt::format("calls without a name ({}) were discarded", NameOf(entry.unnamed))});
      }
      return;
  }
}

// A clock that was behind as a person looked is no newer than what was written before.
void AttemptLedger::TakeTime(WallTime at) {
  newest_time_ = std::max(newest_time_, at);
  if (looked_at_ > 0 && !looked_at_by_) looked_at_by_ = newest_time_;
}

Result<std::vector<LedgerRecord>> AttemptLedger::Records(uint64_t number, size_t limit) const {
  std::vector<LedgerRecord> records;
  const auto take = [&](const JournalRecord& record) {
    if (record.position.number <= number || record.position.number > newest_.number) return;
    auto entries = ParseLedgerEntries(record.body);
    if (!entries || records.size() >= limit) return;
    records.push_back({record.position, record.mac_before, std::move(*entries)});
  };
  uint64_t at = number < newest_.number ? number + 1 : 0;
  while (at != 0 && records.size() < limit) {
    const auto next = MakeJournal()->ReadFile(at, take);
    if (!next) return std::unexpected(next.error());
    at = *next;
  }
  return records;
}

Status AttemptLedger::Replay(const Each& each) const {
  Status done;
  const auto journal = MakeJournal();
  const auto reading = journal->Read(database_.number + 1, {}, [&](const JournalRecord& record) {
    if (!done || record.position.number <= database_.number) return;
    const auto entries = ParseLedgerEntries(record.body);
    for (size_t i = 0; entries && done && i < entries->size(); ++i) {
      const LedgerEntry& entry = (*entries)[i];
      done = each(entry, entry.has_answer ? record.attachment : ByteSpan());
    }
  });
  return reading ? done : std::unexpected(reading.error());
}

bool AttemptLedger::IsStaged(LedgerEntry::Kind kind, const CallReference& reference) const {
  return std::ranges::any_of(staged_, [&](const LedgerEntry& each) {
    return each.kind == kind && each.row.reference == reference;
  });
}

Status AttemptLedger::Begin(const std::optional<Look>& look) {
  const bool keep_tail = look && (reading_.unproven_tail || reading_.shortened);
  // Once: what follows may have failed the last time.
  if (Status resumed = begun_ ? Status() : journal_->Resume(reading_, keep_tail); !resumed) {
    return resumed;
  }
  begun_ = true;
  if (!look) {
    // Without one it goes on as an earlier idkiosk did: what keeps it from being made is in the
    // log.
    if (newest_ != witnessed_) (void)TellWitness();
    return has_mark_ ? Status() : SetMark();
  }
  attempts_.BeginDoubts();
  LedgerEntry entry;
  entry.kind = LedgerEntry::Kind::kLookedAt;
  entry.proven = proven_;
  entry.proven_digest = digest_;
  entry.look = look->number;
  Stage(std::move(entry));
  if (look->unnamed) {
    LedgerEntry lost;
    lost.kind = LedgerEntry::Kind::kUnnamed;
    lost.unnamed = *look->unnamed;
    Stage(std::move(lost));
  }
  // In one record with the look, but for those that are too many. Before the look nothing is
  // written: it would make the ledger genuine.
  auto doubt = look->doubts.begin();
  do {
    for (; doubt != look->doubts.end() && staged_.size() < kMostWithALook; ++doubt) {
      Stage(doubt->Copy());
    }
    if (Status written = Write(); !written) {
      Drop();
      return written;
    }
  } while (doubt != look->doubts.end());
  GoOn();
  // What it said before, or that it is not there, would hold everything up once more.
  if (Status told = TellWitness(); !told) return told;
  if (Status synced = witness_.Sync(); !synced) return synced;
  return Mark();
}

bool AttemptLedger::Attach(ByteSpan answer) {
  if (answer.size() > kLargestAnswer || staged_.empty()) return false;
  staged_.back().has_answer = true;
  answer_.assign(answer.begin(), answer.end());
  return true;
}

void AttemptLedger::Drop() {
  staged_.clear();
  answer_.clear();
}

Status AttemptLedger::NoteAccepted(LedgerEntry entry) {
  calls_.Accept(entry.row.reference);
  accepted_.push_back(std::move(entry));
  // Beside an empty ledger and a lost file nobody could say that the call was never sent.
  if (newest_.number == 0 || accepted_.size() >= kMostAccepted) return WriteAccepted();
  SetMarkSoon();
  return {};
}

Status AttemptLedger::WriteAccepted() { return accepted_.empty() ? Status() : Write(); }

Status AttemptLedger::Write() {
  // The end of an attempt alone may take the room that was kept for it.
  const bool only_ends =
      !staged_.empty() && std::ranges::all_of(staged_, [](const LedgerEntry& each) {
        return each.kind == LedgerEntry::Kind::kEnded;
      });
  const auto before = static_cast<ptrdiff_t>(only_ends ? 0 : accepted_.size());
  std::ranges::move(accepted_ | std::views::take(before), std::inserter(staged_, staged_.begin()));
  const size_t room_after =
      only_ends ? 0 : JournalFormat::StoredSize(2 * kLongestLedgerEntry, kLargestAnswer);
  const auto added = journal_->Append({SerializeLedgerEntries(staged_), answer_, room_after});
  if (!added) {
    std::ranges::move(staged_ | std::views::take(before), accepted_.begin());
    staged_.erase(staged_.begin(), staged_.begin() + before);
    return std::unexpected(added.error().Within("the ledger"));
  }
  accepted_.erase(accepted_.begin(), accepted_.begin() + before);
  newest_ = *added;
  Count(newest_);
  (void)TellWitness();
  approved_last_.clear();
  Take(staged_, newest_.number);
  for (const LedgerEntry& each : staged_) {
    if (each.kind == LedgerEntry::Kind::kBegun && each.approved) approved_last_.push_back(each.row);
  }
  Drop();
  if (only_ends) return {};
  if (approved_last_.empty()) {
    SetMarkSoon();
    return {};
  }
  approved_since_renewal_ = true;
  const Status marked = Mark();
  if (marked) return {};
  TakeBack();
  return std::unexpected(marked.error().Within(
      "nothing is sent before the vault knows of it, which cannot be written"));
}

void AttemptLedger::TakeBack() {
  for (LedgerRow& row : std::exchange(approved_last_, {})) {
    LedgerEntry entry;
    entry.kind = LedgerEntry::Kind::kEnded;
    row.ended_at = row.started_at;
    row.stage = SendStage::kNotSent;
    row.billed = Billed::kNo;
    row.rule = Name(OutcomeKind::kNotApproved);
    entry.outcome.kind = OutcomeKind::kNotApproved;
    entry.row = std::move(row);
    Stage(std::move(entry));
  }
  if (!has_staged()) return;
  // Where this fails, too, it counts as approved, and nothing is sent in its stead.
  if (Status written = Write(); !written) {
    LogWarning("an approval could not be taken back: {}", written.error().message);
    Drop();
  }
}

Bytes AttemptLedger::MarkValue() const {
  Bytes value = SerializePosition(newest_);
  AppendUint64(value, accepted());
  uint64_t open = calls_.open();
  for (const UnnamedCalls& each : unnamed_) open += each.open;
  AppendUint64(value, open);
  value.push_back(has_witness_ ? 1 : 0);
  return value;
}

void AttemptLedger::SetMarkSoon() {
  if (!begun_ || doubtful_) return;
  if (Status set = mark_->Set(MarkValue()); !set) return LogMarkError(set);
  anchor_ = newest_;
  is_mark_synced_ = false;
}

Status AttemptLedger::Mark() {
  if (!begun_ || doubtful_ || (newest_ == anchor_ && is_mark_synced_)) return {};
  Status set = SetMark();
  if (!set) LogMarkError(set);
  return set;
}

Status AttemptLedger::SetMark() {
  if (newest_ != anchor_ || !has_mark_) {
    if (Status set = mark_->Set(MarkValue()); !set) return set;
  }
  if (Status synced = mark_->Sync(); !synced) return synced;
  anchor_ = newest_;
  has_mark_ = true;
  is_mark_synced_ = true;
  if (!has_old_anchor_) return {};
  const Status removed = vault_.Remove(kOldAnchor);
  has_old_anchor_ = !removed && removed.error().code != ErrorCode::kNotFound;
  return has_old_anchor_ ? removed : Status();
}

Status AttemptLedger::Renew() {
  if (!begun_ || doubtful_) return {};
  if (Status marked = Mark(); !marked) return marked;
  if (Status renewed = mark_->Renew(); !renewed) return renewed;
  approved_since_renewal_ = false;
  return {};
}

Status AttemptLedger::DropOldAnswers() {
  return journal_->has_old_attachments() ? journal_->DropOldAttachments() : Status();
}

}  // namespace idkiosk
