#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/queue/call_meaning.h"
#include "app/queue/storage/sqlite_database.h"
#include "platform/base/log.h"
#include "tests/app/queue/queue_fixture.h"

// How many attempts that were or may have been billed one call may have, and what becomes of a call
// that had one.

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using How = FakeHttpClient::Reply::How;

class BilledAttemptsTest : public testing::Test {
 protected:
  void Open(int max_billed_attempts) {
    bench_.Close();
    bench_.tokens.Forget();
    bench_.options.billing.max_billed_attempts = max_billed_attempts;
    bench_.Open();
  }

  // A call that may have been billed once, and is to be sent again by itself.
  CallReference MaybeBilledCall() {
    Open(3);
    bench_.Serve(500, kErrorAnswer);
    const CallReference reference = bench_.Accept(LookupCall(1));
    bench_.StepUntilIdle();
    EXPECT_TRUE(bench_.Show(reference).next_attempt);
    return reference;
  }

  // The same, woken up and waiting for the network.
  CallReference MaybeBilledCallInAnOutage() {
    const CallReference reference = MaybeBilledCall();
    bench_.http.set_server({});
    bench_.RunFor(minutes(10));
    EXPECT_EQ(bench_.StateOf(reference), "pending");
    EXPECT_EQ(bench_.Show(reference).billed_attempts, 1);
    return reference;
  }

  QueueBench bench_;
};

TEST_F(BilledAttemptsTest, SaysThatItIsSentAgainByItselfUnlessAPersonHasToDecide) {
  const CallReference reference = MaybeBilledCall();
  EXPECT_THAT(MeaningOf(bench_.Show(reference)), testing::HasSubstr("sent again by itself"));
  Open(1);
  EXPECT_THAT(MeaningOf(bench_.Show(reference)), testing::HasSubstr("kept until this is settled"));
}

// What was approved together with an answer went past the look at the age of what comes next.
TEST_F(BilledAttemptsTest, WhatHasReachedItsAgeIsNotSentBehindAYoungerCallEither) {
  bench_.options.queue.max_age = minutes(60);
  Open(1);
  bench_.Serve(200);
  const CallReference old = bench_.Accept(LookupCall(1));
  bench_.clock.Advance(minutes(59));
  const CallReference young = bench_.Accept(LookupCall(2), /*person_waits=*/true);
  bench_.clock.Advance(minutes(2));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.Show(young).verdict, Verdict::kVerified);
  EXPECT_EQ(bench_.StateOf(old), "expired");
  EXPECT_EQ(bench_.posts(), 1);
}

TEST_F(BilledAttemptsTest, ALoweredLimitCountsForACallThatWasToBeResent) {
  const CallReference reference = MaybeBilledCall();
  Open(1);
  EXPECT_FALSE(bench_.Show(reference).next_attempt);
  bench_.Serve(200);
  bench_.RunFor(hours(10));
  EXPECT_EQ(bench_.posts(), 1);
  EXPECT_EQ(bench_.StateOf(reference), "unknown");
}

TEST_F(BilledAttemptsTest, ALoweredLimitCountsForACallThatWaits) {
  const CallReference reference = MaybeBilledCallInAnOutage();
  Open(1);
  bench_.Serve(200);
  const int connections = bench_.http.attempts();
  bench_.RunFor(hours(10));
  EXPECT_EQ(bench_.posts(), 1);
  EXPECT_EQ(bench_.http.attempts(), connections) << "nothing is begun that cannot be approved";
  EXPECT_EQ(bench_.StateOf(reference), "unknown");
  // A person may say otherwise.
  ASSERT_TRUE(bench_.queue->Retry(reference, AttemptsOf(*bench_.queue, reference)));
  bench_.RunFor(minutes(1));
  EXPECT_EQ(bench_.posts(), 2);
  EXPECT_EQ(bench_.StateOf(reference), "done");
}

TEST_F(BilledAttemptsTest, WhatAnEarlierProgramWroteDownAtAcceptanceIsNoGrant) {
  const CallReference reference = MaybeBilledCall();
  ASSERT_TRUE(bench_.queue->Retry(reference, AttemptsOf(*bench_.queue, reference)));
  bench_.Close();
  {
    auto database = SqliteDatabase::Open("/state/queue.db", bench_.disk.name());
    ASSERT_TRUE(database);
    ASSERT_TRUE((*database)->Execute("DELETE FROM setting WHERE name='granted_prices'"));
  }
  Open(1);
  bench_.Serve(200);
  bench_.RunFor(hours(10));
  EXPECT_EQ(bench_.posts(), 1);
  EXPECT_EQ(bench_.StateOf(reference), "unknown");
}

// Below a limit of ten a rule would have sent it at any price; but a person named one.
class YesTest : public BilledAttemptsTest, public testing::WithParamInterface<int> {};

TEST_P(YesTest, ToOnePriceIsNoneToAnother) {
  Open(1);
  bench_.Serve(500, kErrorAnswer);
  const CallReference unknown = bench_.Accept(LookupCall(1));
  bench_.StepUntilIdle();
  bench_.http.set_server({});
  Open(GetParam());
  ASSERT_TRUE(bench_.queue->Retry(unknown, AttemptsOf(*bench_.queue, unknown)));
  const CallReference first_time = bench_.Accept(LookupCall(2));
  bench_.StepUntilIdle();
  Open(GetParam());
  EXPECT_EQ(bench_.StateOf(unknown), "pending") << "the same price";
  for (EndpointProfile& each : bench_.profile.endpoints) each.price += 1;
  Open(GetParam());
  bench_.Serve(200);
  bench_.RunFor(hours(10));
  EXPECT_EQ(bench_.StateOf(unknown), "unknown");
  EXPECT_EQ(bench_.StateOf(first_time), "done") << "nobody said yes to its price";
  ASSERT_TRUE(bench_.queue->Retry(unknown, AttemptsOf(*bench_.queue, unknown)));
  bench_.RunFor(minutes(1));
  EXPECT_EQ(bench_.StateOf(unknown), "done");
  EXPECT_EQ(bench_.posts(), 3);
}
INSTANTIATE_TEST_SUITE_P(Limits, YesTest, testing::Values(1, 10));

TEST_F(BilledAttemptsTest, WhatMayHaveBeenBilledNeverEndsAsUnsent) {
  const CallReference reference = MaybeBilledCallInAnOutage();
  EXPECT_EQ(bench_.queue->Cancel(reference).error().code, ErrorCode::kFailedPrecondition);
  bench_.clock.Advance(hours(72));
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_EQ(bench_.StateOf(reference), "unknown");
  EXPECT_FALSE(bench_.Show(reference).has_payload);
  ASSERT_TRUE(bench_.queue->GiveUp(reference));
  EXPECT_EQ(bench_.Show(reference).verdict, Verdict::kGivenUp);
}

TEST_F(BilledAttemptsTest, SaysInTheLogOnceEachTimeThatACapIsReached) {
  bench_.options.billing.calls_per_hour = 1;
  Open(1);
  bench_.Serve(200);
  for (int i = 0; i < 3; ++i) bench_.Accept(LookupCall(i));
  const auto told = [] {
    return std::ranges::count_if(NewestLogLines(), [](const LogLine& each) {
      return each.text.contains("calls_per_hour = 1 is reached: what waits is not sent before");
    });
  };
  const auto before = told();
  bench_.RunFor(minutes(59));
  ASSERT_EQ(bench_.posts(), 1);
  EXPECT_EQ(told(), before + 1);
  bench_.RunFor(minutes(50));
  ASSERT_EQ(bench_.posts(), 2);
  EXPECT_EQ(told(), before + 2);
}

}  // namespace
}  // namespace idkiosk
