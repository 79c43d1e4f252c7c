#include "app/queue/storage/ledger_store.h"

#include <algorithm>
#include <limits>

#include "app/queue/queue_clock.h"
#include "app/queue/storage/row_mac.h"

namespace idkiosk {
namespace {

std::optional<int64_t> Milliseconds(const std::optional<WallTime>& time) {
  if (!time) return std::nullopt;
  return ToMilliseconds(*time);
}

int64_t From(const std::optional<WallTime>& since) {
  return since ? ToMilliseconds(*since) : std::numeric_limits<int64_t>::min();
}

std::string_view WordOf(LedgerBy by) {
  switch (by) {
    case LedgerBy::kTotal:
      return "total";
    case LedgerBy::kHour:
      return "hour";
    case LedgerBy::kDay:
      return "day";
    case LedgerBy::kEndpoint:
      return "endpoint";
    case LedgerBy::kOperator:
      return "operator";
  }
  return "";
}

}  // namespace

// Version 2 of the schema did not know `board_at`.
Crypto::Digest LedgerStore::MacOf(const LedgerRow& row, int version) const {
  RowMac mac(version == 2 ? "attempt" : "attempt/3");
  mac.Add(row.id)
      .Add(row.reference)
      .Add(int64_t{row.number})
      .Add(Name(row.endpoint))
      .Add(row.operator_id)
      .Add(ToMilliseconds(row.started_at))
      .Add(Milliseconds(row.ended_at))
      .Add(Name(row.stage))
      .Add(int64_t{row.http_status})
      .Add(Name(row.billed))
      .Add(row.price)
      .Add(row.reason);
  if (version > 2) mac.Add(row.board_at);
  return mac.Of(crypto_, mac_key_);
}

Status LedgerStore::Add(LedgerRow& row) {
  const auto last = database_.Number("SELECT seq FROM sqlite_sequence WHERE name='attempt'");
  if (!last) return std::unexpected(last.error());
  row.id = last->value_or(0) + 1;
  return database_.Run("INSERT INTO attempt VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)", row.id,
                       row.reference, row.number, Name(row.endpoint), row.operator_id,
                       ToMilliseconds(row.started_at), Milliseconds(row.ended_at), Name(row.stage),
                       row.http_status, Name(row.billed), row.price, row.reason,
                       ByteSpan(MacOf(row)), row.board_at);
}

Status LedgerStore::Finish(const CallReference& reference, const LedgerRow& ended) {
  LedgerRow row;
  {
    auto query = database_.Query("SELECT * FROM attempt WHERE reference=? ORDER BY id DESC LIMIT 1",
                                 reference);
    if (!query) return std::unexpected(query.error());
    const auto found = query->Next();
    if (!found) return std::unexpected(found.error());
    if (!*found) return Fail(ErrorCode::kNotFound, "the ledger has no attempt of {}", reference);
    row = Read(*query);
  }
  row.ended_at = ended.ended_at;
  row.stage = ended.stage;
  row.http_status = ended.http_status;
  row.billed = ended.billed;
  row.reason = ended.reason;
  // A row that was tampered with does not become genuine by this.
  const Crypto::Digest mac = row.genuine ? MacOf(row) : Crypto::Digest();
  return database_.Run(
      "UPDATE attempt SET ended_at=?, stage=?, http_status=?, billed=?, reason=?, mac=? WHERE id=?",
      Milliseconds(row.ended_at), Name(row.stage), row.http_status, Name(row.billed), row.reason,
      ByteSpan(mac), row.id);
}

// From SELECT * of the schema's column order.
LedgerRow LedgerStore::Read(const SqliteQuery& query) const {
  LedgerRow row;
  row.id = query.Integer(0);
  row.reference = query.Text(1);
  row.number = static_cast<int>(query.Integer(2));
  const auto endpoint = EndpointOf(query.Text(3));
  row.operator_id = query.Text(4);
  row.started_at = FromMilliseconds(query.Integer(5));
  if (const auto ended = query.OptionalInteger(6)) row.ended_at = FromMilliseconds(*ended);
  const auto stage = SendStageOf(query.Text(7));
  row.http_status = static_cast<int>(query.Integer(8));
  const auto billed = BilledOf(query.Text(9));
  row.price = query.Integer(10);
  row.reason = query.Text(11);
  row.endpoint = endpoint.value_or(Endpoint::kVerify);
  row.stage = stage.value_or(SendStage::kSent);
  row.billed = billed.value_or(Billed::kMaybe);
  row.board_at = query.Integer(13);
  const ByteSpan mac = query.Blob(12);
  row.genuine = endpoint && stage && billed &&
                (std::ranges::equal(MacOf(row), mac) || std::ranges::equal(MacOf(row, 2), mac));
  return row;
}

Result<std::vector<LedgerRow>> LedgerStore::ReadAll(Result<SqliteQuery> query) const {
  if (!query) return std::unexpected(query.error());
  std::vector<LedgerRow> rows;
  for (;;) {
    const auto more = query->Next();
    if (!more) return std::unexpected(more.error());
    if (!*more) return rows;
    rows.push_back(Read(*query));
  }
}

Result<std::vector<LedgerRow>> LedgerStore::List(std::optional<WallTime> since) {
  return ReadAll(
      database_.Query("SELECT * FROM attempt WHERE started_at>=? ORDER BY id", From(since)));
}

Result<std::vector<LedgerRow>> LedgerStore::Newest(int limit) {
  return ReadAll(database_.Query("SELECT * FROM attempt ORDER BY id DESC LIMIT ?", limit));
}

Result<std::map<int64_t, BilledHour>> LedgerStore::BilledByHour(WallTime since) {
  // By the order of ids: an index on the time alone would be written with every attempt.
  auto query = database_.Query(
      "SELECT started_at/3600000*3600000 AS hour, count(*), sum(price) FROM "
      "(SELECT started_at, billed, price FROM attempt ORDER BY id DESC LIMIT ?) "
      "WHERE started_at>=? AND billed!='no' GROUP BY hour",
      kMostSummed, From(since));
  if (!query) return std::unexpected(query.error());
  std::map<int64_t, BilledHour> hours;
  for (;;) {
    const auto more = query->Next();
    if (!more) return std::unexpected(more.error());
    if (!*more) return hours;
    const int64_t from = query->Integer(0);
    hours[from] = {FromMilliseconds(from), query->Integer(1), query->Integer(2)};
  }
}

Result<std::vector<LedgerSum>> LedgerStore::Sum(LedgerBy by, std::optional<WallTime> since) {
  auto query = database_.Query(
      "SELECT CASE ?1 WHEN 'hour' THEN strftime('%Y-%m-%dT%H:00Z', started_at/1000, 'unixepoch') "
      "WHEN 'day' THEN strftime('%Y-%m-%d', started_at/1000, 'unixepoch') "
      "WHEN 'endpoint' THEN endpoint WHEN 'operator' THEN operator ELSE '' END AS grouped, "
      "count(*), sum(billed='yes'), sum(billed='maybe'), sum(price*(billed='yes')), "
      "sum(price*(billed='maybe')) FROM attempt WHERE started_at>=?2 "
      "GROUP BY grouped ORDER BY grouped",
      WordOf(by), From(since));
  if (!query) return std::unexpected(query.error());
  std::vector<LedgerSum> sums;
  for (;;) {
    const auto more = query->Next();
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    sums.push_back({query->Text(0), query->Integer(1), query->Integer(2), query->Integer(3),
                    query->Integer(4), query->Integer(5)});
  }
  if (by == LedgerBy::kTotal && sums.empty()) sums.emplace_back();
  return sums;
}

Result<std::optional<int64_t>> LedgerStore::NthBilled(int64_t count, int64_t since) {
  return database_.Number(
      "SELECT board_at FROM attempt WHERE billed!='no' AND board_at>? "
      "ORDER BY board_at DESC LIMIT 1 OFFSET ?",
      since, count - 1);
}

Status LedgerStore::NoneAfter(int64_t now) {
  return database_.Run("UPDATE attempt SET board_at=?1 WHERE board_at>?1", now);
}

}  // namespace idkiosk
