// Commands that look through a camera, as somebody gives them who has no service yet.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/integration/kiosk_fixture.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;

constexpr int kUsage = 2;
constexpr int kConfiguration = 3;
constexpr int kCapture = 6;

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

TEST_F(CaptureCommandsTest, SaysWhyNothingIsSeenWhileTheCameraIsAway) {
  const Finished done =
      Kiosk({"capture", "--camera", "synthetic:unplug=1+1", "--out", folder_ / "out"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("the drawn camera was unplugged"));
}

TEST_F(CaptureCommandsTest, WritesNoFacesOfProductionUnlessItIsConfigured) {
  Configure(R"("environment": "production",)");
  const Finished done = Kiosk(
      {"capture", "--camera", "synthetic", "--out", folder_ / "out", "--debug", folder_ / "sheet"});
  EXPECT_EQ(done.exit_code, kConfiguration);
  EXPECT_THAT(done.err, HasSubstr("needs capture.debug_pictures in the configuration"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "sheet"));
}

TEST_F(CaptureCommandsTest, TunesACameraAndKeepsWhatFitsIt) {
  const std::string local = folder_ / "kiosk.local.jsonc";
  const std::vector<std::string> tune = {"tune", "--camera", "synthetic", "--seconds", "4"};
  std::vector<std::string> dry = tune;
  dry.emplace_back("--dry-run");
  const Finished measured = Kiosk(dry);
  EXPECT_EQ(measured.exit_code, 0) << measured.err;
  EXPECT_THAT(measured.err, HasSubstr("Nothing was written."));
  EXPECT_FALSE(std::filesystem::exists(local));

  const Finished done = Kiosk(tune);
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(ReadFile(local), HasSubstr("\"min_sharpness\":"));
  EXPECT_THAT(done.err, HasSubstr("Written to " + local));
}

TEST_F(CaptureCommandsTest, TunesNothingWhereNobodySitsAndNothingIsConfigured) {
  const Finished empty = Kiosk({"tune", "--camera", "synthetic:people=0", "--seconds", "2"});
  EXPECT_EQ(empty.exit_code, kCapture);
  EXPECT_THAT(empty.err, HasSubstr("show somebody who looks into the camera"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "kiosk.local.jsonc"));
  const Finished nowhere =
      RunProgram({bin_ + "/idkiosk", "--config", folder_ / "none.jsonc", "tune"});
  EXPECT_EQ(nowhere.exit_code, kConfiguration);
  EXPECT_THAT(nowhere.err, HasSubstr("there is no configuration at"));
}

TEST_F(CaptureCommandsTest, SaysWhatIsMissingForOpenCvsCameras) {
  const std::string alone = folder_ / "idkiosk";
  std::filesystem::copy(bin_ + "/idkiosk", alone);
  const Finished done = RunProgram({alone, "--config", config(), "capture", "--camera",
                                    "opencv:rtsp://127.0.0.1/", "--out", folder_ / "out"});
  EXPECT_EQ(done.exit_code, kUsage);
  EXPECT_THAT(done.err, HasSubstr("needs the module idkiosk-opencv-camera.so, which is neither"));
}

}  // namespace
}  // namespace idkiosk
