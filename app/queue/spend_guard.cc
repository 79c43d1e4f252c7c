#include "app/queue/spend_guard.h"

namespace idkiosk {

Result<std::optional<Hold>> SpendGuard::CapReached(WallTime now) {
  struct Cap {
    int64_t calls;
    std::chrono::hours window;
    const char* key;
  };
  const Cap caps[] = {
      {settings_.calls_per_day, std::chrono::hours(24), "billing.calls_per_day"},
      {settings_.calls_per_hour, std::chrono::hours(1), "billing.calls_per_hour"},
  };
  std::optional<Hold> reached;
  for (const Cap& cap : caps) {
    if (cap.calls <= 0) continue;
    const auto oldest = ledger_.NthBilled(cap.calls, now - cap.window);
    if (!oldest) return std::unexpected(oldest.error());
    if (!*oldest) continue;
    const WallTime until = **oldest + cap.window;
    if (reached && *reached->until >= until) continue;
    reached = Hold{HoldReason::kSpendCap, std::nullopt, now, until,
                   fmt::format("{} = {} is reached", cap.key, cap.calls)};
  }
  return reached;
}

}  // namespace idkiosk
