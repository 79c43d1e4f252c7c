#include "app/capture/capture_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/capture/image/jpeg_segments.h"
#include "tests/app/capture/sitting.h"
#include "tests/fakes/seeded_rounds.h"

namespace idkiosk {
namespace {

using std::chrono::seconds;
using testing::Contains;
using testing::HasSubstr;

// The same with each detector.
class CaptureRunnerTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::string_view(GetParam()) == "yunet" && !HasYunet()) {
      GTEST_SKIP() << "YuNet's model is not on this machine";
    }
  }
};

// Of those that end without a bundle a short sweep tries the better detector alone.
class NoCaptureTest : public CaptureRunnerTest {
 protected:
  void SetUp() override {
    CaptureRunnerTest::SetUp();
    if (IsSweepShort() && HasYunet() && std::string_view(GetParam()) == "cascade") {
      GTEST_SKIP() << "the whole sweep has it";
    }
  }
};

std::string NameOfDetector(const testing::TestParamInfo<const char*>& each) { return each.param; }
INSTANTIATE_TEST_SUITE_P(Detectors, CaptureRunnerTest, testing::Values("yunet", "cascade"),
                         NameOfDetector);
INSTANTIATE_TEST_SUITE_P(Detectors, NoCaptureTest, testing::Values("yunet", "cascade"),
                         NameOfDetector);

TEST_P(CaptureRunnerTest, MakesABundleOfSomebodyWhoFollows) {
  Sitting sitting("", GetParam());
  const auto result = sitting.Capture();
  ASSERT_TRUE(result) << result.error().message;
  const CaptureBundle& bundle = result->bundle;
  EXPECT_LE(bundle.total_bytes(), 100000U);
  EXPECT_FALSE(FindJpegSegments(bundle.selfie.jpeg.view()).has_metadata);
  for (const CapturedPicture& picture : bundle.liveness) EXPECT_GT(picture.jpeg.size(), 1000U);

  const CaptureRecord& record = result->record;
  ASSERT_EQ(record.pictures.size(), 5U);
  std::set<Prompt> shown;
  for (const PictureRecord& picture : record.pictures) shown.insert(picture.prompt);
  EXPECT_EQ(shown.size(), 5U);
  EXPECT_EQ(record.pictures[0].name, "selfie");
  EXPECT_EQ(record.pictures[4].name, "liveness-4");
  EXPECT_EQ(record.pictures[4].bytes, bundle.liveness[3].jpeg.size());
  EXPECT_EQ(record.restarts, 0);
  EXPECT_LT(record.to_bundle, seconds(9));
}

TEST_P(NoCaptureTest, TakesNobodyWhoHoldsUpAPhotograph) {
  Sitting sitting("photo=yes", GetParam());
  sitting.settings.challenge_timeout = seconds(3);
  sitting.settings.timeout = seconds(6);
  const auto result = sitting.Capture();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kTimeout);
}

TEST_P(NoCaptureTest, TakesNobodyWhoDoesNotFollow) {
  Sitting sitting("follow=no", GetParam());
  sitting.settings.challenge_timeout = seconds(3);
  sitting.settings.timeout = seconds(6);
  const auto result = sitting.Capture();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kTimeout);
}

TEST_P(NoCaptureTest, WaitsUntilEverybodyElseHasGone) {
  Sitting sitting("crowd=0+1", GetParam());
  const auto result = sitting.Capture();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(sitting.observer.guidance, Contains(Guidance::kOnePersonOnly));
  EXPECT_GT(result->record.to_selfie, seconds(1));
}

TEST(CaptureFaultTest, EndsWhenItIsToldTo) {
  Sitting sitting("people=0");
  std::stop_source stop;
  stop.request_stop();
  const auto result = sitting.runner.Run(sitting.studio.camera(), sitting.studio.info(),
                                         sitting.observer, stop.get_token());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
}

TEST(CaptureFaultTest, SaysWhenNobodyCame) {
  Sitting sitting("people=0");
  sitting.settings.timeout = seconds(2);
  const auto result = sitting.Capture();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kTimeout);
  EXPECT_THAT(result.error().message, HasSubstr("no good selfie"));
  EXPECT_THAT(sitting.observer.guidance, Contains(Guidance::kNoFace));
}

// A camera that damages every so many frames.
class DamagingCamera final : public Camera {
 public:
  DamagingCamera(Camera& camera, int every) : camera_(camera), every_(every) {}
  Result<CameraInfo> Open(const CameraRequest& request) override { return camera_.Open(request); }
  void Close() override { camera_.Close(); }
  Result<Frame> NextFrame(MonotonicTime deadline) override {
    auto frame = camera_.NextFrame(deadline);
    if (frame && count_++ % every_ == 0) {
      frame->data = frame->data.first(frame->data.size() / 2);
    }
    return frame;
  }

 private:
  Camera& camera_;
  const int every_;
  int count_ = 0;
};

TEST(CaptureFaultTest, PassesOverDamagedFrames) {
  Sitting sitting("", "auto", 30);
  DamagingCamera camera(sitting.studio.camera(), 3);
  const auto result = sitting.runner.Run(camera, sitting.studio.info(), sitting.observer, {});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_GT(result->record.damaged_frames, 10);
}

TEST(CaptureFaultTest, GivesUpOnACameraThatGivesNothingElse) {
  Sitting sitting("");
  DamagingCamera camera(sitting.studio.camera(), 1);
  const auto result = sitting.runner.Run(camera, sitting.studio.info(), sitting.observer, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(result.error().message, HasSubstr("damaged JPEG"));
}

}  // namespace
}  // namespace idkiosk
