#include "app/assembly/camera_opening.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/assembly/components_fixture.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CameraOpeningTest : public testing::Test {
 protected:
  CameraOpeningTest() {
    kiosk_.camera.info.source = "fake";
    kiosk_.camera.on_close = [this] { ++closed_; };
  }

  [[nodiscard]] CommandResult<OpenCamera> Open(CameraPurpose purpose = CameraPurpose::kLook,
                                               const std::string& source = "") {
    return OpenCameraOf(components_, source, purpose);
  }

  ComponentsFixture kiosk_;
  Components components_{kiosk_.drivers, kiosk_.options};
  int closed_ = 0;
};

TEST_F(CameraOpeningTest, OpensTheConfiguredCameraAndClosesItWhenItGoes) {
  kiosk_.Configure(R"(, "camera": {"width": 1920, "height": 1080, "frames_per_second": 15})");
  {
    const auto open = Open();
    ASSERT_TRUE(open) << open.error().message;
    EXPECT_EQ(open->info.source, "fake");
    EXPECT_EQ(open->analyzer, *components_.analyzer());
    EXPECT_EQ(open->compromise, components_.detector_compromise());
    EXPECT_EQ(closed_, 0);
  }
  EXPECT_EQ(closed_, 1);
  EXPECT_THAT(kiosk_.sources, ElementsAre("auto"));
  EXPECT_EQ(kiosk_.camera.request.width, 1920);
  EXPECT_EQ(kiosk_.camera.request.height, 1080);
  EXPECT_EQ(kiosk_.camera.request.frames_per_second, 15);
}

TEST_F(CameraOpeningTest, TakesASourceInPlaceOfTheConfigured) {
  EXPECT_TRUE(Open(CameraPurpose::kLook, "another"));
  EXPECT_THAT(kiosk_.sources, ElementsAre("another"));
}

TEST_F(CameraOpeningTest, ASourceThatMakesNoSenseIsAMistakeOfWhoTypedIt) {
  const auto open = Open(CameraPurpose::kLook, "nonsense");
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().code, ExitCode::kUsage);
  EXPECT_EQ(open.error().message, "must be auto");
}

TEST_F(CameraOpeningTest, ACameraThatIsAwayMakesNoPicturesAndIsClosed) {
  kiosk_.camera.error = Error{ErrorCode::kNotFound, "no device"};
  const auto open = Open();
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().code, ExitCode::kCapture);
  EXPECT_EQ(open.error().message, "no device");
  EXPECT_EQ(closed_, 1);
}

TEST_F(CameraOpeningTest, NobodyIsVerifiedBeforeARecordingUnlessTheConfigurationAllowsIt) {
  kiosk_.Configure(R"(, "capture": {"allow_recorded": false})");
  kiosk_.camera.info.live = false;
  const auto open = Open(CameraPurpose::kVerify);
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().code, ExitCode::kConfiguration);
  EXPECT_THAT(open.error().message, HasSubstr("nobody is verified by that"));
  EXPECT_EQ(closed_, 1);
  EXPECT_TRUE(Open(CameraPurpose::kLook));
}

TEST_F(CameraOpeningTest, OpensNothingForAVerificationThatWouldShowNobodyWhoIsThere) {
  kiosk_.Configure(R"(, "capture": {"allow_recorded": false})");
  kiosk_.promise = {PictureMeans::kRecorded, "images:/film shows a recording"};
  const auto open = Open(CameraPurpose::kVerify);
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().code, ExitCode::kConfiguration);
  EXPECT_THAT(open.error().message, HasSubstr("images:/film shows a recording, and nobody"));
  EXPECT_THAT(kiosk_.sources, ElementsAre());
  EXPECT_TRUE(Open(CameraPurpose::kLook));
}

TEST_F(CameraOpeningTest, WithoutAFaceDetectorTheCameraIsClosedAgain) {
  kiosk_.Configure(R"(, "capture": {"detector": "yunet", "model": "/no/such/model"})");
  const auto open = Open();
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().code, ExitCode::kConfiguration);
  EXPECT_THAT(open.error().message, HasSubstr("/no/such/model"));
  EXPECT_EQ(closed_, 1);
}

}  // namespace
}  // namespace idkiosk
