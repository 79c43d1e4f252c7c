// Who sets a new kiosk up chooses their own name and PIN: nobody knows one that it came with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/session/page_controller.h"
#include "tests/app/session/page_controller_fixture.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kOwnPin = "602841";

// A kiosk that nobody is operator of.
struct NewKiosk : PageControllerFixture {
  explicit NewKiosk(bool is_set_up = false)
      : PageControllerFixture(Settings(), SandboxProfile(), "", is_set_up) {
    staff.RemovePin(Staff::kOperator);
    staff.RemovePin(Staff::kClerk);
    LookWhoIsStaff();
  }
  void LookWhoIsStaff() {
    clock.Advance(5s);
    directory.Look();
    for (int i = 0; i < 3; ++i) staff.Settle();
  }
  CommandReply First(std::string_view name, std::string_view pin) {
    return Ask("operator.first", fmt::format(R"("name": "{}", "pin": "{}")", name, pin));
  }
  CommandReply TryAs(std::string_view name, std::string_view pin) {
    return Ask("operator.unlock", fmt::format(R"("name": "{}", "pin": "{}")", name, pin));
  }
};

TEST(FirstOperatorTest, WhoeverComesFirstChoosesNameAndPinAndIsInTheConsole) {
  NewKiosk bench;
  ASSERT_TRUE(bench.view().may_become_first);
  EXPECT_TRUE(bench.First("Amina", kOwnPin).status);
  EXPECT_EQ(bench.screen(), Screen::kOperator);
  EXPECT_EQ(bench.view().user, "Amina");
  bench.LookWhoIsStaff();
  EXPECT_EQ(bench.screen(), Screen::kOperator) << "the directory knows them, too";
  EXPECT_FALSE(bench.view().may_become_first);
  bench.Do("operator.close");
  EXPECT_FALSE(bench.view().may_become_first);
  EXPECT_TRUE(bench.TryAs("Amina", kOwnPin).status) << "the PIN works from now on";
}

TEST(FirstOperatorTest, ItStandsInTheTrailAndNeverThePin) {
  NewKiosk bench;
  ASSERT_TRUE(bench.First("Amina", kOwnPin).status);
  EXPECT_THAT(bench.staff.audit.entries, Contains("staff.added operator Amina, by page, Amina"));
  EXPECT_THAT(bench.staff.audit.entries, Each(Not(HasSubstr(kOwnPin))));
}

// A count that is gone, or not ours, is a lockout of all: of a new kiosk there is none.
TEST(FirstOperatorTest, TheirPinOpensAfterARestartWithoutAWait) {
  NewKiosk bench;
  bench.staff.files.Put(PinTries::Path("/state", Staff::kOperator), AsBytes("none of ours"));
  ASSERT_TRUE(bench.First("Amina", kOwnPin).status);
  PinLock after_restart(bench.staff.deps(), Staff::kOperator, "/state");
  EXPECT_EQ(after_restart.seconds_left(), 0);
}

TEST(FirstOperatorTest, NobodyComesSecond) {
  NewKiosk bench;
  ASSERT_TRUE(bench.First("Amina", kOwnPin).status);
  bench.Do("operator.close");
  EXPECT_EQ(bench.First("Bello", "713952").problem, CommandProblem::kTaken);
  EXPECT_FALSE(bench.TryAs("Bello", "713952").status);
  EXPECT_TRUE(bench.TryAs("Amina", kOwnPin).status) << "nobody took it over";
}

TEST(FirstOperatorTest, AKioskThatIsSetUpHasNoFirstOperator) {
  NewKiosk bench(true);
  EXPECT_FALSE(bench.view().may_become_first);
  EXPECT_EQ(bench.First("Amina", kOwnPin).status.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(bench.TryAs("Amina", kOwnPin).problem, CommandProblem::kNoPin);
}

TEST(FirstOperatorTest, ANameOrAPinThatIsNoneIsRefusedAndNothingIsKept) {
  NewKiosk bench;
  EXPECT_EQ(bench.First("", kOwnPin).problem, CommandProblem::kBadName);
  EXPECT_EQ(bench.First("operator", kOwnPin).problem, CommandProblem::kBadName);
  for (const std::string_view pin : {"123456", "111111", "19900131", "12345", "abcdef"}) {
    const CommandReply reply = bench.First("Amina", pin);
    EXPECT_EQ(reply.problem, CommandProblem::kWeakPin) << pin;
    EXPECT_THAT(reply.status.error().message, Not(HasSubstr(pin)));
  }
  bench.LookWhoIsStaff();
  EXPECT_TRUE(bench.view().may_become_first);
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
}

TEST(FirstOperatorTest, AClerkWhoCameBeforeKeepsNameAndPin) {
  NewKiosk bench;
  bench.staff.SetPinOf("Amina", Staff::kClerk, "713952");
  EXPECT_EQ(bench.First("amina", kOwnPin).problem, CommandProblem::kBadName);
  EXPECT_EQ(bench.First("Bello", "713952").problem, CommandProblem::kWeakPin);
  EXPECT_TRUE(bench.First("Bello", kOwnPin).status);
}

TEST(FirstOperatorTest, WhereTheTrailCannotBeWrittenNobodyBecomesIt) {
  NewKiosk bench;
  bench.staff.audit.broken = Error{ErrorCode::kUnavailable, "the disk is full"};
  EXPECT_EQ(bench.First("Amina", kOwnPin).problem, CommandProblem::kFailed);
  bench.LookWhoIsStaff();
  EXPECT_TRUE(bench.view().may_become_first);
}

}  // namespace
}  // namespace idkiosk
