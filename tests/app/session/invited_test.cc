#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/session/page_controller_fixture.h"

// Somebody comes before the screen because another program asks for their check.
namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::shared_ptr<const VisitOrder> AnOrder() {
  VisitOrder order{.question = {}, .reference = "KD7Q2M", .case_id = "B-17", .operator_id = "anna"};
  order.question.endpoint = Endpoint::kVerify;
  order.question.nin = SecretBytes::CopyOf(std::string_view(kNin));
  order.question.reason = "KYC";
  return std::make_shared<VisitOrder>(std::move(order));
}

TEST(InvitedTest, AgreesShowsTheirFaceAndReadsTheAnswer) {
  PageControllerFixture bench;
  const auto order = AnOrder();
  bench.queue.holds_accepts = true;
  ASSERT_TRUE(bench.pages.Invite(order));
  EXPECT_EQ(bench.screen(), Screen::kConsent);
  EXPECT_THAT(bench.camera.starts, 0) << "before they agree";
  bench.Do("agree");
  EXPECT_EQ(bench.screen(), Screen::kCamera);
  bench.camera.Deliver();
  bench.Do("send");
  ASSERT_THAT(bench.queue.accepted, SizeIs(1));
  EXPECT_EQ(bench.queue.accepted.front().nin.text(), kNin);
  EXPECT_EQ(bench.queue.accepted.front().reason, "KYC");
  EXPECT_EQ(bench.queue.order, order);
  EXPECT_TRUE(bench.queue.consent) << "what they agreed to goes along";
  bench.queue.summary.state = CallState::kDone;
  bench.queue.summary.verdict = Verdict::kNotVerified;
  bench.queue.AnswerAccept(order->reference);
  ASSERT_EQ(bench.screen(), Screen::kAnswer);
  EXPECT_FALSE(bench.view().answer->new_pictures) << "another check is for who has asked";
  EXPECT_FALSE(bench.view().answer->other_number);
  bench.Do("finish");
  ASSERT_THAT(bench.orders_over, SizeIs(1));
  EXPECT_TRUE(bench.orders_over.front().is_handed_in);
  EXPECT_EQ(bench.orders_over.front().reference, order->reference);
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
}

TEST(InvitedTest, IsToldOfWhereNothingWasSentAndWhy) {
  PageControllerFixture bench;
  const auto ends_with = [&](std::optional<StopReason> why) {
    ASSERT_FALSE(bench.orders_over.empty());
    EXPECT_FALSE(bench.orders_over.back().is_handed_in);
    EXPECT_EQ(bench.orders_over.back().why, why);
    EXPECT_EQ(bench.screen(), Screen::kWelcome);
    bench.orders_over.clear();
  };
  ASSERT_TRUE(bench.pages.Invite(AnOrder()));
  bench.Do("decline");
  bench.Do("finish");
  ends_with(StopReason::kDeclined);

  ASSERT_TRUE(bench.pages.Invite(AnOrder()));
  bench.Do("agree");
  bench.Do("stop");
  ends_with(std::nullopt);

  ASSERT_TRUE(bench.pages.Invite(AnOrder()));
  bench.clock.Advance(1h);
  ends_with(std::nullopt);

  ASSERT_TRUE(bench.pages.Invite(AnOrder()));
  bench.pages.OnPageOpened();
  ends_with(std::nullopt);

  ASSERT_TRUE(bench.pages.Invite(AnOrder()));
  bench.Do("agree");
  bench.camera.Fail(ErrorCode::kTimeout);
  bench.Do("finish");
  ends_with(StopReason::kCaptureTimeout);
  EXPECT_THAT(bench.queue.accepted, IsEmpty());
}

// The screen stays for a while, and whoever asks need not wait for that.
TEST(InvitedTest, IsToldOfWhatIsDecidedBeforeTheScreenIsFree) {
  PageControllerFixture bench;
  const auto is_told_once = [&](StopReason why) {
    ASSERT_THAT(bench.orders_over, SizeIs(1));
    EXPECT_EQ(bench.orders_over.front().why, why);
    EXPECT_FALSE(bench.orders_over.front().is_handed_in);
    EXPECT_EQ(bench.orders_over.front().order->reference, "KD7Q2M");
    EXPECT_EQ(bench.screen(), Screen::kStopped);
    bench.Do("finish");
    EXPECT_EQ(bench.screen(), Screen::kWelcome);
    EXPECT_THAT(bench.orders_over, SizeIs(1)) << "and no second time";
    bench.orders_over.clear();
  };
  ASSERT_TRUE(bench.pages.Invite(AnOrder()));
  bench.Do("decline");
  is_told_once(StopReason::kDeclined);

  ASSERT_TRUE(bench.pages.Invite(AnOrder()));
  bench.Do("agree");
  bench.Do("cannot");
  bench.Do("ask_staff");
  is_told_once(StopReason::kNeedsHelp);

  bench.queue.holds_accepts = true;
  ASSERT_TRUE(bench.pages.Invite(AnOrder()));
  bench.Do("agree");
  bench.camera.Deliver();
  bench.Do("send");
  bench.queue.AnswerAccept(std::unexpected(Obstacle{{}, Obstacle::Kind::kNoRoom}));
  is_told_once(StopReason::kQueueFull);

  ASSERT_TRUE(bench.pages.Invite(AnOrder()));
  bench.Do("agree");
  bench.camera.Fail(ErrorCode::kTimeout);
  EXPECT_THAT(bench.orders_over, IsEmpty()) << "they may try again";
  bench.Do("retry");
  EXPECT_EQ(bench.screen(), Screen::kCamera);
}

TEST(InvitedTest, DoesNotDecideAboutAskingTheSameAgain) {
  PageControllerFixture bench;
  bench.queue.holds_accepts = true;
  ASSERT_TRUE(bench.pages.Invite(AnOrder()));
  bench.Do("agree");
  bench.camera.Deliver();
  bench.Do("send");
  bench.queue.AnswerAccept(std::unexpected(Obstacle{{}, Obstacle::Kind::kAskedBefore}));
  EXPECT_EQ(bench.screen(), Screen::kStopped);
  EXPECT_EQ(bench.view().stopped->why, StopReason::kNeedsHelp);
  bench.Do("finish");
  EXPECT_EQ(bench.orders_over.back().why, StopReason::kNeedsHelp);
}

TEST(InvitedTest, WhoLeavesBeforeTheQueueRefusesIsToldOfAllTheSame) {
  PageControllerFixture bench;
  bench.queue.holds_accepts = true;
  ASSERT_TRUE(bench.pages.Invite(AnOrder()));
  bench.Do("agree");
  bench.camera.Deliver();
  bench.Do("send");
  bench.Do("finish");
  ASSERT_THAT(bench.orders_over, SizeIs(1));
  EXPECT_TRUE(bench.orders_over.front().is_handed_in);
  bench.queue.AnswerAccept(std::unexpected(Obstacle{{}, Obstacle::Kind::kNoRoom}));
  ASSERT_THAT(bench.orders_over, SizeIs(2));
  EXPECT_FALSE(bench.orders_over.back().is_handed_in);
  EXPECT_EQ(bench.orders_over.back().why, StopReason::kQueueFull);
}

TEST(InvitedTest, DisturbsNobodyWhoIsThereAlready) {
  PageControllerFixture bench;
  bench.WalkToCamera();
  const std::string session = bench.view().session;
  const Status there = bench.pages.Invite(AnOrder());
  ASSERT_FALSE(there);
  EXPECT_THAT(there.error().message, HasSubstr("somebody is before the screen"));
  EXPECT_EQ(bench.view().session, session);

  PageControllerFixture console;
  (void)console.Try("operator.unlock", kPin);
  EXPECT_FALSE(console.pages.Invite(AnOrder()));
  EXPECT_EQ(console.screen(), Screen::kOperator);

  PageControllerFixture closed;
  closed.queue.room = Fail(ErrorCode::kExhausted, "full");
  closed.pages.SetReasons({{"KYC", "Know your customer"}});
  const Status full = closed.pages.Invite(AnOrder());
  ASSERT_FALSE(full);
  EXPECT_THAT(full.error().message, HasSubstr("queue_full"));
}

TEST(InvitedTest, ComesBeforeNoScreenThatNoPageShows) {
  for (const Mode mode : {Mode::kKiosk, Mode::kBranch}) {
    Settings settings;
    settings.mode = mode;
    PageControllerFixture bench(settings);
    bench.page_is_open = false;
    const Screen before = bench.screen();
    const Status unseen = bench.pages.Invite(AnOrder());
    ASSERT_FALSE(unseen);
    EXPECT_EQ(unseen.error().code, ErrorCode::kUnavailable);
    EXPECT_EQ(unseen.error().message, "no page is open at the screen; start its browser");
    EXPECT_EQ(bench.screen(), before);
  }
  PageControllerFixture bench;
  bench.page_is_open = false;
  ASSERT_FALSE(bench.pages.Invite(AnOrder()));
  bench.page_is_open = true;
  ASSERT_TRUE(bench.pages.Invite(AnOrder()));
  bench.page_is_open = false;
  bench.clock.Advance(1h);
  ASSERT_THAT(bench.orders_over, SizeIs(1)) << "nobody is left to touch it";
  EXPECT_FALSE(bench.orders_over.front().is_handed_in);
}

TEST(InvitedTest, ComesToADeskWhoseClerkIsSignedInAndLeavesItToThem) {
  PageControllerFixture bench(Mode::kBranch);
  ASSERT_EQ(bench.screen(), Screen::kDesk);
  ASSERT_TRUE(bench.pages.Invite(AnOrder()));
  EXPECT_EQ(bench.screen(), Screen::kConsent);
  bench.Do("agree");
  bench.camera.Deliver();
  bench.queue.summary.state = CallState::kDone;
  bench.queue.summary.verdict = Verdict::kVerified;
  bench.Do("send");
  EXPECT_EQ(bench.screen(), Screen::kDesk) << "the desk shows the answer";
  EXPECT_THAT(bench.orders_over, SizeIs(1));
  bench.Do("lock");
  const Status locked = bench.pages.Invite(AnOrder());
  ASSERT_FALSE(locked);
  EXPECT_THAT(locked.error().message, HasSubstr("staff must sign in"));
}

TEST(InvitedTest, AnAgentsHandheldTakesThemAndWelcomesTheNext) {
  PageControllerFixture bench(Mode::kHandheld);
  ASSERT_TRUE(bench.pages.Invite(AnOrder()));
  bench.Do("agree");
  bench.Do("stop");
  EXPECT_THAT(bench.orders_over, SizeIs(1));
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
}

}  // namespace
}  // namespace idkiosk
