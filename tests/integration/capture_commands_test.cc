// Commands that look through a camera, as somebody gives them who has no service yet.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "tests/fakes/loopback_listener.h"
#include "tests/fakes/process_tree.h"
#include "tests/integration/exit_codes.h"
#include "tests/integration/kiosk_fixture.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

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

TEST_F(CaptureCommandsTest, RepeatsNoPasswordOfACamera) {
  // Nothing listens on port 1.
  Configure(R"("camera": {"source": "opencv:rtsp://clerk:s3cret@127.0.0.1:1/live"},)");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"capture", "--out", folder_ / "out"},
        {"doctor"},
        {"doctor", "--json"},
        {"support", "--out", "-"},
        {"config", "check", config()}}) {
    const Finished done = Kiosk(command);
    EXPECT_THAT(done.out + done.err, Not(HasSubstr("s3cret"))) << command.front();
    EXPECT_THAT(done.out + done.err, Not(HasSubstr("clerk:"))) << command.front();
  }
  Configure(R"("camera": {"source": "rtsp://clerk:s3cret@127.0.0.1:1/live"},)");
  const Finished refused = Kiosk({"config", "check", config()});
  EXPECT_EQ(refused.exit_code, kConfiguration);
  EXPECT_THAT(refused.out + refused.err, Not(HasSubstr("s3cret")));
}

TEST_F(CaptureCommandsTest, TellsTheKindsOfCamerasAndRefusesAnyOtherBeforeItDoesAnything) {
  const Finished help = Kiosk({"capture", "--help"});
  Configure(R"("camera": {"source": "v4l3:/dev/video0"},)");
  const Finished refused = Kiosk({"capture", "--out", folder_ / "out"});
  EXPECT_EQ(refused.exit_code, kConfiguration);
  EXPECT_THAT(refused.err, HasSubstr("camera.source: 'v4l3:/dev/video0' names no camera; write"));
  for (const char* kind : {"v4l2:", "opencv:", "images:", "synthetic", "auto"}) {
    EXPECT_THAT(help.out, HasSubstr(kind));
    EXPECT_THAT(refused.err, HasSubstr(kind));
  }
}

// A camera that takes the connection and says nothing. What ends the waiting is the program: it
// goes away by itself, and does not come again by another reader of OpenCV's, with other limits or
// none.
TEST_F(CaptureCommandsTest, HidesThePasswordAmongItsArgumentsAndGivesASilentCameraUp) {
  const LoopbackListener camera;
  Process waiting({bin_ + "/idkiosk", "--config", config(), "capture", "--camera",
                   fmt::format("opencv:rtsp://clerk:s3cret@127.0.0.1:{}/live", camera.port()),
                   "--out", folder_ / "out"});
  const FileDescriptor connection = camera.Accept();
  ASSERT_TRUE(connection.valid());
  const std::string arguments = ReadFile(fmt::format("/proc/{}/cmdline", waiting.id()));
  EXPECT_THAT(arguments, HasSubstr("capture"));
  EXPECT_THAT(arguments, Not(HasSubstr("s3cret")));
  // Nor in what the camera's process shows of itself.
  std::vector<pid_t> processes = {waiting.id()};
  while (processes.size() < 3) {
    for (const pid_t child : ChildrenOf(processes.back())) processes.push_back(child);
  }
  for (const pid_t process : processes) {
    for (const char* file : {"cmdline", "environ", "comm", "status"}) {
      EXPECT_THAT(ReadFile(fmt::format("/proc/{}/{}", process, file)), Not(HasSubstr("s3cret")));
    }
  }
  const Finished done = waiting.Wait();
  EXPECT_EQ(done.exit_code, kCapture);
  EXPECT_THAT(done.err, HasSubstr("OpenCV cannot open rtsp://[removed]@127.0.0.1"));
  EXPECT_FALSE(camera.AcceptIfThere().valid());
}

// It would wait for ever for somebody who writes into it.
TEST_F(CaptureCommandsTest, ReadsNoPipeInPlaceOfAFile) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::filesystem::create_directory(folder_ / "cascades");
  for (const char* name : {"frontalface_alt2", "profileface", "smile"}) {
    const std::string cascade = fmt::format("{}/cascades/haarcascade_{}.xml", folder_.path(), name);
    ASSERT_EQ(mkfifo(cascade.c_str(), 0600), 0);
  }
  const std::string cascades = fmt::format(
      R"("capture": {{"detector": "cascade", "cascades": "{}"}},)", folder_ / "cascades");
  struct Case {
    std::string settings;
    std::vector<std::string> command;
  };
  for (const Case& each : {
           Case{"", {"inspect", pipe}},
           Case{"", {"capture", "--camera", "opencv:" + pipe, "--out", folder_ / "out"}},
           Case{"", {"capture", "--camera", "opencv:file://" + pipe, "--out", folder_ / "out"}},
           Case{"", {"capture", "--camera", "v4l2:" + pipe, "--out", folder_ / "out"}},
           Case{"", {"capture", "--camera", "images:" + pipe, "--out", folder_ / "out"}},
           Case{fmt::format(R"("capture": {{"model": "{}"}},)", pipe), {"inspect", "any.jpg"}},
           Case{cascades, {"inspect", "any.jpg"}},
           Case{fmt::format(R"("brand": {{"logo": "{}"}},)", pipe), {"inspect", "any.jpg"}},
           Case{fmt::format(R"("log": {{"file": "{}"}},)", pipe), {"inspect", "any.jpg"}},
       }) {
    Configure(each.settings);
    const Finished refused = Kiosk(each.command);
    EXPECT_NE(refused.exit_code, 0) << each.settings << each.command.back();
  }
}

TEST_F(CaptureCommandsTest, EndsOnASignalWhileACameraIsWaitedFor) {
  for (const int number : {SIGINT, SIGTERM}) {
    const LoopbackListener camera;
    Process waiting({bin_ + "/idkiosk", "--config", config(), "capture", "--camera",
                     fmt::format("opencv:rtsp://127.0.0.1:{}/live", camera.port()), "--out",
                     folder_ / "out"});
    const FileDescriptor connection = camera.Accept();
    ASSERT_TRUE(connection.valid());
    waiting.Signal(number);
    const Finished done = waiting.Wait();
    EXPECT_EQ(done.exit_code, kCapture);
    EXPECT_THAT(done.err, HasSubstr("stopped"));
    EXPECT_THAT(done.err, Not(HasSubstr("OpenCV cannot open")));
  }
}

TEST_F(CaptureCommandsTest, EndsOnASignalAmongManyPictures) {
  constexpr int kMany = 2000;
  const std::vector<std::string> files(kMany, pictures() + "/selfie.jpg");
  std::vector<std::string> command = {"inspect"};
  command.insert(command.end(), files.begin(), files.end());
  Process inspecting(KioskCommand(command));
  ASSERT_TRUE(inspecting.AwaitOut("\n")) << inspecting.err();
  inspecting.Signal(SIGINT);
  const Finished done = inspecting.Wait();
  EXPECT_EQ(done.exit_code, kCapture);
  EXPECT_THAT(done.err, HasSubstr("stopped"));
  EXPECT_LT(std::ranges::count(done.out, '\n'), kMany);
}

TEST_F(CaptureCommandsTest, SaysWhatIsMissingForOpenCvsCameras) {
  const std::string alone = folder_ / "idkiosk";
  std::filesystem::copy(bin_ + "/idkiosk", alone);
  const Finished done = RunProgram({alone, "--config", config(), "capture", "--camera",
                                    "opencv:rtsp://127.0.0.1/", "--out", folder_ / "out"});
  EXPECT_EQ(done.exit_code, kUsage);
  EXPECT_THAT(done.err, HasSubstr("needs the program idkiosk-camera, which is neither"));
}

}  // namespace
}  // namespace idkiosk
