// The real programs, provisioned at one service and then at another: counted at both.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <csignal>

#include "tests/integration/exit_codes.h"
#include "tests/integration/kiosk_fixture.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

class AddressTest : public KioskFixture {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(StartSandbox());
    ASSERT_NO_FATAL_FAILURE(Provision());
    second_ = std::make_unique<Process>(std::vector<std::string>{
        bin_ + "/idkiosk-sandbox", "serve", "--state", folder_ / "second", "--port", "0"});
    ASSERT_TRUE(second_->AwaitOut("\n")) << second_->err();
    ASSERT_NO_FATAL_FAILURE(Onboard("sandbox", "first.json"));
    ASSERT_NO_FATAL_FAILURE(Onboard("second", "second.json"));
    ASSERT_EQ(ProvisionWith("first.json").exit_code, kDone);
  }

  void Onboard(const std::string& server, const std::string& message) {
    const Finished onboarded = RunProgram({bin_ + "/idkiosk-sandbox", "onboard", "--state",
                                           folder_ / server, "--out", folder_ / message});
    ASSERT_EQ(onboarded.exit_code, kDone) << onboarded.err;
  }
  Finished ProvisionWith(const std::string& message) {
    return Kiosk({"provision", "--onboarding", folder_ / message});
  }
  // "https://127.0.0.1:8443 (sandbox)", of an onboarding message.
  std::string AddressIn(const std::string& message) const {
    return Text(Parse(ReadFile(folder_ / message)), "/base_url") + " (sandbox)";
  }
  // What came for an endpoint, or for all.
  int Requests(const std::string& server, const std::string& endpoint = "") {
    std::vector<std::string> command = {bin_ + "/idkiosk-sandbox",
                                        "requests",
                                        "--state",
                                        folder_ / server,
                                        "--json",
                                        "--limit",
                                        "0"};
    if (!endpoint.empty()) command.insert(command.end(), {"--endpoint", endpoint});
    return std::stoi(Text(Parse(RunProgram(command).out), "/count/received"));
  }

  // Calls that were accepted while their service was away.
  void Keep(int calls) {
    StopSandbox();
    for (int i = 0; i < calls; ++i) {
      const Finished kept =
          Kiosk({"check", "--id-number", std::to_string(70'000'000'000 + i), "--wait", "0"});
      ASSERT_EQ(kept.exit_code, kKept) << kept.err;
    }
    const JsonDocument list = Parse(Kiosk({"--json", "queue", "list"}).out);
    for (const JsonView call : list.root().children()) {
      references_.emplace_back(*call["reference"].AsString());
    }
  }

  std::unique_ptr<Process> second_;
  std::vector<std::string> references_;
};

TEST_F(AddressTest, CallsOfOneServiceAreNotSentToAnotherUnlessAPersonSaysSoOfEach) {
  ASSERT_NO_FATAL_FAILURE(Keep(3));
  const Finished moved = ProvisionWith("second.json");
  ASSERT_EQ(moved.exit_code, kDone) << moved.err;
  EXPECT_EQ(Kiosk({"queue", "deliver", "--wait", "0"}).exit_code, kNeedsPerson);
  EXPECT_EQ(Requests("second", "check"), 0);
  const std::string made_for = "made for " + AddressIn("first.json");
  EXPECT_THAT(Kiosk({"queue", "list"}).out, HasSubstr(made_for));
  EXPECT_THAT(Kiosk({"doctor"}).out, HasSubstr("3 calls are " + made_for));
  EXPECT_THAT(Kiosk({"hold", "list"}).out, HasSubstr("check:other_address"));
  const Finished shown = Kiosk({"queue", "show", references_[0]});
  EXPECT_THAT(shown.out, HasSubstr(made_for));
  EXPECT_EQ(Text(Parse(shown.out), "/state"), "held");

  // Not without a yes, which is told what it means.
  const Finished asked = Kiosk({"queue", "retry", references_[0]});
  EXPECT_EQ(asked.exit_code, kNeedsPerson);
  EXPECT_THAT(asked.err, HasSubstr(made_for));
  EXPECT_THAT(asked.err, HasSubstr(AddressIn("second.json") + " instead"));
  EXPECT_THAT(asked.err, HasSubstr("25.00 NGN"));
  EXPECT_EQ(Requests("second", "check"), 0);
  const Finished retried = Kiosk({"queue", "retry", references_[0], "--yes"});
  EXPECT_LE(retried.exit_code, 1) << retried.err;
  EXPECT_EQ(Requests("second", "check"), 1);
  EXPECT_THAT(Kiosk({"ledger", "list"}).out,
              HasSubstr(fmt::format("the call {}, {}, is asked at {} instead, by user",
                                    references_[0], made_for, AddressIn("second.json"))));
  EXPECT_EQ(Kiosk({"queue", "cancel", references_[1]}).exit_code, kDone);

  // Provisioned back, the one that is left goes to its own service.
  ASSERT_NO_FATAL_FAILURE(StartSandbox());
  ASSERT_EQ(ProvisionWith("first.json").exit_code, kDone);
  const Finished sent = Kiosk({"queue", "deliver", "--wait", kAsLongAsItTakes});
  EXPECT_EQ(sent.exit_code, kDone) << sent.err;
  EXPECT_EQ(Requests("sandbox", "check"), 1);
  EXPECT_EQ(Requests("second", "check"), 1);
}

TEST_F(AddressTest, AnotherAccountOfTheSameServiceGetsNothingOfTheFirst) {
  ASSERT_NO_FATAL_FAILURE(Onboard("sandbox", "other.json"));
  ASSERT_NO_FATAL_FAILURE(Keep(2));
  ASSERT_NO_FATAL_FAILURE(StartSandbox());
  ASSERT_EQ(ProvisionWith("other.json").exit_code, kDone);
  EXPECT_EQ(Kiosk({"queue", "deliver", "--wait", "0"}).exit_code, kNeedsPerson);
  EXPECT_EQ(Requests("sandbox", "check"), 0);
  EXPECT_THAT(Kiosk({"queue", "list"}).out, HasSubstr("another account"));
  ASSERT_EQ(ProvisionWith("first.json").exit_code, kDone);
  EXPECT_EQ(Kiosk({"queue", "deliver", "--wait", kAsLongAsItTakes}).exit_code, kDone);
  EXPECT_EQ(Requests("sandbox", "check"), 2);
}

TEST_F(AddressTest, ARunningKioskSendsNothingOfNewSecretsToTheOldAddress) {
  ASSERT_EQ(Kiosk({"reasons"}).exit_code, kDone);
  ASSERT_NO_FATAL_FAILURE(Keep(1));
  Process kiosk(
      KioskCommand({"run", "--camera", "synthetic", "--start-page", folder_ / "start.html"}));
  ASSERT_TRUE(kiosk.AwaitErr("out of reach")) << kiosk.err();
  ASSERT_EQ(ProvisionWith("second.json").exit_code, kDone);
  const int before = Requests("sandbox");
  // The old server is there again, and would be asked: for the reasons, and for the call.
  ASSERT_NO_FATAL_FAILURE(StartSandbox());
  ASSERT_TRUE(kiosk.AwaitErr("the vault holds the credentials of " + AddressIn("second.json")))
      << kiosk.err();
  EXPECT_EQ(Requests("sandbox"), before);
  EXPECT_EQ(Requests("second", "check"), 0);
  kiosk.Signal(SIGTERM);
  EXPECT_EQ(kiosk.Wait().exit_code, kDone);

  // The one that is started afterwards uses the new address; the call is still the old one's.
  EXPECT_EQ(Kiosk({"queue", "deliver", "--wait", "0"}).exit_code, kNeedsPerson);
  EXPECT_EQ(Requests("sandbox"), before);
  EXPECT_EQ(Requests("second", "check"), 0);
}

TEST_F(AddressTest, AnAddressThatWasChangedByHandGetsNoCredentials) {
  ASSERT_NO_FATAL_FAILURE(Keep(1));
  const std::string first = Text(Parse(ReadFile(folder_ / "first.json")), "/base_url");
  const std::string second = Text(Parse(ReadFile(folder_ / "second.json")), "/base_url");
  std::string local = ReadFile(folder_ / "kiosk.local.jsonc");
  local.replace(local.find(first), first.size(), second);
  WriteFile(folder_ / "kiosk.local.jsonc", local);
  const int before = Requests("second");
  const Finished sent = Kiosk({"queue", "deliver", "--wait", "0"});
  EXPECT_EQ(sent.exit_code, kNeedsPerson) << sent.err;
  EXPECT_NE(Kiosk({"account", "login"}).exit_code, kDone);
  EXPECT_THAT(Kiosk({"doctor"}).out, HasSubstr("the vault holds the credentials of"));
  EXPECT_EQ(Requests("second"), before);
  // Set anew, they belong to that address; those of the old one are gone.
  const Finished set = Kiosk({"vault", "set", "api_key"}, "another-key\n");
  EXPECT_EQ(set.exit_code, kDone) << set.err;
  EXPECT_THAT(set.err, HasSubstr("set all of " + AddressIn("second.json") + " anew"));
  EXPECT_THAT(Kiosk({"--json", "vault", "status"}).out, Not(HasSubstr("\"password\"")));
}

}  // namespace
}  // namespace idkiosk
