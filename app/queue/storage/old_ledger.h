#ifndef IDKIOSK_APP_QUEUE_STORAGE_OLD_LEDGER_H_
#define IDKIOSK_APP_QUEUE_STORAGE_OLD_LEDGER_H_

#include <vector>

#include "app/queue/call_record.h"
#include "app/queue/storage/sqlite_database.h"
#include "platform/api/crypto.h"

// The table of attempts that the queue's file held before there was a ledger of its own: read, and
// never written. Errors: SqliteDatabase's.
namespace idkiosk {

[[nodiscard]] Result<bool> HasOldLedger(SqliteDatabase& database);

// The rows whose number is above `after`, in the order of their numbers. `mac_key` proves them
// genuine. Requires HasOldLedger.
[[nodiscard]] Result<std::vector<LedgerRow>> ReadOldLedger(SqliteDatabase& database,
                                                           const Crypto& crypto,
                                                           const SecretBytes& mac_key,
                                                           int64_t after);

// The same of a damaged file: what can be read.
[[nodiscard]] std::vector<LedgerRow> SalvageOldLedger(SqliteDatabase& database,
                                                      const Crypto& crypto,
                                                      const SecretBytes& mac_key, int64_t after);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_OLD_LEDGER_H_
