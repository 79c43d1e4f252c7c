#include "app/capture/light_tally.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

void Count(LightTally& tally, LightFinding finding, size_t times) {
  for (size_t i = 0; i < times; ++i) tally.Count(finding);
}

TEST(LightTallyTest, SaysNothingOfAKioskWhoseLightIsJudged) {
  LightTally tally;
  EXPECT_FALSE(tally.JudgedTooRarely());
  Count(tally, LightFinding::kAnswered, 10);
  Count(tally, LightFinding::kUnanswered, 5);
  Count(tally, LightFinding::kTooBright, 5);
  EXPECT_FALSE(tally.JudgedTooRarely());
  EXPECT_EQ(tally.CountOf(LightFinding::kAnswered), 10U);
  EXPECT_EQ(tally.CountOf(LightFinding::kTooBright), 5U);
}

TEST(LightTallyTest, TellsOfAKioskWhoseLightIsSeldomJudgedAndWhy) {
  LightTally tally;
  Count(tally, LightFinding::kAnswered, 30);
  Count(tally, LightFinding::kTooNoisy, 4);
  Count(tally, LightFinding::kTooBright, 8);
  const auto too_rarely = tally.JudgedTooRarely();
  ASSERT_TRUE(too_rarely);
  EXPECT_EQ(too_rarely->checks, LightTally::kNewest);
  EXPECT_EQ(too_rarely->abstained, 12U);
  EXPECT_EQ(too_rarely->mostly, LightFinding::kTooBright);
}

TEST(LightTallyTest, WaitsForSomeChecksAndLeavesOutWhatWasNotAsked) {
  LightTally tally;
  Count(tally, LightFinding::kNoScreen, 50);
  Count(tally, LightFinding::kNotAsked, 50);
  Count(tally, LightFinding::kTooBright, LightTally::kFewest - 1);
  EXPECT_FALSE(tally.JudgedTooRarely());
  tally.Count(LightFinding::kTooBright);
  ASSERT_TRUE(tally.JudgedTooRarely());
  EXPECT_EQ(tally.JudgedTooRarely()->checks, LightTally::kFewest);
}

}  // namespace
}  // namespace idkiosk
