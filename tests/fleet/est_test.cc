#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "tests/fakes/scratch_folder.h"
#include "tests/fleet/headquarters.h"

// idkiosk-fleet as it is installed, and a real EST server behind TLS.
namespace idkiosk {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class EstTest : public testing::Test {
 protected:
  void SetUp() override {
    if (RunProgram({"node", "--version"}).exit_code != 0) {
      GTEST_SKIP() << "Node.js is not installed: run tools/setup";
    }
    Serve("2");
    WriteClaim("kiosk-7:once-only\n");
  }
  void Serve(const std::string& days, const std::string& ciphers = "") {
    server_ = std::make_unique<Process>(
        std::vector<std::string>{"node", EST_SERVER, broker_.ca_folder(), days, ciphers});
    ASSERT_TRUE(server_->AwaitOut(".\n")) << server_->err();
    const std::string said = server_->out();
    port_ = said.substr(5, said.find('.') - 5);
  }
  void WriteClaim(const std::string& text) {
    WriteFile(claim(), text);
    ASSERT_EQ(chmod(claim().c_str(), 0600), 0);
  }
  [[nodiscard]] std::string claim() const { return folder_ / "claim"; }
  [[nodiscard]] std::string certificate() const { return folder_ / "kiosk.pem"; }
  [[nodiscard]] std::string Config(const std::string& label, const std::string& host,
                                   const std::string& broker = "1") const {
    WriteFile(folder_ / "fleet.jsonc",
              fmt::format(R"({{"broker":"mqtts://127.0.0.1:{}","tenant":"bank","kiosk":"k1",)"
                          R"("ca_file":"{}","certificate":"{}","key":"{}","claim":"{}",)"
                          R"("est":"https://{}:{}/.well-known/est{}","api_socket":"{}",)"
                          R"("state_folder":"{}","reconnect_within":1}})",
                          broker, broker_.ca(), certificate(), folder_ / "kiosk.key", claim(), host,
                          port_, label, folder_ / "api.sock", folder_ / "state"));
    return folder_ / "fleet.jsonc";
  }
  [[nodiscard]] Finished Enrol(const std::string& label = "",
                               const std::string& host = "127.0.0.1") const {
    return RunProgram({bin_ + "/idkiosk-fleet", "--config", Config(label, host), "--enrol"});
  }
  [[nodiscard]] std::string Verified() const {
    return RunProgram({"openssl", "verify", "-CAfile", broker_.ca(), certificate()}).out;
  }

  const std::string bin_ = std::getenv("IDKIOSK_BIN");
  const ScratchFolder folder_;
  Broker broker_;
  std::unique_ptr<Process> server_;
  std::string port_;
};

TEST_F(EstTest, TheFirstCertificateComesByTheClaimAndTheNextByTheOneThatIsThere) {
  const Finished first = Enrol();
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(Verified(), HasSubstr("kiosk.pem: OK"));
  EXPECT_FALSE(fs::exists(claim())) << "it is of no use a second time";
  const std::string before = ReadFile(certificate());
  const Finished second = Enrol();
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_NE(ReadFile(certificate()), before);
  EXPECT_THAT(Verified(), HasSubstr("kiosk.pem: OK"));
  EXPECT_THAT(server_->out(), HasSubstr("simpleenroll 200\nsimplereenroll 200\n"));
}

TEST_F(EstTest, AnAnswerMayComeInPieces) {
  const Finished done = Enrol("/pieces");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(Verified(), HasSubstr("kiosk.pem: OK"));
}

TEST_F(EstTest, WhatGoesWrongIsSaidAndLeavesEverythingAsItWas) {
  ASSERT_EQ(Enrol().exit_code, 0);
  const std::string before = ReadFile(certificate());
  const struct {
    const char* label;
    const char* said;
  } answers[] = {
      {"/patience", "somebody must sign there first"},
      {"/page", "is not base64"},
      {"/redirect", "redirection not enabled"},
      {"/nothing", "holds no certificate of this kiosk's key"},
      {"/hollow", "is no PKCS #7"},
      {"/large", "is no PKCS #7"},
      {"/half", "is no PKCS #7"},
      {"/another-name", "names \"another\", and not k1"},
      {"/NOT-FOUND", "code=404"},
  };
  for (const auto& each : answers) {
    const Finished done = Enrol(each.label);
    EXPECT_EQ(done.exit_code, 3) << each.label;
    EXPECT_THAT(done.err, HasSubstr(each.said)) << each.label;
    EXPECT_THAT(done.err, HasSubstr("est: ")) << each.label;
    EXPECT_EQ(ReadFile(certificate()), before) << each.label;
  }
  // Its certificate has another name.
  const Finished named = Enrol("", "localhost");
  EXPECT_EQ(named.exit_code, 3);
  EXPECT_THAT(named.err, HasSubstr("certificate verify failed"));
  EXPECT_EQ(ReadFile(certificate()), before);
}

// No wait for a server that is not there: the system says so at once.
TEST_F(EstTest, AServerThatIsNotStartedIsToldAsOne) {
  server_.reset();
  for (const char* host : {"127.0.0.1", "localhost"}) {
    const Finished done = Enrol("", host);
    EXPECT_EQ(done.exit_code, 3) << done.err;
    EXPECT_THAT(done.err, HasSubstr(fmt::format("{}:{} refuses the connection", host, port_)));
    EXPECT_THAT(done.err, Not(HasSubstr("timeout")));
  }
  EXPECT_TRUE(fs::exists(claim())) << "it is not spent";
}

TEST_F(EstTest, AClaimThatIsNotGoodGetsNothingAndStays) {
  const struct {
    const char* claim;
    const char* said;
  } claims[] = {
      {"kiosk-7:wrong", "code=401"},
      {"no colon", "is not one line NAME:PASSWORD"},
      {"a:b\nc:d\n", "is not one line NAME:PASSWORD"},
      {"", "is not one line NAME:PASSWORD"},
  };
  for (const auto& each : claims) {
    WriteClaim(each.claim);
    const Finished done = Enrol();
    EXPECT_EQ(done.exit_code, 3) << each.claim;
    EXPECT_THAT(done.err, HasSubstr(each.said)) << each.claim;
    EXPECT_EQ(ReadFile(claim()), each.claim);
    EXPECT_FALSE(fs::exists(certificate())) << each.claim;
  }
}

TEST_F(EstTest, ABrokersNameCountsAmongTheNamesOfItsCertificateAlone) {
  if (!Broker::IsInstalled()) GTEST_SKIP() << "Mosquitto is not installed: run tools/setup";
  ASSERT_EQ(Enrol().exit_code, 0);
  // An address is none of these either: it has an entry of its own kind.
  for (const char* names : {"email:it@bank.example", "DNS:127.0.0.1", "DNS:*.0.0.1"}) {
    broker_.Enrol("broker", "/CN=127.0.0.1", names);
    broker_.Kill();
    broker_.Start();
    Process agent({bin_ + "/idkiosk-fleet", "--config", Config("", "127.0.0.1", broker_.port())});
    ASSERT_TRUE(agent.AwaitErr("the broker 127.0.0.1")) << agent.err();
    EXPECT_THAT(agent.err(), HasSubstr("no connection to the broker")) << names;
  }
}

// Who records that, and gets the server's key later, could read all of it.
TEST_F(EstTest, NothingIsSaidToAServerWithoutForwardSecrecy) {
  broker_.Enrol("broker", "/CN=broker", "IP:127.0.0.1", Broker::KeyKind::kRsa);
  for (const char* ciphers : {"AES128-SHA", "AES256-GCM-SHA384", "ECDHE-RSA-AES128-SHA"}) {
    Serve("2", ciphers);
    const Finished done = Enrol();
    EXPECT_EQ(done.exit_code, 3) << ciphers << ": " << done.err;
    EXPECT_THAT(server_->out(), Not(HasSubstr("simpleenroll"))) << ciphers;
  }
  Serve("2", "ECDHE-RSA-AES128-GCM-SHA256");
  EXPECT_EQ(Enrol().exit_code, 0);
}

TEST_F(EstTest, NothingIsSaidToABrokerWithoutForwardSecrecy) {
  if (!Broker::IsInstalled()) GTEST_SKIP() << "Mosquitto is not installed: run tools/setup";
  ASSERT_EQ(Enrol().exit_code, 0);
  broker_.Enrol("broker", "/CN=broker", "IP:127.0.0.1", Broker::KeyKind::kRsa);
  for (const bool has_secrecy : {false, true}) {
    broker_.StartWithOnly(has_secrecy ? "ECDHE-RSA-AES128-GCM-SHA256" : "AES128-SHA");
    Process agent({bin_ + "/idkiosk-fleet", "--config", Config("", "127.0.0.1", broker_.port())});
    ASSERT_TRUE(agent.AwaitErr("the broker 127.0.0.1")) << agent.err();
    EXPECT_THAT(agent.err(), HasSubstr(has_secrecy ? "takes this kiosk's messages"
                                                   : "no connection to the broker"));
  }
}

TEST_F(EstTest, TheProgramEnrolsItselfAndGoesOnToTheBroker) {
  if (!Broker::IsInstalled()) GTEST_SKIP() << "Mosquitto is not installed: run tools/setup";
  broker_.Start();
  Process agent({bin_ + "/idkiosk-fleet", "--config", Config("", "127.0.0.1", broker_.port())});
  ASSERT_TRUE(agent.AwaitErr("takes this kiosk's messages")) << agent.err();
  EXPECT_THAT(agent.err(), HasSubstr("has signed this kiosk's certificate"));
  EXPECT_FALSE(fs::exists(claim()));
}

TEST_F(EstTest, WhatIsWrongIsSaidBeforeAnybodyIsAsked) {
  const auto check = [this] {
    return RunProgram({bin_ + "/idkiosk-fleet", "--config", Config("", "127.0.0.1"), "--check"});
  };
  EXPECT_EQ(check().exit_code, 0) << check().err;
  WriteClaim("nonsense");
  EXPECT_THAT(check().err, HasSubstr("is not one line NAME:PASSWORD"));
  fs::remove(claim());
  EXPECT_THAT(check().err, HasSubstr("claim: "));
  WriteClaim("kiosk-7:once-only");
  fs::create_directory(certificate() + ".try");
  EXPECT_THAT(check().err, HasSubstr("certificate: "));
  EXPECT_EQ(Enrol().exit_code, 3);
  EXPECT_THAT(server_->out(), Not(HasSubstr("simpleenroll"))) << "the claim is not spent";
  fs::remove(certificate() + ".try");
  // What lies there is no certificate, or another key's: a claim mends both.
  WriteFile(certificate(), "damaged");
  EXPECT_EQ(Enrol().exit_code, 0);
  WriteFile(certificate(), ReadFile(broker_.certificate("broker")));
  EXPECT_THAT(Enrol().err, HasSubstr("remove it, and ask by a claim"));
}

}  // namespace
}  // namespace idkiosk
