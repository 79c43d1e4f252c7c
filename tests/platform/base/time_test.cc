#include "platform/base/time.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

using namespace std::chrono_literals;

std::string Rfc3339(std::string_view text) {
  const auto time = ParseRfc3339(text);
  return time ? FormatRfc3339(*time) : "nothing";
}

std::string HttpDate(std::string_view text) {
  const auto time = ParseHttpDate(text);
  return time ? FormatRfc3339(*time) : "nothing";
}

TEST(TimeTest, ReadsTheFormsOfRfc3339) {
  EXPECT_EQ(Rfc3339("2026-11-20T19:21:47Z"), "2026-11-20T19:21:47.000Z");
  EXPECT_EQ(Rfc3339("2026-11-20t19:21:47z"), "2026-11-20T19:21:47.000Z");
  EXPECT_EQ(Rfc3339("2026-11-20 19:21:47Z"), "2026-11-20T19:21:47.000Z");
  EXPECT_EQ(Rfc3339("2026-11-20T19:21:47.5Z"), "2026-11-20T19:21:47.500Z");
  EXPECT_EQ(Rfc3339("2026-11-20T19:21:47.123456789012345Z"), "2026-11-20T19:21:47.123Z");
  EXPECT_EQ(Rfc3339("2026-11-20T19:21:47+01:00"), "2026-11-20T18:21:47.000Z");
  EXPECT_EQ(Rfc3339("2026-11-20T19:21:47.250-05:30"), "2026-11-21T00:51:47.250Z");
  EXPECT_EQ(Rfc3339("2026-12-31T23:59:60Z"), "2027-01-01T00:00:00.000Z");
  EXPECT_EQ(Rfc3339("2028-02-29T00:00:00Z"), "2028-02-29T00:00:00.000Z");
  EXPECT_EQ(Rfc3339("1969-12-31T23:59:59.999Z"), "1969-12-31T23:59:59.999Z");
}

TEST(TimeTest, TakesNothingElseForRfc3339) {
  for (const std::string_view text : {"",
                                      "2026",
                                      "2026-11-20",
                                      "2026-11-20T19:21:47",
                                      "2026-11-20T19:21Z",
                                      "2026-11-20T19:21:47.Z",
                                      "2026-11-20T19:21:47,5Z",
                                      "2026-11-20T19:21:47 Z",
                                      "2026-11-20T19:21:47+0100",
                                      "2026-11-20T19:21:47+24:00",
                                      "2026-11-20T19:21:47+01:60",
                                      "2026-11-20T24:00:00Z",
                                      "2026-11-20T19:60:00Z",
                                      "2026-11-20T19:21:61Z",
                                      "2026-13-20T19:21:47Z",
                                      "2026-00-20T19:21:47Z",
                                      "2026-11-31T19:21:47Z",
                                      "2027-02-29T00:00:00Z",
                                      "26-11-20T19:21:47Z",
                                      "2026-11-20T19:21:47Zx",
                                      "+026-11-20T19:21:47Z",
                                      "2026-11-20T19:21:47Z "}) {
    EXPECT_EQ(Rfc3339(text), "nothing") << text;
  }
}

TEST(TimeTest, ReadsTheDateOfAnHttpHeader) {
  EXPECT_EQ(HttpDate("Fri, 20 Nov 2026 19:21:47 GMT"), "2026-11-20T19:21:47.000Z");
  EXPECT_EQ(HttpDate("Thu, 01 Jan 1970 00:00:00 GMT"), "1970-01-01T00:00:00.000Z");
  for (const std::string_view text :
       {"", "Fri, 20 Nov 2026 19:21:47", "Fri, 20 Nov 2026 19:21:47 CET",
        "Fri, 20 Nov 2026 19:21:47 GMT+1", "Friday, 20-Nov-26 19:21:47 GMT",
        "Fri Nov 20 19:21:47 2026", "Tue, 31 Feb 2026 19:21:47 GMT",
        "Fri, 20 Nov 2026 25:21:47 GMT", "Fri, 20 Foo 2026 19:21:47 GMT",
        "Fri, 20 Nov 20261 19:21:47 GMT", "120"}) {
    EXPECT_EQ(HttpDate(text), "nothing") << text;
  }
}

TEST(TimeTest, TellsDurationsToPeople) {
  EXPECT_EQ(FormatDuration(0s), "0 us");
  EXPECT_EQ(FormatDuration(250us), "250 us");
  EXPECT_EQ(FormatDuration(340ms), "340 ms");
  EXPECT_EQ(FormatDuration(999700us), "1.0 s");
  EXPECT_EQ(FormatDuration(1500ms), "1.5 s");
  EXPECT_EQ(FormatDuration(59970ms), "1 min");
  EXPECT_EQ(FormatDuration(4min), "4 min");
  EXPECT_EQ(FormatDuration(72h), "72.0 h");
  EXPECT_EQ(FormatDuration(-1500ms), "-1.5 s");
}

}  // namespace
}  // namespace idkiosk
