#ifndef IDKIOSK_APP_QUEUE_REPAIR_UNNAMED_CALLS_H_
#define IDKIOSK_APP_QUEUE_REPAIR_UNNAMED_CALLS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace idkiosk {

// Accepted calls of which the queue's file, the copies and the ledger are old or gone: what the
// vault's mark still knows of them.
struct UnnamedCalls {
  // The records of the ledger that are gone or altered, in which those calls were named.
  uint64_t first = 0;
  uint64_t last = 0;
  std::optional<uint64_t> accepted;  // so many at least; nothing: nobody knows
  uint64_t open = 0;                 // of those, so many had not ended, at most

  bool operator==(const UnnamedCalls&) const = default;
};

// By which a person ends what is said of them: "records-13-20".
[[nodiscard]] std::string NameOf(const UnnamedCalls& calls);
// A sentence for a person, without its mend and its stop.
[[nodiscard]] std::string Describe(const UnnamedCalls& calls);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_REPAIR_UNNAMED_CALLS_H_
