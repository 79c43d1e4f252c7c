#include "tests/app/queue/old_queue_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "app/queue/policy/queue_clock.h"
#include "app/queue/storage/row_mac.h"

namespace idkiosk {
namespace {

// Takes out of the table of calls what later versions have put in, and proves each row as a program
// of that version did.
void ForgetColumns(SqliteDatabase& database, int version, const Crypto& crypto,
                   const SecretBytes& key) {
  std::map<int64_t, Bytes> macs;
  {
    auto row = database.Query("SELECT * FROM call");
    ASSERT_TRUE(row);
    while (row->Next().value_or(false)) {
      constexpr std::string_view kTables[] = {"call", "call/2", "call/3", "call/4"};
      RowMac mac(kTables[static_cast<size_t>(std::max(version, 3) - 3)]);
      if (version >= 6) mac.Add(std::string_view(row->Text(24)));
      if (version >= 5) mac.Add(std::string_view(row->Text(23)));
      if (version >= 4) mac.Add(row->OptionalInteger(8));
      mac.Add(row->Integer(0));
      for (const int text : {1, 2, 3, 4}) mac.Add(std::string_view(row->Text(text)));
      mac.Add(row->Integer(6)).Add(row->OptionalInteger(9));
      for (const int number : {10, 11, 12, 13}) mac.Add(row->Integer(number));
      for (const int text : {14, 15}) mac.Add(std::string_view(row->Text(text)));
      mac.Add(row->Integer(16)).Add(std::string_view(row->Text(17)));
      mac.Add(row->Integer(18)).Add(row->Integer(19)).Add(row->Blob(20)).Add(row->Blob(21));
      const Crypto::Digest digest = mac.Of(crypto, key);
      macs[row->Integer(0)] = Bytes(digest.begin(), digest.end());
    }
  }
  for (const auto& [id, mac] : macs) {
    ASSERT_TRUE(database.Run("UPDATE call SET mac=? WHERE id=?", ByteSpan(mac), id));
  }
  ASSERT_TRUE(
      database.Execute("DROP INDEX call_request; ALTER TABLE call DROP COLUMN request;"
                       "ALTER TABLE call DROP COLUMN case_id"));
  if (version >= 6) return;
  ASSERT_TRUE(database.Execute("ALTER TABLE call DROP COLUMN means"));
  if (version >= 5) return;
  ASSERT_TRUE(
      database.Execute("DELETE FROM setting WHERE name='made_for_unnamed';"
                       "DROP INDEX call_due; ALTER TABLE call DROP COLUMN made_for;"
                       "CREATE INDEX call_due ON call(state, endpoint, person_waits, due_at)"));
}

void PutOldLedger(SqliteDatabase& database, int version, const std::vector<LedgerRow>& ledger,
                  const Crypto& crypto, const SecretBytes& key) {
  ASSERT_TRUE(database.Execute(
      "DELETE FROM setting WHERE name IN ('ledger', 'time_began_at', 'time_began_behind');"
      "CREATE TABLE attempt(id INTEGER PRIMARY KEY AUTOINCREMENT, reference TEXT NOT NULL,"
      "number INTEGER NOT NULL, endpoint TEXT NOT NULL, operator TEXT NOT NULL,"
      "started_at INTEGER NOT NULL, ended_at INTEGER, stage TEXT NOT NULL,"
      "http_status INTEGER NOT NULL, billed TEXT NOT NULL, price INTEGER NOT NULL,"
      "reason TEXT NOT NULL, mac BLOB NOT NULL, board_at INTEGER NOT NULL) STRICT;"
      "CREATE INDEX attempt_reference ON attempt(reference);"
      "CREATE INDEX attempt_board ON attempt(board_at) WHERE billed != 'no'"));
  int64_t id = 0;
  for (const LedgerRow& row : ledger) {
    std::optional<int64_t> ended;
    if (row.ended_at) ended = ToMilliseconds(*row.ended_at);
    RowMac mac(version < 3 ? "attempt" : "attempt/3");
    mac.Add(++id).Add(row.reference).Add(int64_t{row.number}).Add(Name(row.endpoint));
    mac.Add(row.operator_id).Add(ToMilliseconds(row.started_at)).Add(ended).Add(Name(row.stage));
    mac.Add(int64_t{row.http_status}).Add(Name(row.billed)).Add(row.price).Add(row.rule);
    if (version == 3) mac.Add(row.board_at);
    ASSERT_TRUE(database.Run("INSERT INTO attempt VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)", id,
                             row.reference, row.number, Name(row.endpoint), row.operator_id,
                             ToMilliseconds(row.started_at), ended, Name(row.stage),
                             row.http_status, Name(row.billed), row.price, row.rule,
                             ByteSpan(mac.Of(crypto, key)), row.board_at));
  }
  if (version < 3) {
    ASSERT_TRUE(database.Execute(
        "DROP INDEX attempt_board; ALTER TABLE attempt DROP COLUMN board_at;"
        "CREATE INDEX attempt_billed ON attempt(started_at) WHERE billed != 'no'"));
  }
}

}  // namespace

void MakeOldQueueFile(SqliteDatabase& database, int version, const std::vector<LedgerRow>& ledger,
                      const Crypto& crypto, const SecretBytes& rows_key) {
  ASSERT_NO_FATAL_FAILURE(ForgetColumns(database, version, crypto, rows_key));
  if (version < 4) {
    ASSERT_NO_FATAL_FAILURE(PutOldLedger(database, version, ledger, crypto, rows_key));
  }
  ASSERT_TRUE(database.Execute(fmt::format("PRAGMA user_version={}", version).c_str()));
}

}  // namespace idkiosk
