#include "tools/sandbox/service/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/sandbox/service/portrait.h"

namespace idkiosk::sandbox {
namespace {

using testing::HasSubstr;

// 20 x 30 pixels, with an empty IDAT: headers are all that is looked at.
Bytes Png(uint32_t width = 20, uint32_t height = 30) {
  Bytes png = {0x89, 'P', 'N', 'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 'I', 'H', 'D', 'R'};
  AppendUint32(png, width);
  AppendUint32(png, height);
  for (const uint8_t byte : Bytes{8, 2, 0, 0, 0}) png.push_back(byte);
  AppendUint32(png, 0);
  AppendUint32(png, 0);
  for (const char c : {'I', 'E', 'N', 'D'}) png.push_back(static_cast<uint8_t>(c));
  AppendUint32(png, 0xae426082);
  return png;
}

TEST(InspectImageTest, ReadsTheSizeOfAJpegAndAPng) {
  const auto jpeg = InspectImage(DrawPortrait("somebody"));
  ASSERT_TRUE(jpeg) << jpeg.error().message;
  EXPECT_EQ(jpeg->width, 96);
  EXPECT_EQ(jpeg->height, 120);
  const auto png = InspectImage(Png());
  ASSERT_TRUE(png) << png.error().message;
  EXPECT_EQ(png->width, 20);
  EXPECT_EQ(png->height, 30);
}

TEST(InspectImageTest, RefusesAPictureCutShortAnywhere) {
  for (const Bytes& whole : {DrawPortrait("somebody"), Png()}) {
    for (size_t size = 0; size < whole.size() - 1; ++size) {
      EXPECT_FALSE(InspectImage(ByteSpan(whole).first(size))) << size;
    }
  }
}

TEST(InspectImageTest, RefusesWhatIsNoPicture) {
  for (const std::string_view text : {"", "GIF89a", "<html>", "\xff\xd8"}) {
    const auto size = InspectImage(AsBytes(text));
    ASSERT_FALSE(size);
    EXPECT_THAT(size.error().message, HasSubstr("neither a JPEG nor a PNG"));
  }
}

TEST(InspectImageTest, RefusesSidesThatAreTooShortOrTooLong) {
  EXPECT_FALSE(InspectImage(Png(15, 30)));
  EXPECT_TRUE(InspectImage(Png(16, 8192)));
  EXPECT_FALSE(InspectImage(Png(16, 8193)));
  EXPECT_FALSE(InspectImage(Png(0xffffffff, 0xffffffff)));
}

TEST(DrawPortraitTest, IsSmallAndNobodysTwin) {
  EXPECT_LT(DrawPortrait("one").size(), 4096U);
  EXPECT_EQ(DrawPortrait("one"), DrawPortrait("one"));
  EXPECT_NE(DrawPortrait("one"), DrawPortrait("two"));
}

}  // namespace
}  // namespace idkiosk::sandbox
