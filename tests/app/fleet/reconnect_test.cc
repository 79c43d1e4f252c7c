#include "app/fleet/reconnect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tests/fakes/fake_entropy.h"

namespace idkiosk {
namespace {

using std::chrono::seconds;

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

// The most tries in one second, where so many kiosks lose a broker together that is gone for
// `outage`, on a virtual clock.
int MostTriesInASecond(int kiosks, Duration spread, Duration outage) {
  FakeEntropy entropy;
  std::vector<int> tries;  // by second
  for (int i = 0; i < kiosks; ++i) {
    Reconnect reconnect(entropy, spread);
    Duration now{};
    do {
      now += reconnect.Next();
      const auto second = static_cast<size_t>(now / Duration(seconds(1)));
      if (second >= tries.size()) tries.resize(2 * second + 1);
      ++tries[second];
    } while (now < outage);
  }
  return std::ranges::max(tries);
}

// The steady rate is that of all kiosks over `reconnect_within`.
TEST(ReconnectTest, AHundredThousandKiosksAskAtMostTwiceAsOftenHoweverLongTheBrokerIsGone) {
  constexpr int kKiosks = 100'000;
  for (const auto spread : {seconds(60), seconds(600), seconds(3600)}) {
    for (const auto outage : {seconds(0), spread, 4 * spread}) {
      const int most = MostTriesInASecond(kKiosks, spread, outage);
      const auto steady = kKiosks / static_cast<double>(spread.count());
      // By chance a second of few has some more.
      EXPECT_LE(most, 2 * steady + 5 * std::sqrt(steady)) << spread << " " << outage;
      EXPECT_GE(most, steady);
    }
  }
}

TEST(ReconnectTest, TriesInVainBecomeRareAndASuccessForgetsThem) {
  FakeEntropy entropy;
  Reconnect reconnect(entropy, kSpread);
  Duration longest{};
  for (int i = 0; i < 200; ++i) longest = std::max(longest, reconnect.Next());
  EXPECT_GT(longest, 5 * kSpread);
  EXPECT_LE(longest, reconnect.longest());
  EXPECT_EQ(reconnect.longest(), std::chrono::minutes(10));
  reconnect.Succeeded();
  EXPECT_LT(reconnect.Next(), kSpread);
}

}  // namespace
}  // namespace idkiosk
