#include "app/capture/challenges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <set>

#include "app/settings/settings_table.h"
#include "tests/app/capture/observations.h"
#include "tests/fakes/fake_entropy.h"

namespace idkiosk {
namespace {

const std::vector<Prompt> kAll = AllChallenges();

TEST(ChallengesTest, AskForWhatASettingSays) {
  for (const auto& [name, setting] : kChallenges | std::views::transform(&PromptTraits::asked)) {
    if (setting != nullptr) ExpectSetting(name, setting);
  }
}

// The settings know the names, and nothing else of the challenges.
TEST(ChallengesTest, MayEachBeLeftOutBySettings) {
  const Setting* const setting = FindSetting("capture.may_leave_out");
  ASSERT_NE(setting, nullptr);
  Choices names;
  for (const PromptTraits& each : kChallenges) names.push_back(each.name);
  EXPECT_EQ(std::get<Choices>(setting->rule), names);
}

// GCC does not take this for a constant where the undefined-behaviour sanitizer looks on.
TEST(ChallengesTest, CanEachBeMeasured) {
  for (const PromptTraits& each : kChallenges) EXPECT_NE(each.share, nullptr) << each.name;
}

TEST(DrawChallengesTest, DrawsFourDifferentOnes) {
  FakeEntropy entropy;
  for (int i = 0; i < 100; ++i) {
    const auto drawn = DrawChallenges(kAll, entropy);
    EXPECT_EQ(drawn.size(), 4U);
    EXPECT_EQ(std::set(drawn.begin(), drawn.end()).size(), 4U);
  }
}

TEST(DrawChallengesTest, DrawsEachInEachPlaceEquallyOften) {
  FakeEntropy entropy;
  std::map<std::pair<size_t, Prompt>, int> counts;
  constexpr int kDraws = 5000;
  for (int i = 0; i < kDraws; ++i) {
    const auto drawn = DrawChallenges(kAll, entropy);
    for (size_t place = 0; place < drawn.size(); ++place) ++counts[{place, drawn[place]}];
  }
  ASSERT_EQ(counts.size(), 4 * kAll.size());
  for (const auto& [key, count] : counts)
    EXPECT_NEAR(count, static_cast<double>(kDraws) / static_cast<double>(kAll.size()), 150);
}

TEST(DrawChallengesTest, RepeatsNoneInARowWhereThereAreTooFew) {
  FakeEntropy entropy;
  for (const auto& few :
       {std::vector{Prompt::kTurnLeft, Prompt::kTurnRight},
        std::vector{Prompt::kTurnLeft, Prompt::kTurnRight, Prompt::kComeCloser}}) {
    for (int i = 0; i < 200; ++i) {
      const auto drawn = DrawChallenges(few, entropy);
      ASSERT_EQ(drawn.size(), 4U);
      EXPECT_EQ(std::ranges::adjacent_find(drawn), drawn.end());
    }
  }
}

class ShowsTest : public testing::Test {
 protected:
  bool Shown(Prompt challenge) const { return Shows(challenge, face_, selfie_, settings_); }

  CaptureSettings settings_;
  FaceObservation selfie_ = *GoodFrame().face;
  FaceObservation face_ = *GoodFrame().face;
};

TEST_F(ShowsTest, NothingForALookIntoTheCamera) {
  for (Prompt challenge : kAll) EXPECT_FALSE(Shown(challenge)) << Name(challenge);
}

TEST_F(ShowsTest, EachIsShownByWhatTheDrawnSitterDoesAndByNothingElse) {
  for (Prompt shown : kAll) {
    face_ = *Showing(shown).face;
    for (Prompt challenge : kAll) EXPECT_EQ(Shown(challenge), challenge == shown) << Name(shown);
  }
}

TEST_F(ShowsTest, ATurnFromTheAngleOnAndToItsOwnSide) {
  face_.pose.yaw = 26.9;
  EXPECT_FALSE(Shown(Prompt::kTurnLeft));
  face_.pose.yaw = 27;
  EXPECT_TRUE(Shown(Prompt::kTurnLeft));
  EXPECT_FALSE(Shown(Prompt::kTurnRight));
  face_.pose.yaw = -27;
  EXPECT_TRUE(Shown(Prompt::kTurnRight));
  face_.pose.yaw.reset();
  EXPECT_FALSE(Shown(Prompt::kTurnRight));
}

TEST_F(ShowsTest, ALookUpAgainstThePersonsOwnSelfie) {
  selfie_.pose.pitch = 12;
  face_.pose.pitch = 20;
  EXPECT_FALSE(Shown(Prompt::kLookUp));
  face_.pose.pitch = 29;
  EXPECT_TRUE(Shown(Prompt::kLookUp));
  face_.pose.yaw = 35;
  EXPECT_FALSE(Shown(Prompt::kLookUp)) << "a turned head's pitch is not known well";
}

TEST_F(ShowsTest, ComingCloserAgainstThePersonsOwnSelfie) {
  face_.area = selfie_.area * 1.24 * 1.24;
  EXPECT_FALSE(Shown(Prompt::kComeCloser));
  face_.area = selfie_.area * 1.26 * 1.26;
  EXPECT_TRUE(Shown(Prompt::kComeCloser));
}

TEST_F(ShowsTest, LessWillDoToGoOn) {
  const auto still = [&](Prompt challenge) {
    return StillShows(challenge, face_, selfie_, settings_);
  };
  for (Prompt challenge : kAll) EXPECT_FALSE(still(challenge)) << Name(challenge);
  face_.pose.yaw = 20;
  EXPECT_TRUE(still(Prompt::kTurnLeft));
  EXPECT_FALSE(still(Prompt::kTurnRight));
  EXPECT_FALSE(Shown(Prompt::kTurnLeft));
  face_.smile = 0.4;
  EXPECT_TRUE(still(Prompt::kSmile));
  EXPECT_FALSE(Shown(Prompt::kSmile));
  face_.smile = 0.3;
  EXPECT_FALSE(still(Prompt::kSmile));
}

TEST_F(ShowsTest, ASmile) {
  face_.smile = 0.6;
  EXPECT_TRUE(Shown(Prompt::kSmile));
  face_.smile.reset();
  EXPECT_FALSE(Shown(Prompt::kSmile));
}

}  // namespace
}  // namespace idkiosk
