#include <gmock/gmock.h>

#include "tests/fleet/headquarters.h"
#include "tools/headquarters/publisher.h"

// The rules of a broker that are shipped, as a real Mosquitto reads them.
namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kOwnTopic = "idkiosk/v1/bank/k1/command";

class BrokerRulesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Broker::IsInstalled()) GTEST_SKIP() << "Mosquitto is not installed: run tools/setup";
    for (const char* name : {"k1", "k2"}) broker_.Enrol(name, std::string("DNS:") + name);
    broker_.Start();
  }

  [[nodiscard]] std::vector<std::string> As(const std::string& name, const std::string& port,
                                            std::vector<std::string> command) const {
    command.insert(command.end(),
                   {"-V", "5", "-h", "127.0.0.1", "-p", port, "--cafile", broker_.ca(), "--cert",
                    broker_.certificate(name), "--key", broker_.key(name), "-q", "1"});
    return command;
  }
  [[nodiscard]] std::vector<std::string> AsKiosk(const std::string& name,
                                                 std::vector<std::string> command) const {
    return As(name, broker_.port(), std::move(command));
  }
  [[nodiscard]] std::vector<std::string> AsHeadquarters(std::vector<std::string> command) const {
    return As("headquarters", broker_.headquarters_port(), std::move(command));
  }
  void Command(const std::string& text) const {
    const Finished done =
        RunProgram(AsHeadquarters({"mosquitto_pub", "-t", kOwnTopic, "-m", text}));
    ASSERT_EQ(done.exit_code, 0) << done.err;
  }

  Broker broker_;
};

// Of two kiosks' certificates, each opens a session of its own name, whatever it calls it: what
// waits for a kiosk is neither thrown away nor handed out by another one's.
TEST_F(BrokerRulesTest, AKiosksSessionIsThatOfItsCertificateWhateverAThiefCallsHis) {
  const std::vector<std::string> session = {"mosquitto_sub", "-i", "idkiosk-bank-k1", "-c", "-x",
                                            "3600",          "-t", kOwnTopic};
  std::vector<std::string> open = session;
  open.emplace_back("-E");
  ASSERT_EQ(RunProgram(AsKiosk("k1", open)).exit_code, 0);
  ASSERT_NO_FATAL_FAILURE(Command("signed and waiting"));
  for (const char* name : {"idkiosk-bank-k1", "k1"}) {
    (void)RunProgram(AsKiosk("k2", {"mosquitto_sub", "-i", name, "-E", "-t", kOwnTopic}));
  }
  std::vector<std::string> listen = {"stdbuf", "-oL"};  // it says at once what it has done
  listen.insert(listen.end(), session.begin(), session.end());
  listen.emplace_back("-d");
  Process kiosk(AsKiosk("k1", listen));
  ASSERT_TRUE(kiosk.AwaitOut("Subscribed")) << kiosk.out() << kiosk.err();
  ASSERT_NO_FATAL_FAILURE(Command("the last one"));
  ASSERT_TRUE(kiosk.AwaitOut("the last one")) << kiosk.out() << kiosk.err();
  EXPECT_THAT(kiosk.out(), HasSubstr("signed and waiting"));
}

TEST_F(BrokerRulesTest, WhereHeadquartersConnectNoKioskMay) {
  const std::vector<std::string> open = {"mosquitto_sub", "-i", "another", "-E", "-t", kOwnTopic};
  EXPECT_NE(RunProgram(As("k1", broker_.headquarters_port(), open)).exit_code, 0);
  EXPECT_NE(RunProgram(As("headquarters", broker_.port(), open)).exit_code, 0);
  EXPECT_EQ(RunProgram(AsHeadquarters(open)).exit_code, 0);
}

TEST_F(BrokerRulesTest, ARevokedCertificateOpensNothing) {
  const std::vector<std::string> open = {"mosquitto_sub", "-i", "x", "-E", "-t", kOwnTopic};
  ASSERT_EQ(RunProgram(AsKiosk("k2", open)).exit_code, 0);
  broker_.Stop();
  broker_.Revoke("k2");
  broker_.Start();
  EXPECT_NE(RunProgram(AsKiosk("k2", open)).exit_code, 0);
  EXPECT_EQ(RunProgram(AsKiosk("k1", open)).exit_code, 0);
}

TEST_F(BrokerRulesTest, HeadquartersHaveSeveralSessionsByOneCertificate) {
  Process one(
      AsHeadquarters({"stdbuf", "-oL", "mosquitto_sub", "-d", "-i", "one", "-t", kOwnTopic}));
  ASSERT_TRUE(one.AwaitOut("Subscribed")) << one.out() << one.err();
  Process two(
      AsHeadquarters({"stdbuf", "-oL", "mosquitto_sub", "-d", "-i", "two", "-t", kOwnTopic}));
  ASSERT_TRUE(two.AwaitOut("Subscribed")) << two.out() << two.err();
  ASSERT_NO_FATAL_FAILURE(Command("to both"));
  EXPECT_TRUE(two.AwaitOut("to both")) << two.out() << two.err();
  EXPECT_TRUE(one.AwaitOut("to both")) << one.out() << one.err();
  EXPECT_THAT(one.out() + one.err(), Not(HasSubstr("taken over")));
}

TEST_F(BrokerRulesTest, HeadquartersSayNothingToABrokerWithoutForwardSecrecy) {
  broker_.Enrol("broker", "/CN=broker", "IP:127.0.0.1", Broker::KeyKind::kRsa);
  const headquarters::Subscriber::Options where = {
      .host = "127.0.0.1",
      .port = std::stoi(broker_.headquarters_port()),
      .ca_file = broker_.ca(),
      .certificate = broker_.certificate("headquarters"),
      .key = broker_.key("headquarters"),
      .name = {},
      .group = {}};
  for (const bool has_secrecy : {false, true}) {
    broker_.StartWithOnly(has_secrecy ? "ECDHE-RSA-AES128-GCM-SHA256" : "AES128-SHA");
    const Status told = headquarters::PublishAll(where, {{kOwnTopic, "signed"}});
    EXPECT_EQ(told.has_value(), has_secrecy) << (told ? "" : told.error().message);
  }
}

}  // namespace
}  // namespace idkiosk
