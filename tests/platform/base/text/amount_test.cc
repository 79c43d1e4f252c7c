#include "platform/base/text/amount.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

TEST(FormatAmountTest, IsExactForEveryNumber) {
  EXPECT_EQ(FormatAmount(0), "0.00");
  EXPECT_EQ(FormatAmount(5), "0.05");
  EXPECT_EQ(FormatAmount(-5), "-0.05");
  EXPECT_EQ(FormatAmount(99'999'999'999'999'999), "999999999999999.99");
  EXPECT_EQ(FormatAmount(INT64_MIN), "-92233720368547758.08");
}

}  // namespace
}  // namespace idkiosk
