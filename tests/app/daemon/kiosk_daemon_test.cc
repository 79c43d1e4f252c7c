#include "app/daemon/kiosk_daemon.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <future>
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

class KioskDaemonTest : public testing::Test {
 protected:
  CommandResult<std::unique_ptr<KioskDaemon>> Start() {
    return KioskDaemon::Start(components_, "", kiosk_.login);
  }
  // The daemon; the test fails if it does not start.
  std::unique_ptr<KioskDaemon> Started() {
    auto daemon = Start();
    EXPECT_TRUE(daemon) << daemon.error().message;
    return daemon ? std::move(*daemon) : nullptr;
  }
  // The first loop that a kiosk makes is the control loop.
  void StopControl() { kiosk_.loops.front()->Stop(); }

  DaemonFixture kiosk_;
  Components components_{kiosk_.drivers, kiosk_.options};
};

TEST_F(KioskDaemonTest, AMissingVaultEndsAsAConfigurationThatLacksIt) {
  const auto daemon = Start();
  ASSERT_FALSE(daemon);
  EXPECT_EQ(daemon.error().code, ExitCode::kConfiguration);
  EXPECT_THAT(daemon.error().message, HasSubstr("idkiosk vault init"));
}

TEST_F(KioskDaemonTest, APortThatSomebodyHasIsNamedAndKeepsItFromNothingElse) {
  kiosk_.MakeVault();
  const LoopbackListener other;
  kiosk_.Configure(fmt::format(R"(, "ui": {{"port": {}}})", other.port()));
  const auto daemon = Start();
  ASSERT_TRUE(daemon) << daemon.error().message;
  EXPECT_EQ(kiosk_.login.port(), 0);
  EXPECT_THAT(NewestLogLines(),
              Contains(Field(&LogLine::text, HasSubstr(std::to_string(other.port())))));
}

TEST_F(KioskDaemonTest, ASocketThatCannotBeMadeEndsAsAConfigurationThatNamesIt) {
  kiosk_.MakeVault();
  kiosk_.Configure(R"(, "api": {"socket": "nowhere/api.sock"})");
  const auto daemon = Start();
  ASSERT_FALSE(daemon);
  EXPECT_EQ(daemon.error().code, ExitCode::kConfiguration);
  EXPECT_THAT(daemon.error().message, HasSubstr("api.socket: look for"));
}

TEST_F(KioskDaemonTest, TheSocketOfTheLocalApiIsThereWhileItRuns) {
  kiosk_.MakeVault();
  kiosk_.Configure(R"(, "api": {"socket": "api.sock"})");
  auto daemon = Started();
  ASSERT_TRUE(daemon);
  RawClient program(kiosk_.folder / "api.sock");
  program.Send("GET /v1/holds HTTP/1.1\r\nHost: local\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(StatusOf(program.ReadAll()), 200);
  daemon.reset();
  EXPECT_FALSE(std::filesystem::exists(kiosk_.folder / "api.sock"));
}

// Whoever starts the kiosk anew asks.
TEST_F(KioskDaemonTest, SaysWhetherSomebodyIsBeforeThePage) {
  kiosk_.MakeVault();
  kiosk_.Configure(R"(, "api": {"socket": "api.sock"})");
  auto daemon = Started();
  ASSERT_TRUE(daemon);
  const std::jthread person([&] {
    const auto health = [&] {
      RawClient program(kiosk_.folder / "api.sock");
      program.Send("GET /v1/health HTTP/1.1\r\nHost: local\r\nConnection: close\r\n\r\n");
      return program.ReadAll();
    };
    Browser browser(kiosk_.start_page());
    browser.Await("/screen", "welcome");
    EXPECT_THAT(health(), HasSubstr(R"("visit":false)"));
    EXPECT_EQ(browser.Do("start", R"(,"language":"en")"), 204);
    browser.Await("/screen", "stopped");  // the service's reasons are not known here
    EXPECT_THAT(health(), HasSubstr(R"("visit":true)"));
    EXPECT_EQ(browser.Do("finish"), 204);
    browser.Await("/screen", "welcome");
    EXPECT_THAT(health(), HasSubstr(R"("visit":false)"));
    StopControl();
  });
  EXPECT_EQ(daemon->Run(), Daemon::End::kStopped);
}

TEST_F(KioskDaemonTest, AKioskThatCannotVerifyIsRefusedBeforeItsVaultIsOpened) {
  const std::string profile = ReadRepositoryFile("config/profiles/production.jsonc");
  ASSERT_TRUE(kiosk_.files.WriteDurably(kiosk_.folder / "production.jsonc", AsBytes(profile),
                                        FileAccess::kOwnerOnly));
  kiosk_.Configure(R"(, "environment": "production")",
                   R"("base_url": "https://a.example", "profile": "production.jsonc")");
  const auto daemon = Start();
  ASSERT_FALSE(daemon);
  EXPECT_EQ(daemon.error().code, ExitCode::kConfiguration);
  EXPECT_THAT(daemon.error().message, HasSubstr("verify"));
}

// The camera's thread works for the console, and so ends with no regard to the exchange under way.
TEST_F(KioskDaemonTest, EndsTheOperatorsLookThroughTheCameraBeforeItWaitsForTheExchange) {
  kiosk_.MakeVault();
  std::promise<void> seen;
  kiosk_.camera.on_frame = [&seen, frames = 0]() mutable {
    if (++frames == 2) seen.set_value();
  };
  std::atomic<bool> ending = false;
  std::promise<void> dark;
  kiosk_.camera.on_close = [&] {
    if (ending.exchange(false)) dark.set_value();
  };
  std::atomic<bool> given_up = false;
  kiosk_.on_cancel = [&] {
    given_up = true;
    if (ending.exchange(false)) dark.set_value();
  };
  kiosk_.server = [closed = dark.get_future().share()](const auto&) {
    closed.wait();
    return FakeHttpClient::Reply();
  };
  auto daemon = Started();
  ASSERT_TRUE(daemon);
  const std::jthread operator_of_it([&] {
    Browser browser(kiosk_.start_page());
    browser.Await("/screen", "welcome");
    EXPECT_EQ(browser.Do("operator.unlock", fmt::format(R"(,"pin":"{}")", DaemonFixture::kPin)),
              204);
    browser.Await("/screen", "operator");
    EXPECT_EQ(browser.Do("operator.tab", R"(,"tab":"camera")"), 204);
    seen.get_future().wait();
    ending = true;
    StopControl();
  });
  EXPECT_EQ(daemon->Run(), Daemon::End::kStopped);
  daemon.reset();
  EXPECT_FALSE(given_up);
}

TEST_F(KioskDaemonTest, EndsAfterTheExchangeUnderWay) {
  kiosk_.MakeVault();
  std::promise<void> arrived;
  std::promise<void> release;
  std::atomic<int> answered = 0;
  kiosk_.server = [&, released = release.get_future().share()](const auto&) {
    if (answered == 0) arrived.set_value();
    released.wait();
    ++answered;
    FakeHttpClient::Reply refused;
    refused.status = 403;
    refused.body = "{}";
    return refused;
  };
  auto daemon = Started();
  ASSERT_TRUE(daemon);
  arrived.get_future().wait();
  release.set_value();
  daemon.reset();
  EXPECT_GE(answered, 1);
}

TEST_F(KioskDaemonTest, TheNextTakesThePlaceOfOneThatBeganAnew) {
  kiosk_.MakeVault();
  auto parts = std::make_unique<Components>(kiosk_.drivers, kiosk_.options);
  auto first = KioskDaemon::Start(*parts, "", kiosk_.login);
  ASSERT_TRUE(first) << first.error().message;
  Browser browser(kiosk_.start_page());
  first->reset();
  parts = std::make_unique<Components>(kiosk_.drivers, kiosk_.options);
  const auto second = KioskDaemon::Start(*parts, "", kiosk_.login);
  ASSERT_TRUE(second) << second.error().message;
  browser.Await("/screen", "welcome");
}

}  // namespace
}  // namespace idkiosk
