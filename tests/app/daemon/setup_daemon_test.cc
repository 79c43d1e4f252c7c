#include "app/daemon/setup_daemon.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "platform/base/log.h"
#include "tests/app/daemon/browser.h"
#include "tests/app/daemon/daemon_fixture.h"
#include "tests/fakes/loopback_listener.h"

namespace idkiosk {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;

class SetupDaemonTest : public testing::Test {
 protected:
  SetupDaemonTest() { kiosk_.Configure(R"(, "mode": "branch")", R"("profile": "sandbox.jsonc")"); }

  std::unique_ptr<SetupDaemon> Started() {
    auto daemon = SetupDaemon::Start(components_, "", kiosk_.login);
    EXPECT_TRUE(daemon) << daemon.error().message;
    return daemon ? std::move(*daemon) : nullptr;
  }

  DaemonFixture kiosk_;
  Components components_{kiosk_.drivers, kiosk_.options};
};

TEST_F(SetupDaemonTest, EverybodyReadsThatThisKioskIsNotSetUp) {
  const auto daemon = Started();
  ASSERT_TRUE(daemon);
  const JsonDocument shown = Browser(kiosk_.start_page()).Await("/screen", "stopped");
  EXPECT_EQ(shown.root().At("/stopped/why").AsString(), "not_set_up");
  EXPECT_EQ(shown.root()["mode"].AsString(), "kiosk") << "there is no desk yet";
}

TEST_F(SetupDaemonTest, APortThatSomebodyHasIsNamedAndWaitedFor) {
  const LoopbackListener other;
  kiosk_.Configure(fmt::format(R"(, "ui": {{"port": {}}})", other.port()),
                   R"("profile": "sandbox.jsonc")");
  const auto daemon = SetupDaemon::Start(components_, "", kiosk_.login);
  ASSERT_TRUE(daemon) << daemon.error().message;
  EXPECT_EQ(kiosk_.login.port(), 0);
  EXPECT_THAT(NewestLogLines(),
              Contains(Field(&LogLine::text, HasSubstr(std::to_string(other.port())))));
}

TEST_F(SetupDaemonTest, WarnsWhereNoOperatorCouldGetIn) {
  const std::string state = kiosk_.folder / "state";
  ASSERT_TRUE(kiosk_.files.CreateFolder(state));
  ASSERT_TRUE(kiosk_.OpenVault(state)->Init());
  const auto daemon = Started();
  ASSERT_TRUE(daemon);
  kiosk_.loops.front()->Stop();  // the control loop
  EXPECT_EQ(daemon->Run(), Daemon::End::kStopped);
  EXPECT_THAT(NewestLogLines(),
              Contains(Field(&LogLine::text, HasSubstr("there is no operator yet"))));
}

TEST_F(SetupDaemonTest, BeginsAnewOnceAnOperatorHasSetItUp) {
  kiosk_.MakeVault();
  // The service takes the login and the key that are tried.
  kiosk_.server = [](const auto& request) {
    FakeHttpClient::Reply reply;
    const bool is_login = request.url.ends_with("/auth/login");
    reply.body = is_login ? R"({"data": {"accessToken": "T", "userId": "U"}})"
                          : R"({"data": [{"code": "KYC", "label": "K"}]})";
    return reply;
  };
  const auto daemon = Started();
  ASSERT_TRUE(daemon);
  const std::jthread operator_of_it([this] {
    Browser browser(kiosk_.start_page());
    browser.Await("/screen", "stopped");
    EXPECT_EQ(browser.Do("operator.unlock", fmt::format(R"(,"pin":"{}")", DaemonFixture::kPin)),
              204);
    browser.Await("/operator/tab", "setup");
    EXPECT_EQ(browser.Do("operator.provision",
                         R"(,"message":"{\"base_url\": \"https://new.example\",)"
                         R"( \"api_key\": \"K\", \"user_id\": \"U\", \"login\":)"
                         R"( {\"email\": \"a@example.ng\", \"password\": \"p\"}}")"),
              204);
  });
  EXPECT_EQ(daemon->Run(), Daemon::End::kAnew);
  Components anew(kiosk_.drivers, kiosk_.options);
  const auto settings = anew.settings();
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ((*settings)->service.base_url, "https://new.example");
}

}  // namespace
}  // namespace idkiosk
