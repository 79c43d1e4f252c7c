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

}  // namespace
}  // namespace idkiosk
