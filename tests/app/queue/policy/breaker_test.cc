#include "app/queue/policy/breaker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/queue/queue_fixture.h"

// What stops an endpoint before it costs more: first the arithmetic, then a queue before a server
// whose answers are not what anybody paid for. What it cost is counted at the server.

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::HasSubstr;
using How = FakeHttpClient::Reply::How;

Outcome OutcomeOf(OutcomeKind kind, Billed billed, int status = 0) {
  Outcome outcome;
  outcome.kind = kind;
  outcome.billed = billed;
  outcome.stage = status == 0 ? SendStage::kSent : SendStage::kAnswered;
  outcome.http_status = status;
  return outcome;
}

const Outcome kLost = OutcomeOf(OutcomeKind::kLost, Billed::kMaybe);
const Outcome kVerified = OutcomeOf(OutcomeKind::kVerified, Billed::kYes, 200);
const Outcome kTooLarge = OutcomeOf(OutcomeKind::kTooLarge, Billed::kNo, 413);
const Outcome kNoRecord = OutcomeOf(OutcomeKind::kNoRecord, Billed::kYes, 404);
const Outcome kBusy = OutcomeOf(OutcomeKind::kBusy, Billed::kNo, 429);

TEST(BreakerTest, HoldsAtTheLimitAndASuccessBeginsAnew) {
  const Breaker breaker{BillingSettings{.breaker_after = 2}};
  BreakerState state = breaker.After({}, {"A", kLost}).state;
  EXPECT_EQ(state.wasted, 1);
  EXPECT_EQ(breaker.After(state, {"B", kLost}).hold, HoldReason::kBreaker);
  EXPECT_EQ(breaker.After(state, {"B", kTooLarge}).hold, HoldReason::kBreaker);
  EXPECT_EQ(breaker.After(state, {"B", kVerified}).state, BreakerState());
  EXPECT_EQ(breaker.After(state, {"B", kBusy}).state, state);
}

TEST(BreakerTest, TheSamePersonWithoutARecordCountsOnce) {
  const Breaker breaker{BillingSettings{.breaker_after = 2}};
  const BreakerState state = breaker.After({}, {"A", kNoRecord}).state;
  EXPECT_FALSE(breaker.After(state, {"B", kNoRecord, true}).hold);
  EXPECT_TRUE(breaker.After(state, {"B", kNoRecord, false}).hold);
}

TEST(BreakerTest, OneCallGoesFirstAfterAHoldAndAfterAnOutage) {
  const Breaker breaker{BillingSettings{.breaker_after = 3}};
  const Breaker::Verdict after_hold = breaker.After(Breaker::Lifted({}), {"A", kLost});
  EXPECT_EQ(after_hold.hold, HoldReason::kBreaker);
  EXPECT_TRUE(after_hold.for_good);
  Breaker::Verdict verdict = breaker.After({}, {"A", kLost, false, true});
  EXPECT_EQ(verdict.hold, HoldReason::kBreaker);
  EXPECT_FALSE(verdict.for_good) << "services are slow to wake up: the next one is tried by itself";
  verdict = breaker.After(verdict.state, {"B", kLost});
  EXPECT_TRUE(verdict.hold && !verdict.for_good);
  verdict = breaker.After(verdict.state, {"C", kLost});
  EXPECT_TRUE(verdict.hold && verdict.for_good) << "but not for ever";
}

TEST(BreakerTest, ALimitOfZeroHoldsNothingButBehindALiftedHold) {
  const Breaker breaker{BillingSettings{.breaker_after = 0}};
  EXPECT_FALSE(breaker.After({}, {"A", kLost, false, true}).hold);
  EXPECT_EQ(breaker.After(Breaker::Lifted({}), {"A", kLost}).hold, HoldReason::kBreaker)
      << "who lifted it was told that only a success lets the others follow";
}

TEST(BreakerTest, TwoPeopleWhomAnUnknownAddressDoesNotFindHoldIt) {
  const Breaker breaker{BillingSettings{.breaker_after = 0}};
  const Outcome not_found = OutcomeOf(OutcomeKind::kNotFound, Billed::kMaybe, 404);
  const BreakerState state = breaker.After({}, {"A", not_found}).state;
  EXPECT_TRUE(state.doubt);
  EXPECT_FALSE(breaker.After(state, {"B", not_found, true}).hold);
  EXPECT_EQ(breaker.After(state, {"B", not_found, false}).hold, HoldReason::kWrongAddress);
  EXPECT_FALSE(breaker.After(state, {"B", kNoRecord, false}).hold);
}

TEST(BreakerTest, IsStoredAndReadAgainAndNothingElseIs) {
  for (const BreakerState& state :
       {BreakerState(), BreakerState{7, HalfOpen::kAfterOutage, "KD7Q2M", true},
        Breaker::Lifted({})}) {
    EXPECT_EQ(ParseBreaker(SerializeBreaker(state)), state);
  }
  Bytes stored = SerializeBreaker({});
  stored[7] = 2;
  EXPECT_EQ(ParseBreaker(stored).error().code, ErrorCode::kCorrupt);
  stored = SerializeBreaker({});
  stored[23] = 3;
  EXPECT_EQ(ParseBreaker(stored).error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(ParseBreaker(ByteSpan(stored).first(31)).error().code, ErrorCode::kCorrupt);
}

class BreakerQueueTest : public testing::Test {
 protected:
  BreakerQueueTest() { bench_.Open(); }

  void Accept(int count, const std::function<VerificationCall(int)>& make = LookupCall) {
    for (int i = 0; i < count; ++i) calls_.push_back(bench_.Accept(make(i)));
  }

  void Answer(How how) {
    bench_.ServeLogins([how](const auto&) {
      FakeHttpClient::Reply reply;
      reply.how = how;
      return reply;
    });
  }

  int In(CallState state) { return static_cast<int>(bench_.queue->Stats()->In(state)); }

  QueueBench bench_;
  std::vector<CallReference> calls_;
};

TEST_F(BreakerQueueTest, AServerThatAlwaysFailsCostsNoMoreThanTheLimit) {
  bench_.Serve(500, kErrorAnswer);
  Accept(15);
  bench_.RunFor(hours(10));
  EXPECT_EQ(bench_.posts(), 3);
  EXPECT_EQ(In(CallState::kUnknown), 3);
  EXPECT_EQ(bench_.queue->Stats()->held, 12);
  EXPECT_EQ(bench_.Show(calls_[14]).hold->reason, HoldReason::kBreaker);
  EXPECT_THAT(bench_.Show(calls_[14]).hold->detail, HasSubstr("3 attempts in a row"));
}

TEST_F(BreakerQueueTest, AServerThatDropsEachRequestCostsNoMoreThanTheLimit) {
  Answer(How::kDrop);
  Accept(12);
  bench_.RunFor(hours(10));
  EXPECT_EQ(bench_.posts(), 3);
  EXPECT_EQ(bench_.queue->Stats()->held, 9);
}

TEST_F(BreakerQueueTest, AServerThatFindsEverythingTooLargeGetsOneCall) {
  bench_.Serve(413, kErrorAnswer);
  Accept(5, [](int i) { return FacialCall(fmt::format("{:011}", i)); });
  bench_.RunFor(hours(10));
  EXPECT_EQ(bench_.posts(), 3) << "one call at three sizes";
  EXPECT_EQ(bench_.queue->Stats()->held, 4);
}

TEST_F(BreakerQueueTest, AnotherEndpointGoesOn) {
  bench_.ServeLogins([](const FakeHttpClient::Seen& seen) {
    FakeHttpClient::Reply reply;
    const bool lookup = seen.url.ends_with("/getNINDetails");
    reply.status = lookup ? 500 : 200;
    reply.body = lookup ? kErrorAnswer : kVerifiedAnswer;
    return reply;
  });
  Accept(5);
  const CallReference other = bench_.Accept(FacialCall());
  bench_.RunFor(hours(10));
  EXPECT_EQ(bench_.http.CountSeen("getNINDetails"), 3);
  EXPECT_EQ(bench_.StateOf(other), "done");
}

TEST_F(BreakerQueueTest, AfterAHoldOneCallGoesFirst) {
  bench_.Serve(500, kErrorAnswer);
  Accept(8);
  bench_.RunFor(hours(1));
  ASSERT_EQ(bench_.posts(), 3);
  ASSERT_TRUE(bench_.queue->Retry(calls_[5], AttemptsOf(*bench_.queue, calls_[5])));
  bench_.RunFor(hours(10));
  EXPECT_EQ(bench_.posts(), 4) << "it failed: the others stay";
  EXPECT_EQ(bench_.Show(calls_[5]).attempts, 1) << "the one that a person wanted";
  EXPECT_EQ(bench_.Show(calls_[7]).hold->reason, HoldReason::kBreaker);
  // Also across a start.
  ASSERT_TRUE(bench_.queue->Retry(calls_[6], AttemptsOf(*bench_.queue, calls_[6])));
  bench_.Restart();
  bench_.RunFor(hours(10));
  EXPECT_EQ(bench_.posts(), 5);
  bench_.Serve(200);
  ASSERT_TRUE(bench_.queue->Retry(calls_[7], AttemptsOf(*bench_.queue, calls_[7])));
  bench_.RunFor(hours(10));
  EXPECT_EQ(bench_.posts(), 8) << "it succeeded: the others follow";
  EXPECT_EQ(bench_.queue->Stats()->held, 0);
}

TEST_F(BreakerQueueTest, AfterAnOutageOneCallGoesFirst) {
  Accept(8);
  bench_.RunFor(minutes(30));
  ASSERT_EQ(bench_.posts(), 0);
  bench_.Serve(400, kErrorAnswer);
  const CallReference person = bench_.Accept(LookupCall(100), true);
  bench_.Accept(LookupCall(101), true);
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), 1);
  EXPECT_EQ(bench_.StateOf(person), "done");
  EXPECT_EQ(bench_.queue->Stats()->held, 9);
  bench_.RunFor(hours(10));
  EXPECT_EQ(bench_.posts(), 3);
  EXPECT_EQ(bench_.Show(calls_[7]).hold->until, std::nullopt);
}

TEST_F(BreakerQueueTest, ASuccessAfterAnOutageLetsTheOthersFollow) {
  Accept(8);
  bench_.RunFor(minutes(30));
  bench_.Serve(200);
  bench_.RunFor(hours(5));
  EXPECT_EQ(bench_.posts(), 8);
}

TEST_F(BreakerQueueTest, AProgramThatDiesWithEachCallIsStoppedToo) {
  Accept(6);
  for (int start = 0; start < 6; ++start) {
    const auto claim = bench_.queue->Claim();
    ASSERT_TRUE(claim);
    const auto* claimed = std::get_if<DurableQueue::Claimed>(&*claim);
    if (claimed == nullptr) break;
    ASSERT_TRUE(bench_.queue->BeginAttempt(claimed->reference));
    bench_.Restart();
  }
  EXPECT_EQ(In(CallState::kUnknown), 3);
  EXPECT_EQ(bench_.queue->Stats()->held, 3);
}

TEST_F(BreakerQueueTest, PeopleWithoutARecordCountOnceEach) {
  bench_.Serve(404, R"({"message":"There is no record for this NIN."})");
  Accept(6, [](int) { return LookupCall(7); });
  bench_.RunFor(hours(1));
  EXPECT_EQ(bench_.posts(), 6) << "one person who has none, asked about six times";
  Accept(6, [](int i) { return LookupCall(10 + i); });
  bench_.RunFor(hours(1));
  EXPECT_EQ(bench_.posts(), 8);
}

}  // namespace
}  // namespace idkiosk
