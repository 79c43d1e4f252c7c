#ifndef IDKIOSK_APP_QUEUE_STORAGE_LEDGER_STORE_H_
#define IDKIOSK_APP_QUEUE_STORAGE_LEDGER_STORE_H_

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "app/queue/call_record.h"
#include "app/queue/storage/sqlite_database.h"
#include "platform/api/crypto.h"

namespace idkiosk {

// The table of attempts: what was sent, and what it may have cost. Rows are added and finished,
// never removed. The caller holds a transaction for every change. Errors: SqliteDatabase's.
class LedgerStore {
 public:
  // All must outlive this. `mac_key` proves rows genuine.
  LedgerStore(SqliteDatabase& database, const Crypto& crypto, const SecretBytes& mac_key)
      : database_(database), crypto_(crypto), mac_key_(mac_key) {}

  // Sets `row.id`.
  [[nodiscard]] Status Add(LedgerRow& row);
  // Writes how the newest attempt of the call ended: everything but id, reference, number,
  // endpoint, operator and start is taken from `ended`. Errors also: kNotFound.
  [[nodiscard]] Status Finish(const CallReference& reference, const LedgerRow& ended);

  // `since`: started at or after it; nothing: all.
  [[nodiscard]] Result<std::vector<LedgerRow>> List(std::optional<WallTime> since);
  // In UTC: a day by local time would change with the time zone. kTotal gives exactly one.
  [[nodiscard]] Result<std::vector<LedgerSum>> Sum(LedgerBy by, std::optional<WallTime> since);

  // The newest attempts, the newest first.
  [[nodiscard]] Result<std::vector<LedgerRow>> Newest(int limit);
  // Returns the calls that were or may have been billed in each hour that had any, by its beginning
  // in milliseconds. Of the newest kMostSummed attempts alone, so that it never takes long.
  static constexpr int kMostSummed = 20'000;
  [[nodiscard]] Result<std::map<int64_t, BilledHour>> BilledByHour(WallTime since);

  // When the `count`-th newest attempt that was billed `yes` or `maybe` began by the queue's time,
  // if it began after `since`; nothing if there are fewer.
  [[nodiscard]] Result<std::optional<int64_t>> NthBilled(int64_t count, int64_t since);
  // Attempts that began later by the queue's time count as begun then. For a queue whose time
  // begins now.
  [[nodiscard]] Status NoneAfter(int64_t now);

 private:
  [[nodiscard]] Crypto::Digest MacOf(const LedgerRow& row, int version = 3) const;
  [[nodiscard]] LedgerRow Read(const SqliteQuery& query) const;
  [[nodiscard]] Result<std::vector<LedgerRow>> ReadAll(Result<SqliteQuery> query) const;

  SqliteDatabase& database_;
  const Crypto& crypto_;
  const SecretBytes& mac_key_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_LEDGER_STORE_H_
