#include "app/settings/duration_text.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

using namespace std::chrono_literals;

TEST(DurationTextTest, ReadsANumberAndItsUnit) {
  EXPECT_EQ(ParseDuration("500 ms"), 500ms);
  EXPECT_EQ(ParseDuration("2 s"), 2s);
  EXPECT_EQ(ParseDuration("15 min"), 15min);
  EXPECT_EQ(ParseDuration("72 h"), 72h);
  EXPECT_EQ(ParseDuration("2s"), 2s);
  EXPECT_EQ(ParseDuration("1.5 min"), 90s);
  EXPECT_EQ(ParseDuration("0 s"), 0s);
  EXPECT_EQ(ParseDuration("0.25 s"), 250ms);
}

TEST(DurationTextTest, TakesNothingElse) {
  for (const std::string_view text :
       {"",     "2",      "s",     "2 m",           "2 sec", "2  s",  " 2 s",
        "2 s ", "-2 s",   "2,5 s", "1e3 s",         "0x2 s", "nan s", "inf s",
        "2 S",  "2 days", "2 s s", "99999999999 h", "--2 s", "+2 s"}) {
    EXPECT_EQ(ParseDuration(text), std::nullopt) << text;
  }
}

TEST(DurationTextTest, WritesWhatItReads) {
  for (const Duration each : {0ns, Duration(150ms), Duration(2s), Duration(90s), Duration(15min),
                              Duration(55min), Duration(72h), Duration(1500us)}) {
    EXPECT_EQ(ParseDuration(DurationText(each)), each) << DurationText(each);
  }
  EXPECT_EQ(DurationText(90s), "90 s");
  EXPECT_EQ(DurationText(120s), "2 min");
  EXPECT_EQ(DurationText(72h), "72 h");
  EXPECT_EQ(DurationText(0s), "0 s");
}

}  // namespace
}  // namespace idkiosk
