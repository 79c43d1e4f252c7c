#ifndef IDKIOSK_APP_QUEUE_STORAGE_LEDGER_ENTRY_H_
#define IDKIOSK_APP_QUEUE_STORAGE_LEDGER_ENTRY_H_

#include <vector>

#include "app/journal/journal_format.h"
#include "app/queue/call_record.h"
#include "app/queue/repair/unnamed_calls.h"
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
    kAccepted = 5,   // a call: from then on it is missed where it is not found
    kClosed = 6,     // a call that ended otherwise than by an attempt's end
    kDecided = 7,    // a person decided about the queue as a whole
    kUnnamed = 8,    // calls that nothing names any more, or a person's word that this is ended
    kErased = 9,     // what was kept of a call's person went on request
    kDoubted = 10,   // a call may have been sent, though no attempt says so: a person decides
  };
  Kind kind = Kind::kBegun;
  // Of kEnded: the call's reference, the attempt's number, and its end; of kAccepted: reference,
  // endpoint and started_at; of kClosed, kErased and kDoubted: reference and ended_at; of kDecided:
  // ended_at.
  LedgerRow row;
  bool approved = true;  // of kBegun
  // Of kAccepted, as in CallRow: what stands for who is asked about, and for the request that
  // asked. Empty: an idkiosk wrote it that kept neither here.
  Bytes question_mac;
  Bytes request;
  // For kEnded: what was reported for the call, so that it can be reported again.
  Outcome outcome;
  bool has_answer = false;  // of kEnded: the record's attachment is the sealed answer
  uint64_t proven = 0;      // of kLookedAt: records before it that were proven
  // Of kLookedAt: its number, drawn by chance, which the keys have that began behind it; 0: an
  // older idkiosk wrote it.
  uint64_t look = 0;
  uint64_t proven_digest = 0;  // of kLookedAt: of the records before it that were proven
  // Of kClosed: the state that it ended in.
  CallState state = CallState::kDone;
  Verdict verdict = Verdict::kNone;
  UnnamedCalls unnamed;  // of kUnnamed, with ended_at: when; `by` is empty until it is ended
  // Of kClosed and kDecided.
  std::string what;  // "cancelled", "discarded", or a sentence
  std::string by;    // who decided: a user, "person", or "rule"

  struct CallEnd {
    CallState state = CallState::kDone;
    Verdict verdict = Verdict::kNone;
  };
  // How the call ended by this; nothing: it goes on, or is in doubt and keeps what it asked.
  [[nodiscard]] std::optional<CallEnd> EndOfCall() const;
  // Whether it is the end of an attempt that ends its call, also in doubt.
  [[nodiscard]] bool Ends() const {
    return kind == Kind::kEnded && outcome.disposition == Disposition::kDone;
  }

  // A copy, for the kinds that have no outcome.
  [[nodiscard]] LedgerEntry Copy() const;
};

// A record of the ledger's journal: what it says, and what proves it.
struct LedgerRecord {
  JournalPosition position;
  Crypto::Digest mac_before{};  // of the record before it
  std::vector<LedgerEntry> entries;
};

// The word for what a person wants nothing more of, though it was lost or damaged.
inline constexpr std::string_view kDiscarded = "discarded";

inline constexpr size_t kLongestLedgerEntry = 1500;  // bytes

[[nodiscard]] Bytes SerializeLedgerEntries(const std::vector<LedgerEntry>& entries);
// Errors: kFailedPrecondition (written by a newer idkiosk).
[[nodiscard]] Result<std::vector<LedgerEntry>> ParseLedgerEntries(ByteSpan body);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_LEDGER_ENTRY_H_
