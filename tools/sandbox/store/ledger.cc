#include "tools/sandbox/store/ledger.h"

#include <functional>
#include <string>

#include "platform/base/json.h"

namespace idkiosk::sandbox {
namespace {

// The log of a sandbox that is left running stays below some 50 MB; billing rows are never removed.
constexpr int64_t kKeptRequests = 200'000;
constexpr int64_t kTrimEvery = 1'000;

SqlValue OrNull(const std::optional<int64_t>& number) {
  return number ? SqlValue(*number) : SqlValue(nullptr);
}

// The five conditions of a LedgerQuery; its limit is ?5.
#define SANDBOX_LEDGER_WHERE                                       \
  " WHERE (?1 IS NULL OR account=?1) AND (?2 IS NULL OR time>=?2)" \
  " AND (?3='' OR endpoint=?3) AND (?4='' OR subject=?4) "         \
  "AND (?6='' OR attempt_id=?6) "

// Reads what matches a LedgerQuery, statement by statement, into one JSON text.
class Report {
 public:
  Report(Database& database, const LedgerQuery& query, std::string subject)
      : database_(database), query_(query), subject_(std::move(subject)) {
    json_.BeginObject();
  }

  // Calls `write` for each row. After a failure nothing more is read.
  void Read(const char* sql, const std::function<void(const SqlRow&, JsonWriter&)>& write) {
    if (!status_) return;
    const SqlValue since = query_.since ? SqlValue(NumberOf(*query_.since)) : SqlValue(nullptr);
    status_ = database_.Run(
        sql,
        {OrNull(query_.account), since, query_.endpoint, subject_, query_.limit, query_.attempt_id},
        [&](const SqlRow& row) { write(row, json_); });
  }

  JsonWriter& json() { return json_; }

  Result<std::string> Finish() {
    if (!status_) return std::unexpected(status_.error());
    return json_.EndObject().Take();
  }

 private:
  Database& database_;
  const LedgerQuery& query_;
  const std::string subject_;
  Status status_;
  JsonWriter json_;
};

void WriteCharge(const SqlRow& row, JsonWriter& json) {
  json.BeginObject()
      .Field("id", row.Integer(0))
      .Field("time", FormatRfc3339(TimeOf(row.Integer(1))))
      .Field("account", row.Integer(2))
      .Field("endpoint", row.Text(3))
      .Field("status", row.Integer(4))
      .Field("outcome", row.Text(5))
      .Field("reference", row.Text(6))
      .Field("amount", FormatAmount(row.Integer(7)))
      .Field("subject", row.Text(8))
      .Field("attempt_id", row.Text(9))
      .EndObject();
}

void WriteRequest(const SqlRow& row, JsonWriter& json) {
  json.BeginObject()
      .Field("id", row.Integer(0))
      .Field("time", FormatRfc3339(TimeOf(row.Integer(1))));
  row.IsNull(2) ? json.Key("account").Null() : json.Field("account", row.Integer(2));
  json.Field("endpoint", row.Text(3))
      .Field("method", row.Text(4))
      .Field("path", row.Text(5))
      .Field("status", row.Integer(6))
      .Field("message", row.Text(7))
      .Field("fault", row.Text(8))
      .Field("billed", row.Integer(9) != 0)
      .Field("body_bytes", row.Integer(10))
      .Field("body_read", row.Integer(11) != 0)
      .Field("subject", row.Text(12))
      .Field("content", row.Text(13))
      .Field("attempt_id", row.Text(14))
      .EndObject();
}

// Columns from `first`: a count and an amount.
void WriteSum(const SqlRow& row, int first, JsonWriter& json) {
  json.Field("count", row.Integer(first)).Field("amount", FormatAmount(row.Integer(first + 1)));
}

// Columns from `first`: received, posts, bodies read, billed.
void WriteCounts(const SqlRow& row, int first, JsonWriter& json) {
  json.Field("received", row.Integer(first))
      .Field("posts", row.Integer(first + 1))
      .Field("bodies_read", row.Integer(first + 2))
      .Field("billed", row.Integer(first + 3));
}

// A row whose column 0 names a group and whose others are `write`'s.
auto AsGroup(void (*write)(const SqlRow&, int, JsonWriter&)) {
  return [write](const SqlRow& row, JsonWriter& json) {
    json.Key(row.Text(0)).BeginObject();
    write(row, 1, json);
    json.EndObject();
  };
}

}  // namespace

std::string FormatAmount(int64_t hundredths) {
  return fmt::format("{}.{:02}", hundredths / 100, hundredths % 100);
}

Status Ledger::Record(const LoggedRequest& request, const std::optional<Charge>& charge) {
  const std::string subject = digest_.Of(request.subject);
  const std::string content = digest_.Of(request.content);
  return database_.InTransaction([&](Database::Transaction& transaction) -> Status {
    auto logged = transaction.Run(
        "INSERT INTO request(time, account, endpoint, method, path, status, message, fault, "
        "billed, body_bytes, body_read, subject, content, attempt_id) "
        "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        {NumberOf(request.time), OrNull(request.account), request.endpoint, request.method,
         request.path, int64_t{request.status}, request.message, request.fault,
         int64_t{charge.has_value()}, static_cast<int64_t>(request.body_bytes),
         int64_t{request.body_read}, subject, content, request.attempt_id});
    if (!logged) return logged;
    if (until_trim_-- == 0) {
      until_trim_ = kTrimEvery;
      if (auto trimmed = Trim(transaction); !trimmed) return trimmed;
    }
    if (!charge) return {};
    return transaction.Run(
        "INSERT INTO billing(time, account, endpoint, status, outcome, reference, amount, "
        "subject, attempt_id) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
        {NumberOf(request.time), OrNull(request.account), request.endpoint, int64_t{request.status},
         charge->outcome, charge->reference, charge->amount, subject, request.attempt_id});
  });
}

Status Ledger::Trim(Database::Transaction& transaction) {
  return transaction.Run("DELETE FROM request WHERE id <= (SELECT max(id) FROM request) - ?",
                         {kKeptRequests});
}

Result<std::string> Ledger::BillingJson(const LedgerQuery& query) {
  Report report(database_, query, digest_.Of(query.subject));
  JsonWriter& json = report.json();
  json.Key("rows").BeginArray();
  report.Read(
      "SELECT id, time, account, endpoint, status, outcome, reference, amount, subject, "
      "attempt_id FROM billing" SANDBOX_LEDGER_WHERE "ORDER BY id DESC LIMIT ?5",
      WriteCharge);
  json.EndArray().Key("sum").BeginObject();
  report.Read("SELECT count(*), coalesce(sum(amount), 0) FROM billing" SANDBOX_LEDGER_WHERE,
              [](const SqlRow& row, JsonWriter& to) { WriteSum(row, 0, to); });
  json.Key("by_endpoint").BeginObject();
  report.Read("SELECT endpoint, count(*), sum(amount) FROM billing" SANDBOX_LEDGER_WHERE
              "GROUP BY endpoint ORDER BY endpoint",
              AsGroup(WriteSum));
  json.EndObject().Key("by_outcome").BeginObject();
  report.Read("SELECT outcome, count(*), sum(amount) FROM billing" SANDBOX_LEDGER_WHERE
              "GROUP BY outcome ORDER BY outcome",
              AsGroup(WriteSum));
  json.EndObject().EndObject();
  return report.Finish();
}

Result<std::string> Ledger::RequestsJson(const LedgerQuery& query) {
  Report report(database_, query, digest_.Of(query.subject));
  JsonWriter& json = report.json();
  json.Key("rows").BeginArray();
  report.Read(
      "SELECT id, time, account, endpoint, method, path, status, message, fault, billed, "
      "body_bytes, body_read, subject, content, attempt_id "
      "FROM request" SANDBOX_LEDGER_WHERE "ORDER BY id DESC LIMIT ?5",
      WriteRequest);
  json.EndArray().Key("count").BeginObject();
  report.Read(
      "SELECT count(*), coalesce(sum(method='POST'), 0), coalesce(sum(body_read), 0), "
      "coalesce(sum(billed), 0) FROM request" SANDBOX_LEDGER_WHERE,
      [](const SqlRow& row, JsonWriter& to) { WriteCounts(row, 0, to); });
  json.Key("by_endpoint").BeginObject();
  report.Read(
      "SELECT endpoint, count(*), sum(method='POST'), sum(body_read), sum(billed) "
      "FROM request" SANDBOX_LEDGER_WHERE "GROUP BY endpoint ORDER BY endpoint",
      AsGroup(WriteCounts));
  json.EndObject().Key("by_status").BeginObject();
  report.Read("SELECT status, count(*) FROM request" SANDBOX_LEDGER_WHERE
              "GROUP BY status ORDER BY status",
              [](const SqlRow& row, JsonWriter& to) {
                to.Field(std::to_string(row.Integer(0)), row.Integer(1));
              });
  json.EndObject().EndObject();
  return report.Finish();
}

}  // namespace idkiosk::sandbox
