#include "drivers/camera/supervised_camera.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "drivers/camera/synthetic/synthetic_camera.h"
#include "tests/drivers/camera/virtual_wait.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

class SupervisedCameraTest : public testing::Test {
 protected:
  void Watch(std::string_view script) {
    auto sitter = std::make_unique<SyntheticCamera>("synthetic", *ParseSitterScript(script), clock_,
                                                    VirtualWait(clock_));
    camera_.emplace(std::move(sitter), SupervisedCamera::Patience(), clock_, VirtualWait(clock_));
    ASSERT_TRUE(camera_->Open({320, 240, 30}));
  }

  // Frames until one fails: its error, and how many there were.
  Error FirstTrouble() {
    for (frames_ = 0; frames_ < 1000; ++frames_) {
      const auto frame = Next();
      if (!frame) return frame.error();
    }
    return {ErrorCode::kInternal, "no trouble"};
  }
  Result<Frame> Next() { return camera_->NextFrame(clock_.Now() + seconds(2)); }

  // How long until there is a frame again.
  Duration TimeToRecover() {
    const MonotonicTime start = clock_.Now();
    for (int i = 0; i < 100; ++i) {
      if (Next()) return clock_.Now() - start;
    }
    return Duration::max();
  }

  FakeClock clock_;
  std::optional<SupervisedCamera> camera_;
  int frames_ = 0;
};

TEST_F(SupervisedCameraTest, HandsOnTheFramesOfAGoodCamera) {
  Watch("");
  for (int i = 0; i < 30; ++i) EXPECT_TRUE(Next());
}

TEST_F(SupervisedCameraTest, FindsACameraThatWasUnpluggedWithinThreeSecondsOfItsReturn) {
  Watch("unplug=0.5+4");
  const MonotonicTime returns = clock_.Now() + milliseconds(4500);
  const Error error = FirstTrouble();
  EXPECT_EQ(error.code, ErrorCode::kUnavailable);
  EXPECT_THAT(error.message, HasSubstr("was unplugged"));
  const auto away = Next();
  ASSERT_FALSE(away);
  EXPECT_EQ(away.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(away.error().message, HasSubstr("the camera is gone; still looking for it"));
  EXPECT_NE(TimeToRecover(), Duration::max());
  EXPECT_LT(clock_.Now(), returns + milliseconds(300));
}

TEST_F(SupervisedCameraTest, OpensASilentCameraAgain) {
  Watch("silent=0.5+2.4");
  const Error error = FirstTrouble();
  EXPECT_EQ(error.code, ErrorCode::kTimeout);
  EXPECT_EQ(error.message, "the camera synthetic is silent: no frame for 2.0 s");
  EXPECT_LT(TimeToRecover(), seconds(3));
}

TEST_F(SupervisedCameraTest, WaitsNoLongerThanItsCallerDoes) {
  Watch("silent=0.1");
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(Next());
  clock_.Advance(milliseconds(100));
  const MonotonicTime deadline = clock_.Now() + milliseconds(100);
  EXPECT_EQ(camera_->NextFrame(deadline).error().code, ErrorCode::kTimeout);
  EXPECT_EQ(clock_.Now(), deadline);
}

TEST_F(SupervisedCameraTest, GivesNoFrozenPictureTwiceAndOpensTheCameraAgain) {
  Watch("freeze=0.5+2");
  const Error error = FirstTrouble();
  EXPECT_LE(frames_, 17);
  EXPECT_EQ(error.code, ErrorCode::kTimeout);
  EXPECT_EQ(error.message, "the camera synthetic is frozen: the same picture for 1.5 s");
  EXPECT_LT(TimeToRecover(), seconds(3));
}

TEST_F(SupervisedCameraTest, PassesOverASingleRepeatedFrame) {
  Watch("freeze=0.5+0.1");
  std::vector<Bytes> pictures;
  for (int i = 0; i < 30; ++i) {
    const auto frame = Next();
    ASSERT_TRUE(frame);
    pictures.emplace_back(frame->data.begin(), frame->data.end());
  }
  EXPECT_EQ(std::ranges::adjacent_find(pictures), pictures.end());
}

TEST_F(SupervisedCameraTest, StaysClosedWhenItIsClosed) {
  Watch("");
  camera_->Close();
  EXPECT_EQ(Next().error().code, ErrorCode::kFailedPrecondition);
}

}  // namespace
}  // namespace idkiosk
