#ifndef IDKIOSK_APP_QUEUE_STORAGE_ATTEMPT_LEDGER_H_
#define IDKIOSK_APP_QUEUE_STORAGE_ATTEMPT_LEDGER_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/journal/journal.h"
#include "app/queue/storage/attempt_index.h"
#include "app/queue/storage/call_index.h"
#include "app/queue/storage/end_index.h"
#include "app/queue/storage/ledger_entry.h"
#include "app/queue/storage/ledger_witness.h"
#include "platform/api/secure_storage.h"

namespace idkiosk {

// The ledger: every attempt that was approved or tried, and what became of it; every call that was
// accepted or ended; and what people decided about the queue. In a journal beside the queue's file,
// on which nothing that it says depends.
//
// One thread. Errors of every function: FileSystem's; kFailedPrecondition (written by a newer
// idkiosk).
class AttemptLedger {
 public:
  // SecureStorage::DeriveKey's, of the key that proves it.
  static constexpr std::string_view kKeyLabel = "journal/v1";
  // A sealed answer that is larger goes into the queue's file alone.
  static constexpr size_t kLargestAnswer = JournalFormat::kMaxAttachment;

  // `folder`: the queue's. All must outlive this. Touches no file.
  AttemptLedger(const std::string& folder, const Crypto& crypto, SecretBytes key, FileSystem& files,
                SecureStorage& vault);

  // kUnavailable: its newest file, or the vault's mark, was removed or replaced while it is open.
  [[nodiscard]] Status CheckInPlace() const {
    Status in_place = journal_ ? journal_->CheckInPlace() : Status();
    return in_place && mark_ ? mark_->CheckInPlace() : in_place;
  }

  // Reads and judges all of it. `database`: the newest record that the queue's file knows.
  [[nodiscard]] Status Load(const JournalPosition& database);
  // Takes over what another process has added since.
  [[nodiscard]] Status Refresh();

  [[nodiscard]] const JournalVerdict& verdict() const { return verdict_; }
  // Whether it was anything but genuine, and nobody has looked at that yet. Nothing is added before
  // somebody has.
  [[nodiscard]] bool doubtful() const { return doubtful_; }
  // What is gone with records that are lost or altered, by Load: the calls that the vault knows to
  // be accepted, but for those that the ledger names. Nothing: nothing is.
  [[nodiscard]] std::optional<UnnamedCalls> Missing() const;
  // Something else tells that this is not the newest ledger: nothing is added before somebody has
  // looked.
  void Doubt();
  // What a person was told of that, and has not ended.
  [[nodiscard]] const std::vector<UnnamedCalls>& unnamed() const { return unnamed_; }
  // When a person looked last, by the newest time that is told there.
  [[nodiscard]] WallTime looked_at() const { return looked_at_by_.value_or(newest_time_); }
  // Whether Load found a witness: then a ledger that is not doubtful is no older copy.
  [[nodiscard]] bool is_witnessed() const { return witnessed_.number > 0; }
  // Whether Load found no record at all.
  [[nodiscard]] bool is_new() const { return reading_.newest.number == 0; }
  [[nodiscard]] const JournalPosition& newest() const { return newest_; }
  [[nodiscard]] const AttemptIndex& attempts() const { return attempts_; }
  [[nodiscard]] AttemptIndex& attempts() { return attempts_; }
  [[nodiscard]] const CallIndex& calls() const { return calls_; }
  // The ends of calls, read at the first question: only who hands results over asks. Lives as long
  // as this.
  [[nodiscard]] Result<const EndIndex*> Ends();
  // The oldest first.
  [[nodiscard]] const std::vector<LedgerDecision>& decisions() const { return decisions_; }
  // The highest number of the older idkiosk's table that was taken over.
  [[nodiscard]] int64_t taken_over() const { return taken_over_; }

  // Whether there is anything that the queue's file did not know when Load was called.
  [[nodiscard]] bool has_news() const { return newest_.number > database_.number; }
  // Whether it is among that that this call ended.
  [[nodiscard]] bool IsNews(const CallIndex::End& end) const {
    return end.record > database_.number;
  }
  // The proven records behind that number, `limit` of them, the oldest first.
  [[nodiscard]] Result<std::vector<LedgerRecord>> Records(uint64_t number, size_t limit) const;
  using Each = std::function<Status(const LedgerEntry& entry, ByteSpan answer)>;
  // Hands out what the queue's file did not know when Load was called, the oldest first, and what
  // was added since.
  [[nodiscard]] Status Replay(const Each& each) const;

  // What is put down of it that a person has looked at what was doubtful.
  struct Look {
    uint64_t number = 0;  // drawn by chance; the keys have it that begin behind the look
    std::optional<UnnamedCalls> unnamed;
    std::vector<LedgerEntry> doubts;
  };
  // Makes it ready for additions, after Load; with a look it goes on from what is proven.
  [[nodiscard]] Status Begin(const std::optional<Look>& look);

  // The number of the last look; 0: there was none, or an earlier idkiosk drew none.
  [[nodiscard]] uint64_t last_look() const { return last_look_; }
  // Whether records that are lost may have told of a call that was accepted then, and sealed by a
  // key that began behind that look: a person accepted the ledger without them since. No clock
  // decides that, but where an earlier idkiosk's look has no number.
  [[nodiscard]] bool MayLack(uint64_t look, WallTime accepted_at) const {
    if (looked_at_ == 0) return false;
    if (last_look_ != 0) return look != last_look_;
    return !looked_at_by_ || accepted_at <= *looked_at_by_;
  }
  // Puts an entry down, to be added by Write.
  void Stage(LedgerEntry entry) { staged_.push_back(std::move(entry)); }
  // The sealed answer of the end that was staged last; false: too large.
  [[nodiscard]] bool Attach(ByteSpan answer);
  // Whether such an entry about this call is among what is staged.
  [[nodiscard]] bool IsStaged(LedgerEntry::Kind kind, const CallReference& reference) const;
  [[nodiscard]] bool has_staged() const { return !staged_.empty(); }
  [[nodiscard]] size_t staged() const { return staged_.size(); }
  void Drop();
  // A call was accepted, and its copy is on the disk. The vault is told at once, by the number of
  // calls, without waiting for the disk; the ledger with the next record, or by WriteAccepted. An
  // error means that it is not in the ledger yet.
  [[nodiscard]] Status NoteAccepted(LedgerEntry entry);
  // Adds those that it lacks.
  [[nodiscard]] Status WriteAccepted();

  // Adds what is staged, as one synced record, and tells the vault of it: but for the end of an
  // attempt, which an older copy makes unknown and not unsent. The vault knows of an approval even
  // after a power cut. After an error nothing was added, or was taken back: what the vault could
  // not be told of is not approved. Keeps room for the end of what is approved.
  [[nodiscard]] Status Write();
  // Says of the attempts that the last Write approved that no request left.
  void TakeBack();

  // Tells the vault the newest place, so that it survives a power cut. Does nothing before Begin.
  // Errors also: SecureStorage's; they are in the log by then.
  Status Mark();

  // Makes what the vault knows of the ledger worthless as it was before, so that a copy of
  // everything from before this is told from the present state (SecureMark::Renew). Errors also:
  // SecureStorage's.
  [[nodiscard]] Status Renew();
  // Whether anything was approved since the mark was renewed.
  [[nodiscard]] bool is_renewal_useful() const { return approved_since_renewal_; }

  // Rewrites the files that are full without answers, which the queue's file has by then.
  [[nodiscard]] Status DropOldAnswers();

 private:
  // Calls, also those that it lost and that nobody can name: where it is lost once more, the vault
  // still knows of them.
  [[nodiscard]] uint64_t accepted() const { return calls_.size() + unnamed_ever_; }
  [[nodiscard]] std::unique_ptr<Journal> MakeJournal() const;
  [[nodiscard]] Status LoadAnchor();
  // Whether what was remembered elsewhere is gone: nobody can say then that this is the newest.
  [[nodiscard]] bool LacksMark() const;
  [[nodiscard]] bool LacksWitness() const { return has_witness_at_load_ && !is_witnessed(); }
  // The newest place that the vault knows, or the witness knew at Load.
  [[nodiscard]] const JournalPosition& NewestKnown() const;
  // Tells the witness of the newest record. Errors are in the log, too.
  Status TellWitness();
  // Errors also: SecureStorage's.
  [[nodiscard]] Status SetMark();
  // The same without waiting for the disk. Errors are in the log.
  void SetMarkSoon();
  [[nodiscard]] JournalVerdict VerdictOn(const JournalReading& reading) const;
  void GoOn();
  void Take(const JournalRecord& record);
  void Count(const JournalPosition& record);
  // The entries of a record, in their order.
  void Take(const std::vector<LedgerEntry>& entries, uint64_t record);
  void Take(const LedgerEntry& entry, uint64_t record);
  // When something was written down.
  void TakeTime(WallTime at);
  // The mark: the newest place, then the numbers of MarkedCalls, 8 bytes each, and a byte: 1 there
  // is a witness. Earlier idkiosks left the last, or both, out.
  [[nodiscard]] Bytes MarkValue() const;

  const std::string folder_;
  const Crypto& crypto_;
  const SecretBytes key_;
  FileSystem& files_;
  SecureStorage& vault_;
  std::unique_ptr<Journal> journal_;
  JournalReading reading_;
  JournalPosition newest_;
  JournalPosition database_;
  JournalPosition anchor_;
  LedgerWitness witness_;
  JournalPosition witnessed_;   // by Load
  uint64_t known_at_load_ = 0;  // the newest record that the vault or the witness knew then
  bool has_witness_ = false;    // as the mark says
  bool has_witness_at_load_ = false;
  bool warned_of_witness_ = false;
  std::unique_ptr<SecureMark> mark_;
  // How many calls there were when the vault was told last, and how many had not ended.
  struct MarkedCalls {
    uint64_t accepted = 0;
    uint64_t open = 0;
  };
  std::optional<MarkedCalls> marked_;  // by Load
  bool has_mark_ = false;
  bool is_mark_synced_ = true;
  bool has_old_anchor_ = false;
  bool begun_ = false;
  bool approved_since_renewal_ = false;
  JournalVerdict verdict_;
  bool doubtful_ = false;
  uint64_t looked_at_ = 0;  // the record that says so
  uint64_t last_look_ = 0;
  WallTime newest_time_;
  std::optional<WallTime> looked_at_by_;  // the first time that is told in or behind it
  uint64_t proven_when_looked_ = 0;
  uint64_t proven_before_looked_ = 0;  // as read
  uint64_t proven_ = 0;
  uint64_t digest_when_looked_ = 0;  // the same of what stands for them
  uint64_t digest_before_looked_ = 0;
  uint64_t digest_ = 0;
  int64_t taken_over_ = 0;
  std::optional<Error> unreadable_;
  AttemptIndex attempts_;
  CallIndex calls_;
  std::optional<EndIndex> ends_;  // nothing before the first question
  std::vector<LedgerDecision> decisions_;
  std::vector<UnnamedCalls> unnamed_;
  uint64_t unnamed_ever_ = 0;          // calls, also those that a person has ended
  std::vector<LedgerEntry> accepted_;  // not in the journal yet; what is staged comes behind them
  std::vector<LedgerEntry> staged_;
  Bytes answer_;
  std::vector<LedgerRow> approved_last_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_ATTEMPT_LEDGER_H_
