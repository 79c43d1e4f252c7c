#include "app/accounts/amount.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace idkiosk {
namespace {

using testing::HasSubstr;

TEST(Amount, IsReadAsSpreadsheetsWriteIt) {
  const std::pair<const char*, int64_t> cases[] = {
      {"100", 10'000},
      {"100.5", 10'050},
      {"100,50", 10'050},
      {"0.01", 1},
      {"1,234.50", 123'450},
      {"1.234,50", 123'450},
      {"1 234,50", 123'450},
      {"1'234.50", 123'450},
      {"1\xC2\xA0"
       "234,50",
       123'450},
      {"1\xE2\x80\xAF"
       "234\xE2\x80\xAF"
       "567,89",
       123'456'789},
      {"1\xE2\x80\x99"
       "234.50",
       123'450},
      {"6579.2400", 657'924},
      {"100.0000", 10'000},
      {"1,234,567.89", 123'456'789},
      {"999999999999999.99", 99'999'999'999'999'999},
  };
  for (const auto& [text, hundredths] : cases) {
    const auto amount = ParseAmount(text);
    ASSERT_TRUE(amount) << text;
    EXPECT_EQ(*amount, hundredths) << text;
  }
}

TEST(Amount, NamesWhatIsNone) {
  for (const char* text : {"", ".", ",50", "1.", "abc", "-5", "1e3", "12,34.50", "1,2345.00",
                           "1.2.3,4", "1234567890123456", "1,234 NGN", "1,23,456.00"}) {
    EXPECT_FALSE(ParseAmount(text)) << text;
  }
  for (const char* text : {"1,234", "1.234"}) {
    const auto amount = ParseAmount(text);
    ASSERT_FALSE(amount) << text;
    EXPECT_THAT(amount.error().message, HasSubstr("two amounts"));
  }
}

TEST(Amount, AMarkThatComesTwiceStandsBetweenThousands) {
  for (const char* text : {"1,234,567", "1.234.567"}) {
    const auto amount = ParseAmount(text);
    ASSERT_TRUE(amount) << amount.error().message;
    EXPECT_EQ(*amount, 123'456'700) << text;
  }
}

TEST(Amount, SaysWhatIsTooMuchOrTooFine) {
  const auto error_of = [](const char* text) {
    const auto amount = ParseAmount(text);
    return amount ? std::string() : amount.error().message;
  };
  for (const char* text :
       {"9223372036854775808", "1234567890123456.00", "1,234,567,890,123,456.00"}) {
    EXPECT_THAT(error_of(text), HasSubstr("more than 999999999999999.99")) << text;
  }
  EXPECT_THAT(error_of("1,234.567"), HasSubstr("more than two decimals: round it to two"));
  EXPECT_THAT(error_of("0.500"), HasSubstr("more than two decimals: round it to two"));
  EXPECT_THAT(error_of("100.5051"), HasSubstr("more than two decimals: round it to two"));
}

TEST(Amount, ACreditIsBelowNothingHoweverItIsWritten) {
  for (const char* text : {"-1,234.50", "(1,234.50)", "1,234.50-",
                           "\xE2\x88\x92"
                           "1.234,50",
                           "- 1234.5"}) {
    const auto amount = ParseSignedAmount(text);
    ASSERT_TRUE(amount) << text << ": " << amount.error().message;
    EXPECT_EQ(*amount, -123'450) << text;
    EXPECT_FALSE(ParseAmount(text)) << "it is no price";
  }
  EXPECT_EQ(*ParseSignedAmount("100"), 10'000);
  EXPECT_EQ(*ParseSignedAmount("+1,234.50"), 123'450);
  for (const char* text : {"-", "()", "--5", "-(5)", "(5", "5)", "-5-", "+-5", "-+5", ""}) {
    EXPECT_FALSE(ParseSignedAmount(text)) << text;
  }
}

}  // namespace
}  // namespace idkiosk
