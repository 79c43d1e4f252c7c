// Who did what to a kiosk, as the real program tells it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/exit_codes.h"
#include "tests/integration/kiosk_fixture.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

class AuditTest : public KioskFixture {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(StartSandbox());
    ASSERT_NO_FATAL_FAILURE(Provision());
  }
  // "pin.set clerk", the oldest first.
  std::vector<std::string> Events() {
    const Finished listed = Kiosk({"--json", "audit", "list"});
    EXPECT_EQ(listed.exit_code, kDone) << listed.err;
    std::vector<std::string> events;
    for (size_t at = 0; at < listed.out.size();) {
      const size_t end = listed.out.find('\n', at);
      const JsonDocument line = Parse(listed.out.substr(at, end - at));
      EXPECT_THAT(std::string(*line.root()["by"].AsString()), HasSubstr("user ")) << "by whom";
      events.push_back(
          fmt::format("{} {}", *line.root()["event"].AsString(), *line.root()["what"].AsString()));
      at = end + 1;
    }
    return events;
  }
  [[nodiscard]] std::string segment() const { return state() + "/audit/000000000001.journal"; }
};

TEST_F(AuditTest, EachCommandThatChangesSomethingIsThere) {
  EXPECT_EQ(Kiosk({"pin", "set", "clerk"}, "580394\n").exit_code, kDone);
  EXPECT_EQ(Kiosk({"vault", "set", "user_id"}, "anna\n").exit_code, kDone);
  EXPECT_EQ(Kiosk({"vault", "rotate"}).exit_code, kDone);
  StopSandbox();
  Kiosk({"check", "--id-number", "70000000001", "--wait", "0"});
  const JsonDocument list = Parse(Kiosk({"--json", "queue", "list"}).out);
  const std::string reference(*list.root().children().front()["reference"].AsString());
  EXPECT_EQ(Kiosk({"queue", "cancel", reference}).exit_code, kDone);
  EXPECT_NE(Kiosk({"queue", "give-up", reference}).exit_code, kDone);
  const auto events = Events();
  EXPECT_THAT(events,
              IsSupersetOf({std::string("vault.made "), std::string("pin.set clerk"),
                            std::string("secret.set user_id"), std::string("vault.rotated "),
                            "call.cancelled " + reference, "call.given_up " + reference}));
  EXPECT_THAT(events, testing::Contains(HasSubstr("service.set https://")));
  EXPECT_THAT(events.back(), HasSubstr("not_done call.given_up")) << "it was cancelled before";
  const std::string all = fmt::format("{}", fmt::join(events, "\n"));
  EXPECT_THAT(all, Not(HasSubstr("580394")));
  EXPECT_THAT(all, Not(HasSubstr("70000000001")));
  EXPECT_EQ(Kiosk({"audit", "verify"}).exit_code, kDone);
}

TEST_F(AuditTest, ProgramsThatWriteAtOnceLoseNothing) {
  std::vector<std::thread> people;
  for (int i = 0; i < 6; ++i) {
    people.emplace_back([this] { Kiosk({"pin", "set", "clerk"}, "580394\n"); });
  }
  for (std::thread& each : people) each.join();
  // Some may find the vault in use by another: those are followed by one that says so.
  EXPECT_EQ(std::ranges::count(Events(), "pin.set clerk"), 6);
  EXPECT_EQ(Kiosk({"audit", "verify"}).exit_code, kDone);
}

TEST_F(AuditTest, WhatSomebodyTypedByMistakeIsNotKept) {
  EXPECT_NE(Kiosk({"hold", "lift", "70123456701"}).exit_code, kDone);
  EXPECT_NE(Kiosk({"queue", "salvage", "70123456701"}).exit_code, kDone);
  EXPECT_THAT(ReadFile(segment()), Not(HasSubstr("70123456701")));
}

TEST_F(AuditTest, ATrailBehindAnErasedVaultBeginsAnewWithoutAlarm) {
  EXPECT_EQ(Kiosk({"vault", "erase", "--yes"}).exit_code, kDone);
  EXPECT_EQ(Kiosk({"vault", "init"}).exit_code, kDone);
  EXPECT_EQ(Kiosk({"audit", "verify"}).exit_code, kDone);
  EXPECT_THAT(Kiosk({"audit", "list"}).out, HasSubstr("trail.begun"));
}

TEST_F(AuditTest, AnEntryThatWasChangedIsNamed) {
  std::string content = ReadFile(segment());
  const size_t at = content.find("vault.made");
  ASSERT_NE(at, std::string::npos);
  content[at] = 'V';
  WriteFile(segment(), content);
  const Finished verified = Kiosk({"audit", "verify"});
  EXPECT_EQ(verified.exit_code, kNeedsPerson);
  EXPECT_THAT(verified.out, HasSubstr("altered at 1"));
}

TEST_F(AuditTest, ATrailThatWasRemovedIsMissedForGood) {
  ASSERT_EQ(std::remove(segment().c_str()), 0);
  EXPECT_EQ(Kiosk({"audit", "verify"}).exit_code, kNeedsPerson);
  EXPECT_EQ(Kiosk({"pin", "set", "clerk"}, "580394\n").exit_code, kDone);
  const Finished verified = Kiosk({"audit", "verify"});
  EXPECT_EQ(verified.exit_code, kNeedsPerson);
  EXPECT_THAT(verified.out, HasSubstr("rolled back to 0"));
}

}  // namespace
}  // namespace idkiosk
