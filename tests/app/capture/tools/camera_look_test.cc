#include "app/capture/tools/camera_look.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/capture/observations.h"
#include "tests/app/capture/sitting.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::Field;
using testing::SizeIs;

const Measure* Find(const std::vector<Measure>& measures, std::string_view name) {
  const auto found = std::ranges::find(measures, name, &Measure::name);
  return found == measures.end() ? nullptr : &*found;
}

TEST(CameraLookTest, GoodFaceKeepsEveryLimit) {
  const CaptureSettings limits;
  for (const Measure& each : MeasuresOf(GoodFrame(), limits)) {
    EXPECT_TRUE(each.good) << each.name << " " << each.value;
    EXPECT_LT(each.low, each.high) << each.name;
  }
}

TEST(CameraLookTest, LimitsAreThoseInForce) {
  CaptureSettings limits;
  limits.max_yaw = 7;
  limits.min_luma = 130;
  const auto measures = MeasuresOf(GoodFrame(), limits);
  ASSERT_NE(Find(measures, "Yaw"), nullptr);
  EXPECT_EQ(Find(measures, "Yaw")->low, -7);
  EXPECT_EQ(Find(measures, "Yaw")->high, 7);
  EXPECT_EQ(Find(measures, "Yaw")->limits, "-7 to 7");
  EXPECT_EQ(Find(measures, "Sharpness")->limits, "at least 30");
  EXPECT_FALSE(Find(measures, "Face's luma")->good);
}

TEST(CameraLookTest, NobodyAndACrowdAreBothNotOneFace) {
  EXPECT_FALSE(Find(MeasuresOf(EmptyFrame(), {}), "Faces")->good);
  EXPECT_EQ(Find(MeasuresOf(EmptyFrame(), {}), "Yaw"), nullptr);
  FrameObservation crowd = GoodFrame();
  crowd.other_faces = 1;
  EXPECT_FALSE(Find(MeasuresOf(crowd, {}), "Faces")->good);
}

TEST(CameraLookTest, WhatWasNotMeasuredIsNotShown) {
  FrameObservation seen = GoodFrame();
  seen.face->pose.pitch.reset();
  seen.face->sharpness.reset();
  EXPECT_EQ(Find(MeasuresOf(seen, {}), "Pitch"), nullptr);
  EXPECT_EQ(Find(MeasuresOf(seen, {}), "Sharpness"), nullptr);
}

class Watcher final : public CameraWatcher {
 public:
  explicit Watcher(int enough) : enough_(enough) {}
  void OnFrame(const Frame&) override {
    if (++frames == enough_) stop.request_stop();
  }
  void OnMeasures(std::vector<Measure> measures) override { looks.push_back(std::move(measures)); }
  void OnTrouble(const Error& error) override { troubles.push_back(error.message); }

  std::stop_source stop;
  int frames = 0;
  std::vector<std::vector<Measure>> looks;
  std::vector<std::string> troubles;

 private:
  const int enough_;
};

TEST(CameraLookTest, MeasuresFourTimesASecondAndShowsEveryFrame) {
  Sitting sitting("");  // 15 frames a second
  Watcher watcher(45);
  const Status looked = LookThrough(sitting.studio.camera(), sitting.analyzer, sitting.settings,
                                    sitting.studio.clock(), watcher, watcher.stop.get_token());
  ASSERT_TRUE(looked) << looked.error().message;
  EXPECT_EQ(watcher.frames, 45);
  EXPECT_GE(watcher.looks.size(), 10U);
  EXPECT_LE(watcher.looks.size(), 13U);
  EXPECT_THAT(watcher.looks.back(), Contains(Field(&Measure::name, "Yaw")));
  EXPECT_THAT(watcher.troubles, SizeIs(0));
}

// Gives damaged pictures, then is unplugged for good.
class FailingCamera final : public Camera {
 public:
  Result<CameraInfo> Open(const CameraRequest&) override { return CameraInfo(); }
  Result<Frame> NextFrame(MonotonicTime) override {
    if (++asked_ == 1) return Frame::Owning(PixelFormat::kJpeg, 640, 480, 0, Bytes(100));
    if (asked_ == 2) return Fail(ErrorCode::kTimeout, "silent");
    return Fail(ErrorCode::kForbidden, "not yours");
  }
  void Close() override {}

 private:
  int asked_ = 0;
};

TEST(CameraLookTest, TroubleThatMayPassIsNotTheEnd) {
  Sitting sitting("");
  FailingCamera camera;
  Watcher watcher(100);
  const Status looked = LookThrough(camera, sitting.analyzer, sitting.settings,
                                    sitting.studio.clock(), watcher, watcher.stop.get_token());
  ASSERT_FALSE(looked);
  EXPECT_EQ(looked.error().code, ErrorCode::kForbidden);
  EXPECT_THAT(watcher.troubles, SizeIs(3));
}

}  // namespace
}  // namespace idkiosk
