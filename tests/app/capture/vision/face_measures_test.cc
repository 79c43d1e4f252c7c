#include "app/capture/vision/face_measures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace idkiosk {
namespace {

Picture Flat(int width, int height, uint8_t luma) {
  Picture picture;
  picture.Resize(width, height);
  std::fill_n(picture.row(0), 3 * width * height, luma);
  return picture;
}

void Fill(Picture& picture, int left, int top, int right, int bottom, uint8_t luma) {
  for (int y = top; y < bottom; ++y) {
    std::fill_n(picture.row(y) + 3 * left, 3 * (right - left), luma);
  }
}

TEST(MeasureLightTest, TellsFaceAndSurroundingsApart) {
  Picture picture = Flat(160, 90, 200);
  Fill(picture, 60, 20, 100, 70, 60);
  const FaceLight light = MeasureLight(picture.view(), {60, 20, 40, 50});
  EXPECT_NEAR(light.mean, 60, 0.5);
  EXPECT_NEAR(light.surround, 200, 0.5);
  EXPECT_EQ(light.clipped, 0);
  EXPECT_NEAR(light.imbalance, 0, 0.01);
  EXPECT_NEAR(MeasureLook(picture.view()).luma, 200 - 140.0 * 2000 / 14400, 0.5);
  EXPECT_NEAR(MeasureLook(picture.view()).deviation, 48.4, 0.5);
  EXPECT_EQ(MeasureLook(Flat(16, 16, 90).view()).deviation, 0);
  EXPECT_EQ(MeasureLook(Flat(16, 16, 90).view()).colour, 0);
}

TEST(MeasureLightTest, SeesLightFromOneSideAndBlownOutSkin) {
  Picture picture = Flat(100, 100, 50);
  Fill(picture, 50, 0, 100, 100, 255);
  const FaceLight light = MeasureLight(picture.view(), {0, 0, 100, 100});
  EXPECT_GT(light.imbalance, 1);
  EXPECT_NEAR(light.clipped, 0.5, 0.02);
  EXPECT_EQ(light.low, 50);
  EXPECT_EQ(light.high, 255);
}

TEST(MeasureLightTest, AcceptsBoxesThatStandOutOfThePicture) {
  const Picture picture = Flat(20, 20, 80);
  EXPECT_NEAR(MeasureLight(picture.view(), {-10, -10, 100, 100}).mean, 80, 0.5);
  EXPECT_EQ(MeasureLight(picture.view(), {50, 50, 10, 10}).mean, 0);
}

Picture Stripes(int side, int width, uint8_t dark, uint8_t bright) {
  Picture picture = Flat(side, side, dark);
  for (int x = 0; x < side; x += 2 * width)
    Fill(picture, x, 0, std::min(side, x + width), side, bright);
  return picture;
}

TEST(SharpnessMeterTest, CountsDarkSkinNoLessThanLightSkin) {
  const double light = SharpnessMeter().Measure(Stripes(112, 8, 80, 200).view())->sharpness;
  const double dark = SharpnessMeter().Measure(Stripes(112, 8, 30, 70).view())->sharpness;
  EXPECT_GT(dark, 0.8 * light);
}

TEST(SharpnessMeterTest, TellsNoiseMotionAndDrawingsFromAPhotograph) {
  Picture noisy = Flat(112, 112, 0);
  uint32_t random = 1;
  for (int y = 0; y < 112; ++y) {
    for (int x = 0; x < 112; ++x) {
      random = random * 1664525 + 1013904223;
      std::fill_n(noisy.row(y) + 3 * x, 3, static_cast<uint8_t>(90 + random % 60));
    }
  }
  const Grain grain = SharpnessMeter().Measure(noisy.view())->grain;
  EXPECT_GT(grain.noise, 0.6);
  EXPECT_LT(grain.flat, 0.05);
  EXPECT_NEAR(grain.deviation, 60 / std::sqrt(12), 2);
  EXPECT_GT(grain.balance, 0.8);
  // Stripes have detail along rows alone, and are flat in between.
  const Grain stripes = SharpnessMeter().Measure(Stripes(112, 8, 80, 200).view())->grain;
  EXPECT_EQ(stripes.one_way, 0);
  EXPECT_EQ(stripes.balance, 0);
  EXPECT_EQ(stripes.deviation, 0);
  EXPECT_EQ(stripes.noise, 0);
  EXPECT_GT(stripes.flat, 0.8);
}

TEST(SharpnessMeterTest, FallsWithBlur) {
  Picture soft = Stripes(112, 8, 80, 200);
  for (int y = 0; y < 112; ++y) {
    uint8_t* const row = soft.row(y);
    for (int pass = 0; pass < 8; ++pass) {
      for (int i = 3; i < 3 * 111; ++i)
        row[i] = static_cast<uint8_t>((row[i - 3] + row[i] + row[i + 3]) / 3);
    }
  }
  EXPECT_LT(SharpnessMeter().Measure(soft.view())->sharpness,
            0.1 * SharpnessMeter().Measure(Stripes(112, 8, 80, 200).view())->sharpness);
}

TEST(SharpnessMeterTest, IsNothingForAFlatOrTinyFace) {
  EXPECT_EQ(SharpnessMeter().Measure(Flat(112, 112, 90).view())->sharpness, 0);
  EXPECT_EQ(SharpnessMeter().Measure(Flat(4, 4, 90).view())->sharpness, 0);
}

TEST(FaceAreaTest, IsTheSameOnWideAndUprightCamerasOfOneHeight) {
  const Box box{0, 0, 240, 320};
  EXPECT_DOUBLE_EQ(AreaInPortraitWindow(box, 1280, 720), AreaInPortraitWindow(box, 540, 720));
  EXPECT_NEAR(AreaInPortraitWindow(box, 1280, 720), 240 * 320 / (540.0 * 720), 1e-9);
  EXPECT_NEAR(AreaInPortraitWindow(box, 720, 1280), 240 * 320 / (720.0 * 960), 1e-9);
}

}  // namespace
}  // namespace idkiosk
