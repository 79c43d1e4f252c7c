#include "app/queue/storage/call_store.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "app/queue/storage/row_mac.h"

namespace idkiosk {
namespace {

constexpr int64_t kChunkIdsOfCall = 65536;
constexpr int64_t kChunkIdsOfField = 256;

int64_t FirstChunk(int64_t id, SealedField field) {
  return id * kChunkIdsOfCall + static_cast<int64_t>(field) * kChunkIdsOfField;
}

std::string_view MeansWord(const CallRow& row) {
  return row.means ? Name(*row.means) : std::string_view();
}

std::string_view OutcomeWord(const CallRow& row) {
  return row.outcome ? Name(*row.outcome) : std::string_view();
}

// The columns behind `id`, in the table's order.
void BindColumns(SqliteQuery& query, const CallRow& row, ByteSpan mac) {
  query.Bind(row.reference).Bind(Name(row.state)).Bind(Name(row.endpoint)).Bind(row.operator_id);
  query.Bind(row.person_waits ? 1 : 0).Bind(row.accepted_at).Bind(row.due_at).Bind(row.age_at);
  query.Bind(row.ended_at).Bind(row.attempts).Bind(row.billed_attempts);
  query.Bind(row.granted_attempts).Bind(row.rung).Bind(Name(row.verdict)).Bind(OutcomeWord(row));
  query.Bind(row.http_status).Bind(row.engineer).Bind(row.has_payload ? 1 : 0);
  query.Bind(row.has_answer ? 1 : 0).Bind(ByteSpan(row.sealed_key));
  query.Bind(ByteSpan(row.question_mac)).Bind(mac).Bind(row.made_for).Bind(MeansWord(row));
  query.Bind(row.case_id).Bind(ByteSpan(row.request));
}

// Of calls that asked something: all but those that ended without an answer and without a bill.
std::string AskedSomething() {
  std::vector<std::string> withdrawn;
  for (const CallStateTraits& each : kCallStates) {
    if (each.course == CallCourse::kWithdrawn) withdrawn.push_back(fmt::format("'{}'", each.name));
  }
  return fmt::format("NOT (state IN ({}) AND billed_attempts=0)", fmt::join(withdrawn, ", "));
}

Bytes Copy(ByteSpan bytes) { return {bytes.begin(), bytes.end()}; }

Result<std::vector<int64_t>> Ids(Result<SqliteQuery> query) {
  if (!query) return std::unexpected(query.error());
  std::vector<int64_t> ids;
  for (;;) {
    const auto more = query->Next();
    if (!more) return std::unexpected(more.error());
    if (!*more) return ids;
    ids.push_back(query->Integer(0));
  }
}

}  // namespace

// Not in it: person_waits and due_at, which only say when. A wrong one is put right by the next
// start or by the call's age. Rows of before version 4 are proven without their age, those of
// before version 5 without the service that they were made for, those of before version 6 without
// the means by which their pictures were taken, those of before version 7 without their request.
Bytes CallStore::MacOf(const CallRow& row, MacVersion version) const {
  constexpr std::array<std::string_view, 5> kTables = {"call", "call/2", "call/3", "call/4",
                                                       "call/5"};
  RowMac mac(kTables[static_cast<size_t>(version)]);
  if (version >= MacVersion::kWhole) mac.Add(row.case_id).Add(ByteSpan(row.request));
  if (version >= MacVersion::kWithoutRequest) mac.Add(MeansWord(row));
  if (version >= MacVersion::kWithoutMeans) mac.Add(row.made_for);
  if (version >= MacVersion::kWithoutService) mac.Add(row.age_at);
  const Crypto::Digest digest = mac.Add(row.id)
                                    .Add(row.reference)
                                    .Add(Name(row.state))
                                    .Add(Name(row.endpoint))
                                    .Add(row.operator_id)
                                    .Add(row.accepted_at)
                                    .Add(row.ended_at)
                                    .Add(int64_t{row.attempts})
                                    .Add(int64_t{row.billed_attempts})
                                    .Add(int64_t{row.granted_attempts})
                                    .Add(int64_t{row.rung})
                                    .Add(Name(row.verdict))
                                    .Add(OutcomeWord(row))
                                    .Add(int64_t{row.http_status})
                                    .Add(row.engineer)
                                    .Add(int64_t{row.has_payload})
                                    .Add(int64_t{row.has_answer})
                                    .Add(ByteSpan(row.sealed_key))
                                    .Add(ByteSpan(row.question_mac))
                                    .Of(crypto_, mac_key_);
  return Copy(digest);
}

bool CallStore::IsGenuine(const CallRow& row, ByteSpan mac) const {
  const auto proves = [&](MacVersion version) {
    return std::ranges::equal(MacOf(row, version), mac);
  };
  if (proves(MacVersion::kWhole)) return true;
  if (!row.case_id.empty() || !row.request.empty()) return false;
  if (proves(MacVersion::kWithoutRequest)) return true;
  if (row.means) return false;
  if (proves(MacVersion::kWithoutMeans)) return true;
  if (!row.made_for.empty()) return false;
  return proves(MacVersion::kWithoutService) || proves(MacVersion::kWithoutAge);
}

Status CallStore::Insert(CallRow& row) {
  // The number is part of what proves the row, so it is chosen first. None comes twice: what is
  // known of a row by its number is not another's.
  const auto last = database_.Number(
      "SELECT max((SELECT coalesce(max(id), 0) FROM call), "
      "(SELECT coalesce(max(value), 0) FROM setting WHERE name='last_row'))");
  if (!last) return std::unexpected(last.error());
  row.id = last->value_or(0) + 1;
  auto query = database_.Query(
      "INSERT INTO call VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", row.id);
  if (!query) return std::unexpected(query.error());
  BindColumns(*query, row, MacOf(row, MacVersion::kWhole));
  return query->Run();
}

Status CallStore::Save(const CallRow& row) {
  auto query = database_.Prepare(
      "UPDATE call SET reference=?, state=?, endpoint=?, operator=?, person_waits=?, "
      "accepted_at=?, due_at=?, age_at=?, ended_at=?, attempts=?, billed_attempts=?, "
      "allowed_attempts=?, rung=?, verdict=?, outcome=?, http_status=?, engineer=?, "
      "has_payload=?, has_answer=?, sealed_key=?, question_mac=?, mac=?, made_for=?, means=?, "
      "case_id=?, request=? WHERE id=?");
  if (!query) return std::unexpected(query.error());
  BindColumns(*query, row, MacOf(row, MacVersion::kWhole));
  return query->Bind(row.id).Run();
}

Status CallStore::Delete(int64_t id) {
  if (Status erased = EraseFields(id, SealedField::kQuestion, SealedField::kAnswer); !erased) {
    return erased;
  }
  if (Status kept = database_.Run("INSERT INTO setting VALUES('last_row', ?) ON CONFLICT DO UPDATE "
                                  "SET value=max(value, excluded.value)",
                                  id);
      !kept) {
    return kept;
  }
  return database_.Run("DELETE FROM call WHERE id=?", id);
}

// From SELECT * of the schema's column order.
Result<CallRow> CallStore::Read(const SqliteQuery& query) const {
  CallRow row;
  row.id = query.Integer(0);
  row.reference = query.Text(1);
  const auto state = CallStateOf(query.Text(2));
  const auto endpoint = EndpointOf(query.Text(3));
  row.operator_id = query.Text(4);
  row.person_waits = query.Integer(5) != 0;
  row.accepted_at = query.Integer(6);
  row.due_at = query.OptionalInteger(7);
  row.age_at = query.OptionalInteger(8);
  row.ended_at = query.OptionalInteger(9);
  row.attempts = static_cast<int>(query.Integer(10));
  row.billed_attempts = static_cast<int>(query.Integer(11));
  row.granted_attempts = static_cast<int>(query.Integer(12));
  row.rung = static_cast<int>(query.Integer(13));
  const auto verdict = VerdictOf(query.Text(14));
  row.outcome = OutcomeKindOf(query.Text(15));
  row.http_status = static_cast<int>(query.Integer(16));
  row.engineer = query.Text(17);
  row.has_payload = query.Integer(18) != 0;
  row.has_answer = query.Integer(19) != 0;
  row.sealed_key = Copy(query.Blob(20));
  row.question_mac = Copy(query.Blob(21));
  // These are not there in a file that an earlier program left.
  row.made_for = query.Text(23);
  row.means = PictureMeansOf(query.Text(24));
  row.case_id = query.Text(25);
  row.request = Copy(query.Blob(26));
  row.state = state.value_or(CallState::kDamaged);
  row.endpoint = endpoint.value_or(Endpoint::kVerify);
  row.verdict = verdict.value_or(Verdict::kNone);
  row.set_aside = state == CallState::kDamaged;
  if (row.state == CallState::kDamaged) return row;
  const bool proven = IsGenuine(row, query.Blob(22));
  if (!endpoint || !verdict || !proven) row.state = CallState::kDamaged;
  return row;
}

Result<CallRow> CallStore::LoadOne(Result<SqliteQuery> query, std::string_view what) {
  if (!query) return std::unexpected(query.error());
  const auto found = query->Next();
  if (!found) return std::unexpected(found.error());
  if (!*found) return Fail(ErrorCode::kNotFound, "there is no call {}", what);
  return Read(*query);
}

Result<CallRow> CallStore::Load(const CallReference& reference) {
  return LoadOne(database_.Query("SELECT * FROM call WHERE reference=?", reference), reference);
}

Result<CallRow> CallStore::LoadById(int64_t id) {
  return LoadOne(database_.Query("SELECT * FROM call WHERE id=?", id),
                 fmt::format("number {}", id));
}

Result<bool> CallStore::Exists(const CallReference& reference) {
  const auto found =
      database_.Number("SELECT EXISTS(SELECT 1 FROM call WHERE reference=?)", reference);
  if (!found) return std::unexpected(found.error());
  return **found != 0;
}

Result<std::vector<CallRow>> CallStore::ReadAll(Result<SqliteQuery> query) const {
  if (!query) return std::unexpected(query.error());
  std::vector<CallRow> rows;
  for (;;) {
    const auto more = query->Next();
    if (!more) return std::unexpected(more.error());
    if (!*more) return rows;
    auto row = Read(*query);
    if (!row) return std::unexpected(row.error());
    rows.push_back(std::move(*row));
  }
}

Result<std::vector<CallRow>> CallStore::List(bool only_open) {
  std::string left_out = ",";
  for (size_t i = 0; only_open && i < kCallStateCount; ++i) {
    const auto state = static_cast<CallState>(i);
    if (HasEnded(state)) left_out += fmt::format("{},", Name(state));
  }
  return ReadAll(database_.Query("SELECT * FROM call WHERE instr(?, ','||state||',')=0 ORDER BY id",
                                 std::string_view(left_out)));
}

Result<std::vector<CallStore::Head>> CallStore::Heads(int64_t after) {
  auto query = database_.Query(
      "SELECT id, reference, state, has_payload, EXISTS(SELECT 1 FROM chunk WHERE "
      "chunk.id=call.id*65536) FROM call WHERE id>? ORDER BY id",
      after);
  if (!query) return std::unexpected(query.error());
  std::vector<Head> heads;
  for (;;) {
    const auto more = query->Next();
    if (!more) return std::unexpected(more.error());
    if (!*more) return heads;
    heads.push_back({query->Integer(0), query->Text(1),
                     CallStateOf(query->Text(2)).value_or(CallState::kDamaged),
                     query->Integer(3) != 0, query->Integer(4) != 0});
  }
}

std::map<int64_t, CallReference> CallStore::PossibleCalls() {
  // A row whose page is broken lies between others; a number far from all of them is damaged.
  constexpr int64_t kWidestGap = 1000;
  std::map<int64_t, CallReference> calls;
  // A broken page ends each of them somewhere else.
  for (const char* sql : {"SELECT id, '' FROM call NOT INDEXED ORDER BY id",
                          "SELECT id, '' FROM call NOT INDEXED ORDER BY id DESC",
                          "SELECT id, reference FROM call ORDER BY reference",
                          "SELECT id, reference FROM call ORDER BY reference DESC",
                          "SELECT id, '' FROM call INDEXED BY call_due ORDER BY state, endpoint",
                          "SELECT id/65536, '' FROM chunk ORDER BY id",
                          "SELECT id/65536, '' FROM chunk ORDER BY id DESC"}) {
    auto query = database_.Query(sql);
    while (query && query->Next().value_or(false)) {
      std::string& name = calls[query->Integer(0)];
      if (name.empty()) name = query->Text(1);
    }
  }
  int64_t before = 0;
  for (auto call = calls.begin(); call != calls.end(); ++call) {
    if (call->first - before <= kWidestGap) {
      for (int64_t id = std::max<int64_t>(before + 1, 1); id < call->first; ++id) {
        calls.try_emplace(call, id);
      }
    }
    before = call->first;
  }
  return calls;
}

Result<std::vector<CallRow>> CallStore::Newest(int limit) {
  return ReadAll(database_.Query("SELECT * FROM call ORDER BY id DESC LIMIT ?", limit));
}

Result<std::vector<CallRow>> CallStore::Page(std::optional<CallState> state, int64_t since,
                                             std::optional<int64_t> before, int limit) {
  return ReadAll(database_.Query(
      "SELECT * FROM call WHERE id<? AND (accepted_at>=? OR accepted_at=0) AND (?='' OR state=?) "
      "ORDER BY id DESC LIMIT ?",
      before.value_or(std::numeric_limits<int64_t>::max()), since,
      state ? Name(*state) : std::string_view(), state ? Name(*state) : std::string_view(), limit));
}

Result<std::vector<CallRow>> CallStore::SomeInState(CallState state, int limit) {
  return ReadAll(database_.Query("SELECT * FROM call WHERE state=? LIMIT ?", Name(state), limit));
}

Status CallStore::MarkDamaged(int64_t id, int64_t age_at) {
  return database_.Run("UPDATE call SET state='damaged', due_at=NULL, age_at=? WHERE id=?", age_at,
                       id);
}

Status CallStore::EraseDamaged(int64_t id) {
  if (Status erased = EraseFields(id, SealedField::kQuestion, SealedField::kAnswer); !erased) {
    return erased;
  }
  return database_.Run(
      "UPDATE call SET state='damaged', due_at=NULL, age_at=NULL, sealed_key=x'' WHERE id=?", id);
}

Result<std::vector<Endpoint>> CallStore::EndpointsIn(CallState state) {
  std::vector<Endpoint> endpoints;
  std::string word;
  for (;;) {
    auto query = database_.Query(
        "SELECT endpoint FROM call WHERE state=? AND endpoint>? ORDER BY endpoint LIMIT 1",
        Name(state), std::string_view(word));
    if (!query) return std::unexpected(query.error());
    const auto found = query->Next();
    if (!found) return std::unexpected(found.error());
    if (!*found) return endpoints;
    word = query->Text(0);
    if (const auto endpoint = EndpointOf(word)) endpoints.push_back(*endpoint);
  }
}

Result<std::vector<std::string>> CallStore::Services(CallState state, Endpoint endpoint,
                                                     bool person_waits) {
  std::vector<std::string> services;
  std::string from;
  for (;;) {
    auto query = database_.Query(
        "SELECT made_for FROM call WHERE state=? AND endpoint=? AND person_waits=? AND made_for>=? "
        "ORDER BY made_for LIMIT 1",
        Name(state), Name(endpoint), person_waits ? 1 : 0, std::string_view(from));
    if (!query) return std::unexpected(query.error());
    const auto found = query->Next();
    if (!found) return std::unexpected(found.error());
    if (!*found) return services;
    services.push_back(query->Text(0));
    from = services.back() + '\x01';  // behind this one, before any other
  }
}

Result<std::optional<CallStore::Due>> CallStore::FirstDue(Endpoint endpoint, bool person_waits,
                                                          const MaySend& may_send) {
  return FirstDueThat(endpoint, person_waits, may_send, std::numeric_limits<int64_t>::max(),
                      [](const Due&) { return true; });
}

Result<std::optional<CallStore::Due>> CallStore::FirstDueThat(
    Endpoint endpoint, bool person_waits, const MaySend& may_send, int64_t until,
    const std::function<bool(const Due&)>& wanted) {
  const auto services = Services(CallState::kPending, endpoint, person_waits);
  if (!services) return std::unexpected(services.error());
  std::optional<Due> first;
  for (const std::string& each : *services) {
    if (!may_send(each)) continue;
    auto query = database_.Query(
        "SELECT id, due_at, attempts FROM call WHERE state='pending' AND endpoint=? AND "
        "person_waits=? AND made_for=? ORDER BY due_at, id",
        Name(endpoint), person_waits ? 1 : 0, each);
    if (!query) return std::unexpected(query.error());
    for (;;) {
      const auto found = query->Next();
      if (!found) return std::unexpected(found.error());
      if (!*found) break;
      const Due due{query->Integer(0), query->Integer(1), static_cast<int>(query->Integer(2))};
      if (due.at > until || (first && due.at >= first->at)) break;
      if (!wanted(due)) continue;
      first = due;
      break;
    }
  }
  return first;
}

Result<std::optional<CallStore::Due>> CallStore::FirstResend(const MaySend& may_send) {
  const auto endpoints = EndpointsIn(CallState::kUnknown);
  if (!endpoints) return std::unexpected(endpoints.error());
  std::optional<Due> first;
  for (Endpoint endpoint : *endpoints) {
    for (const bool person_waits : {false, true}) {
      const auto services = Services(CallState::kUnknown, endpoint, person_waits);
      if (!services) return std::unexpected(services.error());
      for (const std::string& each : *services) {
        if (!may_send(each)) continue;
        auto query = database_.Query(
            "SELECT id, due_at FROM call WHERE state='unknown' AND endpoint=? AND person_waits=? "
            "AND made_for=? AND due_at IS NOT NULL ORDER BY due_at LIMIT 1",
            Name(endpoint), person_waits ? 1 : 0, each);
        if (!query) return std::unexpected(query.error());
        const auto found = query->Next();
        if (!found) return std::unexpected(found.error());
        if (*found && (!first || query->Integer(1) < first->at)) {
          first = Due{query->Integer(0), query->Integer(1), 0};
        }
      }
    }
  }
  return first;
}

Result<std::map<std::string, int64_t>> CallStore::PendingOfOthers(Endpoint endpoint,
                                                                  const MaySend& may_send) {
  std::map<std::string, int64_t> pending;
  for (const bool person_waits : {false, true}) {
    const auto services = Services(CallState::kPending, endpoint, person_waits);
    if (!services) return std::unexpected(services.error());
    for (const std::string& each : *services) {
      if (may_send(each)) continue;
      const auto count = database_.Number(
          "SELECT count(*) FROM call WHERE state='pending' AND endpoint=? AND person_waits=? AND "
          "made_for=?",
          Name(endpoint), person_waits ? 1 : 0, each);
      if (!count) return std::unexpected(count.error());
      pending[each] += count->value_or(0);
    }
  }
  return pending;
}

Status CallStore::BringForward(int64_t latest, int64_t now) {
  return database_.Run("UPDATE call SET due_at=?2 WHERE state='pending' AND due_at>?1", latest,
                       now);
}

Result<std::vector<int64_t>> CallStore::Aged(int64_t now, int limit) {
  return Ids(
      database_.Query("SELECT id FROM call WHERE age_at<=? ORDER BY age_at LIMIT ?", now, limit));
}

Result<std::vector<int64_t>> CallStore::InState(CallState state) {
  return Ids(database_.Query("SELECT id FROM call WHERE state=? ORDER BY id", Name(state)));
}

Result<std::vector<int64_t>> CallStore::WithPayload(CallState state, Endpoint endpoint) {
  return Ids(database_.Query(
      "SELECT id FROM call WHERE state=? AND endpoint=? AND has_payload=1 ORDER BY id", Name(state),
      Name(endpoint)));
}

Result<std::vector<int64_t>> CallStore::Granted(CallState state) {
  return Ids(
      database_.Query("SELECT id FROM call WHERE state=? AND allowed_attempts>1", Name(state)));
}

Result<std::map<uint32_t, int64_t>> CallStore::Epochs() {
  // The formats of a wrapped key: PayloadSeal.
  auto query = database_.Query(
      "SELECT CASE length(sealed_key) WHEN 60 THEN x'00000001' ELSE substr(sealed_key,1,4) END "
      "AS epoch, max(id) FROM call WHERE length(sealed_key)>=60 GROUP BY epoch");
  if (!query) return std::unexpected(query.error());
  std::map<uint32_t, int64_t> epochs;
  for (;;) {
    const auto more = query->Next();
    if (!more) return std::unexpected(more.error());
    if (!*more) return epochs;
    epochs.emplace(ReadUint32(query->Blob(0).first<4>()), query->Integer(1));
  }
}

Result<std::set<uint32_t>> CallStore::QuestionEpochs() {
  auto query = database_.Query(
      "SELECT DISTINCT substr(question_mac,1,4) FROM call WHERE length(question_mac)=36 "
      "AND NOT (state='damaged' AND age_at IS NULL)");
  if (!query) return std::unexpected(query.error());
  std::set<uint32_t> epochs;
  for (;;) {
    const auto more = query->Next();
    if (!more) return std::unexpected(more.error());
    if (!*more) return epochs;
    epochs.insert(ReadUint32(query->Blob(0).first<4>()));
  }
}

Result<std::vector<int64_t>> CallStore::AcceptedWithoutClock() {
  return Ids(database_.Query("SELECT id FROM call WHERE age_at=0 ORDER BY id"));
}

Result<std::optional<int64_t>> CallStore::NewestAccepted() {
  return database_.Number("SELECT max(accepted_at) FROM call WHERE accepted_at>0");
}

Result<std::optional<int64_t>> CallStore::FindQuestion(ByteSpan question_mac) {
  static const std::string kSql =
      "SELECT max(id) FROM call WHERE question_mac=? AND question_mac!=x'' AND " + AskedSomething();
  return database_.Number(kSql.c_str(), question_mac);
}

Result<std::vector<int64_t>> CallStore::AllWithQuestion(ByteSpan question_mac) {
  return Ids(database_.Query("SELECT id FROM call WHERE question_mac=? AND question_mac!=x''",
                             question_mac));
}

Result<std::vector<int64_t>> CallStore::AllWithAnswer() {
  return Ids(database_.Query("SELECT id FROM call WHERE has_answer!=0"));
}

Result<std::vector<CallRow>> CallStore::WithQuestion(ByteSpan question_mac) {
  static const std::string kSql =
      "SELECT * FROM call WHERE question_mac=? AND question_mac!=x'' AND " + AskedSomething() +
      " ORDER BY id DESC";
  return ReadAll(database_.Query(kSql.c_str(), question_mac));
}

Result<std::optional<int64_t>> CallStore::FindRequest(ByteSpan key_mac) {
  // Every blob that begins like it lies before this one.
  Bytes behind = Copy(key_mac);
  behind.push_back(0xff);
  return database_.Number(
      "SELECT max(id) FROM call WHERE request!=x'' AND request>=? AND request<?", key_mac,
      ByteSpan(behind));
}

Result<std::optional<int64_t>> CallStore::OldestPending() {
  // In the order of age, so that nothing is counted; ended calls before it are few.
  return database_.Number(
      "SELECT accepted_at FROM call INDEXED BY call_age WHERE state='pending' AND age_at IS NOT "
      "NULL "
      "ORDER BY age_at LIMIT 1");
}

Result<bool> CallStore::Recount() {
  const auto wrong = database_.Number(
      "WITH counted AS (SELECT state, endpoint, count(*) AS calls FROM call GROUP BY 1, 2), "
      "told AS (SELECT state, endpoint, calls FROM tally WHERE calls!=0) "
      "SELECT EXISTS(SELECT * FROM counted EXCEPT SELECT * FROM told) OR "
      "EXISTS(SELECT * FROM told EXCEPT SELECT * FROM counted)");
  if (!wrong) return std::unexpected(wrong.error());
  if (wrong->value_or(0) == 0) return false;
  if (Status cleared = database_.Run("DELETE FROM tally"); !cleared) {
    return std::unexpected(cleared.error());
  }
  Status counted = database_.Run(
      "INSERT INTO tally SELECT state, endpoint, count(*) FROM call GROUP BY state, endpoint");
  if (!counted) return std::unexpected(counted.error());
  return true;
}

Result<int64_t> CallStore::Count(CallState state, std::optional<Endpoint> endpoint) {
  const auto count =
      endpoint ? database_.Number("SELECT sum(calls) FROM tally WHERE state=? AND endpoint=?",
                                  Name(state), Name(*endpoint))
               : database_.Number("SELECT sum(calls) FROM tally WHERE state=?", Name(state));
  if (!count) return std::unexpected(count.error());
  return count->value_or(0);
}

Status CallStore::PutField(int64_t id, SealedField field, const std::vector<Bytes>& chunks) {
  if (Status erased = EraseFields(id, field, field); !erased) return erased;
  int64_t chunk = FirstChunk(id, field);
  for (const Bytes& each : chunks) {
    if (Status put = database_.Run("INSERT INTO chunk VALUES(?,?)", chunk++, ByteSpan(each));
        !put) {
      return put;
    }
  }
  return {};
}

Result<std::vector<Bytes>> CallStore::GetField(int64_t id, SealedField field) {
  const int64_t first = FirstChunk(id, field);
  auto query = database_.Query("SELECT sealed FROM chunk WHERE id>=? AND id<? ORDER BY id", first,
                               first + kChunkIdsOfField);
  if (!query) return std::unexpected(query.error());
  std::vector<Bytes> chunks;
  for (;;) {
    const auto more = query->Next();
    if (!more) return std::unexpected(more.error());
    if (!*more) return chunks;
    chunks.push_back(Copy(query->Blob(0)));
  }
}

Status CallStore::EraseFields(int64_t id, SealedField first, SealedField last) {
  return database_.Run("DELETE FROM chunk WHERE id>=? AND id<?", FirstChunk(id, first),
                       FirstChunk(id, last) + kChunkIdsOfField);
}

}  // namespace idkiosk
