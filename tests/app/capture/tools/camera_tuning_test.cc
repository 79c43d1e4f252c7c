#include "app/capture/tools/camera_tuning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/capture/quality_gate.h"
#include "tests/app/capture/observations.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;

class CameraTuningTest : public testing::Test {
 protected:
  // So many frames, like a good one but for what `change` does to it.
  template <typename Change>
  void Add(int frames, const Change& change) {
    for (int i = 0; i < frames; ++i) {
      FrameObservation seen = GoodFrame();
      change(seen, i);
      tuning_.Add(seen);
    }
  }
  void Add(int frames) {
    Add(frames, [](FrameObservation&, int) {});
  }

  std::string Refusal() {
    const auto tuned = tuning_.Finish();
    EXPECT_FALSE(tuned);
    if (tuned) return "";
    EXPECT_EQ(tuned.error().code, ErrorCode::kFailedPrecondition);
    return tuned.error().message;
  }

  static double Limit(const TunedThresholds& tuned, std::string_view name) {
    const auto found = std::ranges::find_if(
        tuned.limits, [&](const auto& limit) { return limit.of->name == name; });
    return found == tuned.limits.end() ? kNotMeasured : found->value;
  }

  CaptureSettings settings_;
  CameraTuning tuning_{settings_};
};

TEST_F(CameraTuningTest, LeavesRoomForFacesWithLessDetail) {
  Add(100, [](FrameObservation& seen, int i) { seen.face->sharpness = 150 + i % 50; });
  const auto tuned = tuning_.Finish();
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_EQ(tuned->used, 100);
  EXPECT_NEAR(tuned->sharpness, 174, 1);
  EXPECT_EQ(Limit(*tuned, "min_sharpness"), 52);
}

// As a slow machine shows them: the time says nothing about how much was seen.
TEST_F(CameraTuningTest, NeedsMoreUntilThereIsEnoughToJudge) {
  EXPECT_TRUE(tuning_.needs_more());
  Add(20);
  Add(15, [](FrameObservation& seen, int) { seen.face.reset(); });
  EXPECT_TRUE(tuning_.needs_more()) << "only twenty show anybody";
  Add(10);
  EXPECT_FALSE(tuning_.needs_more());
  EXPECT_TRUE(tuning_.Finish());
}

TEST_F(CameraTuningTest, NeedsNoMoreWhereNobodySits) {
  Add(59, [](FrameObservation& seen, int) { seen.face.reset(); });
  EXPECT_TRUE(tuning_.needs_more());
  Add(1, [](FrameObservation& seen, int) { seen.face.reset(); });
  EXPECT_FALSE(tuning_.needs_more());
}

TEST_F(CameraTuningTest, KeepsTheCamerasWorseMomentsGood) {
  Add(100, [](FrameObservation& seen, int i) { seen.face->sharpness = i % 5 == 0 ? 40 : 400; });
  EXPECT_EQ(Limit(*tuning_.Finish(), "min_sharpness"), 24);
}

TEST_F(CameraTuningTest, NeverNarrowsTheLimitsOfLightToOnePersonsSkin) {
  for (double luma : {60.0, 120.0, 200.0}) {
    CameraTuning tuning(settings_);
    FrameObservation seen = GoodFrame();
    seen.face->light.mean = luma;
    for (int i = 0; i < 50; ++i) tuning.Add(seen);
    const auto tuned = tuning.Finish();
    ASSERT_TRUE(tuned);
    EXPECT_LE(Limit(*tuned, "min_luma"), settings_.min_luma) << luma;
    EXPECT_GE(Limit(*tuned, "max_luma"), settings_.max_luma) << luma;
  }
}

TEST_F(CameraTuningTest, WidensThemWhereThePlaceIsDark) {
  Add(50, [](FrameObservation& seen, int) { seen.face->light.mean = 60; });
  EXPECT_EQ(Limit(*tuning_.Finish(), "min_luma"), 30);
}

TEST_F(CameraTuningTest, MakesThresholdsThatTheMeasuredFramesPass) {
  Add(50, [](FrameObservation& seen, int) { seen.face->sharpness = 25; });
  const auto tuned = tuning_.Finish();
  FrameObservation seen = GoodFrame();
  seen.face->sharpness = 25;
  EXPECT_EQ(QualityGate(settings_).Judge(seen, Purpose::kSelfie), Guidance::kHoldStill);
  settings_.min_sharpness = Limit(*tuned, "min_sharpness");
  EXPECT_EQ(QualityGate(settings_).Judge(seen, Purpose::kSelfie), Guidance::kNone);
}

TEST_F(CameraTuningTest, RefusesAPlaceWhereNobodySits) {
  Add(10);
  EXPECT_THAT(Refusal(), HasSubstr("only 10 frames came, and 30 are needed"));
  Add(40, [](FrameObservation& seen, int) { seen.face.reset(); });
  Add(40, [](FrameObservation& seen, int) { seen.face->pose.yaw = 40; });
  Add(40, [](FrameObservation& seen, int) { seen.face->area = 0.05; });
  EXPECT_THAT(Refusal(), HasSubstr("only 10 of 130 frames"));
}

TEST_F(CameraTuningTest, RefusesACrowd) {
  Add(80);
  Add(20, [](FrameObservation& seen, int) { seen.other_faces = 1; });
  EXPECT_THAT(Refusal(), HasSubstr("20 of 100 frames show more than one person"));
}

TEST_F(CameraTuningTest, RefusesDarkness) {
  Add(50, [](FrameObservation& seen, int) { seen.face->light.mean = 20; });
  EXPECT_THAT(Refusal(), HasSubstr("too dark to measure anything (luma of the face 20"));
}

TEST_F(CameraTuningTest, RefusesGlare) {
  Add(50, [](FrameObservation& seen, int) { seen.face->light.clipped = 0.4; });
  EXPECT_THAT(Refusal(), HasSubstr("too bright to measure anything (luma 120, 40 % of it white)"));
}

TEST_F(CameraTuningTest, RefusesALightThatChanges) {
  Add(100, [](FrameObservation& seen, int i) { seen.face->light.mean = i < 50 ? 60 : 160; });
  EXPECT_THAT(Refusal(), HasSubstr("the light changed while it was measured"));
}

TEST_F(CameraTuningTest, RefusesACameraOutOfFocus) {
  Add(50, [](FrameObservation& seen, int) { seen.face->sharpness = 5; });
  EXPECT_THAT(Refusal(), HasSubstr("clean its lens and focus it"));
}

}  // namespace
}  // namespace idkiosk
