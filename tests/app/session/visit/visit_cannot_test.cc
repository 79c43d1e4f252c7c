#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/session/visit/visit_fixture.h"

// Who cannot do what is asked, who needs longer, and what people agreed to.
namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

Settings Allowing(std::vector<std::string> challenges) {
  Settings settings;
  settings.capture.may_leave_out = std::move(challenges);
  return settings;
}

TEST(VisitCannotTest, WhatIsLeftOutIsNotAskedForAndStaysLeftOut) {
  VisitFixture bench(Allowing({"turn_left", "turn_right"}));
  bench.WalkToCamera();
  EXPECT_EQ(bench.camera.left_out, 0U);
  bench.Do("cannot");
  EXPECT_EQ(bench.screen(), Screen::kCannot);
  EXPECT_FALSE(bench.camera.running()) << "nobody is looked at meanwhile";
  EXPECT_THAT(bench.view().cannot->challenges, ElementsAre(Prompt::kTurnLeft, Prompt::kTurnRight));
  bench.Do("leave_out", R"("challenge": "turn_left")");
  EXPECT_EQ(bench.screen(), Screen::kCamera);
  EXPECT_EQ(bench.camera.left_out, BitOf(Prompt::kTurnLeft));
  bench.Do("cannot");
  EXPECT_THAT(bench.view().cannot->left_out, ElementsAre(Prompt::kTurnLeft));
  bench.Do("leave_out", R"("challenge": "turn_right")");
  EXPECT_EQ(bench.camera.left_out, BitOf(Prompt::kTurnLeft) | BitOf(Prompt::kTurnRight));
  bench.camera.Deliver();
  bench.Do("retake");
  EXPECT_EQ(bench.camera.left_out, BitOf(Prompt::kTurnLeft) | BitOf(Prompt::kTurnRight));
  bench.Do("stop");
  bench.WalkToCamera();
  EXPECT_EQ(bench.camera.left_out, 0U) << "the next person is asked for everything";
}

TEST(VisitCannotTest, NothingIsLeftOutThatTheBankDoesNotAllow) {
  VisitFixture bench(Allowing({"smile"}));
  bench.WalkToCamera();
  bench.Do("cannot");
  for (const char* name : {"turn_left", "selfie", "done", "", "fly"}) {
    EXPECT_FALSE(
        bench.TryDo("leave_out", fmt::format(R"("challenge": "{}")", name), bench.view().session))
        << name;
  }
  EXPECT_EQ(bench.screen(), Screen::kCannot);
}

TEST(VisitCannotTest, TwoChallengesAreAlwaysLeft) {
  std::vector<std::string> all;
  for (const PromptTraits& each : kChallenges) all.emplace_back(each.name);
  VisitFixture bench(Allowing(all));
  bench.WalkToCamera();
  bench.Do("cannot");
  EXPECT_EQ(bench.view().cannot->challenges.size(), kChallenges.size() - 2);
}

// Whoever may get a fit from quick colours.
TEST(VisitCannotTest, WhoCannotBearQuickColoursGetsSlowOnes) {
  VisitFixture bench(Allowing({}));
  bench.WalkToCamera();
  EXPECT_EQ(bench.camera.pace, LightPace::kUsual);
  bench.Do("cannot");
  EXPECT_FALSE(bench.camera.running()) << "no colour is shown meanwhile";
  EXPECT_FALSE(bench.view().cannot->gentle);
  bench.Do("light", R"("gentle": true)");
  EXPECT_EQ(bench.screen(), Screen::kCamera);
  EXPECT_TRUE(bench.view().camera->gentle);
  EXPECT_EQ(bench.camera.pace, LightPace::kGentle);
  bench.Do("cannot");
  EXPECT_TRUE(bench.view().cannot->gentle);
  bench.Do("light", R"("gentle": true)");
  EXPECT_EQ(bench.screen(), Screen::kCamera);
  bench.camera.Deliver();
  bench.Do("retake");
  EXPECT_EQ(bench.camera.pace, LightPace::kGentle) << "as long as it is the same person";
  bench.Do("stop");
  bench.WalkToCamera();
  EXPECT_EQ(bench.camera.pace, LightPace::kUsual);
}

TEST(VisitCannotTest, WhoAsksTheStaffIsErasedAndNotBlamed) {
  VisitFixture bench(Allowing({}));
  bench.WalkToCamera();
  bench.Do("cannot");
  EXPECT_THAT(bench.view().cannot->challenges, IsEmpty());
  bench.Do("ask_staff");
  EXPECT_EQ(bench.view().stopped->why, StopReason::kNeedsHelp);
  EXPECT_FALSE(bench.view().stopped->can_retry);
  bench.Do("finish");
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
  EXPECT_THAT(bench.queue.accepted, IsEmpty());
}

TEST(VisitCannotTest, AlsoAfterTheTimeIsOverAndBackToTheCamera) {
  VisitFixture bench;
  bench.WalkToCamera();
  bench.camera.Fail(ErrorCode::kTimeout);
  ASSERT_TRUE(bench.view().stopped->can_retry);
  bench.Do("cannot");
  bench.Do("back");
  EXPECT_EQ(bench.screen(), Screen::kCamera);
  bench.Do("cannot");
  bench.clock.Advance(70s);
  EXPECT_EQ(bench.screen(), Screen::kWelcome) << "who has gone is erased";
}

TEST(VisitCannotTest, WhoNeedsLongerGetsTheWholeTimeAgain) {
  VisitFixture bench;
  bench.WalkToCamera();
  bench.Do("cannot");
  bench.Do("ask_staff");
  const int all = bench.view().stopped->seconds_left;
  bench.clock.Advance(15s);
  ASSERT_EQ(bench.view().stopped->seconds_left, all - 15);
  bench.Do("still_here");
  EXPECT_EQ(bench.view().stopped->seconds_left, all);
  bench.clock.Advance(all * 1s - 1s);
  EXPECT_EQ(bench.screen(), Screen::kStopped);
}

TEST(VisitConsentTest, TheTextAndTheLanguageThatStoodThereGoWithTheCall) {
  VisitFixture bench;
  bench.Do("start", R"("language": "en")");
  bench.Do("language", R"("language": "ha")");
  bench.Do("agree");
  // Whoever changes the language later has agreed in that one all the same.
  bench.Do("language", R"("language": "fr")");
  bench.Do("number", fmt::format(R"("digits": "{}")", kNin));
  bench.Do("next");
  bench.Do("reason", R"("code": "KYC")");
  bench.camera.Deliver();
  bench.Do("send");
  EXPECT_EQ(bench.queue.consent, (Consent{std::string(kOwnConsentVersion), "ha"}));
}

}  // namespace
}  // namespace idkiosk
