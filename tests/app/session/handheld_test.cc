#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/session/staff/battery.h"
#include "tests/app/session/page_controller_fixture.h"

// A field agent's handheld: a person's path with an agent's bar, behind a PIN.
namespace idkiosk {
namespace {

using namespace std::chrono_literals;

TEST(HandheldTest, WalksAPersonThroughOnceTheAgentHasUnlockedIt) {
  PageControllerFixture bench(Mode::kHandheld);
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
  bench.WalkToLook();
  bench.Do("send");
  EXPECT_EQ(bench.screen(), Screen::kWaiting);
  EXPECT_TRUE(bench.view().agent);
}

TEST(HandheldTest, WantsThePinAfterFiveMinutesUntouched) {
  PageControllerFixture bench(Mode::kHandheld);
  const std::string session = bench.view().session;
  bench.clock.Advance(4min);
  bench.Do("language", R"("language": "fr")");
  bench.clock.Advance(4min);
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
  bench.clock.Advance(1min);
  EXPECT_EQ(bench.screen(), Screen::kLocked);
  EXPECT_EQ(bench.view().language, "fr");
  EXPECT_TRUE(bench.view().agent);
  EXPECT_FALSE(bench.Ask("start", "", session).status);
  EXPECT_TRUE(bench.Try("unlock", kPin).status);
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
}

TEST(HandheldTest, LocksBetweenPeopleNeverBeforeSomebodysEyes) {
  Settings settings;
  settings.mode = Mode::kHandheld;
  settings.staff.lock_after = 30s;
  PageControllerFixture bench(settings);
  (void)bench.Try("unlock", kPin);
  bench.WalkToCamera();
  for (int i = 0; i < 4; ++i) {
    bench.clock.Advance(10s);
    bench.camera.Step({.prompt = Prompt::kTurnLeft, .pictures = 1, .face_seen = true});
  }
  EXPECT_EQ(bench.screen(), Screen::kCamera);
  bench.Do("stop");
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
  bench.clock.Advance(30s);
  EXPECT_EQ(bench.screen(), Screen::kLocked);
}

TEST(HandheldTest, IsLockedAtOnceByWhoHandsItOver) {
  PageControllerFixture bench(Mode::kHandheld);
  bench.Do("lock");
  EXPECT_EQ(bench.screen(), Screen::kLocked);
  EXPECT_FALSE(bench.Ask("lock").status) << "it is locked";
  ASSERT_TRUE(bench.Try("unlock", kPin).status);
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
  bench.WalkToCamera();
  const std::string session = bench.view().session;
  bench.Do("lock");
  EXPECT_EQ(bench.screen(), Screen::kLocked);
  EXPECT_FALSE(bench.camera.running());
  EXPECT_FALSE(bench.Ask("back", "", session).status);
  ASSERT_TRUE(bench.Try("unlock", kPin).status);
  EXPECT_EQ(bench.screen(), Screen::kWelcome) << "nothing of that person is left";
}

TEST(HandheldTest, KeepsWhatWasHandedInWhenItIsLockedMeanwhile) {
  PageControllerFixture bench(Mode::kHandheld);
  bench.WalkToLook();
  bench.Do("send");
  ASSERT_EQ(bench.screen(), Screen::kWaiting);
  bench.Do("lock");
  EXPECT_EQ(bench.screen(), Screen::kLocked);
  EXPECT_EQ(bench.queue.accepted.size(), 1U);
}

TEST(HandheldTest, KnowsNoLockInAKiosk) {
  PageControllerFixture bench;
  EXPECT_FALSE(bench.Ask("lock").status);
  EXPECT_EQ(bench.screen(), Screen::kWelcome);
}

TEST(HandheldTest, ShowsBatteryWaitingCallsAndTheLastDelivery) {
  PageControllerFixture bench(Mode::kHandheld);
  EXPECT_EQ(bench.view().agent->battery, std::nullopt);
  EXPECT_EQ(bench.view().agent->minutes_since_delivery, std::nullopt);
  const std::string folder = "/sys/class/power_supply/BAT0";
  (void)bench.staff.files.CreateFolder(folder);
  bench.staff.files.Put(folder + "/type", AsBytes("Battery\n"));
  bench.staff.files.Put(folder + "/capacity", AsBytes("64\n"));
  bench.queue.tally = {3, bench.clock.WallNow()};
  bench.pages.OnCallChanged(kReference);
  bench.staff.Settle();
  EXPECT_EQ(bench.view().agent->battery, 64);
  EXPECT_EQ(bench.view().agent->waiting, 3);
  EXPECT_EQ(bench.view().agent->minutes_since_delivery, 0);
  bench.clock.Advance(150s);
  EXPECT_EQ(bench.view().agent->minutes_since_delivery, 2);
  const SecretBytes json = ToJson(bench.view(), 5, bench.settings);
  EXPECT_NE(
      json.text().find(
          R"("agent":{"battery":64,"waiting":3,"last_delivery_seconds":120,"price":"100.00 NGN"})"),
      std::string_view::npos)
      << json.text();
}

TEST(HandheldTest, TellsThePriceOfACheckBeforeTheFirst) {
  PageControllerFixture bench(Mode::kHandheld);
  PageControllerFixture kiosk;
  ASSERT_EQ(bench.screen(), Screen::kWelcome);
  const SecretBytes json = ToJson(bench.view(), 1, bench.settings);
  EXPECT_NE(json.text().find(R"("price":"100.00 NGN")"), std::string_view::npos) << json.text();
  // Who is alone at a kiosk does not pay.
  const SecretBytes alone = ToJson(kiosk.view(), 1, kiosk.settings);
  EXPECT_EQ(alone.text().find("price"), std::string_view::npos) << alone.text();
}

TEST(HandheldTest, CountsNotForEachOfManyCalls) {
  PageControllerFixture bench(Mode::kHandheld);
  const int before = bench.queue.counted;
  for (int i = 0; i < 1000; ++i) bench.pages.OnCallChanged(kReference);
  EXPECT_EQ(bench.queue.counted, before + 1);
  bench.queue.tally.waiting = 7;
  bench.clock.Advance(500ms);
  EXPECT_EQ(bench.queue.counted, before + 2);
  EXPECT_EQ(bench.view().agent->waiting, 7) << "and the last of them is not missed";
}

TEST(BatteryTest, ReadsTheBoardsOwnBatteriesAlone) {
  FakeFileSystem files;
  EXPECT_EQ(BatteryPercent(files), std::nullopt);
  const auto put = [&](const std::string& supply, std::string_view attribute,
                       std::string_view value) {
    const std::string folder = "/sys/class/power_supply/" + supply;
    (void)files.CreateFolder(folder);
    files.Put(fmt::format("{}/{}", folder, attribute), AsBytes(value));
  };
  put("AC", "type", "Mains\n");
  put("hid-mouse", "type", "Battery\n");
  put("hid-mouse", "scope", "Device\n");
  put("hid-mouse", "capacity", "3\n");
  EXPECT_EQ(BatteryPercent(files), std::nullopt);
  put("BAT0", "type", "Battery\n");
  for (const std::string_view nonsense : {"", "full\n", "-1\n", "6x\n"}) {
    put("BAT0", "capacity", nonsense);
    EXPECT_EQ(BatteryPercent(files), std::nullopt) << nonsense;
  }
  put("BAT0", "capacity", "101\n");
  EXPECT_EQ(BatteryPercent(files), 100);
  put("BAT1", "type", "Battery\n");
  put("BAT1", "capacity", "17\n");
  EXPECT_EQ(BatteryPercent(files), 17);
}

}  // namespace
}  // namespace idkiosk
