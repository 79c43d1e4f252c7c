// Named staff and two operators, at the command line of the real program.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <string>

#include "tests/integration/exit_codes.h"
#include "tests/integration/kiosk_fixture.h"

namespace idkiosk {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kAmina = "602841\n";
constexpr const char* kBello = "713952\n";

class StaffTest : public KioskFixture {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(StartSandbox());
    ASSERT_NO_FATAL_FAILURE(Provision());
  }
  void AddTwoOperators() {
    ASSERT_EQ(Kiosk({"staff", "add", "Amina", "--role", "operator"}, kAmina).exit_code, kDone);
    ASSERT_EQ(Kiosk({"staff", "add", "Bello", "--role", "operator"}, kBello).exit_code, kDone);
  }
  // More members of the local settings.
  void AddSettings(const std::string& members) {
    const std::string path = folder_ / "kiosk.local.jsonc";
    std::string local = ReadFile(path);
    const size_t begin = local.find('{');
    ASSERT_NE(begin, std::string::npos);
    WriteFile(path, local.insert(begin + 1, members + ","));
  }
  std::string Secret(const std::string& name, const std::string& text) {
    const std::string path = state() + "/../" + name;
    WriteFile(path, text);
    EXPECT_EQ(chmod(path.c_str(), 0600), 0);
    return path;
  }
};

TEST_F(StaffTest, PeopleAreAddedListedGivenAPinAndRemoved) {
  EXPECT_EQ(Kiosk({"pin", "set", "clerk"}, "580394\n").exit_code, kDone) << "as before names";
  AddTwoOperators();
  const Finished clerk = Kiosk({"staff", "add", "Chidi", "--role", "clerk"}, "902746\n");
  EXPECT_EQ(clerk.exit_code, kDone) << clerk.err;
  EXPECT_THAT(clerk.err, HasSubstr("idkiosk staff remove clerk"));
  EXPECT_EQ(Kiosk({"staff", "list"}).out,
            "operator  Amina\noperator  Bello\nclerk     Chidi\nclerk     clerk (a PIN without a "
            "name)\n");
  EXPECT_THAT(Kiosk({"--json", "staff", "list"}).out,
              HasSubstr(R"({"name":"Amina","role":"operator","named":true})"));
  const std::string both = std::string(kAmina) + kBello;
  EXPECT_EQ(Kiosk({"staff", "pin", "amina"}, both + "335719\n").exit_code, kDone);
  EXPECT_EQ(Kiosk({"staff", "remove", "clerk"}).exit_code, kDone);
  const Finished unnamed = Kiosk({"pin", "set", "clerk"}, "580394\n");
  EXPECT_EQ(unnamed.exit_code, kUsage) << "nobody comes back to a PIN that names nobody";
  EXPECT_THAT(unnamed.err, HasSubstr("idkiosk staff pin NAME"));
  EXPECT_EQ(Kiosk({"staff", "remove", "Bello"}, std::string("335719\n") + kBello).exit_code, kDone);
  const Finished last = Kiosk({"staff", "remove", "Amina"});
  EXPECT_EQ(last.exit_code, kUsage);
  EXPECT_THAT(last.err, HasSubstr("the last operator"));
  const std::string trail = Kiosk({"audit", "list"}).out;
  for (const char* each : {"operator Amina", "clerk Chidi", "staff.removed", "pin.set"}) {
    EXPECT_THAT(trail, HasSubstr(each));
  }
  for (const char* pin : {"602841", "335719", "902746"}) EXPECT_THAT(trail, Not(HasSubstr(pin)));
}

TEST_F(StaffTest, WhatIsWrongIsSaidAndChangesNothing) {
  AddTwoOperators();
  for (const auto& [words, input] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"staff", "add", "amina", "--role", "clerk"}, "902746\n"},
           {{"staff", "add", "operator", "--role", "operator"}, "902746\n"},
           {{"staff", "add", "70123456701", "--role", "clerk"}, "902746\n"},
           {{"staff", "add", "Chidi", "--role", "manager"}, "902746\n"},
           {{"staff", "add", "Chidi", "--role", "clerk"}, "112233\n"},
           {{"staff", "pin", "Amina"}, kBello},
           {{"staff", "pin", "Nobody"}, "902746\n"},
           {{"staff", "remove", "70123456701"}, ""}}) {
    const Finished refused = Kiosk(words, input);
    EXPECT_EQ(refused.exit_code, kUsage) << words[1] << " " << words[2] << ": " << refused.err;
    EXPECT_THAT(refused.err, AllOf(Not(HasSubstr("713952")), Not(HasSubstr("902746"))));
  }
  EXPECT_EQ(Kiosk({"staff", "list"}).out, "operator  Amina\noperator  Bello\n");
}

// One who gives clerks their PINs would find the other operator's by trying out, and be two.
TEST_F(StaffTest, AClerksPinDoesNotTellAnOperators) {
  AddTwoOperators();
  const Finished hit = Kiosk({"staff", "add", "Chidi", "--role", "clerk"}, kBello);
  const Finished miss = Kiosk({"staff", "add", "Dayo", "--role", "clerk"}, "902746\n");
  EXPECT_EQ(hit.exit_code, miss.exit_code) << hit.err;
  EXPECT_EQ(Kiosk({"staff", "pin", "Chidi"}, kBello).exit_code, kDone);
}

// A PIN without a name is none of two: there is no other operator whose PIN is to be kept from
// whoever gives clerks theirs, and a clerk who had the one operator's would be one.
TEST_F(StaffTest, AClerkNeverGetsThePinOfTheOneOperatorWithAName) {
  ASSERT_EQ(Kiosk({"pin", "set", "operator"}, "335719\n").exit_code, kDone) << "as before names";
  ASSERT_EQ(Kiosk({"staff", "add", "Amina", "--role", "operator"}, kAmina).exit_code, kDone);
  const Finished same = Kiosk({"staff", "add", "Chidi", "--role", "clerk"}, kAmina);
  EXPECT_EQ(same.exit_code, kUsage) << same.err;
  EXPECT_THAT(same.err, HasSubstr("cannot be told from somebody else's"));
  EXPECT_EQ(Kiosk({"staff", "list"}).out,
            "operator  Amina\noperator  operator (a PIN without a name)\n");
}

// Who could add an operator alone, or give the other one a new PIN, would be two by themselves.
TEST_F(StaffTest, OperatorsAreChangedByTwoOfThemAlone) {
  AddTwoOperators();
  const std::string both = std::string(kAmina) + kBello;
  const std::vector<std::pair<std::vector<std::string>, std::string>> changes = {
      {{"staff", "add", "Chidi", "--role", "operator"}, "902746\n"},
      {{"staff", "pin", "Bello"}, "335719\n"},
      {{"staff", "remove", "Bello"}, ""}};
  for (const auto& [words, pin] : changes) {
    const Finished alone = Kiosk(words, kAmina);
    EXPECT_EQ(alone.exit_code, kUsage) << words[1] << ": " << alone.err;
    EXPECT_THAT(alone.err, HasSubstr("two operators must agree")) << words[1];
  }
  const Finished twice = Kiosk(changes[1].first, std::string(kAmina) + kAmina + "335719\n");
  EXPECT_EQ(twice.exit_code, kUsage);
  EXPECT_THAT(twice.err, HasSubstr("no other operator's PIN"));
  EXPECT_EQ(Kiosk({"staff", "list"}).out, "operator  Amina\noperator  Bello\n");
  EXPECT_EQ(Kiosk(changes[0].first, both + "902746\n").exit_code, kDone);
  EXPECT_EQ(Kiosk({"staff", "pin", "Bello", "--pin-file", Secret("one", kAmina),
                   "--second-pin-file", Secret("two", "902746\n")},
                  "335719\n")
                .exit_code,
            kDone)
      << "two others agree to a new PIN of the third, who has lost theirs";
  EXPECT_EQ(Kiosk({"staff", "add", "Dayo", "--role", "clerk"}, "481627\n").exit_code, kDone)
      << "a clerk agrees to nothing";
  EXPECT_THAT(Kiosk({"audit", "list"}).out,
              AllOf(HasSubstr("with Amina and Bello"), HasSubstr("with Amina and Chidi")));
}

TEST_F(StaffTest, OneOperatorAloneChangesOperatorsAndTheTrailSaysSo) {
  AddSettings(R"("staff": {"two_persons": "always"})");
  AddTwoOperators();
  EXPECT_THAT(Kiosk({"audit", "list"}).out,
              AllOf(HasSubstr("alone: there is no second operator"), HasSubstr("operator Bello")));
  EXPECT_EQ(Kiosk({"staff", "pin", "Amina"}, "335719\n").exit_code, kUsage) << "from now on two";
}

// Whoever writes the settings may: so a lost PIN is mended, and everybody reads it later.
TEST_F(StaffTest, WhereTheSettingsAskForNoSecondOperatorTheTrailSaysSo) {
  AddTwoOperators();
  AddSettings(R"("staff": {"two_persons": "off"})");
  EXPECT_EQ(Kiosk({"staff", "pin", "Amina"}, "335719\n").exit_code, kDone);
  EXPECT_THAT(Kiosk({"audit", "list"}).out, HasSubstr("alone: staff.two_persons is off"));
}

TEST_F(StaffTest, ErasingTakesTwoOperators) {
  AddTwoOperators();
  for (const std::string& pins : {std::string(), std::string(kAmina) + kAmina,
                                  std::string(kAmina) + "902746\n", std::string("902746\n")}) {
    const Finished refused = Kiosk({"vault", "erase", "--yes"}, pins);
    EXPECT_EQ(refused.exit_code, kUsage) << refused.err;
    EXPECT_EQ(Kiosk({"vault", "status"}).exit_code, kDone) << "nothing is erased";
  }
  EXPECT_THAT(Kiosk({"audit", "list"}).out, HasSubstr("staff.refused"));
  const Finished erased = Kiosk({"vault", "erase", "--yes", "--pin-file", Secret("one", kBello),
                                 "--second-pin-file", Secret("two", kAmina)});
  EXPECT_EQ(erased.exit_code, kDone) << erased.err;
  EXPECT_EQ(Kiosk({"vault", "status"}).exit_code, kConfiguration);
}

TEST_F(StaffTest, PointingElsewhereTakesTwoAndANewPasswordOne) {
  AddTwoOperators();
  const Finished password = Kiosk({"vault", "set", "password"}, "p-fresh\n");
  EXPECT_EQ(password.exit_code, kDone) << password.err;
  EXPECT_EQ(Kiosk({"vault", "set", "user_id"}, "U-other\n").exit_code, kUsage);
  EXPECT_EQ(Kiosk({"vault", "set", "api_key"}, "K-other\n").exit_code, kUsage)
      << "where the profile asks by it alone, it is the account";
  const std::string message =
      Secret("elsewhere.json",
             R"({"base_url": "https://elsewhere.example", "environment": "sandbox", "api_key": "K",
          "user_id": "U", "login": {"email": "a@b.example", "password": "p"}})");
  const Finished alone = Kiosk({"provision", "--onboarding", message}, kAmina);
  EXPECT_EQ(alone.exit_code, kUsage) << alone.err;
  EXPECT_THAT(Kiosk({"audit", "list"}).out, Not(HasSubstr("elsewhere.example")));
  (void)Kiosk({"provision", "--onboarding", message}, std::string(kAmina) + kBello);
  EXPECT_THAT(Kiosk({"audit", "list"}).out,
              AllOf(HasSubstr("https://elsewhere.example"), HasSubstr("with Amina and Bello"),
                    HasSubstr("staff.confirmed")));
}

TEST_F(StaffTest, OneOperatorSaysSoInDoctorAndStatus) {
  ASSERT_EQ(Kiosk({"staff", "add", "Amina", "--role", "operator"}, kAmina).exit_code, kDone);
  EXPECT_THAT(Kiosk({"vault", "status"}).out, HasSubstr("one operator alone"));
  const Finished doctor = Kiosk({"doctor"});
  EXPECT_THAT(doctor.out + doctor.err, HasSubstr("one operator alone"));
  ASSERT_EQ(Kiosk({"staff", "add", "Bello", "--role", "operator"}, kBello).exit_code, kDone);
  EXPECT_THAT(Kiosk({"vault", "status"}).out, HasSubstr("two operators must agree"));
}

// Amina alone erases the vault here, so nothing may say that it takes two.
TEST_F(StaffTest, ThePinWithoutANameIsNoSecondOperatorInDoctorAndStatus) {
  ASSERT_EQ(Kiosk({"pin", "set", "operator"}, "335719\n").exit_code, kDone) << "as before names";
  ASSERT_EQ(Kiosk({"staff", "add", "Amina", "--role", "operator"}, kAmina).exit_code, kDone);
  EXPECT_THAT(Kiosk({"vault", "status"}).out, HasSubstr("one operator alone"));
  const Finished doctor = Kiosk({"doctor"});
  EXPECT_THAT(doctor.out + doctor.err, HasSubstr("one operator alone"));
  EXPECT_EQ(Kiosk({"vault", "erase", "--yes"}).exit_code, kDone) << "as it was said";
}

TEST_F(StaffTest, NoPinIsAnArgument) {
  EXPECT_EQ(Kiosk({"staff", "add", "Amina", "602841", "--role", "operator"}).exit_code, kUsage);
  EXPECT_EQ(Kiosk({"vault", "erase", "--yes", "--pin", "602841"}).exit_code, kUsage);
}

}  // namespace
}  // namespace idkiosk
