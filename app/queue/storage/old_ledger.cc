#include "app/queue/storage/old_ledger.h"

#include <algorithm>

#include "app/queue/policy/queue_clock.h"
#include "app/queue/storage/row_mac.h"

namespace idkiosk {
namespace {

std::optional<int64_t> Milliseconds(const std::optional<WallTime>& time) {
  if (!time) return std::nullopt;
  return ToMilliseconds(*time);
}

// Versions 1 and 2 of the schema did not know `board_at`.
Crypto::Digest MacOf(const LedgerRow& row, int version, const Crypto& crypto,
                     const SecretBytes& key) {
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
      .Add(row.rule);
  if (version > 2) mac.Add(row.board_at);
  return mac.Of(crypto, key);
}

// From SELECT * of the columns' order.
LedgerRow Read(const SqliteQuery& query, const Crypto& crypto, const SecretBytes& key) {
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
  row.rule = query.Text(11);
  row.endpoint = endpoint.value_or(Endpoint::kVerify);
  row.stage = stage.value_or(SendStage::kSent);
  row.billed = billed.value_or(Billed::kMaybe);
  row.board_at = query.Integer(13);
  const ByteSpan mac = query.Blob(12);
  row.genuine = endpoint && stage && billed &&
                (std::ranges::equal(MacOf(row, 3, crypto, key), mac) ||
                 std::ranges::equal(MacOf(row, 2, crypto, key), mac));
  return row;
}

}  // namespace

Result<bool> HasOldLedger(SqliteDatabase& database) {
  const auto found =
      database.Number("SELECT count(*) FROM sqlite_schema WHERE type='table' AND name='attempt'");
  if (!found) return std::unexpected(found.error());
  return found->value_or(0) != 0;
}

Result<std::vector<LedgerRow>> ReadOldLedger(SqliteDatabase& database, const Crypto& crypto,
                                             const SecretBytes& mac_key, int64_t after) {
  auto query = database.Query("SELECT * FROM attempt WHERE id>? ORDER BY id", after);
  if (!query) return std::unexpected(query.error());
  std::vector<LedgerRow> rows;
  for (;;) {
    const auto more = query->Next();
    if (!more) return std::unexpected(more.error());
    if (!*more) return rows;
    rows.push_back(Read(*query, crypto, mac_key));
  }
}

std::vector<LedgerRow> SalvageOldLedger(SqliteDatabase& database, const Crypto& crypto,
                                        const SecretBytes& mac_key, int64_t after) {
  std::vector<LedgerRow> rows;
  const auto last = database.Number("SELECT seq FROM sqlite_sequence WHERE name='attempt'");
  if (!last) return rows;
  // One by one: a broken page takes its own rows alone.
  for (int64_t id = after + 1; id <= last->value_or(0); ++id) {
    auto query = database.Query("SELECT * FROM attempt WHERE id=?", id);
    if (query && query->Next().value_or(false)) rows.push_back(Read(*query, crypto, mac_key));
  }
  return rows;
}

}  // namespace idkiosk
