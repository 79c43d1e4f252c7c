#ifndef IDKIOSK_APP_QUEUE_STORAGE_LEDGER_ENTRY_H_
#define IDKIOSK_APP_QUEUE_STORAGE_LEDGER_ENTRY_H_

#include <vector>

#include "app/queue/call_record.h"
#include "platform/base/bytes.h"

namespace idkiosk {

// One thing that the ledger says. A record of its journal holds one or more of them; the bytes are
// described in the source. None of them holds personal data.
struct LedgerEntry {
  // The numbers are part of the stored format.
  enum class Kind : uint8_t {
    kBegun = 1,      // an attempt: approved, or tried without a byte of the request leaving
    kEnded = 2,      // and what became of it
    kTakenOver = 3,  // an attempt from the table of an older idkiosk; `row.id` is its number there
    kLookedAt = 4,   // a person looked at damage, and the queue went on
  };
  Kind kind = Kind::kBegun;
  LedgerRow row;         // of kEnded: the call's reference, the attempt's number, and its end
  bool approved = true;  // of kBegun
  // Of kEnded: what the call is told, so that it can be told again.
  Outcome outcome;
  bool has_answer = false;  // of kEnded: the record's attachment is the sealed answer
  uint64_t proven = 0;      // of kLookedAt: records before it that were proven
};

inline constexpr size_t kLongestLedgerEntry = 1500;  // bytes

[[nodiscard]] Bytes SerializeLedgerEntries(const std::vector<LedgerEntry>& entries);
// Errors: kFailedPrecondition (written by a newer idkiosk).
[[nodiscard]] Result<std::vector<LedgerEntry>> ParseLedgerEntries(ByteSpan body);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_LEDGER_ENTRY_H_
