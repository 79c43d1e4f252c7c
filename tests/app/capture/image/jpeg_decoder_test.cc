#include "app/capture/image/jpeg_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
// jpeglib.h wants cstdio before it.
#include <jpeglib.h>

#include <cstdlib>

#include "app/capture/image/jpeg_segments.h"
#include "tests/app/capture/pictures.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;

class JpegDecoderTest : public testing::Test {
 protected:
  Result<JpegDecoder::Part> Decode(ByteSpan jpeg, int eighths = 8) {
    return decoder_.Decode(jpeg, eighths, {0, 0, 1 << 20, 1 << 20}, JpegDecoder::Effort::kCareful,
                           picture_);
  }

  JpegDecoder decoder_{50'000'000};
  Picture picture_;
};

// libjpeg's own choice of scans, or another colour space.
Bytes SpecialJpeg(J_COLOR_SPACE colours, int components, bool progressive) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* out = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &out, &size);
  info.image_width = info.image_height = 64;
  info.input_components = components;
  info.in_color_space = colours;
  jpeg_set_defaults(&info);
  if (progressive) jpeg_simple_progression(&info);
  jpeg_start_compress(&info, TRUE);
  Bytes row(64 * static_cast<size_t>(components), 200);
  for (int i = 0; i < 64; ++i) {
    JSAMPROW line = row.data();
    jpeg_write_scanlines(&info, &line, 1);
  }
  jpeg_finish_compress(&info);
  Bytes jpeg(out, out + size);
  jpeg_destroy_compress(&info);
  std::free(out);
  return jpeg;
}

TEST_F(JpegDecoderTest, DecodesAtEachScale) {
  const Bytes jpeg = QuartersJpeg(256, 128);
  for (int eighths : {1, 2, 4, 8}) {
    ASSERT_TRUE(Decode(jpeg, eighths));
    EXPECT_EQ(picture_.width(), 32 * eighths);
    EXPECT_EQ(picture_.height(), 16 * eighths);
    EXPECT_EQ(QuartersOf(picture_), "rgbw");
  }
}

TEST_F(JpegDecoderTest, DecodesOnlyAPart) {
  const Bytes jpeg = QuartersJpeg(256, 256);
  const auto part =
      decoder_.Decode(jpeg, 4, {128, 128, 128, 128}, JpegDecoder::Effort::kQuick, picture_);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->x, 128);
  EXPECT_EQ(part->y, 128);
  EXPECT_EQ(picture_.width(), 64);
  EXPECT_EQ(QuartersOf(picture_), "wwww");
}

// libjpeg kept a pointer into the first picture's memory. It is built without sanitizers: valgrind
// sees it.
TEST_F(JpegDecoderTest, ReadsAPartQuicklyAfterAWholePictureCarefully) {
  const Bytes jpeg = QuartersJpeg(512, 512);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(Decode(jpeg));
    ASSERT_TRUE(
        decoder_.Decode(jpeg, 8, {0, 250, 512, 128}, JpegDecoder::Effort::kQuick, picture_));
  }
}

TEST_F(JpegDecoderTest, ReadsMotionJpegWithoutHuffmanTables) {
  // Optimised tables of the frame before must not be used for it.
  const Bytes bare = WithoutHuffmanTables(SpecialJpeg(JCS_RGB, 3, false));
  EXPECT_FALSE(FindJpegSegments(bare).has_huffman_tables);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(Decode(QuartersJpeg(64, 64)));
    ASSERT_TRUE(Decode(bare));
    EXPECT_EQ(QuartersOf(picture_), "wwww");
  }
}

TEST_F(JpegDecoderTest, ReadsProgressiveAndGreyPictures) {
  ASSERT_TRUE(Decode(SpecialJpeg(JCS_RGB, 3, true), 1));
  EXPECT_EQ(QuartersOf(picture_), "wwww");
  ASSERT_TRUE(Decode(SpecialJpeg(JCS_GRAYSCALE, 1, false), 1));
  EXPECT_EQ(QuartersOf(picture_), "wwww");
}

TEST_F(JpegDecoderTest, RefusesPrintersColoursWithTheMend) {
  const auto header = decoder_.ReadHeader(SpecialJpeg(JCS_CMYK, 4, false));
  ASSERT_FALSE(header);
  EXPECT_EQ(header.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(header.error().message, HasSubstr("save it as RGB"));
}

TEST_F(JpegDecoderTest, RefusesMoreThanFiftyMegapixelsByTheHeader) {
  const auto header = decoder_.ReadHeader(WithSize(QuartersJpeg(64, 64), 10000, 5001));
  ASSERT_FALSE(header);
  EXPECT_EQ(header.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(header.error().message,
            "the JPEG is 10000 x 5001 pixels; more than 50 megapixels are refused");
  EXPECT_TRUE(decoder_.ReadHeader(WithSize(QuartersJpeg(64, 64), 10000, 5000)));
}

TEST_F(JpegDecoderTest, SaysThatACutPictureIsDamaged) {
  const Bytes jpeg = QuartersJpeg(256, 256);
  for (size_t percent : {0, 1, 10, 50, 90, 99}) {
    const auto decoded = Decode(ByteSpan(jpeg).first(jpeg.size() * percent / 100));
    ASSERT_FALSE(decoded) << percent;
    EXPECT_EQ(decoded.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(decoded.error().message, HasSubstr("damaged JPEG"));
  }
  EXPECT_TRUE(Decode(jpeg)) << "and reads the next good one";
}

TEST_F(JpegDecoderTest, SurvivesEveryFlippedByte) {
  const Bytes jpeg = QuartersJpeg(64, 64);
  int damaged = 0;
  for (size_t i = 0; i < jpeg.size(); ++i) {
    Bytes flipped = jpeg;
    flipped[i] = static_cast<uint8_t>(~flipped[i]);
    const auto header = decoder_.ReadHeader(flipped);
    if (!header || !Decode(flipped, 1)) ++damaged;
  }
  EXPECT_GT(damaged, 50);
  EXPECT_TRUE(Decode(jpeg));
}

TEST_F(JpegDecoderTest, GivesUpOnMoreScansThanAnHonestPictureHas) {
  Bytes jpeg = SpecialJpeg(JCS_GRAYSCALE, 1, true);
  // The last scan again and again.
  size_t scan = jpeg.size() - 1;
  while (!(jpeg[scan] == 0xff && jpeg[scan + 1] == 0xda)) --scan;
  const Bytes last(jpeg.begin() + static_cast<ptrdiff_t>(scan), jpeg.end() - 2);
  jpeg.resize(jpeg.size() - 2);
  for (int i = 0; i < 100; ++i) jpeg.insert(jpeg.end(), last.begin(), last.end());
  const auto decoded = Decode(jpeg);
  ASSERT_FALSE(decoded);
  EXPECT_THAT(decoded.error().message, HasSubstr("damaged JPEG"));
}

TEST(JpegSegmentsTest, FindsOrientationAndMetadata) {
  const Bytes plain = QuartersJpeg(64, 64);
  EXPECT_FALSE(FindJpegSegments(plain).has_metadata);
  EXPECT_EQ(ExifOrientation(FindJpegSegments(plain).exif), 1);
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const Bytes tagged = WithOrientation(plain, orientation);
    const JpegSegments segments = FindJpegSegments(tagged);
    EXPECT_TRUE(segments.has_metadata);
    EXPECT_EQ(ExifOrientation(segments.exif), orientation);
  }
  const Bytes nonsense = WithOrientation(plain, 9);
  EXPECT_EQ(ExifOrientation(FindJpegSegments(nonsense).exif), 1);
}

TEST(JpegSegmentsTest, StopsWhereBytesMakeNoSense) {
  const Bytes jpeg = WithOrientation(QuartersJpeg(64, 64), 6);
  for (size_t size = 0; size < 60; ++size) {
    EXPECT_EQ(ExifOrientation(FindJpegSegments(ByteSpan(jpeg).first(size)).exif), size < 38 ? 1 : 6)
        << size;
  }
}

}  // namespace
}  // namespace idkiosk
