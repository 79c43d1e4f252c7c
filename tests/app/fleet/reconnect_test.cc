#include "app/fleet/reconnect.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/fakes/fake_entropy.h"

namespace idkiosk {
namespace {

constexpr Duration kSpread = std::chrono::seconds(60);

// A broker that comes back gets its kiosks back evenly.
TEST(ReconnectTest, ThousandsOfKiosksComeBackEvenly) {
  constexpr int kKiosks = 6000;
  constexpr int kParts = 12;
  std::array<int, kParts> in_part{};
  FakeEntropy entropy;
  for (int i = 0; i < kKiosks; ++i) {
    const Duration wait = Reconnect(entropy, kSpread).Next();
    ASSERT_GE(wait, Duration::zero());
    ASSERT_LT(wait, kSpread);
    ++in_part.at(static_cast<size_t>(wait * kParts / kSpread));
  }
  for (const int each : in_part) {
    EXPECT_LT(each, 2 * kKiosks / kParts);
    EXPECT_GT(each, kKiosks / kParts / 2);
  }
}

TEST(ReconnectTest, TriesInVainBecomeRareAndASuccessForgetsThem) {
  FakeEntropy entropy;
  Reconnect reconnect(entropy, kSpread);
  Duration longest{};
  for (int i = 0; i < 200; ++i) longest = std::max(longest, reconnect.Next());
  EXPECT_GT(longest, 5 * kSpread);
  EXPECT_LE(longest, Reconnect::kLongest);
  reconnect.Succeeded();
  EXPECT_LT(reconnect.Next(), kSpread);
}

}  // namespace
}  // namespace idkiosk
