#include "app/settings/local_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/settings/load_settings.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kPath = "/etc/kiosk.jsonc";
constexpr std::string_view kLocal = "/etc/kiosk.local.jsonc";

class LocalSettingsTest : public testing::Test {
 protected:
  LocalSettingsTest() {
    files_.Put("/etc/profile.jsonc", AsBytes("{}"));
    files_.Put(std::string(kPath), AsBytes(R"({"state_folder": "/state", "service": {
      "base_url": "https://first", "profile": "profile.jsonc"}})"));
  }

  Status Save(const std::vector<SettingChange>& changes) {
    return SaveLocalSettings(files_, std::string(kPath), changes);
  }
  Settings Load() {
    const auto settings = LoadSettings(files_, std::string(kPath));
    EXPECT_TRUE(settings) << settings.error().message;
    return settings.value_or(Settings());
  }
  std::string Local() { return std::string(AsText(files_.Content(std::string(kLocal)))); }

  FakeFileSystem files_;
};

TEST(LocalSettingsPathTest, LiesBesideTheConfiguration) {
  EXPECT_EQ(LocalSettingsPath("/etc/idkiosk/kiosk.jsonc"), "/etc/idkiosk/kiosk.local.jsonc");
  EXPECT_EQ(LocalSettingsPath("kiosk.jsonc"), "kiosk.local.jsonc");
  EXPECT_EQ(LocalSettingsPath("./my.kiosk.json"), "./my.kiosk.local.json");
  EXPECT_EQ(LocalSettingsPath("kiosk"), "kiosk.local");
}

TEST_F(LocalSettingsTest, WritesWhatLoadingReads) {
  ASSERT_TRUE(Save({{"service.base_url", "https://second"},
                    {"environment", "sandbox"},
                    {"camera.width", int64_t{640}},
                    {"capture.min_sharpness", 41.5},
                    {"capture.allow_recorded", false},
                    {"queue.max_age", "2 h"}}));
  const Settings settings = Load();
  EXPECT_EQ(settings.service.base_url, "https://second");
  EXPECT_EQ(settings.camera.width, 640);
  EXPECT_EQ(settings.capture.min_sharpness, 41.5);
  EXPECT_FALSE(settings.capture.allow_recorded);
  EXPECT_EQ(settings.queue.max_age, std::chrono::hours(2));
  EXPECT_EQ(settings.state_folder, "/state");
}

TEST_F(LocalSettingsTest, KeepsTheOtherKeys) {
  files_.Put(std::string(kLocal), AsBytes(R"(// by hand
    {"camera": {"width": 800, "height": 600}, "environment": "sandbox",
     "service": {"pins": []}, "of_a_later_version": {"deep": {"x": [1]}}})"));
  ASSERT_TRUE(Save({{"camera.width", int64_t{640}}, {"log.level", "debug"}}));
  EXPECT_THAT(Local(), HasSubstr(R"({
  "environment": "sandbox",
  "camera": {
    "width": 640,
    "height": 600
  },
  "log": {
    "level": "debug"
  },
  "of_a_later_version": {
    "deep": {"x":[1]}
  },
  "service": {
    "pins": []
  }
})"));
}

TEST_F(LocalSettingsTest, TakesAKeyOut) {
  ASSERT_TRUE(Save({{"service.base_url", "https://second"}, {"camera.width", int64_t{640}}}));
  ASSERT_TRUE(Save({{"service.base_url", std::monostate()}, {"log.level", std::monostate()}}));
  EXPECT_EQ(Load().service.base_url, "https://first");
  EXPECT_EQ(Load().camera.width, 640);
}

TEST_F(LocalSettingsTest, WritesNothingThatLoadingWouldRefuse) {
  const std::vector<SettingChange> kBad[] = {{{"service.base_ulr", "https://second"}},
                                             {{"service.base_url", "ftp://second"}},
                                             {{"camera.width", int64_t{1}}},
                                             {{"camera.width", "640"}},
                                             {{"log.level", "info"}, {"camera", "auto"}}};
  for (const auto& changes : kBad) {
    const auto saved = Save(changes);
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().code, ErrorCode::kInvalid);
    EXPECT_THAT(saved.error().message, HasSubstr(changes.back().key));
  }
  EXPECT_EQ(Local(), "");
}

TEST_F(LocalSettingsTest, NeverWritesOverAFileThatItCannotRead) {
  for (const std::string_view text : {"{\n\"camera\": ", "[]"}) {
    files_.Put(std::string(kLocal), AsBytes(text));
    const auto saved = Save({{"log.level", "debug"}});
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().code, ErrorCode::kInvalid);
    EXPECT_THAT(saved.error().message, HasSubstr("/etc/kiosk.local.jsonc"));
    EXPECT_EQ(Local(), text);
  }
}

TEST_F(LocalSettingsTest, LeavesTheOldFileOrTheNewOneWhenThePowerFails) {
  ASSERT_TRUE(Save({{"log.level", "warn"}}));
  for (size_t step = 1; step <= 6; ++step) {
    files_.FailPowerAtStep(step);
    (void)Save({{"log.level", "debug"}, {"camera.width", int64_t{640}}});
    files_.Restart(FakeFileSystem::Unsynced::kTorn);
    EXPECT_THAT(Load().log.level, AnyOf("warn", "debug")) << step;
    EXPECT_EQ(Load().log.level == "debug", Load().camera.width == 640) << step;
    ASSERT_TRUE(Save({{"log.level", "warn"}, {"camera.width", std::monostate()}}));
  }
}

TEST_F(LocalSettingsTest, SaysWhenTheDiskIsFull) {
  files_.set_capacity(200);
  EXPECT_EQ(Save({{"log.level", "debug"}}).error().code, ErrorCode::kExhausted);
  EXPECT_EQ(Local(), "");
}

TEST_F(LocalSettingsTest, IsReadableForItsOwnerAlone) {
  ASSERT_TRUE(Save({{"service.test_nin", "12345678901"}}));
  EXPECT_TRUE(files_.ReadSecret(std::string(kLocal), 10000));
}

}  // namespace
}  // namespace idkiosk
