#ifndef IDKIOSK_APP_HEADQUARTERS_REFUSALS_H_
#define IDKIOSK_APP_HEADQUARTERS_REFUSALS_H_

#include <cstdint>
#include <string>

#include "app/audit/audit_log.h"
#include "platform/api/clock.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// So many at once, and then one each `every`.
class Allowance {
 public:
  Allowance(int most, Duration every) : most_(most), every_(every), left_(most) {}

  [[nodiscard]] bool Take(MonotonicTime now);

 private:
  const int most_;
  const Duration every_;
  int left_;
  MonotonicTime counted_{};
};

// Bounds what commands cost that are none, however many come: few of them are looked at, and fewer
// have a line of their own in the audit trail; of the others one line says how many they were. Any
// thread.
class Refusals {
 public:
  static constexpr int kLooks = 10;
  static constexpr Duration kLookEvery = std::chrono::milliseconds(500);
  static constexpr int kLines = 20;
  static constexpr Duration kLineEvery = std::chrono::minutes(1);

  // Both must outlive this.
  Refusals(AuditLog& audit, const Clock& clock) : audit_(audit), clock_(clock) {}

  // Whether one more may be looked at now; one that may not is counted as refused.
  [[nodiscard]] bool MayLook();
  // One was refused. `by`: who signed it, as far as that is known.
  void Refuse(const std::string& by, const std::string& why);
  // Puts down how many have no line yet, once one may be written.
  void PutDownCounted();

 private:
  void PutDownCountedNow() REQUIRES(mutex_);

  AuditLog& audit_;
  const Clock& clock_;
  Mutex mutex_;
  Allowance looks_ GUARDED_BY(mutex_){kLooks, kLookEvery};
  Allowance lines_ GUARDED_BY(mutex_){kLines, kLineEvery};
  uint64_t counted_ GUARDED_BY(mutex_) = 0;
  std::string last_why_ GUARDED_BY(mutex_);
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_HEADQUARTERS_REFUSALS_H_
