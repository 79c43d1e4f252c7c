#include "platform/posix/system_clock.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace idkiosk {
namespace {

using namespace std::chrono_literals;

WallTime At(std::string_view text) { return ParseRfc3339(text).value(); }

class SystemClockTest : public testing::Test {
 protected:
  ~SystemClockTest() override { unsetenv("TZ"); }
  static void SetZone(const char* zone) { setenv("TZ", zone, 1); }

  const SystemClock clock_;
};

TEST_F(SystemClockTest, KnowsHowFarPeopleHereAreAheadOfUtc) {
  SetZone("WAT-1");
  EXPECT_EQ(clock_.AheadOfUtc(At("2026-11-20T12:00:00Z")), 1h);
  SetZone("<+0530>-5:30");
  EXPECT_EQ(clock_.AheadOfUtc(At("2026-11-20T12:00:00Z")), 5h + 30min) << "also when it is changed";
  SetZone("UTC0");
  EXPECT_EQ(clock_.AheadOfUtc(At("2026-11-20T12:00:00Z")), 0h);
}

TEST_F(SystemClockTest, BeginsTheDayAtMidnightHere) {
  SetZone("WAT-1");
  EXPECT_EQ(StartOfDay(clock_, At("2026-11-20T22:59:59Z")), At("2026-11-19T23:00:00Z"));
  EXPECT_EQ(StartOfDay(clock_, At("2026-11-20T23:00:00Z")), At("2026-11-20T23:00:00Z"));
}

TEST_F(SystemClockTest, BeginsTheDayOfSummerTimeInWinterTime) {
  SetZone("EST5EDT,M3.2.0,M11.1.0");
  EXPECT_EQ(StartOfDay(clock_, At("2026-03-08T16:00:00Z")), At("2026-03-08T05:00:00Z"));
  EXPECT_EQ(StartOfDay(clock_, At("2026-11-01T18:00:00Z")), At("2026-11-01T04:00:00Z"));
}

}  // namespace
}  // namespace idkiosk
