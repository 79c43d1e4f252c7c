#include "app/queue/policy/spend_guard.h"

#include <algorithm>

namespace idkiosk {

std::optional<Hold> SpendGuard::CapReached(const QueueClock& time) const {
  struct Cap {
    int64_t calls;
    std::chrono::hours window;
    const char* key;
  };
  const Cap caps[] = {
      {settings_.calls_per_day, std::chrono::hours(24), "billing.calls_per_day"},
      {settings_.calls_per_hour, std::chrono::hours(1), "billing.calls_per_hour"},
  };
  const int64_t now = time.Milliseconds();
  std::optional<Hold> reached;
  for (const Cap& cap : caps) {
    if (cap.calls <= 0) continue;
    const int64_t window = ToMilliseconds(cap.window);
    const auto oldest = attempts_.NthBilled(cap.calls, now - window);
    if (!oldest) continue;
    const WallTime until = time.WallOf(std::min(*oldest, now) + window);
    if (reached && *reached->until >= until) continue;
    const WallTime since = time.WallOf(std::min(*attempts_.NthBilled(1, now - window), now));
    reached = Hold{HoldReason::kSpendCap, std::nullopt, since, until,
                   fmt::format("{} = {} is reached", cap.key, cap.calls)};
  }
  return reached;
}

}  // namespace idkiosk
