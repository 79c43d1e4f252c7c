#include "app/capture/capture_record.h"

#include <gtest/gtest.h>

#include "tests/app/capture/observations.h"

namespace idkiosk {
namespace {

TEST(CaptureRecordTest, SaysWhatWasMeasuredUnderWhichThresholds) {
  CaptureRecord record;
  record.detector = "YuNet 2023mar";
  record.camera = {"Webcam", "v4l2:/dev/video0", PixelFormat::kYuyv, 1280, 720, 30, true};
  record.settings.min_luma = 55;
  record.to_bundle = std::chrono::milliseconds(4321);
  record.frames = 130;
  PictureRecord selfie;
  selfie.seen = GoodFrame();
  selfie.bytes = 30000;
  record.pictures.push_back(selfie);

  const auto json = JsonDocument::Parse(ToJson(record));
  ASSERT_TRUE(json) << json.error().message;
  const JsonView root = json->root();
  EXPECT_EQ(root["version"].AsInteger(), 1);
  EXPECT_EQ(root["detector"].AsString(), "YuNet 2023mar");
  EXPECT_FALSE(root["detector_compromise"].exists());
  EXPECT_EQ(root.At("/camera/format").AsString(), "yuyv");
  EXPECT_EQ(root["challenges"].AsString(), "random");
  EXPECT_EQ(root["to_bundle_ms"].AsInteger(), 4321);
  EXPECT_EQ(root.At("/thresholds/min_luma").AsNumber(), 55);
  EXPECT_EQ(root.At("/pictures/0/bytes").AsInteger(), 30000);
  for (const MeasureTraits& each : kMeasures) {
    EXPECT_TRUE(root.At(fmt::format("/pictures/0/measured/{}", each.name)).exists()) << each.name;
    if (each.most.setting != nullptr) {
      EXPECT_TRUE(root["thresholds"][each.most.name].exists()) << each.name;
    }
  }
  EXPECT_EQ(root.At("/pictures/0/measured/luma").AsNumber(), 120);
  EXPECT_EQ(root.At("/pictures/0/measured/sharpness").AsNumber(), 150);
}

TEST(CaptureRecordTest, LeavesOutWhatCouldNotBeTold) {
  CaptureRecord record;
  record.camera.live = false;
  record.detector_compromise = "no model";
  FrameObservation seen = GoodFrame();
  seen.face->pose.pitch.reset();
  record.pictures.resize(2);
  record.pictures[0].seen = seen;
  record.pictures[1].seen = EmptyFrame();
  const auto json = JsonDocument::Parse(ToJson(record));
  ASSERT_TRUE(json);
  EXPECT_EQ(json->root()["challenges"].AsString(), "as shown");
  EXPECT_EQ(json->root()["detector_compromise"].AsString(), "no model");
  EXPECT_FALSE(json->root().At("/pictures/0/measured/pitch_degrees").exists());
  EXPECT_TRUE(json->root().At("/pictures/0/measured/yaw_degrees").exists());
  EXPECT_FALSE(json->root().At("/pictures/1/measured/score").exists());
}

}  // namespace
}  // namespace idkiosk
