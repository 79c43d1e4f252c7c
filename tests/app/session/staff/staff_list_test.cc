#include "app/session/staff/staff_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/session/staff/pin_judge.h"
#include "app/session/staff/two_persons.h"
#include "tests/app/session/staff/staff_fixture.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class StaffListTest : public testing::Test {
 protected:
  std::vector<StaffMember> Read() {
    auto staff = ReadStaff(bench_.storage);
    EXPECT_TRUE(staff);
    return std::move(*staff);
  }

  FakeClock clock_;
  StaffFixture bench_{clock_};
};

TEST_F(StaffListTest, AVaultOfBeforeHasOnePersonOfEachKind) {
  const auto staff = Read();
  EXPECT_THAT(NamesOf(staff, Staff::kClerk), ElementsAre("clerk"));
  EXPECT_THAT(NamesOf(staff, Staff::kOperator), ElementsAre("operator"));
  EXPECT_TRUE(IsUnnamed(staff.front()));
  EXPECT_TRUE(*PinFits(staff.front().record, SecretBytes::CopyOf(kPin), bench_.crypto));
}

TEST_F(StaffListTest, PeopleComeByTheirNamesWithTheirPins) {
  bench_.SetPinOf("bello", Staff::kOperator, "713952");
  bench_.SetPinOf("Amina", Staff::kOperator, "602841");
  const auto staff = Read();
  EXPECT_THAT(NamesOf(staff, Staff::kOperator), ElementsAre("Amina", "bello", "operator"));
  const StaffMember* const amina = FindMember(staff, "AMINA");
  ASSERT_NE(amina, nullptr);
  EXPECT_FALSE(IsUnnamed(*amina));
  EXPECT_TRUE(
      *PinFits(amina->record, SecretBytes::CopyOf(std::string_view("602841")), bench_.crypto));
  EXPECT_EQ(FindMember(staff, ""), nullptr);
  ASSERT_TRUE(RemoveMember(bench_.storage, *amina));
  EXPECT_THAT(NamesOf(Read(), Staff::kOperator), ElementsAre("bello", "operator"));
}

TEST_F(StaffListTest, ANewPinMakesAnotherIdEvenIfItIsTheSamePin) {
  bench_.SetPinOf("Amina", Staff::kOperator, "602841");
  const std::string before = FindMember(Read(), "Amina")->Id();
  EXPECT_EQ(FindMember(Read(), "Amina")->Id(), before);
  bench_.SetPinOf("Amina", Staff::kOperator, "602841");
  EXPECT_NE(FindMember(Read(), "Amina")->Id(), before);
}

TEST_F(StaffListTest, ADamagedRecordIsSomebodyWhoDoesNotGetIn) {
  for (const std::string_view damaged :
       {"", "staff/1 ", "staff/9 clerk Amina\n", "staff/1 clerk A"}) {
    bench_.storage.Set("staff.amina", damaged);
    const auto staff = Read();
    ASSERT_NE(FindMember(staff, "amina"), nullptr) << damaged;
    EXPECT_FALSE(
        PinFits(FindMember(staff, "amina")->record, SecretBytes::CopyOf(kPin), bench_.crypto));
  }
}

TEST(StaffNameTest, IsAPersonsNameAndNoNumber) {
  for (const std::string_view good : {"Amina", "a.b-c_d", "E0417", "Ngozi.Okafor"}) {
    EXPECT_TRUE(CheckStaffName(good)) << good;
  }
  for (const std::string_view bad :
       {"", "clerk", "Operator", "Amina Bello", "70123456701", "a/b", "a=b", "\xe1\xba\xb9"}) {
    EXPECT_FALSE(CheckStaffName(bad)) << bad;
  }
}

TEST_F(StaffListTest, NobodyHasThePinOfSomebodyElse) {
  bench_.RemovePin(Staff::kOperator);
  bench_.SetPinOf("Amina", Staff::kOperator, "602841");
  auto staff = Read();
  const auto check = [&](std::string_view pin, std::string_view name, Staff kind) {
    return CheckPinOfNobodyElse(SecretBytes::CopyOf(pin), name, kind, staff, bench_.crypto);
  };
  EXPECT_TRUE(check("602841", "Amina", Staff::kOperator)) << "their own, again";
  EXPECT_TRUE(check("713952", "Bello", Staff::kOperator));
  const Status same = check("602841", "Bello", Staff::kOperator);
  ASSERT_FALSE(same);
  EXPECT_THAT(same.error().message, Not(HasSubstr("Amina"))) << "it is not said whose";
  EXPECT_FALSE(check(kPin, "Bello", Staff::kOperator)) << "nor that of a clerk";
  EXPECT_FALSE(check("602841", "Bello", Staff::kClerk));
  // Whoever gives clerks their PINs alone would find the other operator's by trying out.
  bench_.SetPinOf("Chidi", Staff::kOperator, "935817");
  staff = Read();
  EXPECT_TRUE(check("602841", "Bello", Staff::kClerk));
  EXPECT_FALSE(check(kPin, "Bello", Staff::kClerk)) << "of a clerk";
  EXPECT_FALSE(check("602841", "Dayo", Staff::kOperator));
}

TEST(TwoPersonsTest, AreAskedForWhereThereAreTwoOrSomebodySaysSo) {
  struct Row {
    std::string_view rule;
    size_t operators;
    bool needed;
  };
  for (const Row& row : {Row{"auto", 0, false},
                         {"auto", 1, false},
                         {"auto", 2, true},
                         {"auto", 9, true},
                         {"always", 0, true},
                         {"always", 1, true},
                         {"always", 2, true},
                         {"off", 1, false},
                         {"off", 5, false}}) {
    EXPECT_EQ(NeedsSecondOperator(row.rule, row.operators), row.needed)
        << row.rule << " " << row.operators;
  }
}

TEST_F(StaffListTest, OneOperatorWhereTwoMustAgreeHearsWhatIsMissing) {
  EXPECT_TRUE(CheckTwoPersons(bench_.storage, "auto", std::nullopt));
  const Status one = CheckTwoPersons(bench_.storage, "always", std::nullopt);
  ASSERT_FALSE(one);
  EXPECT_EQ(one.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_THAT(one.error().message, HasSubstr("idkiosk staff add"));
  bench_.SetPinOf("Amina", Staff::kOperator, "602841");
  bench_.SetPinOf("Bello", Staff::kOperator, "713952");
  EXPECT_EQ(CheckTwoPersons(bench_.storage, "auto", std::nullopt).error().code,
            ErrorCode::kForbidden);
  EXPECT_TRUE(CheckTwoPersons(bench_.storage, "auto", Agreement{"Bello", "Amina"}));
  EXPECT_TRUE(CheckTwoPersons(bench_.storage, "off", std::nullopt));
}

// Two persons are not spared because the vault is written just then.
TEST_F(StaffListTest, AVaultThatIsBusyAsksAgainLaterAndOneThatNeverOpensAsksNobody) {
  bench_.SetPinOf("Amina", Staff::kOperator, "602841");
  bench_.SetPinOf("Bello", Staff::kOperator, "713952");
  const auto agreed = [this](ErrorCode why) {
    bench_.storage.set_describe_error(Error{why, "why"});
    return CheckTwoPersons(bench_.storage, "auto", Agreement{"Amina", ""});
  };
  for (const auto why : {ErrorCode::kUnavailable, ErrorCode::kExhausted, ErrorCode::kInternal}) {
    const Status now = agreed(why);
    ASSERT_FALSE(now) << Name(why);
    EXPECT_EQ(now.error().code, why);
  }
  for (const auto why :
       {ErrorCode::kFailedPrecondition, ErrorCode::kUnauthenticated, ErrorCode::kCorrupt}) {
    EXPECT_TRUE(agreed(why)) << Name(why);
  }
  bench_.storage.set_root_key({"tpm", "absent", "the TPM is not there", "", {}});
  EXPECT_TRUE(agreed(ErrorCode::kUnavailable));
}

TEST_F(StaffListTest, ThePinWithoutANameStandsForNobodyOnceOperatorsHaveNames) {
  EXPECT_TRUE(CheckTwoPersons(bench_.storage, "auto", Agreement{"", ""})) << "nobody has one";
  bench_.SetPinOf("Amina", Staff::kOperator, "602841");
  EXPECT_TRUE(CheckTwoPersons(bench_.storage, "auto", Agreement{"Amina", ""})) << "she is alone";
  bench_.SetPinOf("Bello", Staff::kOperator, "713952");
  for (const auto& [first, second] : std::vector<std::pair<std::string, std::string>>{
           {"", "Amina"}, {"Amina", "operator"}, {"operator", "Amina"}, {"", ""}}) {
    const Status refused = CheckTwoPersons(bench_.storage, "auto", Agreement{first, second});
    ASSERT_FALSE(refused) << first << second;
    EXPECT_EQ(refused.error().code, ErrorCode::kRejected);
    EXPECT_THAT(refused.error().message, HasSubstr("without a name"));
  }
}

TEST_F(StaffListTest, ARightFirstPinBuysNoTriesOfTheSecond) {
  bench_.SetPinOf("Amina", Staff::kOperator, "602841");
  bench_.SetPinOf("Bello", Staff::kOperator, "713952");
  PinJudge judge({bench_.storage, bench_.files, bench_.crypto}, Staff::kOperator, "/state");
  const auto pin = [](std::string_view digits) { return SecretBytes::CopyOf(digits); };
  for (int i = 0; i < PinTries::kLockout; ++i) {
    EXPECT_EQ(PinJudge::WaitOf(judge.Begin()->counts, "Amina"), Duration::zero());
    EXPECT_EQ(judge.Judge({.name = "", .anybody = true}, pin("602841")).name, "Amina");
    EXPECT_EQ(judge.Judge({.name = "", .anybody = true, .not_of = "Amina"}, pin(kWrongPin)).kind,
              PinJudge::Verdict::Kind::kWrong);
  }
  EXPECT_EQ(judge.Judge({.name = "", .anybody = true}, pin("602841")).name, "Amina");
  EXPECT_GE(PinJudge::WaitOf(judge.Begin()->counts, "Amina"), std::chrono::seconds(30));
  EXPECT_EQ(judge.Judge({.name = "", .anybody = true, .not_of = "Amina"}, pin("713952")).name,
            "Bello");
  EXPECT_FALSE(judge.Begin()->counts.own.contains("Bello"));
}

TEST_F(StaffListTest, WhoWasRemovedMeanwhileAgreesToNothing) {
  bench_.SetPinOf("Amina", Staff::kOperator, "602841");
  bench_.SetPinOf("Bello", Staff::kOperator, "713952");
  bench_.SetPinOf("Chidi", Staff::kClerk, "335719");
  EXPECT_TRUE(CheckTwoPersons(bench_.storage, "auto", Agreement{"Amina", "Bello"}));
  for (const auto& [first, second] : std::vector<std::pair<std::string, std::string>>{
           {"Chidi", "Bello"}, {"Amina", "Chidi"}, {"Nobody", "Bello"}, {"Amina", "Nobody"}}) {
    const Status refused = CheckTwoPersons(bench_.storage, "auto", Agreement{first, second});
    ASSERT_FALSE(refused) << first << second;
    EXPECT_EQ(refused.error().code, ErrorCode::kRejected);
    EXPECT_THAT(refused.error().message, HasSubstr("no operator any more"));
  }
  EXPECT_FALSE(CheckTwoPersons(bench_.storage, "off", Agreement{"Nobody", ""})) << "alone, too";
}

TEST_F(StaffListTest, TheDirectoryHearsOfWhoComesAndGoesWithinSeconds) {
  StaffDirectory directory(bench_.directory_deps());
  EXPECT_EQ(bench_.control.pending_timers(), 0U) << "nobody wants to know";
  directory.Follow(true);
  int changes = 0;
  directory.Listen([&changes] { ++changes; });
  EXPECT_THAT(directory.NamesOf(Staff::kOperator), ElementsAre("operator"));
  const std::string id = directory.people().front().id;
  const auto later = [&] {
    clock_.Advance(std::chrono::seconds(5));
    for (int i = 0; i < 2; ++i) {
      bench_.control.RunUntilIdle();
      bench_.storage_runner.RunUntilIdle();
    }
    bench_.control.RunUntilIdle();
  };
  later();
  EXPECT_EQ(changes, 0);
  bench_.SetPinOf("Amina", Staff::kOperator, "602841");
  later();
  EXPECT_EQ(changes, 1);
  EXPECT_THAT(directory.NamesOf(Staff::kOperator), ElementsAre("Amina", "operator"));
  EXPECT_TRUE(directory.Has(id));
  bench_.SetPin(Staff::kClerk, kPin);
  later();
  EXPECT_FALSE(directory.Has(id)) << "another PIN is another person to whoever is signed in";
  bench_.RemovePin(Staff::kClerk);
  later();
  EXPECT_THAT(directory.NamesOf(Staff::kClerk), IsEmpty());
  EXPECT_EQ(changes, 3);
  directory.Follow(false);
  EXPECT_EQ(bench_.control.pending_timers(), 0U);
  bench_.SetPin(Staff::kClerk, kPin);
  directory.Look();
  bench_.Settle();
  EXPECT_EQ(changes, 3) << "it has just been looked at";
  clock_.Advance(std::chrono::seconds(5));
  directory.Look();
  bench_.Settle();
  EXPECT_EQ(changes, 4);
}

}  // namespace
}  // namespace idkiosk
