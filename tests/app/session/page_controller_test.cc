#include "app/session/page_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/session/page_controller_fixture.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(PageControllerTest, ShowsAPersonsPathAndCountsItsRevisions) {
  PageControllerFixture bench;
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
  bench.Do("start", R"("language": "yo")");
  EXPECT_EQ(bench.screen(), Screen::kConsent);
  const size_t shown = bench.shown.size();
  bench.Do("language", R"("language": "yo")");
  bench.pages.SetOnline(true);
  EXPECT_EQ(bench.shown.size(), shown) << "nothing has changed, so nothing is told";
}

TEST(PageControllerTest, OpensTheConsoleForTheOperatorsPinAndErasesThePerson) {
  PageControllerFixture bench;
  bench.WalkToLook();
  bench.Do("language", R"("language": "yo")");
  const std::string before = bench.view().session;
  EXPECT_EQ(bench.Try("operator.unlock", kWrongPin).problem, CommandProblem::kWrong);
  EXPECT_EQ(bench.screen(), Screen::kLook);
  EXPECT_TRUE(bench.Try("operator.unlock", kPin).status);
  EXPECT_EQ(bench.screen(), Screen::kOperator);
  EXPECT_NE(bench.view().session, before);
  EXPECT_EQ(bench.view().language, "yo");
  EXPECT_EQ(bench.view().operator_console, R"({"tab":"first"})");
  EXPECT_FALSE(bench.pages.Picture(before, 0));
  EXPECT_FALSE(bench.pages.Picture(bench.view().session, 0));
  bench.Do("operator.tab", R"("tab": "ledger")");
  EXPECT_THAT(bench.console.commands, ElementsAre("operator.tab"));
  bench.Do("operator.close");
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
  EXPECT_FALSE(bench.console.open);
  EXPECT_EQ(bench.view().operator_console, "");
  EXPECT_EQ(bench.runner.pending_timers(), 0U) << "a kiosk that rests wakes nothing";
}

TEST(PageControllerTest, WhoeverOpensThePageSeesNothingOfWhoWasThereBefore) {
  PageControllerFixture bench;
  bench.WalkToLook();
  const std::string session = bench.view().session;
  bench.pages.OnPageOpened();
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
  EXPECT_NE(bench.view().session, session);
  EXPECT_FALSE(bench.pages.Picture(session, 0));
  bench.Do("start", R"("language": "en")");
  bench.Do("agree");
  bench.Do("number", R"("digits": "701")");
  bench.pages.OnPageOpened();
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
  EXPECT_EQ(bench.view().number, std::nullopt);
  const std::string resting = bench.view().session;
  bench.pages.OnPageOpened();
  EXPECT_EQ(bench.view().session, resting) << "there is nothing to end";
}

TEST(PageControllerTest, TellsHowLongAConsoleStaysClosed) {
  PageControllerFixture bench;
  for (int i = 0; i < 2; ++i) (void)bench.Try("operator.unlock", kWrongPin);
  const CommandReply third = bench.Try("operator.unlock", kWrongPin);
  EXPECT_EQ(third.problem, CommandProblem::kLockedOut);
  EXPECT_EQ(third.seconds, 30);
  EXPECT_EQ(third.status.error().code, ErrorCode::kForbidden);
}

TEST(PageControllerTest, KeepsTheConsoleClosedWhileAPersonIsLookedAtOrWaits) {
  PageControllerFixture bench;
  bench.WalkToCamera();
  EXPECT_EQ(bench.Try("operator.unlock", kPin).status.error().code, ErrorCode::kFailedPrecondition);
  bench.camera.Deliver();
  bench.Do("send");
  EXPECT_EQ(bench.screen(), Screen::kWaiting);
  EXPECT_FALSE(bench.Try("operator.unlock", kPin).status);
}

TEST(PageControllerTest, OpensNoConsoleOverAScreenThatCameMeanwhile) {
  PageControllerFixture bench;
  std::optional<CommandReply> reply;
  bench.Send("operator.unlock", fmt::format(R"("pin": "{}")", kPin), reply);
  bench.WalkToCamera();
  bench.staff.Settle();
  ASSERT_TRUE(reply);
  EXPECT_FALSE(reply->status);
  EXPECT_EQ(bench.screen(), Screen::kCamera);
}

// Where the screen is the same as before, too: the browser is another one.
TEST(PageControllerTest, APinThatWasTypedBeforeThePageWasOpenedAnewLetsNobodyIn) {
  PageControllerFixture bench;
  for (const char* command : {"operator.unlock", "operator.first"}) {
    std::optional<CommandReply> reply;
    bench.Send(command, fmt::format(R"("name": "", "pin": "{}")", kPin), reply);
    bench.pages.OnPageOpened();
    bench.staff.Settle();
    ASSERT_TRUE(reply);
    EXPECT_FALSE(reply->status) << command;
    EXPECT_EQ(bench.screen(), Screen::kWelcome);
    EXPECT_EQ(bench.user.name(), "");
  }
}

TEST(PageControllerTest, NeitherDoesOneThatWasTypedAtADesk) {
  Settings branch;
  branch.mode = Mode::kBranch;
  PageControllerFixture bench(branch);
  std::optional<CommandReply> reply;
  bench.Send("unlock", fmt::format(R"("pin": "{}")", kPin), reply);
  bench.pages.OnPageOpened();
  bench.staff.Settle();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(bench.screen(), Screen::kLocked);
  EXPECT_EQ(bench.user.name(), "");
  bench.Do("unlock", fmt::format(R"("pin": "{}")", kPin));
  EXPECT_EQ(bench.screen(), Screen::kDesk);
}

TEST(PageControllerTest, ClosesAConsoleThatNobodyTouchesForTwoMinutes) {
  PageControllerFixture bench;
  (void)bench.Try("operator.unlock", kPin);
  bench.clock.Advance(119s);
  bench.Do("still_here");
  bench.clock.Advance(119s);
  EXPECT_EQ(bench.screen(), Screen::kOperator);
  bench.clock.Advance(1s);
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
  EXPECT_FALSE(bench.console.open);
}

TEST(PageControllerTest, HearsNothingForAPersonWhileTheConsoleIsOpen) {
  PageControllerFixture bench;
  const std::string before = bench.view().session;
  (void)bench.Try("operator.unlock", kPin);
  EXPECT_FALSE(bench.Ask("start", "", before).status);
  EXPECT_THAT(bench.console.commands, IsEmpty());
  bench.Do("language", R"("language": "fr")");
  bench.Do("sound", R"("on": false)");
  EXPECT_EQ(bench.view().language, "fr");
  EXPECT_FALSE(bench.view().sound);
  EXPECT_FALSE(bench.Ask("language", R"("language": "tlh")").status);
  bench.pages.SetOnline(false);
  EXPECT_FALSE(bench.view().online);
}

TEST(PageControllerTest, ShowsWhatChangesInTheConsole) {
  PageControllerFixture bench;
  (void)bench.Try("operator.unlock", kPin);
  bench.console.Show(R"({"tab":"log"})");
  EXPECT_EQ(bench.view().operator_console, R"({"tab":"log"})");
}

}  // namespace
}  // namespace idkiosk
