#include "app/capture/camera_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/capture/observations.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

class CameraWatchTest : public testing::Test {
 protected:
  static FrameObservation Blank(double luma) {
    FrameObservation seen = EmptyFrame();
    seen.luma = luma;
    seen.contrast = 0.5;
    return seen;
  }

  CameraWatch watch_{"v4l2:/dev/video0"};
  MonotonicTime now_{std::chrono::hours(1)};
  const Error silent_{ErrorCode::kTimeout, "silent"};
};

TEST_F(CameraWatchTest, TellsTroubleAtOnceAndThenEveryTwoSeconds) {
  EXPECT_TRUE(watch_.Trouble(silent_, now_).tell);
  EXPECT_FALSE(watch_.Trouble(silent_, now_ + milliseconds(1999)).tell);
  EXPECT_TRUE(watch_.Trouble(silent_, now_ + seconds(2)).tell);
  EXPECT_FALSE(watch_.Trouble(silent_, now_ + seconds(3)).tell);
}

TEST_F(CameraWatchTest, GivesUpAfterTenSecondsWithTheFirstError) {
  EXPECT_FALSE(watch_.Trouble(silent_, now_).give_up);
  EXPECT_FALSE(watch_.Trouble({ErrorCode::kUnavailable, "away"}, now_ + seconds(9)).give_up);
  EXPECT_TRUE(watch_.Trouble({ErrorCode::kUnavailable, "away"}, now_ + seconds(10)).give_up);
  EXPECT_EQ(watch_.trouble()->message, "silent");
}

TEST_F(CameraWatchTest, ForgetsTroubleWhenThereIsAFrame) {
  (void)watch_.Trouble(silent_, now_);
  EXPECT_FALSE(watch_.Seen(GoodFrame(), now_ + seconds(9)).tell);
  EXPECT_FALSE(watch_.trouble());
  EXPECT_FALSE(watch_.Trouble(silent_, now_ + seconds(11)).give_up);
}

TEST_F(CameraWatchTest, SaysThatALensIsCovered) {
  EXPECT_FALSE(watch_.Seen(Blank(3), now_).tell);
  EXPECT_FALSE(watch_.Seen(Blank(3), now_ + milliseconds(900)).tell);
  EXPECT_TRUE(watch_.Seen(Blank(3), now_ + milliseconds(1000)).tell);
  EXPECT_THAT(watch_.trouble()->message,
              HasSubstr("v4l2:/dev/video0 is black: is its lens covered?"));
}

TEST_F(CameraWatchTest, SaysThatASensorIsBroken) {
  (void)watch_.Seen(Blank(128), now_);
  EXPECT_TRUE(watch_.Seen(Blank(128), now_ + seconds(1)).tell);
  EXPECT_THAT(watch_.trouble()->message, HasSubstr("one colour and nothing else"));
}

TEST_F(CameraWatchTest, PassesOverTheBlackFramesThatACameraBeginsWith) {
  (void)watch_.Seen(Blank(0), now_);
  (void)watch_.Seen(GoodFrame(), now_ + milliseconds(100));
  EXPECT_FALSE(watch_.Seen(Blank(0), now_ + milliseconds(1050)).tell);
}

}  // namespace
}  // namespace idkiosk
