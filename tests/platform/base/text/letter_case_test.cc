#include "platform/base/text/letter_case.h"

#include <gtest/gtest.h>

#include <clocale>

namespace idkiosk {
namespace {

TEST(LetterCaseTest, ChangesTheLettersOfAsciiAndNothingBesideThem) {
  EXPECT_EQ(LowerCase("@AZ[`az{ 09-_"), "@az[`az{ 09-_");
  EXPECT_EQ(UpperCase("@AZ[`az{ 09-_"), "@AZ[`AZ{ 09-_");
  EXPECT_EQ(LowerCase(""), "");
  EXPECT_EQ(UpperCase(""), "");
}

TEST(LetterCaseTest, LeavesEveryByteBeyondAsciiAsItIs) {
  std::string bytes;
  for (int byte = 0x80; byte <= 0xff; ++byte) bytes += static_cast<char>(byte);
  EXPECT_EQ(LowerCase(bytes), bytes);
  EXPECT_EQ(UpperCase(bytes), bytes);
  EXPECT_EQ(LowerCase("\u00c9COLE"), "\u00c9cole");
}

TEST(LetterCaseTest, KeepsAZeroInTheMiddle) {
  EXPECT_EQ(LowerCase(std::string_view("A\0B", 3)), std::string_view("a\0b", 3));
}

TEST(LetterCaseTest, FindsTheSameWordInAnyCase) {
  EXPECT_TRUE(EqualsIgnoringCase("Content-Length", "content-LENGTH"));
  EXPECT_TRUE(EqualsIgnoringCase("", ""));
  EXPECT_FALSE(EqualsIgnoringCase("nin", "nin "));
  EXPECT_FALSE(EqualsIgnoringCase("nin", ""));
  EXPECT_FALSE(EqualsIgnoringCase("[", "{"));  // thirty-two apart, as a letter and its capital are
}

}  // namespace
}  // namespace idkiosk
