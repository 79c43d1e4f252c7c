#include <gtest/gtest.h>

#include "tests/app/session/visit/visit_fixture.h"

// What a person is shown on the way: before the camera, while waiting, and after the answer.
namespace idkiosk {
namespace {

using namespace std::chrono_literals;

TEST(VisitStepsTest, ShowsWhatWillBeAskedBeforeTheCameraStarts) {
  VisitFixture bench(Settings(), true, 3s);
  bench.WalkToNumber();
  bench.Do("number", fmt::format(R"("digits": "{}")", kNin));
  bench.Do("next");
  bench.Do("reason", R"("code": "KYC")");
  EXPECT_EQ(bench.view().camera->starts_in, 3);
  EXPECT_EQ(bench.view().camera->guidance, Guidance::kNoFace) << "nothing is good before a frame";
  bench.clock.Advance(1s);
  EXPECT_EQ(bench.view().camera->starts_in, 2);
  EXPECT_FALSE(bench.camera.running());
  bench.clock.Advance(1s);
  EXPECT_EQ(bench.view().camera->starts_in, 1);
  EXPECT_TRUE(bench.camera.running()) << "it takes its time to open";
  EXPECT_FALSE(bench.camera.asks_at_once);
  bench.clock.Advance(1s);
  EXPECT_EQ(bench.screen(), Screen::kCamera);
  EXPECT_EQ(bench.view().camera->starts_in, std::nullopt);
  bench.camera.Step({.guidance = Guidance::kNone});
  bench.clock.Advance(5s);
  EXPECT_EQ(bench.screen(), Screen::kCamera);
  bench.camera.Deliver();
  bench.Do("retake");
  EXPECT_EQ(bench.view().camera->starts_in, 3) << "whoever does it again gets ready again";
  EXPECT_FALSE(bench.camera.running());
}

TEST(VisitStepsTest, TheLastSecondBeforeTheCameraIsAWholeOne) {
  VisitFixture bench(Settings(), true, 3s);
  bench.WalkToNumber();
  bench.Do("number", fmt::format(R"("digits": "{}")", kNin));
  bench.Do("next");
  bench.Do("reason", R"("code": "KYC")");
  bench.clock.Advance(2s);
  EXPECT_EQ(bench.view().camera->starts_in, 1);
  bench.clock.Advance(200ms);
  bench.camera.Step({.face_seen = true});
  EXPECT_EQ(bench.view().camera->starts_in, 1);
  bench.clock.Advance(800ms);
  EXPECT_EQ(bench.view().camera->starts_in, std::nullopt);
  bench.camera.Step({.face_seen = true});
  EXPECT_EQ(bench.view().camera->guidance, Guidance::kNone);
  bench.camera.Deliver();
  bench.clock.Advance(2s);
  EXPECT_EQ(bench.screen(), Screen::kLook);
}

TEST(VisitStepsTest, TheWelcomeSaysThatTheCameraIsAwayUntilItIsBack) {
  VisitFixture bench;
  bench.camera_is_there = false;
  bench.WalkToCamera();
  bench.camera.Fail(ErrorCode::kUnavailable);
  EXPECT_EQ(bench.view().stopped->why, StopReason::kCameraAway);
  bench.Do("finish");
  EXPECT_EQ(bench.view().closed, StopReason::kCameraAway);
  bench.Do("start");
  EXPECT_EQ(bench.view().stopped->why, StopReason::kCameraAway) << "before anything is asked";
  bench.Do("finish");
  bench.camera_is_there = true;
  bench.clock.Advance(11s);
  EXPECT_EQ(bench.view().closed, std::nullopt);
  const int looks = bench.looks;
  bench.clock.Advance(60s);
  EXPECT_EQ(bench.looks, looks) << "a camera that was there is left alone";
}

TEST(VisitStepsTest, AnotherObstacleIsSaidBeforeAMissingCamera) {
  VisitFixture bench;
  bench.WalkToCamera();
  bench.camera_is_there = false;
  bench.camera.Fail(ErrorCode::kUnavailable);
  bench.queue.hold.emplace().reason = HoldReason::kSpendCap;
  bench.Do("finish");
  EXPECT_EQ(bench.view().closed, StopReason::kSpendCap);
}

TEST(VisitStepsTest, SaysWhatBecameOfTheCheckBefore) {
  struct Row {
    CallState state;
    Verdict verdict;
    EarlierCheck became;
  };
  for (const auto& [state, verdict, became] : {
           Row{CallState::kPending, Verdict::kNone, EarlierCheck::kWaiting},
           Row{CallState::kSending, Verdict::kNone, EarlierCheck::kWaiting},
           Row{CallState::kDone, Verdict::kVerified, EarlierCheck::kAnswered},
           Row{CallState::kDone, Verdict::kNotVerified, EarlierCheck::kAnswered},
           Row{CallState::kDone, Verdict::kRejected, EarlierCheck::kRefused},
           Row{CallState::kDone, Verdict::kGivenUp, EarlierCheck::kNoAnswer},
           Row{CallState::kUnknown, Verdict::kNone, EarlierCheck::kNoAnswer},
           Row{CallState::kExpired, Verdict::kNone, EarlierCheck::kNoAnswer},
       }) {
    VisitFixture bench;
    bench.queue.earlier.emplace().state = state;
    bench.queue.earlier->verdict = verdict;
    bench.WalkToCamera();
    EXPECT_EQ(bench.view().repeated, became) << Name(state) << ", " << Name(verdict);
    bench.Do("back");
    EXPECT_EQ(bench.view().repeated, std::nullopt);
  }
}

TEST(VisitStepsTest, ASpendingCapSaysWhenItIsOver) {
  VisitFixture bench;
  const WallTime later = bench.clock.WallNow() + 40min;
  bench.queue.hold.emplace().reason = HoldReason::kSpendCap;
  bench.queue.hold->until = later;
  bench.session.OnCallChanged(kReference);
  EXPECT_EQ(bench.view().opens_at, later);
  bench.Do("start");
  EXPECT_EQ(bench.screen(), Screen::kStopped);
  EXPECT_EQ(bench.view().opens_at, later);
  bench.queue.hold->until = later + 60min;
  bench.Do("finish");
  EXPECT_EQ(bench.view().opens_at, later + 60min) << "a cap that lasts longer";
  bench.queue.hold.reset();
  bench.clock.Advance(11s);
  EXPECT_EQ(bench.view().opens_at, std::nullopt);
}

TEST(VisitStepsTest, AClockThatTellsNoTimeSaysNotWhenACapIsOver) {
  VisitFixture bench;
  bench.clock.set_wall_is_trusted(false);
  bench.queue.hold.emplace().reason = HoldReason::kSpendCap;
  bench.queue.hold->until = bench.clock.WallNow() + 40min;
  bench.session.OnCallChanged(kReference);
  EXPECT_EQ(bench.view().closed, StopReason::kSpendCap);
  EXPECT_EQ(bench.view().opens_at, std::nullopt);
}

TEST(VisitStepsTest, TheWelcomeSaysWhenNothingCanBeAskedAndWhenItCanAgain) {
  VisitFixture bench;
  EXPECT_EQ(bench.view().closed, std::nullopt);
  EXPECT_EQ(bench.runner.pending_timers(), 0U) << "a kiosk that rests wakes nothing";
  bench.queue.hold.emplace().reason = HoldReason::kSpendCap;
  bench.session.OnCallChanged(kReference);
  EXPECT_EQ(bench.view().closed, StopReason::kSpendCap);
  bench.Do("start");
  EXPECT_EQ(bench.screen(), Screen::kStopped) << "in the language of who touched it";
  EXPECT_EQ(bench.view().closed, std::nullopt);
  bench.Do("finish");
  EXPECT_EQ(bench.view().closed, StopReason::kSpendCap);
  bench.queue.hold.reset();
  bench.clock.Advance(11s);
  EXPECT_EQ(bench.view().closed, std::nullopt);
  bench.session.SetReasons({});
  EXPECT_EQ(bench.view().closed, StopReason::kNotReady);
}

TEST(VisitStepsTest, ReferenceStandsThereBeforeSomebodyMayLeave) {
  VisitFixture bench;
  bench.queue.summary.state = CallState::kPending;
  bench.WalkToWaiting();
  EXPECT_EQ(bench.view().waiting->reference, kReference);
  bench.clock.Advance(9s);
  EXPECT_TRUE(bench.view().waiting->is_long);
  EXPECT_EQ(bench.view().waiting->reference, kReference);
}

TEST(VisitStepsTest, WhoWasNotVerifiedMayTryDifferentlyTwice) {
  VisitFixture bench;
  bench.queue.summary.state = CallState::kDone;
  bench.queue.summary.verdict = Verdict::kNotVerified;
  bench.queue.summary.last_outcome = OutcomeKind::kNotVerified;
  bench.WalkToWaiting();
  ASSERT_EQ(bench.screen(), Screen::kAnswer);
  EXPECT_EQ(bench.view().answer->number_end, "901");
  EXPECT_TRUE(bench.view().answer->other_number);
  bench.Do("retake");
  EXPECT_EQ(bench.screen(), Screen::kCamera);
  EXPECT_EQ(bench.queue.left, std::vector<CallReference>{kReference}) << "nobody waits for it";
  bench.camera.Deliver();
  bench.Do("send");
  EXPECT_TRUE(bench.queue.confirmed) << "who asks for it knows of the call before";
  ASSERT_EQ(bench.screen(), Screen::kAnswer);
  bench.Do("change_number");
  EXPECT_EQ(bench.screen(), Screen::kNumber);
  EXPECT_EQ(bench.view().number->digits, kNin) << "to be mended";
  bench.Do("next");
  bench.Do("reason", R"("code": "KYC")");
  bench.camera.Deliver();
  bench.Do("send");
  EXPECT_FALSE(bench.queue.confirmed);
  ASSERT_EQ(bench.screen(), Screen::kAnswer);
  EXPECT_FALSE(bench.view().answer->other_number);
  EXPECT_FALSE(bench.view().answer->new_pictures);
  EXPECT_FALSE(bench.TryDo("retake"));
  EXPECT_FALSE(bench.TryDo("change_number"));
  EXPECT_EQ(bench.queue.accepted.size(), 3U);
}

TEST(VisitStepsTest, WhoWasVerifiedIsNotAskedToTryAgain) {
  VisitFixture bench;
  bench.queue.summary.state = CallState::kDone;
  bench.queue.summary.verdict = Verdict::kVerified;
  bench.WalkToWaiting();
  ASSERT_EQ(bench.screen(), Screen::kAnswer);
  EXPECT_EQ(bench.view().answer->number_end, "");
  EXPECT_FALSE(bench.TryDo("retake"));
  EXPECT_FALSE(bench.TryDo("change_number"));
}

TEST(VisitStepsTest, SaysWhatIsTheMatterWithTheCamera) {
  VisitFixture bench;
  bench.WalkToCamera();
  bench.camera.Trouble(CameraTrouble::kBlack);
  EXPECT_EQ(bench.view().camera->trouble, CameraTrouble::kBlack);
  bench.camera.Step({.restarted = Restart::kLost});
  EXPECT_EQ(bench.view().camera->trouble, std::nullopt);
  EXPECT_EQ(bench.view().camera->restarted, Restart::kLost);
  bench.camera.Step({});
  EXPECT_EQ(bench.view().camera->restarted, Restart::kLost);
  bench.clock.Advance(1s);
  bench.camera.Step({});
  EXPECT_FALSE(bench.view().camera->restarted);
}

TEST(VisitStepsTest, ShowsTheColoursOfTheCaptureAndTheirWish) {
  VisitFixture bench(Settings(), true, 0s);
  bench.WalkToNumber();
  bench.Do("number", fmt::format(R"("digits": "{}")", kNin));
  bench.Do("next");
  bench.Do("reason", R"("code": "KYC")");
  ASSERT_TRUE(bench.view().camera);
  EXPECT_FALSE(bench.view().camera->gentle);
  const int starts = bench.camera.starts;
  bench.Do("light", R"("gentle": true)");
  EXPECT_TRUE(bench.view().camera->gentle);
  EXPECT_EQ(bench.camera.starts, starts + 1) << "pictures begin anew";
  EXPECT_EQ(bench.camera.pace, LightPace::kGentle);
  bench.Do("light", R"("gentle": true)");
  EXPECT_EQ(bench.camera.starts, starts + 1) << "nothing has changed";
  EXPECT_FALSE(bench.TryDo("light", R"("gentle": 1)"));
  bench.camera.Step({.light = kLightColours[0].colour, .fade = std::chrono::milliseconds(150)});
  EXPECT_EQ(bench.view().camera->light, kLightColours[0].colour);
  EXPECT_TRUE(bench.view().camera->gentle);
  bench.camera.Step({});
  EXPECT_EQ(bench.view().camera->light, std::nullopt);
}

}  // namespace
}  // namespace idkiosk
