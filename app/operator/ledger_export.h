#ifndef IDKIOSK_APP_OPERATOR_LEDGER_EXPORT_H_
#define IDKIOSK_APP_OPERATOR_LEDGER_EXPORT_H_

#include <span>
#include <string>

#include "app/accounts/ledger_lines.h"
#include "app/journal/journal.h"
#include "app/queue/call_record.h"
#include "platform/api/clock.h"
#include "platform/api/crypto.h"
#include "platform/api/file_system.h"

namespace idkiosk {

// An attempt as it is exported, by the local API and by the command line.
[[nodiscard]] LedgerLine LineOf(const LedgerRow& row, const std::string& currency);

// What is written out while the vault still proves it.
struct ProvenLedger {
  JournalVerdict verdict;
  std::span<const LedgerRow> rows;
  std::string currency;  // of rows that name none
};

// Writes every attempt into a file of its own in `folder`, ledger-TIME.jsonl, which only its owner
// reads. Returns a sentence: where it is, and the number that proves it from now on; empty: there
// was no attempt, and no file is made. Errors: FileSystem's.
[[nodiscard]] Result<std::string> WriteLedgerOut(const ProvenLedger& ledger,
                                                 const std::string& folder, const Clock& clock,
                                                 FileSystem& files, const Crypto& crypto);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_LEDGER_EXPORT_H_
