#ifndef IDKIOSK_TESTS_APP_QUEUE_OLD_QUEUE_FILE_H_
#define IDKIOSK_TESTS_APP_QUEUE_OLD_QUEUE_FILE_H_

#include <vector>

#include "app/queue/call_record.h"
#include "app/queue/storage/sqlite_database.h"
#include "platform/api/crypto.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// Makes the queue's file that of an older idkiosk, of schema `version` 1 to 6. `ledger` becomes its
// table of attempts, which version 4 has not. `rows_key` proves its rows: "ledger-mac/v1". The test
// fails where that does not work.
void MakeOldQueueFile(SqliteDatabase& database, int version, const std::vector<LedgerRow>& ledger,
                      const Crypto& crypto, const SecretBytes& rows_key);

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_QUEUE_OLD_QUEUE_FILE_H_
