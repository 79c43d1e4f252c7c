#include "tools/sandbox/store/ledger.h"

#include <string>

#include "platform/base/json.h"

namespace idkiosk::sandbox {
namespace {

// The log of a sandbox that is left running stays below some 50 MB; billing rows are never removed.
constexpr int64_t kKeptRequests = 200'000;
constexpr int64_t kTrimEvery = 1'000;

WallTime TimeOf(int64_t milliseconds) { return WallTime(std::chrono::milliseconds(milliseconds)); }
int64_t NumberOf(WallTime time) { return time.time_since_epoch().count(); }

SqlValue OrNull(const std::optional<int64_t>& number) {
  return number ? SqlValue(*number) : SqlValue(nullptr);
}

// The four conditions of a LedgerQuery, in the order of the values below.
#define SANDBOX_LEDGER_WHERE                                       \
  " WHERE (?1 IS NULL OR account=?1) AND (?2 IS NULL OR time>=?2)" \
  " AND (?3='' OR endpoint=?3) AND (?4='' OR subject=?4) "

}  // namespace

std::string FormatAmount(int64_t hundredths) {
  return fmt::format("{}.{:02}", hundredths / 100, hundredths % 100);
}

Status Ledger::Record(const LoggedRequest& request, const std::optional<Charge>& charge) {
  const std::string subject = digest_.Of(request.subject);
  const std::string content = digest_.Of(request.content);
  return database_.InTransaction([&]() -> Status {
    auto logged = database_.Run(
        "INSERT INTO request(time, account, endpoint, method, path, status, message, fault, "
        "billed, body_bytes, body_read, subject, content) "
        "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        {NumberOf(request.time), OrNull(request.account), request.endpoint, request.method,
         request.path, int64_t{request.status}, request.message, request.fault,
         int64_t{charge.has_value()}, static_cast<int64_t>(request.body_bytes),
         int64_t{request.body_read}, subject, content});
    if (!logged) return logged;
    if (until_trim_-- == 0) {
      until_trim_ = kTrimEvery;
      if (auto trimmed = Trim(); !trimmed) return trimmed;
    }
    if (!charge) return {};
    return database_.Run(
        "INSERT INTO billing(time, account, endpoint, status, outcome, reference, amount, "
        "subject) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
        {NumberOf(request.time), OrNull(request.account), request.endpoint, int64_t{request.status},
         charge->outcome, charge->reference, charge->amount, subject});
  });
}

Status Ledger::Trim() {
  return database_.Run("DELETE FROM request WHERE id <= (SELECT max(id) FROM request) - ?",
                       {kKeptRequests});
}

Result<std::string> Ledger::BillingJson(const LedgerQuery& query) {
  const std::string subject = digest_.Of(query.subject);
  const SqlValue account = OrNull(query.account);
  const SqlValue since = query.since ? SqlValue(NumberOf(*query.since)) : SqlValue(nullptr);
  JsonWriter json;
  json.BeginObject().Key("rows").BeginArray();
  auto status = database_.Run(
      "SELECT id, time, account, endpoint, status, outcome, reference, amount, subject "
      "FROM billing" SANDBOX_LEDGER_WHERE "ORDER BY id DESC LIMIT ?5",
      {account, since, query.endpoint, subject, query.limit}, [&](const SqlRow& row) {
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
            .EndObject();
      });
  if (!status) return std::unexpected(status.error());
  json.EndArray().Key("sum").BeginObject();
  status = database_.Run(
      "SELECT count(*), coalesce(sum(amount), 0) FROM billing" SANDBOX_LEDGER_WHERE,
      {account, since, query.endpoint, subject}, [&](const SqlRow& row) {
        json.Field("count", row.Integer(0)).Field("amount", FormatAmount(row.Integer(1)));
      });
  if (!status) return std::unexpected(status.error());
  const auto add_group = [&](const SqlRow& row) {
    json.Key(row.Text(0))
        .BeginObject()
        .Field("count", row.Integer(1))
        .Field("amount", FormatAmount(row.Integer(2)))
        .EndObject();
  };
  json.Key("by_endpoint").BeginObject();
  status = database_.Run("SELECT endpoint, count(*), sum(amount) FROM billing" SANDBOX_LEDGER_WHERE
                         "GROUP BY endpoint ORDER BY endpoint",
                         {account, since, query.endpoint, subject}, add_group);
  if (!status) return std::unexpected(status.error());
  json.EndObject().Key("by_outcome").BeginObject();
  status = database_.Run("SELECT outcome, count(*), sum(amount) FROM billing" SANDBOX_LEDGER_WHERE
                         "GROUP BY outcome ORDER BY outcome",
                         {account, since, query.endpoint, subject}, add_group);
  if (!status) return std::unexpected(status.error());
  return json.EndObject().EndObject().EndObject().Take();
}

Result<std::string> Ledger::RequestsJson(const LedgerQuery& query) {
  const std::string subject = digest_.Of(query.subject);
  const SqlValue account = OrNull(query.account);
  const SqlValue since = query.since ? SqlValue(NumberOf(*query.since)) : SqlValue(nullptr);
  JsonWriter json;
  json.BeginObject().Key("rows").BeginArray();
  auto status = database_.Run(
      "SELECT id, time, account, endpoint, method, path, status, message, fault, billed, "
      "body_bytes, body_read, subject, content "
      "FROM request" SANDBOX_LEDGER_WHERE "ORDER BY id DESC LIMIT ?5",
      {account, since, query.endpoint, subject, query.limit}, [&](const SqlRow& row) {
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
            .EndObject();
      });
  if (!status) return std::unexpected(status.error());
  json.EndArray().Key("count").BeginObject();
  const auto add_counts = [&](const SqlRow& row, int column) {
    json.Field("received", row.Integer(column))
        .Field("posts", row.Integer(column + 1))
        .Field("bodies_read", row.Integer(column + 2))
        .Field("billed", row.Integer(column + 3));
  };
  status = database_.Run(
      "SELECT count(*), coalesce(sum(method='POST'), 0), coalesce(sum(body_read), 0), "
      "coalesce(sum(billed), 0) FROM request" SANDBOX_LEDGER_WHERE,
      {account, since, query.endpoint, subject}, [&](const SqlRow& row) { add_counts(row, 0); });
  if (!status) return std::unexpected(status.error());
  json.Key("by_endpoint").BeginObject();
  status = database_.Run(
      "SELECT endpoint, count(*), sum(method='POST'), sum(body_read), sum(billed) "
      "FROM request" SANDBOX_LEDGER_WHERE "GROUP BY endpoint ORDER BY endpoint",
      {account, since, query.endpoint, subject}, [&](const SqlRow& row) {
        json.Key(row.Text(0)).BeginObject();
        add_counts(row, 1);
        json.EndObject();
      });
  if (!status) return std::unexpected(status.error());
  json.EndObject().Key("by_status").BeginObject();
  status = database_.Run(
      "SELECT status, count(*) FROM request" SANDBOX_LEDGER_WHERE "GROUP BY status ORDER BY status",
      {account, since, query.endpoint, subject},
      [&](const SqlRow& row) { json.Field(std::to_string(row.Integer(0)), row.Integer(1)); });
  if (!status) return std::unexpected(status.error());
  return json.EndObject().EndObject().EndObject().Take();
}

}  // namespace idkiosk::sandbox
