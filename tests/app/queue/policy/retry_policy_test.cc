#include "app/queue/policy/retry_policy.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_entropy.h"

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Duration kNow = hours(24 * 365 * 56);

class RetryPolicyTest : public testing::Test {
 protected:
  // What the random numbers choose, always.
  void DrawLowest() { entropy_.set_constant(0x00); }
  void DrawHighest() { entropy_.set_constant(0xff); }

  FakeEntropy entropy_;
  QueueSettings settings_;
  RetryPolicy policy_{settings_, entropy_};
};

TEST_F(RetryPolicyTest, BackoffDoublesUpToItsEndAndIsFullyJittered) {
  const Duration ceilings[] = {seconds(4),   seconds(8),   seconds(16),  seconds(32), seconds(64),
                               seconds(128), seconds(256), seconds(512), minutes(15), minutes(15)};
  for (int failures = 1; failures <= 10; ++failures) {
    DrawLowest();
    EXPECT_EQ(policy_.Backoff(failures), seconds(2));
    DrawHighest();
    EXPECT_LE(policy_.Backoff(failures), ceilings[failures - 1]);
    EXPECT_GT(policy_.Backoff(failures), ceilings[failures - 1] - milliseconds(1)) << failures;
  }
  EXPECT_LE(policy_.Backoff(1'000'000), minutes(15));
}

TEST_F(RetryPolicyTest, JitterIsUniform) {
  int low = 0;
  for (int i = 0; i < 10'000; ++i) {
    const Duration backoff = policy_.Backoff(20);
    EXPECT_GE(backoff, seconds(2));
    EXPECT_LE(backoff, minutes(15));
    low += backoff < (seconds(2) + minutes(15)) / 2 ? 1 : 0;
  }
  EXPECT_NEAR(low, 5000, 300);
}

TEST_F(RetryPolicyTest, FirstFailureStopsNobodyElseTheSecondStopsAll) {
  const DeliveryPace once = policy_.AfterFailure({}, kNow);
  EXPECT_LE(policy_.EarliestFor(once, false), kNow);
  const DeliveryPace twice = policy_.AfterFailure(once, kNow + seconds(1));
  EXPECT_GE(policy_.EarliestFor(twice, false), kNow + seconds(3));
  EXPECT_EQ(twice.outage_since, kNow);
  // Somebody who stands there is tried once all the same.
  EXPECT_LE(policy_.EarliestFor(twice, true), kNow);
}

TEST_F(RetryPolicyTest, RetryAfterIsKeptForEverybodyWithALittleJitter) {
  DrawLowest();
  EXPECT_EQ(policy_.AfterBusy({}, kNow, seconds(100)).pause_until, kNow + seconds(100));
  DrawHighest();
  const DeliveryPace pace = policy_.AfterBusy({}, kNow, seconds(100));
  EXPECT_LE(pace.pause_until, kNow + seconds(110));
  EXPECT_EQ(policy_.EarliestFor(pace, true), pace.pause_until);
  EXPECT_EQ(policy_.EarliestFor(pace, false), pace.pause_until);
}

TEST_F(RetryPolicyTest, WithoutARetryAfterA429BacksOffLikeAFailure) {
  DrawHighest();
  DeliveryPace pace = policy_.AfterBusy({}, kNow, std::nullopt);
  EXPECT_GT(pace.pause_until, kNow + seconds(3));
  pace = policy_.AfterBusy(pace, kNow, std::nullopt);
  EXPECT_GT(pace.pause_until, kNow + seconds(7));
}

// A gateway that says "in a second" for ever, and may bill each request, is soon asked seldom.
TEST_F(RetryPolicyTest, ARetryAfterIsBelievedThreeTimes) {
  DeliveryPace pace;
  int asked = 0;
  for (Duration now = kNow; now < kNow + minutes(10); now = pace.pause_until) {
    pace = policy_.AfterBusy(pace, now, seconds(1));
    ++asked;
    EXPECT_LE(pace.pause_until - now, hours(1));
  }
  EXPECT_GE(asked, 4);
  EXPECT_LE(asked, 14);
  pace = policy_.AfterAnswer(pace, kNow, 0);
  EXPECT_LE(policy_.AfterBusy(pace, kNow, seconds(1)).pause_until, kNow + milliseconds(1100));
}

TEST_F(RetryPolicyTest, AfterA429RequestsPaceUpSlowly) {
  DeliveryPace pace = policy_.AfterBusy({}, kNow, seconds(1));
  pace = policy_.AfterBusy(pace, kNow, seconds(1));
  Duration last = hours(1);
  int paced = 0;
  for (; paced < 100; ++paced) {
    pace = policy_.AfterAnswer(pace, kNow, 10);
    const Duration gap = pace.pause_until == Duration() ? Duration() : pace.pause_until - kNow;
    EXPECT_LT(gap, last);
    last = gap;
    if (gap == Duration()) break;
  }
  EXPECT_GT(paced, 3);
  EXPECT_LT(paced, 20);
}

TEST_F(RetryPolicyTest, GapsAreBounded) {
  DeliveryPace pace;
  for (int i = 0; i < 100; ++i) pace = policy_.AfterBusy(pace, kNow, seconds(1));
  EXPECT_EQ(pace.gap, seconds(30));
}

TEST_F(RetryPolicyTest, ABacklogIsSpreadOverATimeInProportionToTheOutage) {
  DeliveryPace pace = policy_.AfterFailure({}, kNow);
  const Duration back = kNow + minutes(10);
  pace = policy_.AfterAnswer(pace, back, 20);
  EXPECT_EQ(pace.spread_until, back + minutes(40));
  EXPECT_GE(policy_.EarliestFor(pace, false), back);
  EXPECT_LE(policy_.EarliestFor(pace, false), back + minutes(4));
  EXPECT_LE(policy_.EarliestFor(pace, true), back);
  // Twenty calls, each answered when it left, take about those forty minutes.
  Duration now = back;
  for (int64_t left = 20; left > 0; --left) {
    now = std::max(now, policy_.EarliestFor(pace, false));
    pace = policy_.AfterAnswer(pace, now, left - 1);
  }
  EXPECT_GT(now, back + minutes(20));
  EXPECT_LE(now, back + minutes(40));
  EXPECT_EQ(pace.spread_until, Duration());
}

TEST_F(RetryPolicyTest, AShortOutageLeavesNothingToSpread) {
  DeliveryPace pace = policy_.AfterFailure({}, kNow);
  pace = policy_.AfterAnswer(pace, kNow + seconds(20), 20);
  EXPECT_EQ(pace, DeliveryPace());
}

TEST_F(RetryPolicyTest, ALongOutageIsSpreadOverTwoHoursAtMost) {
  DeliveryPace pace = policy_.AfterFailure({}, kNow);
  pace = policy_.AfterAnswer(pace, kNow + hours(48), 20);
  EXPECT_EQ(pace.spread_until, kNow + hours(50));
}

TEST_F(RetryPolicyTest, AtOnceIsBeforeBackoffsButNotBeforeWhatTheServiceAskedFor) {
  DeliveryPace pace = policy_.AfterFailure(policy_.AfterFailure({}, kNow), kNow);
  pace = policy_.AfterBusy(pace, kNow, seconds(1));
  pace.retry_at = kNow + seconds(50);
  EXPECT_EQ(policy_.EarliestFor(pace, true), pace.pause_until);
  EXPECT_EQ(policy_.EarliestFor(pace, false), pace.retry_at);
}

TEST_F(RetryPolicyTest, WhatAClockAheadHasStoredIsBounded) {
  DeliveryPace pace = policy_.AfterFailure(policy_.AfterFailure({}, kNow), kNow);
  pace = policy_.AfterBusy(pace, kNow, hours(1));
  pace.spread_until = pace.next_in_spread = kNow + hours(1);
  const Duration now = kNow - hours(1000);
  const DeliveryPace bounded = policy_.Bounded(pace, now);
  EXPECT_LE(bounded.retry_at, now + minutes(15));
  EXPECT_LE(bounded.pause_until, now + minutes(66));
  EXPECT_LE(bounded.next_in_spread, now + hours(2));
  EXPECT_LE(bounded.outage_since, now);
  EXPECT_EQ(policy_.Bounded(pace, kNow), pace);
}

TEST_F(RetryPolicyTest, PaceSurvivesARestartAndDamageIsNoticed) {
  DeliveryPace pace = policy_.AfterFailure(policy_.AfterFailure({}, kNow), kNow);
  pace = policy_.AfterBusy(pace, kNow, seconds(5));
  const Bytes stored = SerializePace(pace);
  EXPECT_EQ(ParsePace(stored), pace);
  for (size_t size = 0; size < stored.size(); ++size) {
    EXPECT_FALSE(ParsePace(ByteSpan(stored).first(size)));
  }
  Bytes negative = stored;
  negative[8] = 0xff;
  EXPECT_FALSE(ParsePace(negative));
  Bytes other_version = stored;
  other_version[7] = 2;
  EXPECT_FALSE(ParsePace(other_version));
}

}  // namespace
}  // namespace idkiosk
