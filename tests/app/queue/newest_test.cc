// What a screen shows of the queue: the newest, and the unknown ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/queue/queue_fixture.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

std::vector<CallReference> References(const Result<std::vector<CallSummary>>& calls) {
  EXPECT_TRUE(calls) << calls.error().message;
  std::vector<CallReference> references;
  for (const CallSummary& each : *calls) references.push_back(each.reference);
  return references;
}

TEST(NewestTest, NewestCallsComeFirst) {
  QueueBench bench;
  bench.Open();
  EXPECT_THAT(References(bench.queue->Newest(10)), SizeIs(0));
  const CallReference first = bench.Accept(LookupCall(1));
  const CallReference second = bench.Accept(LookupCall(2));
  const CallReference third = bench.Accept(LookupCall(3));
  EXPECT_THAT(References(bench.queue->Newest(10)), ElementsAre(third, second, first));
  EXPECT_THAT(References(bench.queue->Newest(2)), ElementsAre(third, second));
}

TEST(NewestTest, UnknownCallsWaitForAPersonHoweverOldTheyAre) {
  QueueBench bench;
  bench.Open();
  bench.Serve(500, "");
  const CallReference unknown = bench.Accept(LookupCall(1));
  bench.StepUntilIdle();
  ASSERT_EQ(bench.StateOf(unknown), "unknown");
  (void)bench.Accept(LookupCall(2));
  const CallReference newest = bench.Accept(LookupCall(3));
  EXPECT_THAT(References(bench.queue->Newest(2)), ElementsAre(unknown, newest));
}

TEST(NewestTest, AttemptsComeNewestFirst) {
  QueueBench bench;
  bench.Open();
  bench.Serve(200);
  const CallReference first = bench.Accept(LookupCall(1));
  bench.StepUntilIdle();
  const CallReference second = bench.Accept(LookupCall(2));
  bench.StepUntilIdle();
  const auto rows = bench.queue->NewestAttempts(10);
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2U);
  EXPECT_EQ((*rows)[0].reference, second);
  EXPECT_EQ((*rows)[1].reference, first);
  EXPECT_TRUE((*rows)[0].genuine);
  EXPECT_THAT(*bench.queue->NewestAttempts(1), SizeIs(1));
}

TEST(NewestTest, EachHourIsThereAndHoldsWhatItMayHaveCost) {
  QueueBench bench;  // 01:00
  bench.Open();
  const int64_t price = bench.profile.at(Endpoint::kLookupNin).price;
  ASSERT_GT(price, 0);
  bench.Serve(200);
  (void)bench.Accept(LookupCall(1));
  bench.StepUntilIdle();
  bench.clock.Advance(std::chrono::hours(2));
  bench.Serve(500, "");  // may have been billed
  (void)bench.Accept(LookupCall(2));
  bench.StepUntilIdle();
  bench.ServeLogins([](const auto&) {
    FakeHttpClient::Reply reply;
    reply.how = FakeHttpClient::Reply::How::kRefuse;  // costs nothing
    return reply;
  });
  (void)bench.Accept(LookupCall(3));
  bench.StepUntilIdle();

  const auto hours = bench.queue->BilledHours(24);
  ASSERT_TRUE(hours) << hours.error().message;
  ASSERT_EQ(hours->size(), 24U);
  EXPECT_EQ(FormatRfc3339(hours->back().from), "2026-11-20T03:00:00.000Z");
  EXPECT_EQ(hours->back().calls, 1);
  EXPECT_EQ(hours->back().price, price);
  EXPECT_EQ((*hours)[22], BilledHour{(*hours)[22].from});
  EXPECT_EQ((*hours)[21].calls, 1);
  EXPECT_EQ((*hours)[0], BilledHour{(*hours)[0].from});
}

TEST(NewestTest, WhatIsOlderThanTheHoursIsLeftOut) {
  QueueBench bench;
  bench.Open();
  bench.Serve(200);
  (void)bench.Accept(LookupCall(1));
  bench.StepUntilIdle();
  bench.clock.Advance(std::chrono::hours(24));
  const auto hours = bench.queue->BilledHours(24);
  ASSERT_TRUE(hours);
  for (const BilledHour& each : *hours) EXPECT_EQ(each.calls, 0);
}

}  // namespace
}  // namespace idkiosk
