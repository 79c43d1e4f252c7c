#include <gtest/gtest.h>

#include "tools/sandbox/service/rate_limit.h"
#include "tools/sandbox/service/tokens.h"

namespace idkiosk::sandbox {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr WallTime kNow{seconds(1'800'000'000)};
constexpr seconds kHour{3600};

TEST(TokensTest, ATokenDiesAfterAnHourWithoutUse) {
  Tokens tokens;
  const std::string token = tokens.Issue(7, kNow, kHour);
  EXPECT_EQ(tokens.Use(token, kNow + minutes(59), kHour), 7);
  EXPECT_EQ(tokens.Use(token, kNow + minutes(118), kHour), 7);
  EXPECT_FALSE(tokens.Use(token, kNow + minutes(178), kHour));
  EXPECT_FALSE(tokens.Use(token, kNow, kHour));
}

TEST(TokensTest, RevokedTokensAreUnknown) {
  Tokens tokens;
  const std::string one = tokens.Issue(7, kNow, kHour);
  const std::string two = tokens.Issue(7, kNow, kHour);
  const std::string other = tokens.Issue(8, kNow, kHour);
  tokens.Revoke(one);
  EXPECT_FALSE(tokens.Use(one, kNow, kHour));
  EXPECT_TRUE(tokens.Use(two, kNow, kHour));
  tokens.RevokeAllOf(7);
  EXPECT_FALSE(tokens.Use(two, kNow, kHour));
  EXPECT_TRUE(tokens.Use(other, kNow, kHour));
}

TEST(RateLimitTest, LetsAMinutesWorthThroughAndSaysHowLongToWait) {
  RateLimit limit;
  for (int i = 0; i < 6; ++i) EXPECT_FALSE(limit.Take("ada", 6, kNow));
  EXPECT_EQ(limit.Take("ada", 6, kNow), seconds(10));
  EXPECT_FALSE(limit.Take("eve", 6, kNow));
  EXPECT_EQ(limit.Take("ada", 6, kNow + seconds(4)), seconds(6));
  EXPECT_FALSE(limit.Take("ada", 6, kNow + seconds(10)));
  EXPECT_TRUE(limit.Take("ada", 6, kNow + seconds(10)));
}

TEST(RateLimitTest, AskingCountsNothing) {
  RateLimit limit;
  EXPECT_FALSE(limit.Ask("ada", 1, kNow));
  EXPECT_FALSE(limit.Ask("ada", 1, kNow));
  EXPECT_FALSE(limit.Take("ada", 1, kNow));
  EXPECT_EQ(limit.Ask("ada", 1, kNow), seconds(60));
}

TEST(RateLimitTest, NoneMeansNone) {
  RateLimit limit;
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(limit.Take("ada", 0, kNow));
}

}  // namespace
}  // namespace idkiosk::sandbox
