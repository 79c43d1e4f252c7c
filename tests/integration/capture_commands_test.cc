// Commands that look through a camera, as somebody gives them who has no service yet.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/integration/kiosk_fixture.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;

constexpr int kConfiguration = 3;

class CaptureCommandsTest : public KioskFixture {
 protected:
  void SetUp() override { Configure(""); }

  // Nothing is provisioned; `more` stands in the configuration.
  void Configure(const std::string& more) {
    const std::string profile = std::filesystem::current_path().string() + "/config/profiles/";
    const bool production = more.contains("production");
    WriteFile(config(), fmt::format(R"({{"state_folder": "state", {}
                                        "service": {{"profile": "{}{}.jsonc"}}}})",
                                    more, profile, production ? "production" : "sandbox"));
  }
};

TEST_F(CaptureCommandsTest, ShowsEngineersWhatTheCameraSawForTheirEyesOnly) {
  const std::string folder = folder_ / "sheet";
  const Finished done =
      Kiosk({"capture", "--camera", "synthetic", "--out", folder_ / "out", "--debug", folder});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("for engineers. Delete it"));
  const std::string sheet = folder + "/contact-sheet.jpg";
  EXPECT_EQ(ReadFile(sheet).substr(0, 2), "\xff\xd8");
  struct stat status{};
  ASSERT_EQ(stat(sheet.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(CaptureCommandsTest, WritesNoFacesOfProductionUnlessItIsConfigured) {
  Configure(R"("environment": "production",)");
  const Finished done = Kiosk(
      {"capture", "--camera", "synthetic", "--out", folder_ / "out", "--debug", folder_ / "sheet"});
  EXPECT_EQ(done.exit_code, kConfiguration);
  EXPECT_THAT(done.err, HasSubstr("needs capture.debug_pictures in the configuration"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "sheet"));
}

}  // namespace
}  // namespace idkiosk
