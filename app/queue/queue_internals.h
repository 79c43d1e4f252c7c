#ifndef IDKIOSK_APP_QUEUE_QUEUE_INTERNALS_H_
#define IDKIOSK_APP_QUEUE_QUEUE_INTERNALS_H_

#include <functional>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "app/queue/durable_queue.h"
#include "app/queue/made_for.h"
#include "app/queue/mend_marks.h"
#include "app/queue/policy/breaker.h"
#include "app/queue/policy/queue_clock.h"
#include "app/queue/policy/retry_policy.h"
#include "app/queue/policy/spend_guard.h"
#include "app/queue/repair/replayed.h"
#include "app/queue/storage/attempt_ledger.h"
#include "app/queue/storage/call_copies.h"
#include "app/queue/storage/call_store.h"
#include "app/queue/storage/decision_notes.h"
#include "app/queue/storage/epoch_keys.h"
#include "app/queue/storage/payload_seal.h"
#include "app/queue/storage/queue_file.h"
#include "app/queue/storage/queue_state_store.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// So many entries surely fit into one record, and so many calls into one commit.
inline constexpr size_t kEntriesAtOnce = 40;
// A program that asks again within this finds its call, and no other is made.
inline constexpr Duration kRequestIsKnown = std::chrono::hours(24);

// The state of a DurableQueue, and the functions that its public ones share.
class DurableQueue::Internals {
 public:
  Mutex mutex;

  // --- Opening, commits, keys and time: durable_queue.cc ---

  Internals(Options the_options, const ServiceProfile& the_profile, const Clock& clock,
            const Crypto& the_crypto, Entropy& the_entropy, SecureStorage& the_storage,
            FileSystem& the_files, QueueKeys the_keys, QueueFile the_file,
            std::unique_ptr<FileLock> the_lock);
  // Opens the queue's file, on a full disk in the reserve's place. Errors: OpenQueueFile's;
  // FileSystem's.
  [[nodiscard]] static Result<QueueFile> OpenFile(const Options& options, FileSystem& files,
                                                  const Clock& clock);
  // Takes over what earlier processes left. Before anything else.
  [[nodiscard]] Status Begin() REQUIRES(mutex);
  using Change = std::function<Status()>;
  enum class Durability {
    kSynced,    // it survives a power cut once Commit returns
    kByLedger,  // what it puts into the ledger or among the copies does, and brings the rest back
  };
  // Runs `change` in a transaction and commits it. What it stages is written to the ledger first.
  [[nodiscard]] Status Commit(const Change& change, Durability durability = Durability::kSynced)
      REQUIRES(mutex);
  // The same as Commit for what must not be lost: gives the reserve away if the disk is full.
  [[nodiscard]] Status CommitWithReserve(const Change& change) REQUIRES(mutex);
  // Whether the file alone, and also ledger and mark, are those that this process has left. Errors:
  // kUnavailable (others are in their place: a start takes what they lack from the ledger).
  [[nodiscard]] Status CheckOwnFile() REQUIRES(mutex);
  [[nodiscard]] Status CheckInPlace() REQUIRES(mutex);
  [[nodiscard]] Status CountUp(std::string_view name) REQUIRES(mutex);
  [[nodiscard]] Status CheckKeys() REQUIRES(mutex);
  // Returns a sentence for each epoch whose key is gone while calls under it are kept.
  [[nodiscard]] Result<std::vector<std::string>> MissingKeys() REQUIRES(mutex);
  [[nodiscard]] Status Recover() REQUIRES(mutex);
  // What the file has on its way, and the ledger does not any more, is unknown.
  [[nodiscard]] Status EndInterrupted() REQUIRES(mutex);
  [[nodiscard]] Status DropGrantsOfOtherPrices() REQUIRES(mutex);
  // Goes on with the queue's time where the last run stopped.
  [[nodiscard]] Status BeginTime() REQUIRES(mutex);
  // Within a transaction: stores it, at most once a minute unless `now`.
  [[nodiscard]] Status KeepTime(bool now) REQUIRES(mutex);
  [[nodiscard]] bool TimeIsOld() const REQUIRES(mutex);
  // Looks at the wall clock. Once it is trusted, calls accepted without it get their time.
  [[nodiscard]] Status SettleClock() REQUIRES(mutex);

  // --- Room on the disk: room.cc ---

  static constexpr const char* kReserveName = "/queue.reserve";
  [[nodiscard]] Status KeepReserve() REQUIRES(mutex);
  [[nodiscard]] bool GiveReserveAway() REQUIRES(mutex);
  // Whether the reserve is there, made anew if it can be: without it nothing is approved.
  [[nodiscard]] bool HasRoomForAnswer() REQUIRES(mutex);
  [[nodiscard]] Status CheckRoom() REQUIRES(mutex);

  // --- Accepting a call: accept.cc ---

  [[nodiscard]] Result<CallReference> DrawReference() REQUIRES(mutex);
  [[nodiscard]] std::optional<Obstacle> FindObstacle(const VerificationCall& question,
                                                     bool confirmed) REQUIRES(mutex);
  [[nodiscard]] Result<CallReference> Keep(const VerificationCall& call,
                                           const AcceptOptions& accept) REQUIRES(mutex);
  // Erases the copies of calls that were refused, and may not come back. While one stays, no other
  // is kept: whoever asks again would pay for both.
  [[nodiscard]] Status WithdrawRefused() REQUIRES(mutex);

  // --- What was asked before: same_question.cc ---

  [[nodiscard]] Result<std::optional<CallSummary>> FindDuplicate(const VerificationCall& call,
                                                                 const std::vector<Hold>& holds)
      REQUIRES(mutex);
  [[nodiscard]] static SecretBytes SerializeWhoIsAsked(const VerificationCall& call);
  // Tells whether two calls of one epoch ask the same about the same person. Once the epoch's key
  // has left the vault, nobody can find out about whom by trying all numbers.
  [[nodiscard]] Bytes QuestionMac(const VerificationCall& call, uint32_t epoch) REQUIRES(mutex);
  // Errors of both: kUnavailable (a copy that waits for another start, or what is lost, may be it).
  [[nodiscard]] Status RequireNothingUnnamed() REQUIRES(mutex);
  [[nodiscard]] Status RequireNotWaiting(const std::vector<Bytes>& questions, ByteSpan request_key)
      REQUIRES(mutex);
  [[nodiscard]] Result<std::optional<int64_t>> FindQuestion(const VerificationCall& call)
      REQUIRES(mutex);
  [[nodiscard]] bool IsWithin(Duration window, const CallRow& row) const REQUIRES(mutex);
  // Finds a request again: what stands for its key, and behind it, by the key of an epoch, what
  // stands for its body. Empty: it has no key.
  [[nodiscard]] Bytes RequestKeyMac(const ClientRequest& request) const REQUIRES(mutex);
  [[nodiscard]] Bytes RequestMac(const ClientRequest& request, uint32_t epoch) REQUIRES(mutex);

  // --- Whom a call asks about: who_is_asked.cc ---

  // The question alone, without its pictures. Errors also: kNotFound (it is erased).
  [[nodiscard]] Result<VerificationCall> OpenQuestion(const CallRow& row) REQUIRES(mutex);
  // The rows that ask the same as `row`, itself included: of an earlier idkiosk's none, and where
  // its question is erased those of its own day. `question`: of it; nothing: erased.
  [[nodiscard]] Result<std::vector<CallRow>> AskingTheSame(const CallRow& row,
                                                           const VerificationCall* question)
      REQUIRES(mutex);
  [[nodiscard]] Result<AskedCall> WhomItAsks(const CallRow& row, const std::vector<Hold>& holds)
      REQUIRES(mutex);

  // --- Whose calls these are: made_for.cc ---

  // Reads the vault again: `in_force`, and the hold where its credentials belong to another address
  // than this process uses, or where it cannot be read.
  [[nodiscard]] Status LookAtService() REQUIRES(mutex);
  // The same at the start. Once, in a queue of an earlier program: its calls were made for the
  // service in force now.
  [[nodiscard]] Status BeginService() REQUIRES(mutex);
  // `stored`: made_for of a row, or of a copy. Returns the text that stands for it.
  [[nodiscard]] std::string_view MadeForOf(std::string_view stored) const REQUIRES(mutex);
  [[nodiscard]] bool IsForUs(std::string_view stored) const REQUIRES(mutex);
  [[nodiscard]] CallStore::MaySend MaySend() const REQUIRES(mutex);
  // Nothing: it was made for the service in force.
  [[nodiscard]] std::optional<Hold> AddressHold(const CallRow& row) const REQUIRES(mutex);
  // Adds the pending calls of this endpoint that were made for another service.
  [[nodiscard]] Status CountOthers(bool count_held, Endpoint endpoint, QueueStats& stats)
      REQUIRES(mutex);

  // --- Which call is sent next: claim.cc ---

  struct Candidate {
    std::optional<int64_t> id;          // may be sent now
    std::optional<int64_t> look_again;  // when one may be, if none may now
    std::optional<Hold> hold;           // what covers the call that was asked for
  };
  [[nodiscard]] Result<VerificationCall> OpenCall(const CallRow& row) REQUIRES(mutex);
  [[nodiscard]] Result<DeliveryPace> Pace() REQUIRES(mutex);
  [[nodiscard]] Status SetPace(const DeliveryPace& pace) REQUIRES(mutex);
  // Errors: kFailedPrecondition.
  [[nodiscard]] Status RequireDelivery() const;
  [[nodiscard]] Result<Candidate> Choose(const std::vector<Hold>& holds, bool at_once)
      REQUIRES(mutex);
  [[nodiscard]] Result<Candidate> ChooseOnly(const CallReference& reference,
                                             const std::vector<Hold>& holds, bool at_once)
      REQUIRES(mutex);
  // Does what the chosen call needs before it is sent. Returns whether to choose another then.
  [[nodiscard]] Result<bool> MendBeforeSending(CallRow& row) REQUIRES(mutex);
  // Keeps a call that does not open aside. Errors: `why`, where that is no damage of this call.
  [[nodiscard]] Status PutAside(const CallRow& row, const Error& why) REQUIRES(mutex);
  [[nodiscard]] Result<Idle> WaitForNext(Candidate candidate) REQUIRES(mutex);
  [[nodiscard]] Status WakeUnknown() REQUIRES(mutex);
  // A pending call has had as many billed attempts as it may have: a person decides.
  [[nodiscard]] Status AskAboutResend(const CallRow& row) REQUIRES(mutex);
  // When a pending call may be sent: queue time in milliseconds. `person_waits`: its first try
  // waits for no outage.
  [[nodiscard]] int64_t EarliestOf(const CallStore::Due& due, const DeliveryPace& pace,
                                   bool person_waits, bool at_once) const REQUIRES(mutex);
  [[nodiscard]] bool MayHurry(int64_t id, int64_t due_at, bool at_once) const REQUIRES(mutex);
  [[nodiscard]] Status WaitForMend(CallRow row, const Error& why) REQUIRES(mutex);
  // The call is brought back from its copy. Without one the row is kept until it would be too old,
  // as it is, and never sent.
  [[nodiscard]] Status Quarantine(int64_t id) REQUIRES(mutex);
  [[nodiscard]] Idle Wait(std::optional<int64_t> until, std::optional<Hold> hold) const
      REQUIRES(mutex);
  [[nodiscard]] Claimed ClaimedOf(const CallRow& row, VerificationCall call) REQUIRES(mutex);

  // --- An attempt and what came of it: record.cc ---

  // A pending call goes before the others, once, whatever backoff is under way.
  void Hurry(CallRow& row) REQUIRES(mutex);
  [[nodiscard]] bool IsHurried(int64_t id) const REQUIRES(mutex);
  void ForgetHaste(int64_t id) REQUIRES(mutex);
  void NoteAttempt(const CallReference& reference, int number) REQUIRES(mutex);
  // Within a transaction: an attempt is on its way. Errors: kFailedPrecondition, and then nothing
  // was changed. `holds`: as this transaction found them.
  [[nodiscard]] Status Approve(CallRow& row, const std::string& attempt_id,
                               const std::vector<Hold>& holds) REQUIRES(mutex);
  [[nodiscard]] Result<std::optional<Claimed>> ApproveNext() REQUIRES(mutex);
  // Within a transaction. `begun`: whether the attempt had been approved.
  [[nodiscard]] Status ApplyTo(const CallReference& reference, const Outcome& outcome,
                               ByteSpan answer, bool& begun) REQUIRES(mutex);
  // `ended_at`: when the attempt did, and perhaps its call.
  [[nodiscard]] Status Apply(CallRow& row, const Outcome& outcome, const SealedAnswer& answer,
                             WallTime ended_at) REQUIRES(mutex);
  [[nodiscard]] Status ApplyDone(CallRow& row, const Outcome& outcome, const SealedAnswer& answer,
                                 WallTime ended_at) REQUIRES(mutex);
  [[nodiscard]] Status CountUnauthorized(const Outcome& outcome) REQUIRES(mutex);
  [[nodiscard]] Status ApplyHold(const CallRow& row, const Outcome& outcome) REQUIRES(mutex);
  [[nodiscard]] Status ApplyPace(CallRow& row, const Outcome& outcome) REQUIRES(mutex);
  // Stages what became of the attempt, and the attempt itself if it was never approved.
  void RecordAttempt(CallRow& row, const Outcome& outcome, WallTime ended_at) REQUIRES(mutex);
  [[nodiscard]] Result<CallRow> LoadOnItsWay(const CallReference& reference) REQUIRES(mutex);
  [[nodiscard]] Status EndBesideFile(const CallReference& reference, const Outcome& outcome,
                                     ByteSpan answer) REQUIRES(mutex);
  [[nodiscard]] Status EndInLedger(const CallReference& reference, const Outcome& outcome)
      REQUIRES(mutex);
  // Within a transaction: what an attempt says about the service, for all calls: breaker, pace,
  // logins. `row`: its call, which waits for as long as that asks.
  [[nodiscard]] Status Heed(CallRow& row, const Outcome& outcome) REQUIRES(mutex);
  void StageEnd(const LedgerRow& attempt, const Outcome& outcome, WallTime at) REQUIRES(mutex);
  [[nodiscard]] LedgerEntry NextAttempt(CallRow& row, bool approved) REQUIRES(mutex);

  // --- Answers: answers.cc ---

  [[nodiscard]] static Durability DurabilityOf(ByteSpan answer);
  [[nodiscard]] Status DropAnswer(CallRow& row) REQUIRES(mutex);
  [[nodiscard]] SealedAnswer SealAnswer(const CallRow& row, ByteSpan answer) REQUIRES(mutex);
  [[nodiscard]] Status KeepAnswer(CallRow& row, const Outcome& outcome, const SealedAnswer& answer)
      REQUIRES(mutex);
  // One that the ledger does not take; LongAnswerOf: empty where it is of another attempt.
  void KeepLongAnswer(const CallReference& reference, ByteSpan answer) REQUIRES(mutex);
  [[nodiscard]] Result<SealedAnswer> LongAnswerOf(const CallRow& row, int number) REQUIRES(mutex);

  // --- Holds and the breaker: hold.cc ---

  // Within a transaction: what the attempt says about its endpoint, which is held where it cost and
  // verified nothing too often. `outage`: the service was away before.
  [[nodiscard]] Status PullBrake(const CallRow& row, const Outcome& outcome, bool outage)
      REQUIRES(mutex);
  // Within a transaction: the service has just shown that calls which ended in doubt ended rightly.
  [[nodiscard]] Status EraseDoubtful(Endpoint endpoint) REQUIRES(mutex);
  [[nodiscard]] Status PutHold(const Hold& hold) REQUIRES(mutex);
  // Within a transaction: lifts it; one call of each endpoint that it held goes first.
  [[nodiscard]] Status Lift(const Hold& hold) REQUIRES(mutex);
  // The same for all that hold calls of this endpoint. Returns whether anything was.
  [[nodiscard]] Result<bool> LiftFor(Endpoint endpoint) REQUIRES(mutex);
  // Whether a hold for the credentials was lifted since the last time that this was asked for an
  // endpoint that needs a login. Not within a transaction.
  [[nodiscard]] Result<bool> TakeLoginAgain(Endpoint endpoint) REQUIRES(mutex);
  // Within a transaction: lifts what a changed address, profile or credential has mended. Calls
  // that ended in doubt at an address that was changed since become unknown.
  [[nodiscard]] Status LiftMended() REQUIRES(mutex);
  [[nodiscard]] Status DoubtAnew(Endpoint endpoint) REQUIRES(mutex);
  // Within a transaction: where the path to this endpoint is another than at the last start, at the
  // same origin, one of the calls that wait goes first. Returns whether it is.
  [[nodiscard]] Result<bool> TryNewPath(Endpoint endpoint) REQUIRES(mutex);
  [[nodiscard]] Status TryNewPaths(std::string& said) REQUIRES(mutex);
  [[nodiscard]] Result<BreakerState> BreakerOf(Endpoint endpoint) REQUIRES(mutex);
  [[nodiscard]] Status KeepBreaker(Endpoint endpoint, const BreakerState& kept) REQUIRES(mutex);

  // --- What people see and decide: review.cc ---

  // What a person decides about one call, in one transaction. Errors also: kCorrupt.
  [[nodiscard]] Status Decide(const CallReference& reference,
                              const std::function<Status(CallRow& row)>& decide) REQUIRES(mutex);
  [[nodiscard]] Error WhyMissing(const CallReference& reference, const Error& missing)
      REQUIRES(mutex);
  [[nodiscard]] Result<SecretBytes> OpenAnswer(const CallRow& row) REQUIRES(mutex);
  // The key too, unless an answer stays.
  [[nodiscard]] Status ErasePayload(CallRow& row) REQUIRES(mutex);
  [[nodiscard]] Status EraseAll(CallRow& row) REQUIRES(mutex);
  [[nodiscard]] Result<std::vector<Hold>> Holds() REQUIRES(mutex);
  [[nodiscard]] static std::optional<Hold> Covering(const std::vector<Hold>& holds,
                                                    Endpoint endpoint);
  [[nodiscard]] CallSummary Summarize(const CallRow& row, const std::vector<Hold>& holds)
      REQUIRES(mutex);
  [[nodiscard]] Result<CallRow> LoadGenuine(const CallReference& reference) REQUIRES(mutex);
  // Whether a person may have it sent again. Errors: kFailedPrecondition.
  [[nodiscard]] static Status MayRetry(const CallRow& row, int seen);
  [[nodiscard]] Status Resend(CallRow& row, int seen) REQUIRES(mutex);

  // --- What the service's operator says of an attempt: settle.cc ---

  // Errors: kNotFound; kFailedPrecondition (it is not in doubt).
  [[nodiscard]] Result<LedgerRow> FindInDoubt(const CallReference& reference, int attempt) const
      REQUIRES(mutex);
  // One attempt is in doubt no more. `row`: its call, which ends by this where it had not ended, or
  // nullptr where that is kept no more.
  [[nodiscard]] Status Settle(CallRow* row, const LedgerRow& attempt, Settlement settlement)
      REQUIRES(mutex);
  [[nodiscard]] Status SettleUnsent(CallRow& row, const LedgerRow& attempt) REQUIRES(mutex);
  // Whether the call's last attempt is `told`, or was told of before.
  [[nodiscard]] bool IsToldOfLast(const CallRow& row, const LedgerRow& told) const REQUIRES(mutex);
  [[nodiscard]] bool WasEndedByTelling(const CallRow& row) const REQUIRES(mutex);

  // --- Erasing what is kept of a person: erase_person.cc ---

  [[nodiscard]] static PersonNumbers PersonIn(VerificationCall question);
  // Adds to `found` those whose kept answers hold one of these numbers.
  [[nodiscard]] Status FindAnswersAbout(const PersonNumbers& person, std::set<int64_t>& found)
      REQUIRES(mutex);
  // Within a transaction: what is kept of its person, on request. Where the call waits, it ends.
  [[nodiscard]] Status EraseOf(CallRow& row) REQUIRES(mutex);
  static void ForgetQuestion(CallRow& row);

  // --- Questions kept behind answers: ends.cc ---

  // Puts the sealed question into the queue's file, where it is not there yet.
  void KeepQuestion(const CallRow& row) REQUIRES(mutex);
  // What Options::keep_number has kept of a question behind its answer. Errors also: kNotFound.
  [[nodiscard]] Result<VerificationCall> OpenKeptQuestion(const CallRow& row) REQUIRES(mutex);

  // --- What time does: ages and epochs: retention.cc ---

  // The end of a call: when its answer and its row go. One whose payload stays is as old as one
  // that waits.
  void End(CallRow& row, CallState state, WallTime at) REQUIRES(mutex);
  void KeepForRetention(CallRow& row) REQUIRES(mutex);
  // Its time is up: ends it, erases what is sealed, or removes it.
  [[nodiscard]] Status Age(CallRow& row) REQUIRES(mutex);
  [[nodiscard]] Status AgeOpen(CallRow& row) REQUIRES(mutex);
  [[nodiscard]] Result<int> AgeAll() REQUIRES(mutex);
  [[nodiscard]] bool IsTooOld(const CallRow& row) const REQUIRES(mutex);
  [[nodiscard]] Status Tidy() REQUIRES(mutex);
  // How long the row stays after its answer is gone: an identical call can be pointed out, and a
  // request that comes again finds its call.
  [[nodiscard]] int64_t RowOutlivesAnswer(const CallRow& row) const;
  // Begins a new epoch once a day, or once nothing of the newest is kept, and forgets those of
  // which nothing is. A vault that cannot be written now is asked again.
  void TurnEpoch() REQUIRES(mutex);
  [[nodiscard]] Status TryTurnEpoch() REQUIRES(mutex);
  // Before calls are looked for, or sealed, by the keys of their days.
  [[nodiscard]] Status RefreshKeys() REQUIRES(mutex);
  // Of what the queue's file holds, and of what the copies of its damaged records do.
  [[nodiscard]] Result<std::set<uint32_t>> UsedEpochs() REQUIRES(mutex);
  [[nodiscard]] Status BeginEpoch(uint64_t look) REQUIRES(mutex);
  [[nodiscard]] Status AddEpochsOfCopies(std::set<uint32_t>& used) REQUIRES(mutex);
  [[nodiscard]] Result<bool> MayForgetEpochs() REQUIRES(mutex);
  // Within a transaction: a call is sealed by the newest.
  [[nodiscard]] Status NoteSealedBy() REQUIRES(mutex);
  [[nodiscard]] Result<bool> IsSpent(const std::set<uint32_t>& used) REQUIRES(mutex);

  // --- The file and the ledger, held against each other: repair/reconcile.cc ---

  // Reads the ledger, and holds it against the queue's file and the vault.
  [[nodiscard]] Status LoadLedger() REQUIRES(mutex);
  [[nodiscard]] Status RefreshLedger() REQUIRES(mutex);
  // Where nothing keeps it from that: takes the old table over, brings the queue's file up to what
  // the ledger knows, and ends what an earlier process left open. For the process that delivers.
  [[nodiscard]] Status BeginLedger() REQUIRES(mutex);
  [[nodiscard]] Status TakeOverOldLedger() REQUIRES(mutex);
  [[nodiscard]] Status TakeOver(const std::vector<LedgerRow>& rows) REQUIRES(mutex);
  [[nodiscard]] Status ReplayLedger() REQUIRES(mutex);
  // Each call that an older copy of anything may bring back is in doubt.
  [[nodiscard]] Result<std::vector<LedgerEntry>> DoubtsByLoss() REQUIRES(mutex);
  [[nodiscard]] Status EndAcceptance() REQUIRES(mutex);
  [[nodiscard]] Status TakeLook(AttemptLedger::Look& look) REQUIRES(mutex);
  [[nodiscard]] Status DoubtWaiting() REQUIRES(mutex);
  // It may have been sent once more than any attempt says, and a person decides.
  void Doubt(CallRow& row, std::string_view why) REQUIRES(mutex);
  void StageDoubt(const CallRow& row) REQUIRES(mutex);
  [[nodiscard]] bool IsDoubted(const CallReference& reference) const REQUIRES(mutex);
  [[nodiscard]] LedgerEntry DoubtOf(const CallReference& reference) REQUIRES(mutex);
  // Whether the ledger does not know this call, and may have lost what it knew.
  [[nodiscard]] bool MayLackRecordsOf(const CallRow& row) const REQUIRES(mutex);
  [[nodiscard]] bool IsOlderThanLook(const CallRow& row) const REQUIRES(mutex);
  [[nodiscard]] Status Replay(const LedgerEntry& entry, ByteSpan answer, Replayed& so_far)
      REQUIRES(mutex);
  [[nodiscard]] Status ReplayEnd(CallRow& row, const LedgerEntry& entry, ByteSpan answer)
      REQUIRES(mutex);
  [[nodiscard]] Status EraseAgain(const CallReference& reference) REQUIRES(mutex);
  // Within a transaction: the file knows the ledger up to its newest record.
  [[nodiscard]] Status TellPosition() REQUIRES(mutex);
  // Within a transaction: adds what is staged to the ledger. `written`: whether anything was.
  [[nodiscard]] Status WriteLedger(bool& written) REQUIRES(mutex);
  void StageInterrupted() REQUIRES(mutex);
  // Whether a person has said that the queue may go on from the ledger as it was found.
  [[nodiscard]] Result<bool> LedgerIsAccepted() REQUIRES(mutex);
  // The same of a ledger that is genuine: it was said, and not carried out to its end.
  [[nodiscard]] Result<bool> IsAcceptanceUnfinished() REQUIRES(mutex);
  [[nodiscard]] Bytes LedgerAcceptance() const REQUIRES(mutex);
  // Goes on once a person has said so. What goes wrong is in the log, and tried again.
  void LookForAcceptance() REQUIRES(mutex);
  [[nodiscard]] std::optional<Hold> LedgerHold() const REQUIRES(mutex);
  // Whether the ledger knows of an attempt, billed or perhaps billed, that the row does not.
  [[nodiscard]] bool LedgerKnowsMore(const CallRow& row) const REQUIRES(mutex);
  [[nodiscard]] Status MakeUnknown(CallRow row) REQUIRES(mutex);
  void Say(std::string sentence) REQUIRES(mutex);
  // Tells a copy of everything, as it was before, from the present state: at each start, and once
  // an hour in which something was approved. Not at an approval: the TPM's memory wears out.
  [[nodiscard]] Status RenewMark() REQUIRES(mutex);
  void RenewOldMark() REQUIRES(mutex);

  // --- Rows, held against the ledger and the copies: repair/repair_rows.cc ---

  // Holds the rows that are newer than those of the last time against the ledger, which learns of
  // them. Makes copies that are not there. `may_be_older`: the file may be from before.
  [[nodiscard]] Status RepairRows(bool may_be_older = false) REQUIRES(mutex);
  [[nodiscard]] bool NeedsRepair(const CallStore::Head& head, bool has_copy) REQUIRES(mutex);
  // Whether a copy tells more of a call that waits than ledger and file know: they are older.
  [[nodiscard]] bool CopiesKnowMore() REQUIRES(mutex);
  // Whether more attempts are noted beside its copy than these, and than the ledger knows.
  [[nodiscard]] bool WasSentSince(const CallReference& reference, int attempts) REQUIRES(mutex);
  [[nodiscard]] bool WasErasedSince(const CallRow& row, bool in_file) REQUIRES(mutex);
  struct Repaired;
  [[nodiscard]] Status RepairSome(std::span<const CallStore::Head> some,
                                  const std::set<CallReference>& copied, Repaired& all)
      REQUIRES(mutex);
  void SayRepaired(const Repaired& all) REQUIRES(mutex);
  [[nodiscard]] Status RepairRow(const CallStore::Head& head, bool has_copy, Repaired& repaired)
      REQUIRES(mutex);
  // Within a transaction: a call that the ledger knows to be ended is ended in the file, too.
  [[nodiscard]] Status CloseAgain(CallRow row) REQUIRES(mutex);
  // Within a transaction: what is sealed of a call that waits stands in the file and in its copy
  // afterwards. Where it is whole in neither, the call is damaged.
  [[nodiscard]] Status KeepTwice(const CallRow& row, bool in_file, bool has_copy,
                                 Repaired& repaired) REQUIRES(mutex);
  // Within a transaction: its copy says what the row says now.
  [[nodiscard]] Status CopyAnew(const CallRow& row) REQUIRES(mutex);
  [[nodiscard]] Status RequireRoomForCopies() REQUIRES(mutex);

  // --- Copies, and what the ledger knows of calls: repair/copies.cc ---

  [[nodiscard]] Result<SealedCall> SealCall(const VerificationCall& call, CallRow row)
      REQUIRES(mutex);
  [[nodiscard]] Status InsertSealed(SealedCall& call) REQUIRES(mutex);
  [[nodiscard]] Status PutPayload(int64_t id, const SealedPayloadFields& fields) REQUIRES(mutex);
  // A call's sealed question and pictures: from `from`, or else its copy. Errors also: kCorrupt.
  [[nodiscard]] Result<SealedPayloadFields> SealedPayload(CallStore& from, const CallRow& row)
      REQUIRES(mutex);
  [[nodiscard]] static LedgerEntry AcceptedEntry(const CallRow& row);
  // Tells the vault, and with its next record the ledger, that a call was accepted; another process
  // leaves that to who delivers.
  void NoteAccepted(const CallRow& row) REQUIRES(mutex);
  void WriteDownAccepted() REQUIRES(mutex);
  // Within a transaction: this call has ended, and nothing that it asked is kept.
  void Close(const CallRow& row) REQUIRES(mutex);
  // Takes what is closing into the ledger, or leaves a note for the process that may.
  void WriteDownClosed() REQUIRES(mutex);
  [[nodiscard]] Status WriteDown(const std::vector<LedgerEntry>& entries) REQUIRES(mutex);
  [[nodiscard]] Status WriteDownDecision(std::string what, const std::string& by) REQUIRES(mutex);
  // Erases the copies of what has ended, once that is on the disk, and tries the rest again later.
  void EraseCopies(size_t most = SIZE_MAX) REQUIRES(mutex);
  // The same of one at once, whatever the ledger is: what a person wants erased is then missed
  // where the file is lost, and not brought back. Errors also: kUnavailable (it is still there).
  [[nodiscard]] Status EraseCopyOf(const CallReference& reference) REQUIRES(mutex);
  [[nodiscard]] Status TakeNotes() REQUIRES(mutex);
  // Brings back what the queue's file lacks. `maybe_sent`: the ledger was doubtful, or is gone with
  // the file, so that nobody can say that such a call was not sent.
  [[nodiscard]] Status RestoreCalls(bool maybe_sent) REQUIRES(mutex);
  [[nodiscard]] Status RestoreOne(const CallReference& reference, bool maybe_sent,
                                  std::vector<CallReference>& back) REQUIRES(mutex);
  [[nodiscard]] Result<std::vector<CallReference>> MissingAmong(
      const std::set<CallReference>& copied) REQUIRES(mutex);
  enum class RestoreAs {
    kAccepted,  // as it was then: the ledger's news are told to the file afterwards
    kUnknown,   // it may have been sent
    kKnown,     // unknown where the ledger knows of an attempt that may have been billed
  };
  // Within a transaction: brings the call back from its copy, in place of a damaged row if there is
  // one. False: there is no good copy, or a good row.
  [[nodiscard]] Result<bool> Restore(Result<SealedCall> copy, RestoreAs as) REQUIRES(mutex);
  [[nodiscard]] Status DoubtNotRestored() REQUIRES(mutex);
  [[nodiscard]] Status LearnNotRestored() REQUIRES(mutex);
  [[nodiscard]] Result<bool> RestoreDamaged(const CallReference& reference) REQUIRES(mutex);
  [[nodiscard]] Result<bool> BringBackOrWait(const CallRow& row) REQUIRES(mutex);
  // Whether the power failed while it was written, before anybody was told of the call.
  [[nodiscard]] bool IsTorn(const CallReference& reference) REQUIRES(mutex);
  // Whether question and pictures are there and open, or will once the vault has their key again.
  [[nodiscard]] bool IsWhole(const CallRow& row, const SealedPayloadFields& fields) REQUIRES(mutex);
  [[nodiscard]] bool IsOnItsWay(const CallReference& reference) const REQUIRES(mutex);
  [[nodiscard]] bool MayLackNow() const REQUIRES(mutex);
  [[nodiscard]] bool MayRestore(const CallReference& reference) const REQUIRES(mutex);
  // Who is to decide about a damaged call decides about its copy, where that is whole.
  [[nodiscard]] Status BringBack(const CallReference& reference) REQUIRES(mutex);
  // Looks at some records, each once in a while: what is damaged comes back from its copy.
  void LookThrough(int count) REQUIRES(mutex);
  void EndRun() REQUIRES(mutex);

  // --- Calls that copies alone hold, or nothing: repair/lost_calls.cc ---

  [[nodiscard]] Result<std::vector<CallReference>> InCopiesAlone() REQUIRES(mutex);
  [[nodiscard]] std::string_view WhenCopiesComeBack() const REQUIRES(mutex);
  // Copies, of calls that the file lacks, that cannot be read now.
  [[nodiscard]] Result<std::vector<CallReference>> UnreadCopies() REQUIRES(mutex);
  // Accepted and not ended, and neither a row nor a good copy of it is there.
  [[nodiscard]] Result<std::vector<CallReference>> Lost() REQUIRES(mutex);
  [[nodiscard]] Result<int> BilledOfLost(const CallReference& reference) REQUIRES(mutex);

  // --- Calls that the file lacks, by what the ledger tells of them: repair/remember.cc ---

  [[nodiscard]] Status Remember(const LedgerEntry& entry, Replayed& so_far) REQUIRES(mutex);
  // Within a transaction: it has ended, and whoever asks the same, or sends the same request again,
  // is told of it. Its answer is gone.
  [[nodiscard]] Status InsertEnded(CallRow row, Replayed& so_far) REQUIRES(mutex);
  // The same for those that may have been sent: they are unknown, and a person ends them.
  [[nodiscard]] Status InsertUnknown(Replayed& so_far) REQUIRES(mutex);
  // Within a transaction: the same of one whose row is gone, from all that the ledger says. `end`:
  // of it, which is not in the ledger yet.
  [[nodiscard]] Status RememberByLedger(const CallReference& reference,
                                        const LedgerEntry* end = nullptr) REQUIRES(mutex);
  // Whether the file lacks an ended call because its time was up, also by the queue's own time.
  [[nodiscard]] bool WasRemoved(const CallRow& row) const REQUIRES(mutex);
  void SayWhatLacked(const Replayed& replayed) REQUIRES(mutex);

  // --- Calls that nothing names any more: repair/unnamed_calls.cc ---

  // Accepted calls that the vault has counted, and whose records are gone from the ledger.
  [[nodiscard]] Result<std::optional<UnnamedCalls>> Unnamed() REQUIRES(mutex);
  // The same as a person was told of it, until somebody ended it.
  [[nodiscard]] Result<std::vector<UnnamedCalls>> ToldUnnamed() REQUIRES(mutex);

  // --- What a damaged file still holds: repair/salvage.cc ---

  // Takes over what a damaged file still holds. `at_once`: nothing else is in the queue yet.
  [[nodiscard]] Status SalvageFrom(const std::string& path, bool at_once, Salvaged& salvaged)
      REQUIRES(mutex);
  [[nodiscard]] Status SalvageCall(CallStore& from, CallRow row, bool at_once, Salvaged& salvaged)
      REQUIRES(mutex);
  // Whether all that the row says is there still opens. Leaves an answer out that does not.
  [[nodiscard]] bool StillOpens(CallStore& from, CallRow& row) REQUIRES(mutex);
  void SalvageState(SqliteDatabase& from) REQUIRES(mutex);
  [[nodiscard]] Status SalvageAtOnce() REQUIRES(mutex);
  [[nodiscard]] bool MayBeSent(std::span<const CallReference> lost) const REQUIRES(mutex);
  [[nodiscard]] Status SaySalvaged() REQUIRES(mutex);
  [[nodiscard]] Result<std::vector<std::string>> SetAsideFiles() REQUIRES(mutex);

  const Options options;
  const ServiceProfile& profile;
  const Clock& clock;
  const Crypto& crypto;
  Entropy& entropy;
  SecureStorage& storage;
  FileSystem& files;
  const QueueKeys keys;
  const std::unique_ptr<FileLock> lock;
  const std::unique_ptr<SqliteDatabase> database PT_GUARDED_BY(mutex);
  std::vector<std::string> notices GUARDED_BY(mutex);
  const std::string set_aside;  // the damaged file that was found at this start
  QueueClock time GUARDED_BY(mutex);
  std::optional<int64_t> time_kept_at GUARDED_BY(mutex);  // by the queue's time
  CallStore calls GUARDED_BY(mutex);
  AttemptLedger ledger GUARDED_BY(mutex);
  CallCopies copies GUARDED_BY(mutex);
  DecisionNotes notes GUARDED_BY(mutex);
  std::vector<LedgerEntry> closing GUARDED_BY(mutex);     // by the transaction that is open
  std::vector<CallReference> wiped GUARDED_BY(mutex);     // by it
  std::vector<LedgerEntry> closed GUARDED_BY(mutex);      // to be written down
  std::vector<CallReference> to_erase GUARDED_BY(mutex);  // their copies
  // Calls that were not kept, whose copies would come back as accepted ones at the next start.
  std::vector<CallReference> refused GUARDED_BY(mutex);
  std::set<CallReference> restored GUARDED_BY(mutex);      // since this start
  std::vector<CallReference> restoring GUARDED_BY(mutex);  // by the transaction that is open
  bool erasing GUARDED_BY(mutex) = false;
  bool begins_ledger GUARDED_BY(mutex) = false;  // a person accepted it, and calls do not know yet
  bool warned_of_acceptance GUARDED_BY(mutex) = false;
  uint64_t number_of_look GUARDED_BY(mutex) = 0;  // since this start; 0: none
  // At this start, with their kAccepted where the ledger has it.
  std::map<CallReference, std::optional<LedgerEntry>> not_restored GUARDED_BY(mutex);
  bool tells_position GUARDED_BY(mutex) = false;  // the file has the ledger's news
  CallReference recording GUARDED_BY(mutex);      // whose answer has just come
  bool copies_wait GUARDED_BY(mutex) = true;      // some may have to be brought back yet
  int64_t repaired_until GUARDED_BY(mutex) = 0;   // the last row that RepairRows has seen
  int64_t looked_until GUARDED_BY(mutex) = 0;     // the same, though not each has its copy
  int64_t mark_renewed_at GUARDED_BY(mutex) = 0;
  std::optional<int64_t> epochs_looked_at GUARDED_BY(mutex);
  std::optional<int64_t> looked_through_to GUARDED_BY(mutex);  // the record; nothing: all of them
  std::optional<Salvaged> salvaged_at_once GUARDED_BY(mutex);
  bool synced GUARDED_BY(mutex) = true;        // whether the database syncs each commit now
  bool file_is_new GUARDED_BY(mutex) = false;  // made at this start
  bool file_lags GUARDED_BY(mutex) = true;     // whether a commit may not be on the disk yet
  // Of who delivers, as the file counts them: those that succeeded, and all that were tried.
  struct CountedCommits {
    int64_t done = 0;
    int64_t tried = 0;
  };
  std::optional<CountedCommits> commits GUARDED_BY(mutex);
  std::function<void()> on_older_file GUARDED_BY(mutex);
  QueueStateStore state GUARDED_BY(mutex);
  EpochKeys epochs GUARDED_BY(mutex);
  PayloadSeal seal GUARDED_BY(mutex);
  RetryPolicy policy GUARDED_BY(mutex);
  SpendGuard guard GUARDED_BY(mutex);
  const Breaker breaker;
  const MendMarks marks;
  MadeFor in_force GUARDED_BY(mutex);     // as of the last look
  std::string unnamed GUARDED_BY(mutex);  // of calls that an earlier program accepted
  bool bound GUARDED_BY(mutex) = false;   // the vault says whose credentials it holds
  std::optional<Hold> new_provisioning GUARDED_BY(mutex);
  std::set<int64_t> hurried GUARDED_BY(mutex);          // calls that a person waits for
  std::set<int64_t> hurried_backlog GUARDED_BY(mutex);  // others, until one meets an outage
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_QUEUE_INTERNALS_H_
