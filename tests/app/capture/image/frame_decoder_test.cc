#include "app/capture/image/frame_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/capture/pictures.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;

// Raw pixels of four flat quarters, like QuartersJpeg.
struct Ycc {
  uint8_t y, u, v;
};
constexpr Ycc kRed{82, 90, 240}, kGreen{145, 54, 34}, kBlue{41, 240, 110}, kWhite{235, 128, 128};

Ycc QuarterAt(int x, int y, int width, int height) {
  const bool right = x >= width / 2, lower = y >= height / 2;
  return lower ? (right ? kWhite : kBlue) : (right ? kGreen : kRed);
}

Frame Yuyv(int width, int height, int padding) {
  Bytes bytes;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; x += 2) {
      const Ycc c = QuarterAt(x, y, width, height);
      bytes.insert(bytes.end(), {c.y, c.u, c.y, c.v});
    }
    bytes.insert(bytes.end(), static_cast<size_t>(padding), 0);
  }
  return Frame::Owning(PixelFormat::kYuyv, width, height, 2 * width + padding, std::move(bytes));
}

Frame Nv12(int width, int height, int padding) {
  Bytes bytes;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) bytes.push_back(QuarterAt(x, y, width, height).y);
    bytes.insert(bytes.end(), static_cast<size_t>(padding), 0);
  }
  for (int y = 0; y < height; y += 2) {
    for (int x = 0; x < width; x += 2) {
      const Ycc c = QuarterAt(x, y, width, height);
      bytes.insert(bytes.end(), {c.u, c.v});
    }
    bytes.insert(bytes.end(), static_cast<size_t>(padding), 0);
  }
  return Frame::Owning(PixelFormat::kNv12, width, height, width + padding, std::move(bytes));
}

Frame Bgr(int width, int height) {
  Bytes bytes;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const bool right = x >= width / 2, lower = y >= height / 2;
      const auto on = [](bool lit) { return static_cast<uint8_t>(lit ? 255 : 0); };
      bytes.insert(bytes.end(), {on(lower), on(right), on(right == lower)});
    }
  }
  return Frame::Owning(PixelFormat::kBgr, width, height, 3 * width, std::move(bytes));
}

class FrameDecoderTest : public testing::Test {
 protected:
  FrameDecoder decoder_;
  Picture picture_;
};

TEST_F(FrameDecoderTest, ShrinksEveryFormatToTheSideAskedFor) {
  for (const Frame& frame :
       {JpegFrame(QuartersJpeg(1280, 704)), Yuyv(1280, 704, 0), Yuyv(1280, 704, 64),
        Nv12(1280, 704, 0), Nv12(1280, 704, 64), Bgr(1280, 704)}) {
    const auto size = decoder_.DecodeSmall(frame, 160, picture_);
    ASSERT_TRUE(size) << size.error().message;
    EXPECT_EQ(size->width, 1280);
    EXPECT_EQ(size->height, 704);
    EXPECT_EQ(picture_.width(), 160);
    EXPECT_EQ(picture_.height(), 88);
    EXPECT_EQ(QuartersOf(picture_), "rgbw") << static_cast<int>(frame.format);
  }
}

TEST_F(FrameDecoderTest, ShowsGreyAsGrey) {
  const Frame frame = Frame::Owning(PixelFormat::kGrey, 64, 64, 64, Bytes(64 * 64, 99));
  ASSERT_TRUE(decoder_.DecodeSmall(frame, 32, picture_));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(picture_.row(5)[i], 99);
}

TEST_F(FrameDecoderTest, LeavesSmallFramesAsTheyAre) {
  ASSERT_TRUE(decoder_.DecodeSmall(JpegFrame(QuartersJpeg(96, 64)), 160, picture_));
  EXPECT_EQ(picture_.width(), 96);
}

TEST_F(FrameDecoderTest, ShrinksSizesThatNoScaleOfJpegGives) {
  ASSERT_TRUE(decoder_.DecodeSmall(JpegFrame(QuartersJpeg(1920, 1088)), 160, picture_));
  EXPECT_EQ(picture_.width(), 160);
  EXPECT_EQ(picture_.height(), 91);
  EXPECT_EQ(QuartersOf(picture_), "rgbw");
}

struct Orientation {
  int exif;
  const char* upright;  // the quarters of what the camera meant, row by row
};

class OrientationTest : public FrameDecoderTest, public testing::WithParamInterface<Orientation> {};

TEST_P(OrientationTest, IsTurnedUpright) {
  const Frame frame = JpegFrame(WithOrientation(QuartersJpeg(256, 128), GetParam().exif));
  const auto size = decoder_.DecodeSmall(frame, 64, picture_);
  ASSERT_TRUE(size);
  EXPECT_EQ(QuartersOf(picture_), GetParam().upright);
  EXPECT_EQ(size->width, GetParam().exif <= 4 ? 256 : 128);
  EXPECT_EQ(picture_.width(), GetParam().exif <= 4 ? 64 : 32);
  // A part is named in the upright picture's coordinates.
  const float half_width = static_cast<float>(size->width) / 2;
  const float half_height = static_cast<float>(size->height) / 2;
  ASSERT_TRUE(decoder_.DecodePart(frame, {half_width, 0, half_width, half_height}, 64,
                                  JpegDecoder::Effort::kQuick, picture_));
  EXPECT_EQ(QuartersOf(picture_), std::string(4, GetParam().upright[1]));
}

// EXIF 2.3: where row 0 and column 0 of the stored picture (r g / b w) are seen.
INSTANTIATE_TEST_SUITE_P(Exif, OrientationTest,
                         testing::Values(Orientation{1, "rgbw"}, Orientation{2, "grwb"},
                                         Orientation{3, "wbgr"}, Orientation{4, "bwrg"},
                                         Orientation{5, "rbgw"}, Orientation{6, "brwg"},
                                         Orientation{7, "wgbr"}, Orientation{8, "gwrb"}),
                         [](const auto& parameter) {
                           return std::to_string(parameter.param.exif);
                         });

TEST_F(FrameDecoderTest, CutsTheSamePartOutOfEveryFormat) {
  for (const Frame& frame :
       {JpegFrame(QuartersJpeg(640, 352)), Yuyv(640, 352, 32), Nv12(640, 352, 32), Bgr(640, 352)}) {
    ASSERT_TRUE(decoder_.DecodePart(frame, {240, 96, 160, 160}, 80, JpegDecoder::Effort::kCareful,
                                    picture_));
    EXPECT_EQ(picture_.width(), 80);
    EXPECT_EQ(picture_.height(), 80);
    EXPECT_EQ(QuartersOf(picture_), "rgbw") << static_cast<int>(frame.format);
  }
}

TEST_F(FrameDecoderTest, KeepsAPartInsideTheFrame) {
  ASSERT_TRUE(decoder_.DecodePart(JpegFrame(QuartersJpeg(128, 128)), {-50, -50, 1000, 1000}, 1000,
                                  JpegDecoder::Effort::kCareful, picture_));
  EXPECT_EQ(picture_.width(), 128);
  ASSERT_TRUE(decoder_.DecodePart(JpegFrame(QuartersJpeg(128, 128)), {500, 500, 10, 10}, 10,
                                  JpegDecoder::Effort::kCareful, picture_));
  EXPECT_EQ(picture_.width(), 1);
}

TEST_F(FrameDecoderTest, RefusesRawFramesThatAreShorterThanTheySay) {
  for (Frame frame : {Yuyv(64, 64, 0), Nv12(64, 64, 0), Bgr(64, 64)}) {
    frame.data = frame.data.first(frame.data.size() - 1);
    const auto size = decoder_.DecodeSmall(frame, 32, picture_);
    ASSERT_FALSE(size);
    EXPECT_EQ(size.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(size.error().message, HasSubstr("too few for 64 x 64 pixels"));
  }
}

TEST_F(FrameDecoderTest, RefusesRawFramesThatMakeNoSense) {
  Frame frame = Yuyv(64, 64, 0);
  frame.stride = 10;
  EXPECT_EQ(decoder_.DecodeSmall(frame, 32, picture_).error().code, ErrorCode::kCorrupt);
  frame.stride = -128;
  EXPECT_EQ(decoder_.DecodeSmall(frame, 32, picture_).error().code, ErrorCode::kCorrupt);
  frame = Yuyv(64, 64, 0);
  frame.width = 63;
  EXPECT_EQ(decoder_.DecodeSmall(frame, 32, picture_).error().code, ErrorCode::kInvalid);
  frame.width = 0;
  EXPECT_EQ(decoder_.DecodeSmall(frame, 32, picture_).error().code, ErrorCode::kInvalid);
  frame.width = frame.height = 1 << 30;
  EXPECT_EQ(decoder_.DecodeSmall(frame, 32, picture_).error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace idkiosk
