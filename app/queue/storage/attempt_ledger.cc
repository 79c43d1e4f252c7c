#include "app/queue/storage/attempt_ledger.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/queue/brake.h"
#include "app/queue/queue_clock.h"
#include "platform/base/log.h"

// A place is stored as its number (8 bytes, big endian) and its MAC (32). In the vault, under
// "ledger.anchor", the day of the last writing follows (8, since 1970 in UTC).

namespace idkiosk {
namespace {

constexpr std::string_view kAnchorName = "ledger.anchor";
constexpr Duration kAnchoredEvery = std::chrono::minutes(1);
constexpr size_t kPositionSize = 8 + Crypto::Digest().size();

int64_t DayOf(WallTime wall) {
  return std::chrono::floor<std::chrono::days>(wall.time_since_epoch()).count();
}

}  // namespace

Bytes SerializePosition(const JournalPosition& position) {
  Bytes bytes;
  AppendUint64(bytes, position.number);
  bytes.insert(bytes.end(), position.mac.begin(), position.mac.end());
  return bytes;
}

Result<JournalPosition> ParsePosition(ByteSpan bytes) {
  JournalPosition position;
  if (bytes.size() < kPositionSize)
    return Fail(ErrorCode::kCorrupt, "a place of the ledger is cut short");
  position.number = ReadUint64(bytes.first<8>());
  std::ranges::copy(bytes.subspan(8, position.mac.size()), position.mac.begin());
  return position;
}

AttemptLedger::AttemptLedger(const std::string& folder, const Crypto& crypto, SecretBytes key,
                             FileSystem& files, SecureStorage& vault)
    : folder_(folder), crypto_(crypto), key_(std::move(key)), files_(files), vault_(vault) {}

std::unique_ptr<Journal> AttemptLedger::MakeJournal() const {
  return std::make_unique<Journal>(Journal::Options{.folder = folder_, .label = "ledger"}, crypto_,
                                   key_, files_);
}

Status AttemptLedger::LoadAnchor() {
  const auto stored = vault_.Get(kAnchorName);
  if (!stored) {
    return stored.error().code == ErrorCode::kNotFound ? Status() : std::unexpected(stored.error());
  }
  const auto position = ParsePosition(stored->view());
  if (!position || stored->size() < kPositionSize + 8) return {};
  anchor_ = *position;
  anchored_day_ =
      static_cast<int64_t>(ReadUint64(stored->view().subspan(kPositionSize).first<8>()));
  return {};
}

Status AttemptLedger::Load(const JournalPosition& database) {
  if (Status loaded = LoadAnchor(); !loaded) return loaded;
  journal_ = MakeJournal();
  database_ = database;
  const std::array known = {database, anchor_};
  auto reading = journal_->Read(1, known, [this](const JournalRecord& record) { Take(record); });
  if (!reading) return std::unexpected(reading.error());
  if (unreadable_) return std::unexpected(*unreadable_);
  reading_ = *reading;
  newest_ = reading->newest;
  verdict_ = Judge(reading_, database_, anchor_);
  // Damage that a person has looked at already holds nothing up; what came after it does.
  JournalReading unseen = reading_;
  const bool seen =
      reading_.altered_last <= looked_at_ && proven_before_looked_ == proven_when_looked_;
  if (seen) unseen.altered.reset();
  doubtful_ = Judge(unseen, database_, anchor_).state != JournalState::kGenuine;
  return {};
}

Status AttemptLedger::Refresh() {
  const auto journal = MakeJournal();
  const auto reading = journal->Read(newest_.number + 1, {}, [this](const JournalRecord& record) {
    if (record.position.number > newest_.number) Take(record);
  });
  if (!reading) return std::unexpected(reading.error());
  if (unreadable_) return std::unexpected(*unreadable_);
  return {};
}

void AttemptLedger::Take(const JournalRecord& record) {
  const auto entries = ParseLedgerEntries(record.body);
  if (!entries) {
    unreadable_ = entries.error();
    return;
  }
  for (const LedgerEntry& each : *entries) {
    if (each.kind == LedgerEntry::Kind::kLookedAt) {
      looked_at_ = record.position.number;
      proven_when_looked_ = each.proven;
      proven_before_looked_ = proven_;
    }
    Take(each, record.position.number);
  }
  ++proven_;
  newest_ = record.position;
}

void AttemptLedger::Take(const LedgerEntry& entry, uint64_t record) {
  switch (entry.kind) {
    case LedgerEntry::Kind::kBegun:
      return attempts_.Add(entry.row);
    case LedgerEntry::Kind::kEnded:
      // One in doubt keeps what it asked, and may be asked again.
      if (entry.outcome.disposition == Disposition::kDone && !IsDoubtful(entry.outcome)) {
        calls_.Close(entry.row.reference, {CallState::kDone, entry.outcome.verdict, record});
      }
      return attempts_.End(entry.row);
    case LedgerEntry::Kind::kTakenOver:
      taken_over_ = std::max(taken_over_, entry.row.id);
      return attempts_.Add(entry.row);
    case LedgerEntry::Kind::kLookedAt:
      return;
    case LedgerEntry::Kind::kAccepted:
      return calls_.Accept(entry.row.reference);
    case LedgerEntry::Kind::kClosed:
      calls_.Close(entry.row.reference, {entry.state, entry.verdict, record});
      if (entry.what == kDiscarded) {
        decisions_.push_back({entry.row.ended_at.value_or(WallTime()), entry.by,
                              fmt::format("the call {} was discarded", entry.row.reference)});
      }
      return;
    case LedgerEntry::Kind::kDecided:
      decisions_.push_back({entry.row.ended_at.value_or(WallTime()), entry.by, entry.what});
      return;
  }
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

Status AttemptLedger::Begin(bool looked_at) {
  const bool keep_tail = looked_at && (reading_.unproven_tail || reading_.shortened);
  if (Status resumed = journal_->Resume(reading_, keep_tail); !resumed) return resumed;
  if (!looked_at) return {};
  LedgerEntry entry;
  entry.kind = LedgerEntry::Kind::kLookedAt;
  entry.proven = proven_;
  Stage(std::move(entry));
  if (Status written = Write(); !written) {
    Drop();
    return written;
  }
  doubtful_ = false;
  if (!reading_.altered) verdict_ = {};
  return {};
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

Status AttemptLedger::Write(bool synced) {
  // The end of an attempt alone may take the room that was kept for it.
  const bool only_ends = std::ranges::all_of(
      staged_, [](const LedgerEntry& each) { return each.kind == LedgerEntry::Kind::kEnded; });
  const size_t room_after =
      only_ends ? 0 : JournalFormat::StoredSize(2 * kLongestLedgerEntry, kLargestAnswer);
  const auto added =
      journal_->Append({SerializeLedgerEntries(staged_), answer_, room_after, synced});
  if (!added) return std::unexpected(added.error().Within("the ledger"));
  newest_ = *added;
  ++proven_;
  approved_last_.clear();
  for (const LedgerEntry& each : staged_) {
    Take(each, newest_.number);
    if (each.kind == LedgerEntry::Kind::kBegun && each.approved) approved_last_.push_back(each.row);
  }
  Drop();
  return {};
}

void AttemptLedger::TakeBack() {
  for (LedgerRow& row : std::exchange(approved_last_, {})) {
    LedgerEntry entry;
    entry.kind = LedgerEntry::Kind::kEnded;
    row.ended_at = row.started_at;
    row.stage = SendStage::kNotSent;
    row.billed = Billed::kNo;
    row.reason = Name(OutcomeKind::kNotApproved);
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

Status AttemptLedger::Anchor(bool now, int64_t board_at, WallTime wall) {
  if (newest_.number == 0 || doubtful_) return {};
  const int64_t day = DayOf(wall);
  const bool is_due = now || !anchored_at_ || day != anchored_day_ ||
                      board_at >= *anchored_at_ + ToMilliseconds(kAnchoredEvery);
  if (!is_due) return {};
  if (newest_ != anchor_ || day != anchored_day_) {
    if (Status synced = journal_->Sync(); !synced) return synced;
    Bytes bytes = SerializePosition(newest_);
    AppendUint64(bytes, static_cast<uint64_t>(day));
    if (Status put = vault_.Put(kAnchorName, SecretBytes::CopyOf(AsText(bytes))); !put) return put;
  }
  anchor_ = newest_;
  anchored_day_ = day;
  anchored_at_ = board_at;
  return {};
}

Status AttemptLedger::DropOldAnswers() {
  return journal_->has_old_attachments() ? journal_->DropOldAttachments() : Status();
}

}  // namespace idkiosk
