// Who is signed in on the page, where people have names of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/session/page_controller.h"
#include "tests/app/session/page_controller_fixture.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kAmina = "602841";
constexpr std::string_view kBello = "713952";

Settings InMode(Mode mode) {
  Settings settings;
  settings.mode = mode;
  return settings;
}

// With two clerks and two operators.
struct NamedFixture : PageControllerFixture {
  explicit NamedFixture(Mode mode) : PageControllerFixture(InMode(mode)) {
    staff.RemovePin(Staff::kClerk);
    staff.RemovePin(Staff::kOperator);
    staff.SetPinOf("Amina", Staff::kClerk, kAmina);
    staff.SetPinOf("Bello", Staff::kClerk, kBello);
    staff.SetPinOf("Chidi", Staff::kOperator, "902746");
    staff.SetPinOf("Dayo", Staff::kOperator, "481063");
    Later();
  }
  // Until the program has looked who is staff.
  void Later() {
    clock.Advance(5s);
    directory.Look();
    for (int i = 0; i < 3; ++i) staff.Settle();
  }
  CommandReply TryAs(std::string_view command, std::string_view name, std::string_view pin) {
    return Ask(command, fmt::format(R"("name": "{}", "pin": "{}")", name, pin));
  }
  void Remove(const std::string& name, Staff kind) {
    ASSERT_TRUE(RemoveMember(staff.storage, {name, kind, SecretBytes()}));
    Later();
  }
};

TEST(SignedInTest, OneOfSeveralIsChosenAndSignedIn) {
  NamedFixture bench(Mode::kBranch);
  EXPECT_EQ(bench.screen(), Screen::kLocked);
  EXPECT_THAT(bench.view().clerks, ElementsAre("Amina", "Bello"));
  EXPECT_THAT(bench.view().operators, ElementsAre("Chidi", "Dayo"));
  EXPECT_EQ(bench.view().user, "");
  EXPECT_EQ(bench.TryAs("unlock", "Amina", kBello).problem, CommandProblem::kWrong);
  EXPECT_TRUE(bench.TryAs("unlock", "Bello", kBello).status);
  EXPECT_EQ(bench.screen(), Screen::kDesk);
  EXPECT_EQ(bench.view().user, "Bello");
  EXPECT_EQ(bench.user.By(), "page, Bello");
  bench.Do("lock");
  EXPECT_EQ(bench.user.name(), "");
  EXPECT_EQ(bench.user.By(), "page");
}

TEST(SignedInTest, ThereIsNobodyToChooseFromWhereThereIsOne) {
  PageControllerFixture bench(Mode::kBranch);
  EXPECT_THAT(bench.view().operators, IsEmpty());
  EXPECT_EQ(bench.user.name(), "clerk") << "what the settings call who has no name";
  bench.Do("lock");
  EXPECT_THAT(bench.view().clerks, IsEmpty());
}

TEST(SignedInTest, TheConsoleSaysWhoOpenedIt) {
  NamedFixture bench(Mode::kBranch);
  ASSERT_TRUE(bench.TryAs("unlock", "Amina", kAmina).status);
  ASSERT_TRUE(bench.TryAs("operator.unlock", "Chidi", "902746").status);
  EXPECT_EQ(bench.screen(), Screen::kOperator);
  EXPECT_EQ(bench.view().user, "Chidi");
  EXPECT_THAT(bench.view().operators, ElementsAre("Chidi", "Dayo")) << "for who agrees";
  bench.Do("operator.close");
  EXPECT_EQ(bench.screen(), Screen::kLocked);
  EXPECT_EQ(bench.user.name(), "");
}

TEST(SignedInTest, ANumberIsShownForThePinOfWhoIsSignedIn) {
  NamedFixture bench(Mode::kKiosk);
  ASSERT_TRUE(bench.TryAs("operator.unlock", "Chidi", "902746").status);
  const auto show = [&](std::string_view pin) {
    return bench.Ask("operator.number", fmt::format(R"("reference": "KD7Q2M", "pin": "{}")", pin));
  };
  EXPECT_EQ(show("481063").problem, CommandProblem::kWrong) << "another operator's";
  EXPECT_THAT(bench.console.numbers_shown, IsEmpty());
  EXPECT_TRUE(show("902746").status);
  EXPECT_THAT(bench.console.numbers_shown, ElementsAre("KD7Q2M"));
  EXPECT_EQ(bench.user.name(), "Chidi");
}

TEST(SignedInTest, NobodyIsNamedBeforeAVisitor) {
  NamedFixture bench(Mode::kKiosk);
  bench.Do("start", R"("language": "en")");
  EXPECT_EQ(bench.view().user, "");
  EXPECT_EQ(bench.user.By(), "page");
}

TEST(SignedInTest, WhoIsRemovedIsOutWithinSeconds) {
  NamedFixture desk(Mode::kBranch);
  ASSERT_TRUE(desk.TryAs("unlock", "Amina", kAmina).status);
  desk.Remove("Bello", Staff::kClerk);
  EXPECT_EQ(desk.screen(), Screen::kDesk) << "somebody else";
  desk.Remove("Amina", Staff::kClerk);
  EXPECT_EQ(desk.screen(), Screen::kLocked);

  NamedFixture kiosk(Mode::kKiosk);
  ASSERT_TRUE(kiosk.TryAs("operator.unlock", "Chidi", "902746").status);
  kiosk.Remove("Chidi", Staff::kOperator);
  EXPECT_EQ(kiosk.screen(), Screen::kWelcome);
  EXPECT_FALSE(kiosk.console.open);
}

TEST(SignedInTest, WhoHasANewPinIsAskedForIt) {
  NamedFixture bench(Mode::kBranch);
  ASSERT_TRUE(bench.TryAs("unlock", "Amina", kAmina).status);
  bench.staff.SetPinOf("Amina", Staff::kClerk, "335719");
  bench.Later();
  EXPECT_EQ(bench.screen(), Screen::kLocked);
  EXPECT_TRUE(bench.TryAs("unlock", "Amina", "335719").status);
}

TEST(SignedInTest, AnAgentWhoIsRemovedIsOutOnceThePersonIsDone) {
  NamedFixture bench(Mode::kHandheld);
  ASSERT_TRUE(bench.TryAs("unlock", "Amina", kAmina).status);
  bench.Do("start", R"("language": "en")");
  bench.Remove("Amina", Staff::kClerk);
  EXPECT_EQ(bench.screen(), Screen::kConsent) << "never before somebody's eyes";
  bench.Do("stop");
  while (bench.screen() != Screen::kWelcome) bench.Do("finish");
  bench.Later();
  EXPECT_EQ(bench.screen(), Screen::kLocked);
  EXPECT_FALSE(bench.TryAs("unlock", "Amina", kAmina).status);
}

TEST(SignedInTest, AVaultThatIsErasedSignsEverybodyOut) {
  NamedFixture bench(Mode::kBranch);
  ASSERT_TRUE(bench.TryAs("unlock", "Amina", kAmina).status);
  for (const auto& [name, kind] : {std::pair("Amina", Staff::kClerk),
                                   {"Bello", Staff::kClerk},
                                   {"Chidi", Staff::kOperator},
                                   {"Dayo", Staff::kOperator}}) {
    ASSERT_TRUE(RemoveMember(bench.staff.storage, {name, kind, SecretBytes()}));
  }
  bench.Later();
  EXPECT_EQ(bench.screen(), Screen::kLocked);
  EXPECT_EQ(bench.TryAs("unlock", "Amina", kAmina).problem, CommandProblem::kNoPin);
}

}  // namespace
}  // namespace idkiosk
