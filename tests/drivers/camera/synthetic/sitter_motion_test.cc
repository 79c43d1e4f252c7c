#include "drivers/camera/synthetic/sitter_motion.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

using std::chrono::milliseconds;

TEST(SitterMotionTest, ReactsToACueOnlyAfterTheReactionTime) {
  SitterMotion motion(*ParseSitterScript("reaction=400"));
  EXPECT_NEAR(motion.Advance(milliseconds(100), SitterCue::kTurnLeft).yaw, 0, 1);
  EXPECT_NEAR(motion.Advance(milliseconds(480), SitterCue::kTurnLeft).yaw, 0, 1);
  EXPECT_GT(motion.Advance(milliseconds(900), SitterCue::kTurnLeft).yaw, 20);
  EXPECT_GT(motion.Advance(milliseconds(1500), SitterCue::kTurnLeft).yaw, 33);
}

TEST(SitterMotionTest, ComesBackWhenTheNextCueAsksForSomethingElse) {
  SitterMotion motion(*ParseSitterScript(""));
  (void)motion.Advance(milliseconds(0), SitterCue::kComeCloser);
  EXPECT_LT(motion.Advance(milliseconds(2000), SitterCue::kComeCloser).distance, 0.75);
  (void)motion.Advance(milliseconds(2001), SitterCue::kLookUp);
  const SitterPose pose = motion.Advance(milliseconds(5000), SitterCue::kLookUp);
  EXPECT_NEAR(pose.distance, 1, 0.02);
  EXPECT_GT(pose.pitch, 25);
}

TEST(SitterMotionTest, StaysAsTheScriptSaysWhenItDoesNotFollow) {
  SitterMotion motion(*ParseSitterScript("follow=no,yaw=10"));
  (void)motion.Advance(milliseconds(0), SitterCue::kTurnRight);
  EXPECT_NEAR(motion.Advance(milliseconds(5000), SitterCue::kTurnRight).yaw, 10, 1);
}

TEST(SitterMotionTest, IsNeverQuiteStill) {
  SitterMotion motion(*ParseSitterScript(""));
  const double before = motion.Advance(milliseconds(1000), SitterCue::kLookAhead).yaw;
  EXPECT_NE(motion.Advance(milliseconds(1033), SitterCue::kLookAhead).yaw, before);
}

TEST(SitterMotionTest, MovesAlikeAtAnyFrameRate) {
  SitterMotion often(*ParseSitterScript("")), seldom(*ParseSitterScript(""));
  for (int i = 0; i <= 100; ++i) (void)often.Advance(milliseconds(10 * i), SitterCue::kTurnLeft);
  (void)seldom.Advance(milliseconds(0), SitterCue::kTurnLeft);
  EXPECT_NEAR(often.Advance(milliseconds(1000), SitterCue::kTurnLeft).yaw,
              seldom.Advance(milliseconds(1000), SitterCue::kTurnLeft).yaw, 0.1);
}

}  // namespace
}  // namespace idkiosk
