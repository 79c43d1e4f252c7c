#include "app/capture/quality_gate.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/app/capture/observations.h"

namespace idkiosk {
namespace {

class QualityGateTest : public testing::Test {
 protected:
  Guidance Judge(const FrameObservation& seen, Purpose purpose = Purpose::kSelfie) {
    return QualityGate(settings_).Judge(seen, purpose);
  }

  CaptureSettings settings_;
  FrameObservation seen_ = GoodFrame();
};

TEST(MeasuresTest, KeepWhatSettingsSay) {
  for (const MeasureTraits& each : kMeasures) {
    for (const MeasureLimit& limit : {each.least, each.most}) {
      if (limit.setting != nullptr) ExpectSetting(limit.name, limit.setting);
      EXPECT_TRUE(limit.otherwise == Guidance::kNone || !std::isnan(limit.In({}))) << each.name;
    }
  }
}

TEST(MeasuresTest, AskForEachGuidance) {
  std::set<Guidance> asked = {Guidance::kNone, Guidance::kFollowPrompt, Guidance::kLightBehind};
  for (const MeasureTraits& each : kMeasures) {
    asked.insert({each.least.otherwise, each.most.otherwise});
  }
  for (const GuidanceTraits& each : kGuidance)
    EXPECT_TRUE(asked.contains(each.guidance)) << each.name;
}

TEST_F(QualityGateTest, PassesAGoodFrame) {
  EXPECT_EQ(Judge(seen_), Guidance::kNone);
  EXPECT_EQ(Judge(seen_, Purpose::kLiveness), Guidance::kNone);
}

TEST_F(QualityGateTest, SaysWhatToDoAboutEachFlaw) {
  EXPECT_EQ(Judge(EmptyFrame()), Guidance::kNoFace);
  const auto with = [&](auto change) {
    FrameObservation seen = GoodFrame();
    change(seen);
    return Judge(seen);
  };
  EXPECT_EQ(with([](auto& s) { s.other_faces = 1; }), Guidance::kOnePersonOnly);
  EXPECT_EQ(with([](auto& s) { s.shown_before = kStretch; }), Guidance::kRecording);
  EXPECT_EQ(with([](auto& s) { s.face->area = 0.14; }), Guidance::kMoveCloser);
  EXPECT_EQ(with([](auto& s) { s.face->area = 0.51; }), Guidance::kMoveBack);
  EXPECT_EQ(with([](auto& s) { s.face->face.box.y = -60; }), Guidance::kMoveToTheMiddle);
  EXPECT_EQ(with([](auto& s) { s.face->face.box.x = 20; }), Guidance::kMoveToTheMiddle);
  EXPECT_EQ(with([](auto& s) { s.face->light = {.mean = 30, .high = 50}; }), Guidance::kMoreLight);
  EXPECT_EQ(with([](auto& s) { s.face->light = {.mean = 40, .high = 60, .surround = 200}; }),
            Guidance::kLightBehind);
  EXPECT_EQ(with([](auto& s) { s.face->light = {.mean = 225, .high = 240}; }),
            Guidance::kLessLight);
  EXPECT_EQ(with([](auto& s) { s.face->light.clipped = 0.3; }), Guidance::kLessLight);
  EXPECT_EQ(with([](auto& s) { s.face->pose.yaw = -16; }), Guidance::kLookStraight);
  EXPECT_EQ(with([](auto& s) { s.face->pose.pitch = 21; }), Guidance::kLookStraight);
  EXPECT_EQ(with([](auto& s) { s.face->sharpness = 29; }), Guidance::kHoldStill);
  EXPECT_EQ(with([](auto& s) { s.face->grain->one_way = 4; }), Guidance::kHoldStill);
  EXPECT_EQ(with([](auto& s) { s.face->grain->balance = 0.15; }), Guidance::kHoldStill);
  EXPECT_EQ(with([](auto& s) { s.face->grain->flat = 0.5; }), Guidance::kHoldStill);
  EXPECT_EQ(with([](auto& s) { s.face->grain->deviation = 4.2; }), Guidance::kMoreLight);
  EXPECT_EQ(with([](auto& s) { s.face->grain->noise = 0.9; }), Guidance::kMoreLight);
  EXPECT_EQ(with([](auto& s) { s.face->light.imbalance = 1; }), Guidance::kMoreLight);
  EXPECT_EQ(with([](auto& s) { s.face->light.low = 160; }), Guidance::kMoreLight);
  EXPECT_EQ(with([](auto& s) { s.face->parts->score = 0.4; }), Guidance::kLookStraight);
  EXPECT_EQ(with([](auto& s) { s.face->parts->roll = 21; }), Guidance::kLookStraight);
  EXPECT_EQ(with([](auto& s) { s.face->parts->roll = -179; }), Guidance::kLookStraight);
  EXPECT_EQ(with([](auto& s) { s.face->parts->room = -0.1; }), Guidance::kMoveToTheMiddle);
  EXPECT_EQ(with([](auto& s) { s.face->parts->eyes_open = 0.10; }), Guidance::kOpenEyes);
  EXPECT_EQ(with([](auto& s) { s.face->parts->mouth_open = 0.4; }), Guidance::kCloseMouth);
  EXPECT_EQ(with([](auto& s) { s.face->parts->mouth_seen = 0.9; }), Guidance::kFreeMouth);
  EXPECT_EQ(with([](auto& s) { s.face->parts->eyes_seen = 0.9; }), Guidance::kFreeEyes);
  EXPECT_EQ(with([](auto& s) {
              s.face->parts->eyes_seen = 0.9;
              s.face->parts->eyes_open = 0.2;
            }),
            Guidance::kOpenEyes);
  EXPECT_EQ(with([](auto& s) { s.face->parts->skin_red = -0.2; }), Guidance::kWhiteLight);
  EXPECT_EQ(with([](auto& s) { s.face->parts->skin_blue = 0.4; }), Guidance::kWhiteLight);
}

TEST_F(QualityGateTest, PassesNarrowEyesWhoseIrisIsSeen) {
  seen_.face->parts->eyes_open = 0.13;
  seen_.face->parts->eyes_seen = 1;
  EXPECT_EQ(Judge(seen_), Guidance::kOpenEyes);
  seen_.face->parts->eyes_seen = 1.4;
  EXPECT_EQ(Judge(seen_), Guidance::kNone);
}

TEST_F(QualityGateTest, AsksNothingOfPartsThatWereNotLookedAt) {
  seen_.face->parts.reset();
  EXPECT_EQ(Judge(seen_), Guidance::kNone);
  // The detector's own roll counts then.
  seen_.face->pose.roll = 25;
  EXPECT_EQ(Judge(seen_), Guidance::kLookStraight);
}

TEST_F(QualityGateTest, NamesTheFirstThingThatAPersonCanActOn) {
  seen_.face->sharpness = 1;
  seen_.face->pose.yaw = 40;
  EXPECT_EQ(Judge(seen_), Guidance::kLookStraight);
  seen_.face->light = {.mean = 10, .high = 20};
  EXPECT_EQ(Judge(seen_), Guidance::kMoreLight);
  seen_.face->area = 0.05;
  EXPECT_EQ(Judge(seen_), Guidance::kMoveCloser);
  seen_.other_faces = 2;
  EXPECT_EQ(Judge(seen_), Guidance::kOnePersonOnly);
}

TEST_F(QualityGateTest, PassesDarkSkinInGoodLight) {
  // Below the least mean, but with highlights, and before a white wall.
  seen_.face->light = {.mean = 42, .low = 20, .high = 95, .surround = 200};
  EXPECT_EQ(Judge(seen_), Guidance::kNone);
  // The same face in the dark has no highlights left.
  seen_.face->light = {.mean = 24, .low = 12, .high = 50, .surround = 70};
  EXPECT_EQ(Judge(seen_), Guidance::kLightBehind);
  // And where hardly anything can be seen, one lamp in the face does not help.
  seen_.face->light = {.mean = 15, .low = 5, .high = 120, .surround = 20};
  EXPECT_EQ(Judge(seen_), Guidance::kMoreLight);
}

TEST_F(QualityGateTest, LetsGoOfARefusalOnlyWhenItIsClearlyBetter) {
  QualityGate gate(settings_);
  seen_.face->area = 0.149;
  EXPECT_EQ(gate.Judge(seen_, Purpose::kSelfie), Guidance::kMoveCloser);
  seen_.face->area = 0.151;
  EXPECT_EQ(gate.Judge(seen_, Purpose::kSelfie), Guidance::kMoveCloser);
  seen_.face->area = 0.160;
  EXPECT_EQ(gate.Judge(seen_, Purpose::kSelfie), Guidance::kNone);
  seen_.face->area = 0.151;
  EXPECT_EQ(gate.Judge(seen_, Purpose::kSelfie), Guidance::kNone);
  seen_.face->area = 0.149;
  (void)gate.Judge(seen_, Purpose::kSelfie);
  gate.Reset();
  seen_.face->area = 0.151;
  EXPECT_EQ(gate.Judge(seen_, Purpose::kSelfie), Guidance::kNone);
}

TEST_F(QualityGateTest, AsksNoPoseNorDistanceOfLivenessPictures) {
  seen_.face->pose = {45.0, 30.0, 10.0};
  seen_.face->area = 0.7;
  seen_.face->face.box = {400, -80, 500, 660};
  EXPECT_EQ(Judge(seen_, Purpose::kLiveness), Guidance::kNone);
  seen_.face->sharpness = 20;  // a turned face has less of it
  EXPECT_EQ(Judge(seen_, Purpose::kLiveness), Guidance::kNone);
  seen_.other_faces = 1;
  EXPECT_EQ(Judge(seen_, Purpose::kLiveness), Guidance::kOnePersonOnly);
}

TEST_F(QualityGateTest, TakesASmallFaceInAPortraitThatWasTakenElsewhere) {
  seen_.face->area = 0.02;
  seen_.face->face.box = {30, 40, 90, 120};
  EXPECT_EQ(Judge(seen_, Purpose::kSelfieStill), Guidance::kNone);
  seen_.face->face.box.width = 40;
  EXPECT_EQ(Judge(seen_, Purpose::kSelfieStill), Guidance::kMoveCloser);
  seen_.face->face.box.width = 90;
  seen_.face->pose.yaw = 30;
  EXPECT_EQ(Judge(seen_, Purpose::kSelfieStill), Guidance::kLookStraight);
  EXPECT_EQ(Judge(seen_, Purpose::kLivenessStill), Guidance::kNone);
}

TEST_F(QualityGateTest, DoesNotHoldAgainstAPictureWhatWasNotMeasured) {
  seen_.face->pose = {};
  seen_.face->sharpness.reset();
  EXPECT_EQ(Judge(seen_), Guidance::kNone);
}

}  // namespace
}  // namespace idkiosk
