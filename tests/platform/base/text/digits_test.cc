#include "platform/base/text/digits.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace idkiosk {
namespace {

TEST(DigitsTest, AreThoseOfAsciiAlone) {
  EXPECT_TRUE(AreDigits("0123456789"));
  for (const char* text : {"", " ", "1 ", "-1", "+1", "1.", "\u0661", "\xb2", "/", ":"}) {
    EXPECT_FALSE(AreDigits(text)) << text;
  }
}

TEST(DigitsTest, ANumberIsTheWholeText) {
  EXPECT_EQ(ParseNumber<int>("0"), 0);
  EXPECT_EQ(ParseNumber<int>("-17"), -17);
  EXPECT_EQ(ParseNumber<int64_t>("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(ParseNumber<double>("2.5"), 2.5);
  for (const char* text : {"", " 1", "1 ", "+1", "1x", "0x10", "1.0", "--1", "2147483648"}) {
    EXPECT_EQ(ParseNumber<int>(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseNumber<uint32_t>("-1"), std::nullopt);
  EXPECT_EQ(ParseNumber<uint8_t>("256"), std::nullopt);
  EXPECT_EQ(ParseNumber<int>(std::string_view("1\0", 2)), std::nullopt);
}

}  // namespace
}  // namespace idkiosk
