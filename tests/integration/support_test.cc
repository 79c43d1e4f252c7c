// What a person reads who helps with a kiosk: the doctor, and the bundle.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/integration/kiosk_fixture.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

class SupportTest : public KioskFixture {};

TEST_F(SupportTest, BundleSaysHowTheKioskIsAndHoldsNothingOfAPerson) {
  StartSandbox();
  Provision();
  const Finished verified = Verify(test_nin_);
  ASSERT_EQ(verified.exit_code, 0) << verified.err;
  const Finished printed = Kiosk({"support", "--out", "-"});
  ASSERT_EQ(printed.exit_code, 0) << printed.err;
  const JsonDocument bundle = Parse(printed.out);
  EXPECT_EQ(bundle.root().At("/queue/done").AsInteger(), 1);
  EXPECT_EQ(bundle.root().At("/billed_by_hour/0/calls").AsInteger(), 1);
  EXPECT_THAT(printed.out, Not(HasSubstr(test_nin_)));
  for (const auto& [name, value] : secrets_) {
    EXPECT_THAT(printed.out, Not(HasSubstr(value))) << name;
  }
  const std::string reference = Text(Parse(verified.out), "/reference");
  EXPECT_THAT(printed.out, Not(HasSubstr(reference)));
}

// As an earlier idkiosk wrote them into the log.
TEST_F(SupportTest, BundleNamesNobodyWhoWorksHere) {
  StartSandbox();
  const std::string log = folder_ / "kiosk.log";
  Provision(fmt::format(R"("log": {{ "file": "{}" }},)", log));
  const Finished added = Kiosk({"staff", "add", "b.bello", "--role", "operator"}, "580394\n");
  ASSERT_EQ(added.exit_code, 0) << added.err;
  WriteFile(log, "2026-11-20T08:00:00Z info the operator was let in: B.Bello\n");
  const Finished printed = Kiosk({"support", "--out", "-"});
  ASSERT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_THAT(printed.out, HasSubstr("the operator was let in: [name]"));
  EXPECT_THAT(printed.out, Not(HasSubstr("Bello")));
}

TEST_F(SupportTest, BundleIsWrittenIntoTheStateFolderForItsOwnerAlone) {
  StartSandbox();
  Provision();
  const Finished written = Kiosk({"support"});
  ASSERT_EQ(written.exit_code, 0) << written.err;
  const std::string path = written.out.substr(0, written.out.find('\n'));
  EXPECT_THAT(path, HasSubstr(state() + "/support/support-"));
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0600));
}

TEST_F(SupportTest, WhatIsNoFileIsNotReplacedByOne) {
  StartSandbox();
  Provision();
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const Finished nowhere = Kiosk({"support", "--out", folder_ / "none" + "/bundle.json"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err,
              HasSubstr(fmt::format("--out: there is no folder for '{}/bundle.json': make it",
                                    folder_ / "none")));
  const Finished refused = Kiosk({"support", "--out", pipe});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("not an ordinary file"));
  const Finished unheard = Kiosk({"run", "--start-page", pipe});
  EXPECT_NE(unheard.exit_code, 0);
  EXPECT_THAT(unheard.err, HasSubstr("not an ordinary file"));
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST_F(SupportTest, DoctorNamesTheMendOfWhatIsBad) {
  StartSandbox();
  Provision();
  const Finished good = Kiosk({"doctor", "--json"});
  EXPECT_EQ(good.exit_code, 0) << good.out;
  const JsonDocument findings = Parse(good.out);
  for (const JsonView finding : findings.root().children()) {
    EXPECT_NE(finding["state"].AsString(), "bad") << finding.Print();
  }
  StopSandbox();
  const Finished away = Kiosk({"doctor"});
  EXPECT_EQ(away.exit_code, 4);
  EXPECT_THAT(away.out, HasSubstr("bad   service"));
  EXPECT_THAT(away.out, HasSubstr("-> Check the network"));
}

TEST_F(SupportTest, DoctorNamesWhatOtherProgramsNeedAndIsNotThere) {
  StartSandbox();
  Provision(fmt::format(R"("api": {{ "socket": "{}" }}, "results": {{ "spool": "{}" }},)",
                        folder_ / "nowhere/a.sock", folder_ / "no-spool"));
  const Finished lacking = Kiosk({"doctor"});
  EXPECT_EQ(lacking.exit_code, 3);
  EXPECT_THAT(lacking.out, HasSubstr("api.socket: there is no folder " + (folder_ / "nowhere")));
  EXPECT_THAT(lacking.out,
              HasSubstr("results.spool: there is no folder " + (folder_ / "no-spool")));
  std::filesystem::create_directory(folder_ / "nowhere");
  std::filesystem::create_directory(folder_ / "no-spool");
  EXPECT_EQ(Kiosk({"doctor"}).exit_code, 0);
}

// A camera, a printer that is a file, and nobody at a terminal.
class InstallationTest : public KioskFixture {
 protected:
  void SetUp() override {
    StartSandbox();
    Provision(fmt::format(R"("camera": {{ "source": "synthetic" }},
                              "printer": {{ "target": "file:{}" }},)",
                          folder_ / "slip"));
  }

  Finished Install(std::vector<std::string> more) {
    std::vector<std::string> command = {"doctor", "--install", "--seconds", "600"};
    command.insert(command.end(), more.begin(), more.end());
    return Kiosk(command);
  }
};

TEST_F(InstallationTest, WalksThroughEveryStepAndWritesAProtocol) {
  const Finished done = Install({"--signed-by", "a.installer", "--yes"});
  EXPECT_EQ(done.exit_code, 0) << done.out << done.err;
  for (const char* step : {"camera and light", "screen", "network", "clock", "key of the vault",
                           "printer and other devices", "users and rights", "queue and voice"}) {
    EXPECT_THAT(done.out, HasSubstr(fmt::format("\n{}\n", step)));
  }
  EXPECT_THAT(done.out, HasSubstr("TLS included"));
  EXPECT_THAT(done.out, HasSubstr("; sharpness "));
  EXPECT_THAT(done.out, HasSubstr("Result: ready."));
  EXPECT_THAT(done.out, HasSubstr("looked at by a.installer"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "slip"));
  int files = 0;
  for (const auto& each : std::filesystem::directory_iterator(state() + "/installation")) {
    EXPECT_EQ(each.status().permissions(), std::filesystem::perms(0600));
    ++files;
  }
  EXPECT_EQ(files, 2);
  EXPECT_EQ(BilledRows(), 0);
}

TEST_F(InstallationTest, AQuestionThatNobodyAnswersNeedsAPerson) {
  const Finished open = Install({"--signed-by", "a.installer", "--out", folder_ / "paper"});
  EXPECT_EQ(open.exit_code, 5) << open.out << open.err;
  EXPECT_THAT(open.out, HasSubstr("Nobody answered."));
  EXPECT_THAT(open.out, HasSubstr("Result: not ready."));
  EXPECT_FALSE(std::filesystem::exists(state() + "/installation"));
  EXPECT_FALSE(std::filesystem::is_empty(folder_ / "paper"));
}

TEST_F(InstallationTest, TellsProgramsWhatIsBadAndExitsAsTheDoctorDoes) {
  StopSandbox();
  const Finished away = Install({"--signed-by", "a.installer", "--yes", "--json"});
  EXPECT_EQ(away.exit_code, 4) << away.out << away.err;
  const JsonDocument protocol = Parse(away.out);
  EXPECT_EQ(Text(protocol, "/result"), "not ready");
  EXPECT_EQ(Text(protocol, "/steps/3/step"), "network");
  EXPECT_EQ(Text(protocol, "/steps/3/findings/0/state"), "bad");
  EXPECT_EQ(Kiosk({"doctor"}).exit_code, 4);
}

TEST_F(InstallationTest, IsSignedOffByAName) {
  const Finished unsigned_off = Install({"--yes"});
  EXPECT_EQ(unsigned_off.exit_code, 2);
  EXPECT_THAT(unsigned_off.err, HasSubstr("--signed-by"));
  EXPECT_EQ(Install({"--yes", "--signed-by", "70123456789"}).exit_code, 2);
  const Finished alone = Kiosk({"doctor", "--yes"});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_THAT(alone.err, HasSubstr("go with --install"));
}

TEST_F(InstallationTest, AWrongConfigurationIsItsFirstStepAndItsLast) {
  WriteFile(folder_ / "kiosk.local.jsonc", "{ \"camera\": { \"widht\": 3 } }");
  const Finished wrong =
      Install({"--signed-by", "a.installer", "--yes", "--out", folder_ / "paper"});
  EXPECT_EQ(wrong.exit_code, 3) << wrong.out << wrong.err;
  EXPECT_THAT(wrong.out, HasSubstr("camera.widht"));
  EXPECT_FALSE(std::filesystem::is_empty(folder_ / "paper"));
}

}  // namespace
}  // namespace idkiosk
