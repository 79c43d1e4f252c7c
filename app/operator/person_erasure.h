#ifndef IDKIOSK_APP_OPERATOR_PERSON_ERASURE_H_
#define IDKIOSK_APP_OPERATOR_PERSON_ERASURE_H_

#include <string>
#include <string_view>
#include <vector>

#include "app/audit/audit_log.h"
#include "app/consent/consent_log.h"
#include "app/queue/durable_queue.h"
#include "app/session/visit/number_at_screen.h"

// Erasure on request: a person wants that nothing of them is kept here.
namespace idkiosk {

// What became of one call. The words stand in receipts.
enum class ErasedCall {
  kEndedUnsent,  // it waited, and is never sent
  kGivenUp,      // it may have been sent: what became of it stays unknown
  kErased,       // it had ended: what was kept of it is gone
  kOnItsWay,     // it is being sent: nothing was erased yet
  kFailed,       // it could not be erased
};
// "ended_unsent", "given_up", "erased", "on_its_way", "failed".
[[nodiscard]] std::string_view Name(ErasedCall what);

struct ErasureReceipt {
  struct Call {
    CallReference reference;
    Endpoint endpoint = Endpoint::kVerify;
    WallTime accepted_at;
    ErasedCall what = ErasedCall::kFailed;
    std::string why;       // of kOnItsWay and kFailed
    int attempts = 0;      // rows of the ledger, which stay
    bool consent = false;  // on record, which stays
  };
  WallTime at;
  std::string by;          // who had it erased
  bool by_number = true;   // false: by a call whose number is erased, so others may be left
  bool at_screen = false;  // a visit with this number is under way, and may be kept later
  // What may be of the person, and cannot be told to be, a sentence each with its mend.
  std::vector<std::string> untold = {};
  std::vector<Call> calls;  // those that were found, the oldest first

  // Whether nothing is left that was found, and nothing is about to come.
  [[nodiscard]] bool IsComplete() const;
};

// Who is looked for: by numbers, or by a call about them.
struct ErasureRequest {
  PersonNumbers person = {};
  CallReference reference = {};
};

// Finds everything of a person, and erases it. Each call stands in the audit trail before, in the
// name of `by`. `at_screen`: who is before the kiosk's screen; null: nobody can be. Errors:
// DurableQueue's; ConsentLog's; AuditLog's (then nothing more was erased);
// kNotFound (no call has that reference).
[[nodiscard]] Result<ErasureReceipt> ErasePerson(const ErasureRequest& request,
                                                 const std::string& by, DurableQueue& queue,
                                                 ConsentLog& consents, AuditLog& audit,
                                                 const Clock& clock,
                                                 const NumberAtScreen* at_screen = nullptr);

// For programs, and for the person: what was erased, and what must stay. Neither has a number.
[[nodiscard]] std::string ReceiptJson(const ErasureReceipt& receipt);
[[nodiscard]] std::string ReceiptText(const ErasureReceipt& receipt);
// Reads what ReceiptJson wrote. Errors: kInvalid.
[[nodiscard]] Result<ErasureReceipt> ReadReceipt(JsonView json);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_PERSON_ERASURE_H_
