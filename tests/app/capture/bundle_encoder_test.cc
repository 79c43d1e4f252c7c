#include "app/capture/bundle_encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "app/capture/image/jpeg_segments.h"
#include "tests/app/capture/pictures.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;

// Noise: nothing takes more bytes.
Frame NoiseFrame(int width, int height) {
  std::minstd_rand random(1);
  Bytes bytes(static_cast<size_t>(3 * width * height));
  for (uint8_t& each : bytes) each = static_cast<uint8_t>(random());
  return Frame::Owning(PixelFormat::kBgr, width, height, 3 * width, std::move(bytes));
}

KeptFrame Whole(Frame frame, int width, int height) {
  return {std::move(frame), {0, 0, static_cast<float>(width), static_cast<float>(height)}};
}

class BundleEncoderTest : public testing::Test {
 protected:
  CaptureSettings settings_;
  FrameDecoder decoder_;
  BundleEncoder encoder_{settings_, decoder_};
};

TEST_F(BundleEncoderTest, MakesPlainUprightJpegs) {
  const Frame turned = JpegFrame(WithOrientation(QuartersJpeg(640, 320), 6));
  const auto picture = encoder_.EncodePicture(Whole(turned, 320, 640), 320, 50000);
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(picture->width, 160);
  EXPECT_EQ(picture->height, 320);
  EXPECT_EQ(picture->quality, 80);
  EXPECT_FALSE(FindJpegSegments(picture->jpeg.view()).has_metadata);
  Picture decoded;
  const Frame frame = JpegFrame({picture->jpeg.view().begin(), picture->jpeg.view().end()});
  ASSERT_TRUE(decoder_.DecodeSmall(frame, 1000, decoded));
  EXPECT_EQ(QuartersOf(decoded), "brwg");
}

TEST_F(BundleEncoderTest, NeverEnlarges) {
  const auto picture =
      encoder_.EncodePicture(Whole(JpegFrame(QuartersJpeg(96, 64)), 96, 64), 640, 50000);
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->width, 96);
}

TEST_F(BundleEncoderTest, LowersTheQualityFirstAndThenTheSize) {
  Studio studio("noise=6", 640, 360);
  const KeptFrame face = Whole(studio.Shoot(), 640, 360);
  const auto free = encoder_.EncodePicture(face, 640, 1'000'000);
  ASSERT_TRUE(free);
  const auto tight = encoder_.EncodePicture(face, 640, free->jpeg.size() * 8 / 10);
  ASSERT_TRUE(tight);
  EXPECT_LT(tight->quality, 80);
  EXPECT_EQ(tight->width, 640);
  const auto tiny = encoder_.EncodePicture(face, 640, free->jpeg.size() / 6);
  ASSERT_TRUE(tiny) << tiny.error().message;
  EXPECT_LT(tiny->width, 640);
}

TEST_F(BundleEncoderTest, FitsEveryBudgetThatAFaceMayGet) {
  Studio studio("noise=6,tone=2", 640, 360);
  const Frame frame = studio.Shoot();
  for (size_t budget : {20000, 12000, 8000, 6000, 4000, 3000}) {
    const auto picture = encoder_.EncodePicture(Whole(frame, 640, 360), 640, budget);
    ASSERT_TRUE(picture) << picture.error().message;
    EXPECT_LE(picture->jpeg.size(), budget);
    // A budget is there to be used.
    EXPECT_GT(picture->jpeg.size(), budget / 2) << budget << " " << picture->quality;
  }
}

TEST_F(BundleEncoderTest, SaysWhenABudgetIsHopeless) {
  const auto picture = encoder_.EncodePicture(Whole(NoiseFrame(240, 320), 240, 320), 320, 300);
  ASSERT_FALSE(picture);
  EXPECT_EQ(picture.error().code, ErrorCode::kExhausted);
  EXPECT_THAT(picture.error().message, HasSubstr("300 are allowed: raise capture.bundle_bytes"));
}

TEST_F(BundleEncoderTest, KeepsTheWholeBundleInItsBytesAndGivesTheSelfieWhatIsLeft) {
  const KeptFrame noise = Whole(NoiseFrame(480, 640), 480, 640);
  const KeptFrame flat = Whole(JpegFrame(QuartersJpeg(480, 640)), 480, 640);
  const auto all_noise = encoder_.Encode(noise, {noise, noise, noise, noise});
  ASSERT_TRUE(all_noise) << all_noise.error().message;
  EXPECT_LE(all_noise->total_bytes(), static_cast<size_t>(settings_.bundle_bytes));
  const auto flat_liveness = encoder_.Encode(noise, {flat, flat, flat, flat});
  ASSERT_TRUE(flat_liveness);
  EXPECT_LE(flat_liveness->total_bytes(), static_cast<size_t>(settings_.bundle_bytes));
  EXPECT_GT(flat_liveness->selfie.jpeg.size(), all_noise->selfie.jpeg.size() * 5 / 4);
  EXPECT_EQ(flat_liveness->liveness[0].height, settings_.liveness_side);
}

TEST(HeadCutTest, IsAnUprightWindowAroundTheHead) {
  const Box cut = HeadCut({540, 200, 200, 270}, 1280, 720);
  EXPECT_FLOAT_EQ(cut.width / cut.height, 0.75F);
  EXPECT_FLOAT_EQ(cut.height, 540);
  EXPECT_NEAR(cut.centre().x, 640, 1);
  EXPECT_LT(cut.y, 200 - 100);
  EXPECT_GT(cut.y + cut.height, 470 + 100);
}

TEST(HeadCutTest, StaysInsideTheFrame) {
  for (const Box& face : {Box{-50, -50, 300, 400}, Box{1100, 500, 300, 400}, Box{0, 0, 1280, 720},
                          Box{10, 10, 2, 2}, Box{400, 0, 480, 720}}) {
    for (const auto& [width, height] : {std::pair{1280, 720}, std::pair{300, 2000}}) {
      const Box cut = HeadCut(face, width, height);
      EXPECT_GE(cut.x, 0);
      EXPECT_GE(cut.y, 0);
      EXPECT_LE(cut.x + cut.width, static_cast<float>(width) + 0.01F);
      EXPECT_LE(cut.y + cut.height, static_cast<float>(height) + 0.01F);
    }
  }
}

}  // namespace
}  // namespace idkiosk
