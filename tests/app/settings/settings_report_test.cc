#include "app/settings/settings_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/settings/settings_table.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Report(const Settings& settings) {
  JsonWriter json;
  WriteSettings(json, settings);
  return json.Take();
}

TEST(SettingsReportTest, HoldsEveryKey) {
  const auto report = JsonDocument::Parse(Report(Settings()));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->root().children().size(), AllSettings().size());
  EXPECT_EQ(report->root()["camera.width"].AsInteger(), 1280);
  EXPECT_EQ(report->root()["service.total_timeout"].AsString(), "1 min");
  EXPECT_EQ(report->root()["environment"].AsString(), "sandbox");
}

TEST(SettingsReportTest, HoldsNoNumberAndNoPassword) {
  Settings settings;
  settings.service.test_nin = "70123456789";
  settings.service.proxy = "http://clerk:pass@word@proxy.example:3128";
  settings.results.webhook = "https://hooks.example/T000/B000/xyzzy";
  settings.camera.source = "opencv:rtsp://admin:secret@10.0.0.2/stream";
  const std::string report = Report(settings);
  for (const char* secret :
       {"70123456789", "clerk", "pass", "word", "admin", "secret", "T000", "xyzzy"}) {
    EXPECT_THAT(report, Not(HasSubstr(secret)));
  }
  EXPECT_THAT(report, HasSubstr("proxy.example:3128"));
  EXPECT_THAT(report, HasSubstr("https://hooks.example/..."));
  EXPECT_THAT(report, HasSubstr("10.0.0.2/stream"));
  EXPECT_THAT(report, HasSubstr("\"service.test_nin\":\"[set]\""));
}

TEST(SettingsReportTest, WithoutPathsNoTextIsLeftThatMayNameAFile) {
  int looked_at = 0;
  for (const Setting& each : AllSettings()) {
    const auto* const check = std::get_if<TextCheck>(&each.rule);
    const auto* const text = std::get_if<std::string& (*)(Settings&)>(&each.member);
    if (check == nullptr || text == nullptr) continue;
    for (const char* place : {"/srv/a", "device:/srv/a", "file:/srv/a", "opencv:/srv/a"}) {
      if (!(*check)(place)) continue;
      ++looked_at;
      Settings settings;
      (*text)(settings) = place;
      JsonWriter json;
      WriteSettings(json, settings, SettingsView::kWithoutPaths);
      EXPECT_THAT(json.text(), Not(HasSubstr("/srv/a"))) << each.key;
    }
  }
  EXPECT_GE(looked_at, 3) << "of the camera, the printer and the TPM";
}

}  // namespace
}  // namespace idkiosk
