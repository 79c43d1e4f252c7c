#include "app/capture/vision/head_pose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace idkiosk {
namespace {

// Eyes 100 apart, an upright face that looks straight ahead.
Face StraightFace() {
  Face face;
  face.has_landmarks = true;
  face.box = {200, 100, 220, 300};
  face.landmarks = {Point{260, 225}, Point{360, 225}, Point{310, 276}, Point{268, 320},
                    Point{352, 320}};
  return face;
}

Face Tilted(Face face, double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  const Point centre = face.box.centre();
  for (Point& p : face.landmarks) {
    const double x = p.x - centre.x, y = p.y - centre.y;
    p.x = static_cast<float>(centre.x + x * std::cos(angle) - y * std::sin(angle));
    p.y = static_cast<float>(centre.y + x * std::sin(angle) + y * std::cos(angle));
  }
  return face;
}

TEST(HeadPoseTest, IsZeroForAStraightFace) {
  const HeadPose pose = PoseOf(StraightFace());
  EXPECT_NEAR(*pose.yaw, 0, 0.1);
  EXPECT_NEAR(*pose.pitch, 0, 12);
  EXPECT_NEAR(*pose.roll, 0, 0.1);
}

TEST(HeadPoseTest, IsPositiveToThePersonsLeft) {
  Face face = StraightFace();
  face.landmarks[kNoseTip].x += 23;  // 0.63 tan(20 degrees) of the eyes' distance
  EXPECT_NEAR(*PoseOf(face).yaw, 20, 0.5);
  face.landmarks[kNoseTip].x -= 46;
  EXPECT_NEAR(*PoseOf(face).yaw, -20, 0.5);
}

TEST(HeadPoseTest, RisesWithTheNose) {
  Face up = StraightFace(), down = StraightFace();
  up.landmarks[kNoseTip].y -= 10;
  down.landmarks[kNoseTip].y += 10;
  EXPECT_GT(*PoseOf(up).pitch, *PoseOf(StraightFace()).pitch + 10);
  EXPECT_LT(*PoseOf(down).pitch, *PoseOf(StraightFace()).pitch - 10);
}

TEST(HeadPoseTest, DoesNotTakeATiltForATurn) {
  const HeadPose pose = PoseOf(Tilted(StraightFace(), 15));
  EXPECT_GT(*pose.roll, 14);
  EXPECT_NEAR(*pose.yaw, 0, 0.5);
  EXPECT_NEAR(*pose.pitch, *PoseOf(StraightFace()).pitch, 1);
  EXPECT_LT(*PoseOf(Tilted(StraightFace(), -15)).roll, -14);
}

TEST(HeadPoseTest, IsFiniteForLandmarksInOnePlace) {
  Face face;
  const HeadPose pose = PoseOf(face);
  EXPECT_TRUE(std::isfinite(*pose.yaw));
  EXPECT_TRUE(std::isfinite(*pose.pitch));
  EXPECT_TRUE(std::isfinite(*pose.roll));
}

}  // namespace
}  // namespace idkiosk
