#ifndef IDKIOSK_TOOLS_SANDBOX_SERVICE_FAULTS_H_
#define IDKIOSK_TOOLS_SANDBOX_SERVICE_FAULTS_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/json.h"
#include "platform/base/mutex.h"

namespace idkiosk::sandbox {

// The ways in which a request can be made to fail.
enum class FaultKind {
  kStatus,          // answered with the status asked for, whatever came in
  kDelay,           // answered late
  kDropBefore,      // the connection closes when the headers are there; the body is never read
  kDropAfter,       // the request is read, carried out and billed; the connection closes unanswered
  kReset,           // the same, but the connection is reset
  kCut,             // half of the answer's bytes, then the connection closes
  kHtml,            // 200 with a page, as a captive portal or a gateway gives
  kWrongType,       // JSON whose members have other types than they should
  kStaleToken,      // the access token dies before it is looked at
  kAnothersAnswer,  // the answer repeats another attempt's number
};

struct Fault {
  int64_t id = 0;
  FaultKind kind = FaultKind::kStatus;
  std::string endpoint = "any";  // one of Endpoints(), or "any"
  int status = 500;              // of kStatus
  std::chrono::milliseconds delay{0};
  // Told with the status, as a number or as a date; nothing: 1 with 429, and none with others.
  std::optional<std::chrono::seconds> retry_after;
  bool retry_after_as_date = false;
  int64_t count = 1;       // how often, 0: until it is taken away
  int64_t every = 1;       // every n-th matching request
  double probability = 1;  // of those
  // Whether the request is billed; nothing: as a request with that answer would be.
  std::optional<bool> billed;

  int64_t hits = 0;
  int64_t seen = 0;  // matching requests
};

struct FaultKindRow {
  FaultKind kind;
  std::string_view name;
  std::string_view text;  // how it looks from outside
};
// In the order of FaultKind.
[[nodiscard]] std::span<const FaultKindRow> FaultKinds();
// Returns what Retry-After says with its answer; nothing: there is none.
[[nodiscard]] std::optional<std::chrono::seconds> RetryAfterOf(const Fault& fault);
[[nodiscard]] std::string_view Name(FaultKind kind);

// Errors: kInvalid, with a sentence that names the member.
[[nodiscard]] Result<Fault> ParseFault(JsonView json);
void WriteJson(const Fault& fault, JsonWriter& json);

// The faults that are switched on. Any thread.
class Faults {
 public:
  enum class Stage { kBeforeBody, kAfterBody };

  // `seed` makes the chances of a test the same each time.
  explicit Faults(uint64_t seed) : chance_(seed) {}

  int64_t Add(Fault fault);
  // False where there is none with that number.
  bool Remove(int64_t id);
  void Clear();
  [[nodiscard]] std::vector<Fault> All() const;

  // The fault for one request of `endpoint`, if one is due in this stage. Those switched on first
  // go first; one request meets one fault.
  [[nodiscard]] std::optional<Fault> Take(std::string_view endpoint, Stage stage);

 private:
  mutable Mutex mutex_;
  std::mt19937_64 chance_ GUARDED_BY(mutex_);
  std::vector<Fault> faults_ GUARDED_BY(mutex_);
  int64_t last_id_ GUARDED_BY(mutex_) = 0;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_SERVICE_FAULTS_H_
