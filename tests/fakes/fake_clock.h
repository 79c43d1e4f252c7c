#ifndef IDKIOSK_TESTS_FAKES_FAKE_CLOCK_H_
#define IDKIOSK_TESTS_FAKES_FAKE_CLOCK_H_

#include <functional>
#include <string>
#include <vector>

#include "platform/api/clock.h"

namespace idkiosk {

// A clock that stands still until a test moves it. Runners that were made on it run what is due.
class FakeClock final : public Clock {
 public:
  [[nodiscard]] MonotonicTime Now() const override { return now_; }
  [[nodiscard]] WallTime WallNow() const override;
  [[nodiscard]] std::chrono::seconds AheadOfUtc(WallTime) const override { return ahead_of_utc_; }
  [[nodiscard]] bool WallIsTrusted() const override { return wall_is_trusted_; }
  [[nodiscard]] std::string BootId() const override { return "boot-" + std::to_string(boots_); }

  // Moves both clocks on, stopping at each time a listener asks for.
  void Advance(Duration by);
  // Moves only the wall clock, as a clock set by hand does.
  void JumpWall(Duration by) { wall_offset_ += by; }
  // The board is switched off, and on again after `off`. Not while a runner waits on this clock.
  void Reboot(Duration off = std::chrono::seconds(20));
  void set_ahead_of_utc(std::chrono::seconds ahead) { ahead_of_utc_ = ahead; }
  void set_wall_is_trusted(bool trusted) { wall_is_trusted_ = trusted; }

  // Tells the clock when a FakeTaskRunner has work.
  struct Listener {
    std::function<MonotonicTime()> next_due;  // MonotonicTime::max() for never
    std::function<void()> run_due;
  };
  void AddListener(Listener listener) { listeners_.push_back(std::move(listener)); }

 private:
  MonotonicTime now_{std::chrono::hours(1)};
  Duration wall_offset_{};
  std::chrono::seconds ahead_of_utc_{};
  bool wall_is_trusted_ = true;
  int boots_ = 1;
  std::vector<Listener> listeners_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_FAKE_CLOCK_H_
