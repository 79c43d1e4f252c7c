#include "app/capture/vision/face.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

Face FaceOfSide(float side) {
  Face face;
  face.box = {0, 0, side, side};
  return face;
}

TEST(OverlapTest, IsTheSharedAreaOverTheWholeArea) {
  EXPECT_FLOAT_EQ(Overlap({0, 0, 2, 2}, {0, 0, 2, 2}), 1);
  EXPECT_FLOAT_EQ(Overlap({0, 0, 2, 2}, {1, 0, 2, 2}), 2.0F / 6);
  EXPECT_FLOAT_EQ(Overlap({0, 0, 2, 2}, {2, 0, 2, 2}), 0);
  EXPECT_FLOAT_EQ(Overlap({0, 0, 2, 2}, {5, 5, 1, 1}), 0);
}

TEST(FaceListTest, KeepsTheLargestFirst) {
  FaceList faces;
  for (float side : {3.0F, 9.0F, 1.0F, 5.0F}) faces.Add(FaceOfSide(side));
  ASSERT_EQ(faces.size(), 4U);
  EXPECT_EQ(faces[0].box.width, 9);
  EXPECT_EQ(faces[1].box.width, 5);
  EXPECT_EQ(faces[3].box.width, 1);
}

TEST(FaceListTest, LeavesTheSmallestOfACrowdOut) {
  FaceList faces;
  for (int i = 0; i < 100; ++i) faces.Add(FaceOfSide(static_cast<float>(i * 37 % 100)));
  ASSERT_EQ(faces.size(), FaceList::kCapacity);
  for (size_t i = 0; i < faces.size(); ++i) {
    EXPECT_EQ(faces[i].box.width, static_cast<float>(99 - i));
  }
}

TEST(FaceListTest, ScalesBoxesAndLandmarks) {
  FaceList faces;
  Face face;
  face.box = {1, 2, 3, 4};
  face.landmarks[kNoseTip] = {5, 6};
  faces.Add(face);
  faces.Scale(10);
  EXPECT_EQ(faces[0].box.y, 20);
  EXPECT_EQ(faces[0].box.height, 40);
  EXPECT_EQ(faces[0].landmarks[kNoseTip].x, 50);
}

}  // namespace
}  // namespace idkiosk
