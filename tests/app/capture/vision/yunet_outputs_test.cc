#include "app/capture/vision/yunet_outputs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace idkiosk {
namespace {

// Two columns, two rows at stride 8; nothing but the last cell answers.
struct Outputs {
  std::vector<float> cls = {0, 0, 0, 0.81F};
  std::vector<float> obj = {0, 0, 0, 1.0F};
  std::vector<float> bbox = std::vector<float>(16);
  std::vector<float> kps = std::vector<float>(40);

  std::vector<Face> Read(float min_score = 0.6F) const {
    std::vector<Face> faces;
    ReadYunetLevel({8, 2, 2, cls, obj, bbox, kps}, min_score, faces);
    return faces;
  }
};

TEST(YunetOutputsTest, PlacesBoxAndLandmarksFromTheCell) {
  Outputs outputs;
  outputs.bbox[12] = 0.5F;            // centre: half a stride right of the cell's corner
  outputs.bbox[13] = -0.25F;          // and a quarter above it
  outputs.bbox[14] = std::log(3.0F);  // three strides wide
  outputs.bbox[15] = std::log(4.0F);
  outputs.kps[30] = -1;
  outputs.kps[39] = 2;
  const auto faces = outputs.Read();
  ASSERT_EQ(faces.size(), 1U);
  const Face& face = faces[0];
  EXPECT_FLOAT_EQ(face.score, 0.9F);
  EXPECT_TRUE(face.has_landmarks);
  EXPECT_FLOAT_EQ(face.box.width, 24);
  EXPECT_FLOAT_EQ(face.box.height, 32);
  EXPECT_FLOAT_EQ(face.box.centre().x, 12);
  EXPECT_FLOAT_EQ(face.box.centre().y, 6);
  EXPECT_FLOAT_EQ(face.landmarks[kRightEye].x, 0);
  EXPECT_FLOAT_EQ(face.landmarks[kRightEye].y, 8);
  EXPECT_FLOAT_EQ(face.landmarks[kLeftMouthCorner].y, 24);
}

TEST(YunetOutputsTest, PassesOverWeakCells) {
  Outputs outputs;
  outputs.obj[3] = 0.3F;
  EXPECT_TRUE(outputs.Read().empty());
  EXPECT_EQ(outputs.Read(0.4F).size(), 1U);
}

TEST(YunetOutputsTest, SurvivesNumbersThatAreNone) {
  Outputs outputs;
  outputs.cls[0] = outputs.obj[0] = std::numeric_limits<float>::quiet_NaN();
  outputs.cls[1] = outputs.obj[1] = 7;
  outputs.bbox[6] = 1000;  // e to that power is no number
  EXPECT_EQ(outputs.Read().size(), 1U);
}

TEST(SuppressOverlapsTest, KeepsTheBestOfThoseThatOverlap) {
  std::vector<Face> faces(3);
  faces[0].box = {0, 0, 10, 10};
  faces[0].score = 0.8F;
  faces[1].box = {1, 0, 10, 10};
  faces[1].score = 0.9F;
  faces[2].box = {30, 0, 10, 10};
  faces[2].score = 0.7F;
  SuppressOverlaps(faces, 0.3F);
  ASSERT_EQ(faces.size(), 2U);
  EXPECT_EQ(faces[0].score, 0.9F);
  EXPECT_EQ(faces[1].score, 0.7F);
}

}  // namespace
}  // namespace idkiosk
