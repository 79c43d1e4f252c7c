#ifndef IDKIOSK_APP_QUEUE_DURABLE_QUEUE_H_
#define IDKIOSK_APP_QUEUE_DURABLE_QUEUE_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/consent/consent_log.h"
#include "app/journal/journal.h"
#include "app/queue/call_end.h"
#include "app/queue/call_record.h"
#include "app/queue/intake.h"
#include "app/queue/repair/unnamed_calls.h"
#include "app/queue/storage/ledger_entry.h"
#include "app/service/verification_call.h"
#include "app/settings/settings.h"
#include "platform/api/clock.h"
#include "platform/api/crypto.h"
#include "platform/api/entropy.h"
#include "platform/api/file_system.h"
#include "platform/api/secure_storage.h"

namespace idkiosk {

// Billed calls that survive a power cut: sealed, committed and synced before Accept says so.
//
// Any thread; functions take turns and may wait for the disk. Several processes may have the queue
// open; one of them at a time may deliver.
//
// Errors of every function: kExhausted (disk full), kCorrupt (the file is damaged), kUnavailable
// (another process keeps it busy, or the disk fails), kNotFound (no call of that reference).
class DurableQueue {
 public:
  enum class Role {
    kDeliver,  // may send; what an earlier process left `sending` becomes `unknown`
    kOperate,  // may accept, look and decide, while another process delivers
  };

  struct Options {
    std::string folder;  // created if need be
    Role role = Role::kOperate;
    QueueSettings queue;
    BillingSettings billing;
    std::string base_url;  // service.base_url: a changed one mends what a wrong one has held
    Environment environment = Environment::kSandbox;  // with it, whose calls are accepted here
    // The number that was asked about is kept, sealed, for as long as the answer is.
    bool keep_number = false;
    ConsentLog* consents = nullptr;  // must outlive the queue; null: no consent is put on record
    std::string sqlite_vfs;          // a registered SQLite VFS; empty: the system's. For tests.
  };

  // All must outlive the queue. Errors, besides the common ones:
  // kUnavailable (another process delivers), kUnauthenticated (sealed with another root key), and
  // SecureStorage's. A file that is damaged as a whole is set aside, and `notices()` says so.
  [[nodiscard]] static Result<std::unique_ptr<DurableQueue>> Open(
      Options options, const ServiceProfile& profile, const Clock& clock, const Crypto& crypto,
      Entropy& entropy, SecureStorage& storage, FileSystem& files);
  // Whether another process delivers from that folder now.
  [[nodiscard]] static bool IsInUse(const std::string& folder, FileSystem& files);
  ~DurableQueue();

  // Sentences for a person about the opening: a damaged file that was set aside, calls that
  // became unknown.
  [[nodiscard]] std::vector<std::string> notices() const;

  // `then` is called, once, when an older copy is found in the place of the open file: from then on
  // nothing is accepted or sent, until it is opened anew. On any thread; asks nothing of the queue.
  void OnOlderFile(std::function<void()> then);

  // Whether one more call fits, on the disk and in the queue: asked before the camera opens.
  // Errors: kExhausted, saying what is full.
  [[nodiscard]] Status CheckRoom();

  // Asks the intake (app/queue/intake.h) about a question as far as it is known: without a number,
  // nothing was asked before. Its pictures are not looked at. `confirmed`: see IntakeFacts. Holds
  // and earlier calls that cannot be read do not prevent asking.
  [[nodiscard]] std::optional<Obstacle> FindObstacle(const VerificationCall& question,
                                                     bool confirmed);

  // A request of another program, which may come twice. Kept as what proves it, and not itself.
  struct ClientRequest {
    std::string_view key = {};   // empty: none
    std::string_view body = {};  // all of it: may hold personal data
  };
  struct AcceptOptions {
    bool person_waits = false;     // goes before calls that nobody waits for
    std::string operator_id;       // for the ledger; never a person's number
    bool confirmed = false;        // as FindObstacle was asked
    std::string case_id = {};      // the asker's own number for it, never a person's; may be empty
    CallReference reference = {};  // from DrawReference; empty: one is drawn
    ClientRequest request = {};    // by which its asker finds it again; may be empty
    // What its person agreed to: on record before it is accepted. Nothing: nobody was asked here.
    std::optional<Consent> consent = {};
  };
  // A reference that no call has, for an entry that must be written before the call is accepted.
  [[nodiscard]] Result<CallReference> DrawReference();
  // The call is checked already (CheckCall). The intake is asked once more; once this returns a
  // reference, the call survives a power cut, and so does what its person agreed to.
  [[nodiscard]] Accepted Accept(const VerificationCall& call, const AcceptOptions& options);
  // Returns the call that was accepted with this key, for as long as its row is kept, and for a day
  // after its end at least; nothing: there is none. Errors also: kFailedPrecondition (it was
  // accepted with another body, or its person was erased since).
  [[nodiscard]] Result<std::optional<CallReference>> FindRequest(const ClientRequest& request);
  // The person has left: the call takes its turn with the others.
  [[nodiscard]] Status NobodyWaits(const CallReference& reference);

  // --- Delivery. Errors also: kFailedPrecondition in the role kOperate. ---

  struct Claimed {
    CallReference reference;
    VerificationCall call;
    int attempt = 1;  // the number this attempt will have
    int rung = 0;     // how much smaller the pictures must be than they were taken
    bool person_waits = false;
    // Drawn for this attempt, 32 hex digits; empty where the profile has no place for it.
    std::string attempt_id;
    // Somebody lifted a hold for the credentials: those that were refused are tried once more.
    bool login_again = false;
  };
  // The reason why no call may be sent now, and when to look again.
  struct Idle {
    std::optional<MonotonicTime> look_again;  // nothing: only a new call or a person changes it
    std::optional<Hold> hold;
  };
  // The next call that may be sent now. It stays `pending`. `only`: that call or none. `at_once`:
  // whatever backoff is under way; what the service asked for stays.
  [[nodiscard]] Result<std::variant<Claimed, Idle>> Claim(
      const std::optional<CallReference>& only = std::nullopt, bool at_once = false);

  // Approves and commits one attempt: called in before_send, after the connection stands and
  // before the first byte leaves. Errors: kFailedPrecondition (not pending, held, or a limit of
  // spending is reached). `attempt_id`: what Claim gave, for the ledger.
  [[nodiscard]] Status BeginAttempt(const CallReference& reference,
                                    const std::string& attempt_id = {});

  // Records the outcome; also where BeginAttempt was never reached. `answer` is sealed and kept;
  // the payload is erased when the call is done. A full disk is met with the reserve.
  [[nodiscard]] Status Record(const CallReference& reference, const Outcome& outcome,
                              ByteSpan answer);

  // The same, and in the same commit the approval of the call that Claim would give next, with one
  // sync for both. What it returns is on its way already, and must be sent at once; nothing where
  // there is none to send now, or it takes Claim to say what is wrong with it.
  [[nodiscard]] Result<std::optional<Claimed>> RecordAndApproveNext(const CallReference& reference,
                                                                    const Outcome& outcome,
                                                                    ByteSpan answer);

  // A person waits for this call: it goes before the others, once, whatever backoff is under way.
  // What the service asked for stays.
  [[nodiscard]] Status Hurry(const CallReference& reference);
  // Sends the newest `limit` of those that nothing holds as soon as may be, until one of them meets
  // an outage.
  [[nodiscard]] Status HurryBacklog(int limit);

  // --- People ---

  [[nodiscard]] Result<std::vector<CallSummary>> List(bool only_open);
  // For a screen: unknown calls, which wait for a person, whatever their age; then the newest
  // others, the newest first. At most `limit` in all, in a time that the queue's length does not
  // change.
  [[nodiscard]] Result<std::vector<CallSummary>> Newest(int limit);
  // Calls by their number, the newest first.
  struct CallFilter {
    std::optional<CallState> state;
    std::optional<WallTime> since;  // accepted then or later, or while the clock was not trusted
    std::optional<int64_t> before;  // the `next` of the page before, or PlaceOf a call
    int limit = 50;
  };
  struct CallPage {
    std::vector<CallSummary> calls;
    std::optional<int64_t> next;  // nothing: these are the last
  };
  [[nodiscard]] Result<CallPage> Page(const CallFilter& filter);
  // Returns the `before` of a page that begins behind that call.
  [[nodiscard]] Result<int64_t> PlaceOf(const CallReference& reference);
  [[nodiscard]] Result<CallSummary> Show(const CallReference& reference);
  // A call, whom it asks about, and what else was asked and paid for the same.
  struct AskedCall {
    CallSummary call;
    SecretBytes number;         // NIN, phone or ID number; empty: its question is erased
    int times = 1;              // that the same was asked, this call included, as far as it is kept
    CallReference answered_by;  // the newest of those that got a verdict meanwhile; empty: none
    int64_t spent = 0;          // hundredths: what its attempts cost, or may have cost
  };
  // The same calls as Page's, each with its question opened, in memory alone.
  struct AskedPage {
    std::vector<AskedCall> calls;
    std::optional<int64_t> next;  // nothing: these are the last
  };
  [[nodiscard]] Result<AskedPage> WhoIsAsked(const CallFilter& filter);
  // The number that a call asks about: NIN, phone or ID number. Errors also: kNotFound (its
  // question is erased).
  [[nodiscard]] Result<SecretBytes> NumberOf(const CallReference& reference);
  // The raw sealed answer. Errors also: kNotFound (none was kept).
  [[nodiscard]] Result<SecretBytes> Answer(const CallReference& reference);

  // A person wants it sent (again): it gets one more billed attempt; what held it is lifted. Also a
  // call that was rejected in doubt, whose payload is still there. `seen`: how many attempts it had
  // when the person said so, for one yes pays for one attempt. Errors also: kFailedPrecondition
  // (done, in flight, payload erased; made for another address; it has more attempts than were
  // seen).
  [[nodiscard]] Status Retry(const CallReference& reference, int seen);
  // The same for a call that was made for another address or account: it is asked at the one in
  // force instead. `by`: who decided that, for the ledger. Errors also: kFailedPrecondition (it was
  // made for the one in force).
  [[nodiscard]] Status AskAnew(const CallReference& reference, int seen, const std::string& by);
  // Lifts the hold with this HoldId, also while another process delivers and where nothing waits:
  // one call goes first. Errors also: kFailedPrecondition (a hold that nobody can lift: the
  // clock's, a spend cap's).
  [[nodiscard]] Status Lift(std::string_view hold_id);
  // Nothing is sent from now on, and calls are taken in, until this hold is lifted. `why`: a
  // sentence without its stop.
  [[nodiscard]] Status HoldForHeadquarters(const std::string& why);
  // An unknown call ends without an answer. Errors also: kFailedPrecondition.
  [[nodiscard]] Status GiveUp(const CallReference& reference);
  // The service's operator says what became of an attempt whose answer never came. One that never
  // arrived was not billed: an unknown call waits to be sent again, unless another attempt is in
  // doubt, too. Any other was billed: a call that is unknown or waits ends with that verdict, and
  // without the service's own answer. One that has ended stays as it is, and may be gone: then the
  // ledger alone learns it. Only who delivers. Errors also: kFailedPrecondition (not in doubt).
  [[nodiscard]] Status Settle(const CallReference& reference, int attempt, Settlement settlement);
  // A call that was not sent ends. Errors also: kFailedPrecondition (it may have been sent).
  [[nodiscard]] Status Cancel(const CallReference& reference);

  // Returns the calls that asked about a person, the oldest first: all that are kept.
  [[nodiscard]] Result<std::vector<CallSummary>> FindPerson(const PersonNumbers& person);
  // Returns the numbers that a call asked about; none where its question is erased, and its number
  // not kept.
  [[nodiscard]] Result<PersonNumbers> PersonOf(const CallReference& reference);
  // Erases everything of a person that is kept of this call: what waits is ended unsent, what may
  // have been sent is given up, of what has ended the answer goes. Nobody finds it by what it asked
  // any more; the ledger's rows stay. Errors also: kFailedPrecondition (it is being sent).
  [[nodiscard]] Result<CallSummary> ErasePerson(const CallReference& reference);

  // The service's time minus this board's clock, by an answer that has just come: confirms or
  // refutes what the clock says before a call ends by its age.
  void LearnServiceTime(Duration skew);

  // Why this board's date may be wrong, although it looks right: a sentence without its stop.
  // Empty: nothing speaks against it.
  [[nodiscard]] std::string DoubtOfClock();

  // Ends and erases what is too old, keeps twice what waits, and gives the disk back: every minute
  // or so, when nobody waits. Returns how many calls changed.
  [[nodiscard]] Result<int> Expire();

  [[nodiscard]] Result<QueueStats> Stats();
  [[nodiscard]] Result<std::vector<LedgerRow>> Ledger(std::optional<WallTime> since);
  // Returns a call's attempts, the oldest first, also once it is erased.
  [[nodiscard]] Result<std::vector<LedgerRow>> Attempts(const CallReference& reference);
  // What has ended behind this place of the ledger (0: all), `limit` of them; each survives a power
  // cut. What another process decided is among them once the process that delivers has taken it
  // over: as soon as it has nothing to send, or within a minute.
  [[nodiscard]] Result<CallEnds> Ends(uint64_t place, size_t limit);
  // The records of the ledger behind that number (0: all), `limit` of them, the oldest first; each
  // survives a power cut.
  [[nodiscard]] Result<std::vector<LedgerRecord>> LedgerRecords(uint64_t number, size_t limit);
  // The NIN that a call asked about, which ended with an answer; empty: it asked about none. Errors
  // also: kNotFound (Options::keep_number was not set then, or its time is up).
  [[nodiscard]] Result<SecretBytes> Nin(const CallReference& reference);
  // The newest attempts, the newest first.
  [[nodiscard]] Result<std::vector<LedgerRow>> NewestAttempts(int limit);
  // The last `count` hours by the queue's clock, this one included, each of them, the oldest first.
  [[nodiscard]] Result<std::vector<BilledHour>> BilledHours(int count);
  [[nodiscard]] Result<std::vector<LedgerSum>> Sum(LedgerBy by, std::optional<WallTime> since);

  // Damaged files that lie beside the queue's. While one does, no key of calls leaves the vault.
  [[nodiscard]] Result<std::vector<std::string>> SetAsideFiles();

  struct Salvaged {
    int taken_over = 0;
    int from_copies = 0;              // not in it, but brought back from their own copies
    int unknown = 0;                  // of those: they may have been sent
    int nameless = 0;                 // could not be opened, and have lost their name
    std::vector<CallReference> lost;  // could not be opened

    void Lose(const CallReference& reference);
  };
  // Takes over every call of such a file that still opens, is proven and is not known yet. The file
  // stays. Errors also: kInvalid (no such file).
  [[nodiscard]] Result<Salvaged> Salvage(const std::string& file);
  // Erases such a file when it is no longer needed. `by`: who said so, for the ledger.
  // Errors also: kInvalid.
  [[nodiscard]] Status DiscardSetAside(const std::string& file, const std::string& by = "person");

  // Calls that the queue's file lacks and their copies hold: they come back when a process that
  // delivers opens the queue, or once a person has accepted a doubtful ledger. Until then Show says
  // kUnavailable of each.
  [[nodiscard]] Result<std::vector<CallReference>> InCopiesAlone();
  // The same as the end of a sentence: "once the ledger has been accepted ('idkiosk ledger ...".
  [[nodiscard]] std::string WhenCopiesComeBack() const;
  // Calls that were accepted and have not ended, of which neither the queue's file nor a copy holds
  // anything any more.
  [[nodiscard]] Result<std::vector<CallReference>> Lost();
  // Returns how many attempts of such a call, or of a damaged one, were or may have been billed.
  // Errors also: kFailedPrecondition (it is neither), kNotFound.
  [[nodiscard]] Result<int> BilledOfLost(const CallReference& reference);
  // A person wants nothing more of it. Errors also: BilledOfLost's.
  [[nodiscard]] Status Discard(const CallReference& reference, const std::string& by = "person");

  // Calls that were accepted and that nothing names any more, as the vault knew of them when a
  // person accepted the ledger.
  [[nodiscard]] Result<std::vector<UnnamedCalls>> Unnamed();
  // A person knows of them. Errors also: kNotFound.
  [[nodiscard]] Status DiscardUnnamed(std::string_view name, const std::string& by = "person");

  // Returns what is damaged or lost, a sentence each, for whoever looks after the kiosk.
  [[nodiscard]] Result<std::vector<std::string>> Losses();

  // What was found when the queue was opened: whether the ledger is whole, and what the queue's
  // file and the vault remember of it is there.
  [[nodiscard]] JournalVerdict LedgerVerdict() const;
  // Whether nothing is sent until somebody has accepted that verdict.
  [[nodiscard]] bool IsHeldForLedger() const;
  // The calls that are gone with records of the ledger, as it was found when the queue was opened:
  // what will be said of them once a person has accepted it. Nothing: every accepted call is named.
  [[nodiscard]] Result<std::optional<UnnamedCalls>> MissingFromLedger();
  // A person has looked at a ledger that is not genuine: the queue goes on from what is proven. At
  // once, or as soon as the process that delivers looks. Errors also: kFailedPrecondition (nothing
  // is held for it).
  [[nodiscard]] Status AcceptLedger(const std::string& by = "person");
  // What people decided about what was damaged or lost, the oldest first.
  [[nodiscard]] Result<std::vector<LedgerDecision>> Decisions(std::optional<WallTime> since);

 private:
  class Internals;
  [[nodiscard]] Accepted AcceptWithConsent(const VerificationCall& call, AcceptOptions options);
  explicit DurableQueue(std::unique_ptr<Internals> internals);
  const std::unique_ptr<Internals> internals_;
};

// What MissingFromLedger says, as a sentence without its stop; empty: nothing is missing.
[[nodiscard]] std::string MissingFrom(DurableQueue& queue);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_DURABLE_QUEUE_H_
