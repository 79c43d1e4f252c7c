#ifndef IDKIOSK_APP_QUEUE_STORAGE_CALL_STORE_H_
#define IDKIOSK_APP_QUEUE_STORAGE_CALL_STORE_H_

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/queue/call_record.h"
#include "app/queue/storage/payload_seal.h"
#include "app/queue/storage/sqlite_database.h"

namespace idkiosk {

// A row of the table `call`. Times are milliseconds: those of records by the wall clock, the others
// by the queue's own time.
struct CallRow {
  int64_t id = 0;
  CallReference reference;
  CallState state = CallState::kPending;
  Endpoint endpoint = Endpoint::kVerify;
  std::string operator_id;
  bool person_waits = false;
  int64_t accepted_at = 0;          // 0: the clock was not trusted
  std::optional<int64_t> due_at;    // queue's time
  std::optional<int64_t> age_at;    // queue's time
  std::optional<int64_t> ended_at;  // wall time
  int attempts = 0;
  int billed_attempts = 0;
  int granted_attempts = 0;  // how many billed ones a person has approved; 0: nobody was asked
  int rung = 0;
  Verdict verdict = Verdict::kNone;
  std::optional<OutcomeKind> outcome;
  int http_status = 0;
  std::string engineer;
  bool has_payload = false;
  bool has_answer = false;
  Bytes sealed_key;
  Bytes question_mac;  // of who is asked about and what, behind the epoch of its key (4 bytes)
  // ToText(MadeFor); empty: accepted by an idkiosk that did not write it down.
  std::string made_for;
  // Of its pictures. Nothing: it has none, or was accepted by an idkiosk that did not write it
  // down.
  std::optional<PictureMeans> means;
  std::string case_id;  // the asker's own number for it
  // Of the request that it was accepted by: what stands for its key (32 bytes), then an epoch (4)
  // and, by its key, what stands for the body. Empty: it had no key.
  Bytes request;
  bool set_aside = false;  // known to be damaged before: MarkDamaged
};

// Whether it is sent without a person's word, now or later.
[[nodiscard]] inline bool GoesByItself(const CallRow& row) {
  return row.state == CallState::kPending || (row.state == CallState::kUnknown && row.due_at);
}

// Calls and what is sealed of them, in the queue's file. Makes no decisions. The caller holds a
// transaction for every change. Errors: SqliteDatabase's; kNotFound; kCorrupt also for a row that
// does not prove genuine.
class CallStore {
 public:
  // All must outlive this. `mac_key` proves rows genuine.
  CallStore(SqliteDatabase& database, const Crypto& crypto, const SecretBytes& mac_key)
      : database_(database), crypto_(crypto), mac_key_(mac_key) {}

  // Sets `row.id`.
  [[nodiscard]] Status Insert(CallRow& row);
  [[nodiscard]] Status Save(const CallRow& row);
  // Removes it with everything sealed.
  [[nodiscard]] Status Delete(int64_t id);
  [[nodiscard]] Result<CallRow> Load(const CallReference& reference);
  [[nodiscard]] Result<CallRow> LoadById(int64_t id);
  [[nodiscard]] Result<bool> Exists(const CallReference& reference);
  struct Head {
    int64_t id = 0;
    CallReference reference;
    CallState state = CallState::kDamaged;
    bool has_payload = false;
    bool in_file = false;  // whether the question is sealed here, and not in its copy alone
  };
  // Every row with a higher number. What they say is not proven.
  [[nodiscard]] Result<std::vector<Head>> Heads(int64_t after);
  // Rows that are not genuine come as state kDamaged.
  [[nodiscard]] Result<std::vector<CallRow>> List(bool only_open);
  // Numbers that calls of a damaged file may have, with their names where an index still has them:
  // whatever can be read is asked.
  [[nodiscard]] std::map<int64_t, CallReference> PossibleCalls();
  // At most `limit`, the newest first.
  [[nodiscard]] Result<std::vector<CallRow>> Newest(int limit);
  // At most `limit`, the newest first: before the number `before`, and accepted at `since` or
  // later, or without a clock. Nothing: of any state, from the newest on.
  [[nodiscard]] Result<std::vector<CallRow>> Page(std::optional<CallState> state, int64_t since,
                                                  std::optional<int64_t> before, int limit);
  // At most `limit` of that state, in no order that means anything.
  [[nodiscard]] Result<std::vector<CallRow>> SomeInState(CallState state, int limit);
  // The row is kept as it is, but never looked at again for sending; its age comes at `age_at`.
  [[nodiscard]] Status MarkDamaged(int64_t id, int64_t age_at);
  // Its time is up: what is sealed of it goes, the row stays.
  [[nodiscard]] Status EraseDamaged(int64_t id);

  struct Due {
    int64_t id = 0;
    int64_t at = 0;
    int attempts = 0;
  };
  // Those of which a call is in that state. A seek of the index each, however many calls there are.
  [[nodiscard]] Result<std::vector<Endpoint>> EndpointsIn(CallState state);
  // Whether calls with this `made_for` may be sent.
  using MaySend = std::function<bool(std::string_view made_for)>;
  // The pending call of this endpoint and priority that is due first.
  [[nodiscard]] Result<std::optional<Due>> FirstDue(Endpoint endpoint, bool person_waits,
                                                    const MaySend& may_send);
  // The first of those that are due by `until`, and that `wanted` takes.
  [[nodiscard]] Result<std::optional<Due>> FirstDueThat(
      Endpoint endpoint, bool person_waits, const MaySend& may_send, int64_t until,
      const std::function<bool(const Due&)>& wanted);
  // The unknown call that is resent first.
  [[nodiscard]] Result<std::optional<Due>> FirstResend(const MaySend& may_send);
  // The number of pending calls of this endpoint that may not be sent, by `made_for`.
  [[nodiscard]] Result<std::map<std::string, int64_t>> PendingOfOthers(Endpoint endpoint,
                                                                       const MaySend& may_send);
  // Pending calls that are due later than `latest` become due at `now`.
  [[nodiscard]] Status BringForward(int64_t latest, int64_t now);
  // Calls whose age changes something by `now`, at most `limit` of them.
  [[nodiscard]] Result<std::vector<int64_t>> Aged(int64_t now, int limit);
  [[nodiscard]] Result<std::vector<int64_t>> InState(CallState state);
  // Those in that state and of that endpoint that still have their payload.
  [[nodiscard]] Result<std::vector<int64_t>> WithPayload(CallState state, Endpoint endpoint);
  // Those in that state that have more than one granted attempt.
  [[nodiscard]] Result<std::vector<int64_t>> Granted(CallState state);
  // The epochs of calls of which something is still sealed, each with such a call.
  [[nodiscard]] Result<std::map<uint32_t, int64_t>> Epochs();
  // The epochs of what tells whether two calls ask the same.
  [[nodiscard]] Result<std::set<uint32_t>> QuestionEpochs();
  [[nodiscard]] Result<std::vector<int64_t>> AcceptedWithoutClock();
  // The wall time of the newest record; nothing where there is none.
  [[nodiscard]] Result<std::optional<int64_t>> NewestAccepted();
  // The newest call with this question, but for those that ended unsent.
  [[nodiscard]] Result<std::optional<int64_t>> FindQuestion(ByteSpan question_mac);
  // All with this question, also those that ended unsent.
  [[nodiscard]] Result<std::vector<int64_t>> AllWithQuestion(ByteSpan question_mac);
  // All whose answer is kept.
  [[nodiscard]] Result<std::vector<int64_t>> AllWithAnswer();
  // Every call with this question, the newest first, but for those that ended unsent.
  [[nodiscard]] Result<std::vector<CallRow>> WithQuestion(ByteSpan question_mac);
  // The newest call whose `request` begins like this.
  [[nodiscard]] Result<std::optional<int64_t>> FindRequest(ByteSpan key_mac);
  [[nodiscard]] Result<std::optional<int64_t>> OldestPending();
  // Counts all calls anew, and returns whether the tally was wrong.
  [[nodiscard]] Result<bool> Recount();
  // By the tally; `endpoint` nothing: all.
  [[nodiscard]] Result<int64_t> Count(CallState state,
                                      std::optional<Endpoint> endpoint = std::nullopt);

  [[nodiscard]] Status PutField(int64_t id, SealedField field, const std::vector<Bytes>& chunks);
  // Empty where the field is not in this file.
  [[nodiscard]] Result<std::vector<Bytes>> GetField(int64_t id, SealedField field);
  // The fields first .. last.
  [[nodiscard]] Status EraseFields(int64_t id, SealedField first, SealedField last);

 private:
  // The versions of a row's MAC: the present and older ones, which rows have that were not saved
  // since.
  enum class MacVersion { kWithoutAge, kWithoutService, kWithoutMeans, kWithoutRequest, kWhole };
  [[nodiscard]] Bytes MacOf(const CallRow& row, MacVersion version) const;
  [[nodiscard]] bool IsGenuine(const CallRow& row, ByteSpan mac) const;
  // The different `made_for` of such calls. A seek of the index each.
  [[nodiscard]] Result<std::vector<std::string>> Services(CallState state, Endpoint endpoint,
                                                          bool person_waits);
  [[nodiscard]] Result<CallRow> Read(const SqliteQuery& query) const;
  [[nodiscard]] Result<std::vector<CallRow>> ReadAll(Result<SqliteQuery> query) const;
  [[nodiscard]] Result<CallRow> LoadOne(Result<SqliteQuery> query, std::string_view what);

  SqliteDatabase& database_;
  const Crypto& crypto_;
  const SecretBytes& mac_key_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_CALL_STORE_H_
