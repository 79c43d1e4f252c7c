#include "app/capture/vision/face.h"

#include <gtest/gtest.h>

#include <limits>

#include "app/capture/vision/face_detector.h"

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

// Says what it is told, as a network does on what it was not taught with.
class ToldDetector final : public FaceDetector {
 public:
  explicit ToldDetector(const Face& told) : told_(told) {}
  [[nodiscard]] bool finds_landmarks() const override { return true; }
  [[nodiscard]] int preferred_side() const override { return 160; }
  [[nodiscard]] std::string_view name() const override { return "told"; }

 private:
  [[nodiscard]] Status Find(const PictureView&, FaceList& faces) override {
    faces.Clear();
    faces.Add(told_);
    return {};
  }

  const Face told_;
};

TEST(FaceDetectorTest, DropsWhatIsNoNumberOrOutsideOfThePicture) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  constexpr float kEndless = std::numeric_limits<float>::infinity();
  Picture picture;
  picture.Resize(160, 90);
  const auto survives = [&picture](const Face& face) {
    FaceList faces;
    EXPECT_TRUE(ToldDetector(face).Detect(picture.view(), faces));
    return faces.size() == 1;
  };
  Face good;
  good.box = {-10, 20, 60, 80};  // cut off by two edges
  good.score = 0.9F;
  good.has_landmarks = true;
  EXPECT_TRUE(survives(good));
  for (const Box& box : {Box{kNone, 0, 9, 9}, Box{0, 0, 9, kNone}, Box{0, 0, kEndless, 9},
                         Box{-60, 20, 40, 40}, Box{170, 20, 40, 40}, Box{20, 200, 40, 40},
                         Box{20, 20, 0, 0}, Box{20, 20, -9, 40}, Box{-600, 0, 1300, 90}}) {
    Face bad = good;
    bad.box = box;
    EXPECT_FALSE(survives(bad)) << box.x << " " << box.y << " " << box.width << " " << box.height;
  }
  Face unmarked = good;
  unmarked.landmarks[kNoseTip].y = kNone;
  EXPECT_FALSE(survives(unmarked));
  Face unsure = good;
  unsure.score = kNone;
  EXPECT_FALSE(survives(unsure));
}

}  // namespace
}  // namespace idkiosk
