#include "app/operator/installation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/capture/observations.h"
#include "tests/app/operator/finding_matcher.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_file_system.h"
#include "tests/fakes/fake_http_client.h"
#include "tests/fakes/fake_secure_storage.h"

namespace idkiosk {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

template <typename Change>
Findings Sitter(const Change& change) {
  const CaptureSettings limits;
  CameraTuning tuning(limits);
  for (int i = 0; i < 60; ++i) {
    FrameObservation seen = GoodFrame();
    change(seen);
    tuning.Add(seen);
  }
  return CheckSitter(tuning, limits);
}

TEST(InstallationTest, SaysHowSharpAndHowLitAFaceIs) {
  EXPECT_THAT(Sitter([](FrameObservation&) {}),
              ElementsAre(Is(FindingState::kGood, KioskPart::kCamera,
                             "a face in 60 of 60 frames; sharpness 150, its worst tenth 150"),
                          Is(FindingState::kGood, KioskPart::kLight,
                             "light on the face 120 of 255, behind it 130")));
}

TEST(InstallationTest, NobodyBeforeTheCameraIsBadAndNamesTheMend) {
  const Findings findings = Sitter([](FrameObservation& seen) { seen.face.reset(); });
  ASSERT_THAT(findings, ElementsAre(Is(FindingState::kBad, KioskPart::kCamera, "0 of 60 frames")));
  EXPECT_FALSE(findings[0].mend.empty());
}

TEST(InstallationTest, LightFromBehindIsBad) {
  const Findings findings = Sitter([](FrameObservation& seen) {
    seen.face->light.mean = 60;
    seen.face->light.surround = 200;
  });
  EXPECT_THAT(findings, Contains(Is(FindingState::kBad, KioskPart::kLight, "behind it 200")));
}

TEST(InstallationTest, ACameraLessSharpThanTheLimitInForceIsTold) {
  const CaptureSettings limits;
  const Findings findings =
      Sitter([&](FrameObservation& seen) { seen.face->sharpness = limits.min_sharpness - 1; });
  EXPECT_THAT(findings, Contains(Is(FindingState::kNote, KioskPart::kCamera, "min_sharpness")));
}

TEST(InstallationTest, NamesTheConnectedScreenItsBrightnessAndItsTouchPanel) {
  FakeFileSystem files;
  files.Put("/sys/class/drm/card0-HDMI-A-1/status", AsBytes("connected\n"));
  files.Put("/sys/class/drm/card0-HDMI-A-1/modes", AsBytes("1920x1080\n1280x720\n"));
  files.Put("/sys/class/drm/card0-VGA-1/status", AsBytes("disconnected\n"));
  files.Put("/sys/class/backlight/panel/brightness", AsBytes("200\n"));
  files.Put("/sys/class/backlight/panel/max_brightness", AsBytes("250\n"));
  files.Put("/proc/bus/input/devices",
            AsBytes("I: Bus=0003\nN: Name=\"A keyboard\"\nB: PROP=0\n\n"
                    "I: Bus=0003\nN: Name=\"A touch panel\"\nB: PROP=2\n\n"));
  EXPECT_THAT(CheckScreen(files),
              ElementsAre(Is(FindingState::kGood, KioskPart::kScreen, "HDMI-A-1, 1920x1080"),
                          Is(FindingState::kGood, KioskPart::kScreen, "brightness of panel: 80 %"),
                          Is(FindingState::kGood, KioskPart::kScreen, "touch: A touch panel")));
}

TEST(InstallationTest, ADarkScreenAndAMissingPanelNameTheMend) {
  FakeFileSystem files;
  files.Put("/sys/class/backlight/panel/brightness", AsBytes("10\n"));
  files.Put("/sys/class/backlight/panel/max_brightness", AsBytes("250\n"));
  const Findings findings = CheckScreen(files);
  EXPECT_THAT(findings, ElementsAre(Is(FindingState::kNote, KioskPart::kScreen, "no screen"),
                                    Is(FindingState::kNote, KioskPart::kScreen, "panel: 4 %"),
                                    Is(FindingState::kNote, KioskPart::kScreen, "no touch")));
  for (const Finding& each : findings) EXPECT_FALSE(each.mend.empty()) << each.text;
}

TEST(InstallationTest, DamagedFilesOfTheKernelAreNoScreen) {
  FakeFileSystem files;
  files.Put("/sys/class/backlight/panel/brightness", AsBytes("much"));
  files.Put("/sys/class/backlight/panel/max_brightness", AsBytes("0"));
  files.Put("/proc/bus/input/devices", AsBytes("B: PROP="));
  EXPECT_THAT(CheckScreen(files), Not(Contains(Field(&Finding::state, FindingState::kGood))));
}

TEST(InstallationTest, ABoardWithoutItsOwnClockIsTold) {
  FakeFileSystem files;
  EXPECT_THAT(CheckBoardClock(files), Is(FindingState::kNote, KioskPart::kClock, "no clock"));
  files.Put("/sys/class/rtc/rtc0/name", AsBytes("rtc_cmos"));
  EXPECT_EQ(CheckBoardClock(files).state, FindingState::kGood);
}

TEST(InstallationTest, ConnectsAndSendsNothing) {
  FakeClock clock;
  FakeHttpClient http(clock);
  http.Answer(200, "{}");
  const Finding found =
      CheckConnection(http, "https://bank.example:8443/v1", KioskPart::kService, clock);
  EXPECT_THAT(found, Is(FindingState::kGood, KioskPart::kService, "bank.example:8443: connected"));
  EXPECT_THAT(found.text, HasSubstr("TLS included"));
  EXPECT_TRUE(http.seen().empty());
}

TEST(InstallationTest, AHostThatCannotBeReachedOrTrustedIsBad) {
  FakeClock clock;
  FakeHttpClient http(clock);
  for (const auto how :
       {FakeHttpClient::Reply::How::kRefuse, FakeHttpClient::Reply::How::kDistrust}) {
    FakeHttpClient::Reply reply;
    reply.how = how;
    http.Play(std::move(reply));
    const Finding found =
        CheckConnection(http, "https://bank.example/v1", KioskPart::kService, clock);
    EXPECT_THAT(found, Is(FindingState::kBad, KioskPart::kService, "bank.example: "));
    EXPECT_FALSE(found.mend.empty());
  }
}

TEST(InstallationTest, SaysWhereTheKeyOfTheVaultLies) {
  FakeFileSystem files;
  FakeSecureStorage vault;
  EXPECT_THAT(CheckRootKey(vault, files, "/dev/tpmrm0").text,
              HasSubstr("/dev/tpmrm0 is not there"));
  files.Put("/dev/tpmrm0", AsBytes(""));
  EXPECT_THAT(CheckRootKey(vault, files, "/dev/tpmrm0").mend, HasSubstr("vault protect --tpm"));
  vault.set_root_key({"tpm", "good", "", "", {}});
  EXPECT_EQ(CheckRootKey(vault, files, "/dev/tpmrm0").state, FindingState::kGood);
  vault.set_root_key({"tpm", "locked out", "it waits", "Wait an hour.", {}});
  EXPECT_THAT(CheckRootKey(vault, files, "/dev/tpmrm0"),
              Is(FindingState::kBad, KioskPart::kVault, "locked out: it waits"));
}

TEST(InstallationTest, TheTestSlipShowsLettersAndACode) {
  const PrintJob slip = TestSlip("A Bank", FakeClock().WallNow());
  EXPECT_THAT(slip, Contains(Field(&PrintPart::text, "A Bank")));
  EXPECT_THAT(slip, Contains(Field(&PrintPart::kind, PrintPart::Kind::kLetters)));
  EXPECT_THAT(slip, Contains(Field(&PrintPart::kind, PrintPart::Kind::kSquareCode)));
}

}  // namespace
}  // namespace idkiosk
