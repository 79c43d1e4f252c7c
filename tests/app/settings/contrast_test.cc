#include "app/settings/contrast.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

TEST(ContrastTest, ReadsColoursAndNothingElse) {
  EXPECT_EQ(ParseColour("#0b5d3b"), (ScreenColour{0x0b, 0x5d, 0x3b}));
  EXPECT_EQ(ParseColour("#F2B705"), (ScreenColour{0xf2, 0xb7, 0x05}));
  for (const std::string_view bad : {"", "#", "0b5d3b", "#0b5d3", "#0b5d3bff", "#0b5d3g", "red"}) {
    EXPECT_EQ(ParseColour(bad), std::nullopt) << bad;
  }
}

// The figures that WCAG's own examples give.
TEST(ContrastTest, MeasuresAsWcagDoes) {
  EXPECT_NEAR(ContrastRatio(kBlackScreen, kWhiteScreen), 21, 0.01);
  EXPECT_NEAR(ContrastRatio(kWhiteScreen, kBlackScreen), 21, 0.01);
  EXPECT_NEAR(ContrastRatio(kWhiteScreen, kWhiteScreen), 1, 0.01);
  EXPECT_NEAR(ContrastRatio(*ParseColour("#767676"), kWhiteScreen), 4.54, 0.01);
  EXPECT_NEAR(ContrastRatio(*ParseColour("#777777"), kWhiteScreen), 4.48, 0.01);
}

}  // namespace
}  // namespace idkiosk
