#include "app/accounts/period.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace idkiosk {
namespace {

using std::chrono::hours;
using testing::HasSubstr;

// POSIX rules: no time zone database is needed.
constexpr const char* kBerlin = "CET-1CEST,M3.5.0,M10.5.0/3";
constexpr const char* kLagos = "WAT-1";
// Clocks go forward at midnight, as Cairo's and Beirut's do: the day begins at 01:00.
constexpr const char* kForwardAtMidnight = "EET-2EEST,M3.5.0/0,M10.5.0/0";

class PeriodTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* zone = std::getenv("TZ")) before_ = zone;
  }
  void TearDown() override {
    if (before_) {
      setenv("TZ", before_->c_str(), 1);
    } else {
      unsetenv("TZ");
    }
  }
  static void In(const char* zone) { setenv("TZ", zone, 1); }
  static Period Month(const std::string& month, Zone zone = Zone::kKiosk) {
    return ReadPeriod("", "", month, zone).value();
  }

 private:
  std::optional<std::string> before_;
};

TEST_F(PeriodTest, AMonthBeginsAndEndsByTheKiosksClock) {
  In(kLagos);
  EXPECT_EQ(FormatRfc3339(*Month("2026-11").since), "2026-10-31T23:00:00.000Z");
  EXPECT_EQ(FormatRfc3339(*Month("2026-11").until), "2026-11-30T23:00:00.000Z");
  EXPECT_EQ(FormatRfc3339(*Month("2026-12").until), "2026-12-31T23:00:00.000Z");
  EXPECT_EQ(FormatRfc3339(*Month("2026-11", Zone::kUtc).since), "2026-11-01T00:00:00.000Z");
}

TEST_F(PeriodTest, AMonthInWhichClocksChangeHasItsTrueLength) {
  In(kBerlin);
  const auto length = [](const Period& period) { return *period.until - *period.since; };
  EXPECT_EQ(length(Month("2026-03")), hours(31 * 24 - 1));
  EXPECT_EQ(length(Month("2026-10")), hours(31 * 24 + 1));
  EXPECT_EQ(length(Month("2026-11")), hours(30 * 24));
  EXPECT_EQ(*Month("2026-10").until, *Month("2026-11").since);
}

TEST_F(PeriodTest, ADayWithoutMidnightBeginsAtItsFirstMoment) {
  In(kForwardAtMidnight);  // on Sunday 2026-03-29
  (void)Month("2026-07");  // a summer's day before it must not lead to a summer's midnight
  const Period period = ReadPeriod("2026-03-29", "2026-03-30", "", Zone::kKiosk).value();
  EXPECT_EQ(FormatIn(Zone::kKiosk, *period.since), "2026-03-29T01:00:00.000+03:00");
  EXPECT_EQ(*period.until - *period.since, hours(23));
}

TEST_F(PeriodTest, ItsEndIsOutside) {
  const Period period = Month("2026-11", Zone::kUtc);
  EXPECT_TRUE(period.Has(*period.since));
  EXPECT_FALSE(period.Has(*period.until));
  EXPECT_TRUE(period.Has(*period.until - std::chrono::milliseconds(1)));
  EXPECT_FALSE(period.Has(*period.since - std::chrono::milliseconds(1)));
  EXPECT_TRUE(Period().Has(*period.since));
}

TEST_F(PeriodTest, EachBadValueIsNamedWithAnExample) {
  const auto error = [](const char* since, const char* until, const char* month) {
    const auto period = ReadPeriod(since, until, month, Zone::kUtc);
    return period ? "" : period.error().message;
  };
  EXPECT_EQ(error("", "", "2026-13"), "--month 2026-13: not a month like 2026-11");
  EXPECT_THAT(error("", "", "November"), HasSubstr("2026-11"));
  EXPECT_THAT(error("", "", "2026-11-01"), HasSubstr("--month"));
  EXPECT_THAT(error("2026-02-30", "", ""), HasSubstr("--since 2026-02-30: not a day like"));
  EXPECT_THAT(error("", "20/11/2026", ""), HasSubstr("--until 20/11/2026"));
  EXPECT_THAT(error("2026-11-02", "2026-11-01", ""), HasSubstr("not after --since"));
  EXPECT_THAT(error("2026-11-02", "", "2026-11"), HasSubstr("leave out"));
}

TEST_F(PeriodTest, ATimeWithoutAZoneIsTheKiosks) {
  In(kLagos);
  const auto time = ParseIn(Zone::kKiosk, "2026-11-20 20:21:47");
  ASSERT_TRUE(time);
  EXPECT_EQ(FormatIn(Zone::kKiosk, *time), "2026-11-20T20:21:47.000+01:00");
  EXPECT_EQ(FormatIn(Zone::kUtc, *time), "2026-11-20T19:21:47.000Z");
  EXPECT_EQ(ParseIn(Zone::kUtc, "2026-11-20T19:21:47"), *time);
  EXPECT_EQ(ParseIn(Zone::kKiosk, "2026-11-20T19:21:47Z"), *time);
  EXPECT_FALSE(ParseIn(Zone::kKiosk, "2026-11-20 25:00:00"));
  In("<-0330>3:30");
  EXPECT_EQ(FormatIn(Zone::kKiosk, *time), "2026-11-20T15:51:47.000-03:30");
}

}  // namespace
}  // namespace idkiosk
