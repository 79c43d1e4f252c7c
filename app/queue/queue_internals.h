#ifndef IDKIOSK_APP_QUEUE_QUEUE_INTERNALS_H_
#define IDKIOSK_APP_QUEUE_QUEUE_INTERNALS_H_

#include <functional>
#include <mutex>
#include <utility>

#include "app/queue/durable_queue.h"
#include "app/queue/queue_clock.h"
#include "app/queue/retry_policy.h"
#include "app/queue/spend_guard.h"
#include "app/queue/storage/call_store.h"
#include "app/queue/storage/epoch_keys.h"
#include "app/queue/storage/ledger_store.h"
#include "app/queue/storage/payload_seal.h"
#include "app/queue/storage/queue_file.h"
#include "app/queue/storage/queue_state_store.h"

namespace idkiosk {

// Settings in the file that more than one source uses.
inline constexpr std::string_view kRejectionsInARow = "rejections_in_a_row";

// The three keys, derived from the root.
struct QueueKeys {
  SecretBytes epoch;     // of EpochKeys::kDerived
  SecretBytes rows;      // proves rows genuine
  SecretBytes question;  // tells whether two calls ask the same
};

// What DurableQueue is made of, and what its functions share. Every function here expects `mutex`
// to be held.
class DurableQueue::Internals {
 public:
  Internals(Options the_options, const ServiceProfile& the_profile, const Clock& clock,
            const Crypto& the_crypto, Entropy& the_entropy, SecureStorage& storage,
            FileSystem& the_files, QueueKeys the_keys, QueueFile the_file,
            std::unique_ptr<FileLock> the_lock);

  using Change = std::function<Status()>;
  // Runs `change` in a transaction and commits it.
  [[nodiscard]] Status Commit(const Change& change);
  // The same for what must not be lost: gives the reserve away if the disk is full.
  [[nodiscard]] Status CommitWithReserve(const Change& change);

  [[nodiscard]] Status KeepReserve();
  [[nodiscard]] bool GiveReserveAway();

  [[nodiscard]] Status CheckKeys();
  [[nodiscard]] Status CheckEpochs();
  // Begins a new epoch once a day, and forgets those of which nothing is kept. A vault that cannot
  // be written now is asked again the next time.
  void TurnEpoch();
  [[nodiscard]] Status TryTurnEpoch();
  [[nodiscard]] Status Recover();
  // Gives calls that were accepted without a clock their time, once there is one.
  [[nodiscard]] Status SettleClock();

  [[nodiscard]] Result<CallReference> DrawReference();
  [[nodiscard]] Bytes QuestionMac(const VerificationCall& call) const;
  [[nodiscard]] Status PutPictures(const CallRow& row, const CallKey& key,
                                   const FacePictures& pictures);
  [[nodiscard]] Result<VerificationCall> OpenCall(const CallRow& row);
  // Wipes what is sealed; the key too, unless an answer stays.
  [[nodiscard]] Status ErasePayload(CallRow& row);
  [[nodiscard]] Status EraseAll(CallRow& row);
  // The end of a call: when its answer and its row go.
  void End(CallRow& row, CallState state);
  // Its time is up: ends it, erases what is sealed, or removes it.
  [[nodiscard]] Status Age(CallRow& row);
  [[nodiscard]] Status Tidy();
  [[nodiscard]] int64_t AnswerGoesAt(const CallRow& row) const;
  [[nodiscard]] int64_t RowGoesAt(const CallRow& row) const;

  [[nodiscard]] Result<std::vector<Hold>> Holds();
  // The hold that covers the endpoint, if one does.
  [[nodiscard]] static std::optional<Hold> Covering(const std::vector<Hold>& holds,
                                                    Endpoint endpoint);
  [[nodiscard]] CallSummary Summarize(const CallRow& row, const std::vector<Hold>& holds) const;
  [[nodiscard]] Result<DeliveryPace> Pace();
  [[nodiscard]] Status SetPace(const DeliveryPace& pace);
  // Errors: kFailedPrecondition.
  [[nodiscard]] Status RequireDelivery() const;
  [[nodiscard]] Result<CallRow> LoadGenuine(const CallReference& reference);

  struct Candidate {
    std::optional<int64_t> id;           // may be sent now
    std::optional<WallTime> look_again;  // when one may be, if none may now
    std::optional<Hold> hold;            // what covers the call that was asked for
  };
  [[nodiscard]] Result<Candidate> Choose(const std::vector<Hold>& holds);
  [[nodiscard]] Result<Candidate> ChooseOnly(const CallReference& reference,
                                             const std::vector<Hold>& holds);
  [[nodiscard]] Status WakeUnknown();
  [[nodiscard]] Idle Wait(std::optional<WallTime> until, std::optional<Hold> hold) const;
  // Within a transaction: an attempt is on its way. Errors: kFailedPrecondition, and then nothing
  // was changed.
  [[nodiscard]] Status Approve(CallRow& row);
  [[nodiscard]] Result<std::optional<Claimed>> ApproveNext();
  // Within a transaction. `begun`: whether the attempt had been approved.
  [[nodiscard]] Status ApplyTo(const CallReference& reference, const Outcome& outcome,
                               ByteSpan answer, bool& begun);
  [[nodiscard]] Status Apply(CallRow& row, const Outcome& outcome, ByteSpan answer);
  [[nodiscard]] Status ApplyDone(CallRow& row, const Outcome& outcome, ByteSpan answer);
  [[nodiscard]] Status CountUnauthorized(const Outcome& outcome);
  [[nodiscard]] Status ApplyHold(const CallRow& row, const Outcome& outcome);
  [[nodiscard]] Status ApplyPace(CallRow& row, const Outcome& outcome);
  [[nodiscard]] Status RecordAttempt(CallRow& row, const Outcome& outcome);
  // A row of the ledger for the last of the call's attempts, begun now.
  [[nodiscard]] LedgerRow NewestAttempt(const CallRow& row) const;
  [[nodiscard]] Status KeepAnswer(CallRow& row, ByteSpan answer);

  std::mutex mutex;
  const Options options;
  const ServiceProfile& profile;
  const Clock& clock;
  const Crypto& crypto;
  Entropy& entropy;
  FileSystem& files;
  const QueueKeys keys;
  const std::unique_ptr<FileLock> lock;
  const std::unique_ptr<SqliteDatabase> database;
  std::vector<std::string> notices;
  QueueClock time;
  CallStore calls;
  LedgerStore ledger;
  QueueStateStore state;
  EpochKeys epochs;
  PayloadSeal seal;
  RetryPolicy policy;
  SpendGuard guard;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_QUEUE_INTERNALS_H_
