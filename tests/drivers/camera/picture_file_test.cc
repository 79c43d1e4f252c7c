#include "drivers/camera/picture_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A PNG of those pixels, in libpng's `format`.
Bytes Png(int width, int height, uint32_t format, const Bytes& pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = format;
  png_alloc_size_t size = 0;
  png_image_write_to_memory(&image, nullptr, &size, 0, pixels.data(), 0, nullptr);
  Bytes png(size);
  png_image_write_to_memory(&image, png.data(), &size, 0, pixels.data(), 0, nullptr);
  png.resize(size);
  return png;
}

class PictureFileTest : public testing::Test {
 protected:
  FakeFileSystem files_;
};

TEST_F(PictureFileTest, ReadsAPngAsBlueGreenRed) {
  files_.Put("/a.png", Png(2, 1, PNG_FORMAT_RGB, {1, 2, 3, 4, 5, 6}));
  const auto frame = ReadPictureFile(files_, "/a.png");
  ASSERT_TRUE(frame) << frame.error().message;
  EXPECT_EQ(frame->format, PixelFormat::kBgr);
  EXPECT_EQ(frame->width, 2);
  EXPECT_EQ(frame->height, 1);
  EXPECT_EQ(frame->stride, 6);
  EXPECT_THAT(frame->data, ElementsAre(3, 2, 1, 6, 5, 4));
}

TEST_F(PictureFileTest, PutsTransparencyOnWhite) {
  files_.Put("/a.png", Png(1, 1, PNG_FORMAT_RGBA, {10, 20, 30, 0}));
  EXPECT_THAT(ReadPictureFile(files_, "/a.png")->data, ElementsAre(255, 255, 255));
}

TEST_F(PictureFileTest, GoesByTheContentAndNotTheName) {
  files_.Put("/a.jpg", Png(1, 1, PNG_FORMAT_GRAY, {7}));
  EXPECT_EQ(ReadPictureFile(files_, "/a.jpg")->format, PixelFormat::kBgr);
  files_.Put("/b.png", Bytes{0xff, 0xd8, 0xff, 0xe0});
  EXPECT_EQ(ReadPictureFile(files_, "/b.png")->format, PixelFormat::kJpeg);
}

TEST_F(PictureFileTest, NamesAFileThatIsNoPicture) {
  files_.Put("/a.jpg", AsBytes("hello"));
  const auto frame = ReadPictureFile(files_, "/a.jpg");
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(frame.error().message, "/a.jpg is not a picture: neither a JPEG nor a PNG");
}

TEST_F(PictureFileTest, NamesWhatItIsInsteadAndWhatToGive) {
  struct Case {
    std::string bytes;
    const char* kind;
  };
  using namespace std::string_literals;
  for (const Case& each :
       {Case{"RIFF\x24\0\0\0WEBPVP8 "s, "a WebP picture"},
        Case{"\0\0\0\x18"
             "ftypheic\0\0\0\0"s,
             "a HEIC picture"},
        Case{"\0\0\0\x18"
             "ftypmif1\0\0\0\0"s,
             "a HEIC picture"},
        Case{"\0\0\0\x1c"
             "ftypavif\0\0\0\0"s,
             "an AVIF picture"},
        Case{"GIF89a\1\0"s, "a GIF picture"}, Case{"BM\x46\0\0\0\0\0\0\0"s, "a BMP picture"},
        Case{"II*\0\x08\0\0\0"s, "a TIFF picture"}, Case{""s, "an empty file"}}) {
    files_.Put("/a.jpg", AsBytes(each.bytes));
    const auto frame = ReadPictureFile(files_, "/a.jpg");
    ASSERT_FALSE(frame);
    EXPECT_EQ(frame.error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(frame.error().message, fmt::format("/a.jpg is {}; give JPEG or PNG", each.kind));
  }
}

TEST_F(PictureFileTest, NamesADamagedPng) {
  Bytes png = Png(64, 64, PNG_FORMAT_GRAY, Bytes(64 * 64, 9));
  png.resize(png.size() / 2);
  files_.Put("/a.png", png);
  const auto frame = ReadPictureFile(files_, "/a.png");
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(frame.error().message, HasSubstr("/a.png is a damaged PNG"));
}

TEST_F(PictureFileTest, RefusesAPngOfTooManyPixelsBeforeItDecodesIt) {
  Bytes png = Png(1, 1, PNG_FORMAT_GRAY, {7});
  // IHDR's width and height, and its checksum.
  const Bytes header = {0,    0, 0, 13,   'I',  'H', 'D', 'R', 0, 0, 0x1f,
                        0x40, 0, 0, 0x1f, 0x40, 8,   0,   0,   0, 0};
  std::copy(header.begin(), header.end(), png.begin() + 8);
  uint32_t crc = 0xffffffff;
  for (size_t i = 12; i < 29; ++i) {
    crc ^= png[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  for (size_t i = 0; i < 4; ++i) png[29 + i] = static_cast<uint8_t>(~crc >> (24 - 8 * i));
  files_.Put("/big.png", png);
  const auto frame = ReadPictureFile(files_, "/big.png");
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(frame.error().message,
            "/big.png is 8000 x 8000 pixels; more than 50 megapixels are refused");
}

TEST_F(PictureFileTest, NamesAFileThatIsNotThere) {
  const auto frame = ReadPictureFile(files_, "/none.jpg");
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(frame.error().message, HasSubstr("/none.jpg"));
}

TEST(PictureNameTest, KnowsPicturesByTheirEnding) {
  EXPECT_TRUE(IsPictureName("a.jpg"));
  EXPECT_TRUE(IsPictureName("A.JPEG"));
  EXPECT_TRUE(IsPictureName("b.Png"));
  EXPECT_FALSE(IsPictureName(".hidden.jpg"));
  EXPECT_FALSE(IsPictureName("capture.json"));
  EXPECT_FALSE(IsPictureName("jpg"));
  EXPECT_FALSE(IsPictureName(""));
}

}  // namespace
}  // namespace idkiosk
