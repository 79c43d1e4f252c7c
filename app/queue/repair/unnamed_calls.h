#ifndef IDKIOSK_APP_QUEUE_REPAIR_UNNAMED_CALLS_H_
#define IDKIOSK_APP_QUEUE_REPAIR_UNNAMED_CALLS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace idkiosk {

// Accepted calls that the vault's mark alone still knows of: the queue's file, the copies and the
// ledger are older than they are, or gone.
struct UnnamedCalls {
  // The records of the ledger that are gone or altered, in which those calls were named.
  uint64_t first = 0;
  uint64_t last = 0;
  std::optional<uint64_t> accepted;  // so many at least; nothing: nobody knows
  uint64_t open = 0;                 // of those, so many had not ended, at most

  bool operator==(const UnnamedCalls&) const = default;
};

// Returns the name by which a person ends that they are reported: "records-13-20".
[[nodiscard]] std::string NameOf(const UnnamedCalls& calls);
// Returns a sentence for a person, without the mend and without a stop.
[[nodiscard]] std::string Describe(const UnnamedCalls& calls);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_REPAIR_UNNAMED_CALLS_H_
