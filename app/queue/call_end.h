#ifndef IDKIOSK_APP_QUEUE_CALL_END_H_
#define IDKIOSK_APP_QUEUE_CALL_END_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "app/queue/call_record.h"

namespace idkiosk {

// A call has ended, as the ledger says. It may end again, otherwise: what was rejected in doubt is
// sent again and verified. Kept for good, after the call itself is erased.
struct CallEnd {
  uint64_t place = 0;  // in the ledger: greater than that of every end before
  CallReference reference;
  CallState state = CallState::kDone;
  Verdict verdict = Verdict::kNone;
  Endpoint endpoint = Endpoint::kVerify;
  std::optional<WallTime> accepted_at;  // nothing: an earlier idkiosk accepted it
  WallTime ended_at;
  bool operator==(const CallEnd&) const = default;
};

// The ends behind a place of the ledger.
struct CallEnds {
  std::optional<CallEnd> at;      // the one at that very place
  std::vector<CallEnd> first;     // the oldest of those behind it
  int64_t count = 0;              // how many are behind it in all
  std::optional<CallEnd> newest;  // of all
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_CALL_END_H_
