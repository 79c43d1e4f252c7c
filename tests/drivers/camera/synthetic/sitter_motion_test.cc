#include "drivers/camera/synthetic/sitter_motion.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

using std::chrono::milliseconds;

constexpr SitterPose kLeft{.yaw = 36}, kRight{.yaw = -36}, kUp{.pitch = 28}, kNear{.distance = 0.7};

TEST(SitterMotionTest, ReactsToACueOnlyAfterTheReactionTime) {
  SitterMotion motion(*ParseSitterScript("reaction=400"));
  EXPECT_NEAR(motion.Advance(milliseconds(100), kLeft).yaw, 0, 1);
  EXPECT_NEAR(motion.Advance(milliseconds(480), kLeft).yaw, 0, 1);
  EXPECT_GT(motion.Advance(milliseconds(900), kLeft).yaw, 20);
  EXPECT_GT(motion.Advance(milliseconds(1500), kLeft).yaw, 33);
}

TEST(SitterMotionTest, ComesBackWhenTheNextCueAsksForSomethingElse) {
  SitterMotion motion(*ParseSitterScript(""));
  (void)motion.Advance(milliseconds(0), kNear);
  EXPECT_LT(motion.Advance(milliseconds(2000), kNear).distance, 0.75);
  (void)motion.Advance(milliseconds(2001), kUp);
  const SitterPose pose = motion.Advance(milliseconds(5000), kUp);
  EXPECT_NEAR(pose.distance, 1, 0.02);
  EXPECT_GT(pose.pitch, 25);
}

TEST(SitterMotionTest, StaysAsTheScriptSaysWhenItDoesNotFollow) {
  SitterMotion motion(*ParseSitterScript("follow=no,yaw=10"));
  (void)motion.Advance(milliseconds(0), kRight);
  EXPECT_NEAR(motion.Advance(milliseconds(5000), kRight).yaw, 10, 1);
}

TEST(SitterMotionTest, IsNeverQuiteStill) {
  SitterMotion motion(*ParseSitterScript(""));
  const double before = motion.Advance(milliseconds(1000), {}).yaw;
  EXPECT_NE(motion.Advance(milliseconds(1033), {}).yaw, before);
}

TEST(SitterMotionTest, MovesAlikeAtAnyFrameRate) {
  SitterMotion often(*ParseSitterScript("")), seldom(*ParseSitterScript(""));
  for (int i = 0; i <= 100; ++i) (void)often.Advance(milliseconds(10 * i), kLeft);
  (void)seldom.Advance(milliseconds(0), kLeft);
  EXPECT_NEAR(often.Advance(milliseconds(1000), kLeft).yaw,
              seldom.Advance(milliseconds(1000), kLeft).yaw, 0.1);
}

}  // namespace
}  // namespace idkiosk
