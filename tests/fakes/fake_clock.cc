#include "tests/fakes/fake_clock.h"

#include <algorithm>

namespace idkiosk {

WallTime FakeClock::WallNow() const {
  constexpr WallTime kStart = std::chrono::sys_days{std::chrono::year{2026} / 11 / 20};
  return kStart + std::chrono::duration_cast<std::chrono::milliseconds>(now_.time_since_epoch() +
                                                                        wall_offset_);
}

void FakeClock::Reboot(Duration off) {
  constexpr MonotonicTime kStarted{std::chrono::seconds(10)};
  wall_offset_ += now_ - kStarted + off;
  now_ = kStarted;
  ++boots_;
}

void FakeClock::Advance(Duration by) {
  const MonotonicTime end = now_ + by;
  for (;;) {
    MonotonicTime next = end;
    for (const Listener& each : listeners_) next = std::min(next, each.next_due());
    now_ = std::max(now_, next);
    for (const Listener& each : listeners_) each.run_due();
    if (next >= end) return;
  }
}

}  // namespace idkiosk
