#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/queue/queue_fixture.h"

// Answers that nobody foresaw: a person looks at them, and nothing of the call is erased before.

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::HasSubstr;

constexpr std::string_view kPage = "<html><h1>Bad Request</h1>nginx</html>";

class HeldAnswersTest : public testing::Test {
 protected:
  void Accept(int count) {
    bench_.Open();
    for (int i = 0; i < count; ++i) calls_.push_back(bench_.Accept(LookupCall(i)));
  }

  QueueBench bench_;
  std::vector<CallReference> calls_;
};

struct Answer {
  int status;
  std::string_view body;
};

class UnforeseenAnswerTest : public HeldAnswersTest, public testing::WithParamInterface<Answer> {};

TEST_P(UnforeseenAnswerTest, HoldsItsEndpointAndErasesNothing) {
  Accept(5);
  bench_.Serve(GetParam().status, GetParam().body);
  bench_.RunFor(hours(10));
  EXPECT_EQ(bench_.posts(), 1);
  EXPECT_EQ(bench_.queue->Stats()->held, 5);
  const CallSummary call = bench_.Show(calls_[0]);
  EXPECT_TRUE(call.has_payload);
  EXPECT_EQ(call.hold->reason, HoldReason::kUnexpected);
  EXPECT_EQ(bench_.queue->Answer(calls_[0])->text(), GetParam().body);
  ASSERT_EQ(bench_.Ledger().size(), 1U);
  EXPECT_EQ(bench_.Ledger()[0].billed, Billed::kMaybe);
}

INSTANTIATE_TEST_SUITE_P(Statuses, UnforeseenAnswerTest,
                         testing::Values(Answer{400, kPage}, Answer{402, kErrorAnswer},
                                         Answer{405, kErrorAnswer}, Answer{407, kPage},
                                         Answer{409, kErrorAnswer}, Answer{418, kErrorAnswer},
                                         Answer{422, kErrorAnswer}, Answer{425, kErrorAnswer},
                                         Answer{451, kPage}));

TEST_F(HeldAnswersTest, WhatMayHaveBeenBilledIsNotResentBecauseTheHoldIsLifted) {
  Accept(3);
  bench_.Serve(402, kErrorAnswer);
  bench_.RunFor(minutes(1));
  bench_.Serve(200);
  ASSERT_TRUE(bench_.queue->Retry(calls_[1], AttemptsOf(*bench_.queue, calls_[1])));
  bench_.RunFor(hours(10));
  EXPECT_EQ(bench_.posts(), 3);
  EXPECT_EQ(bench_.StateOf(calls_[0]), "unknown") << "a person decides whether to pay again";
  EXPECT_EQ(bench_.StateOf(calls_[1]), "done");
  EXPECT_EQ(bench_.StateOf(calls_[2]), "done");
}

TEST_F(HeldAnswersTest, AnAttemptThatNeverLeftKeepsTheAnswerThatWasPaidFor) {
  Accept(1);
  bench_.Serve(402, kErrorAnswer);
  bench_.RunFor(minutes(1));
  ASSERT_TRUE(bench_.queue->Answer(calls_[0]));
  ASSERT_TRUE(bench_.queue->Retry(calls_[0], 1));
  ASSERT_TRUE(bench_.storage.Remove(kApiKeySecret));
  bench_.RunFor(minutes(1));
  EXPECT_EQ(bench_.posts(), 1);
  EXPECT_TRUE(bench_.queue->Answer(calls_[0])) << bench_.StateOf(calls_[0]);
}

// The power fails while the call is sent again.
TEST_F(HeldAnswersTest, WhatIsUnknownKeepsNoAnswerOfTheAttemptBefore) {
  Accept(1);
  bench_.Serve(402, kErrorAnswer);
  bench_.RunFor(minutes(1));
  ASSERT_TRUE(bench_.queue->Answer(calls_[0]));
  ASSERT_TRUE(bench_.queue->Retry(calls_[0], 1));
  ASSERT_TRUE(bench_.queue->BeginAttempt(calls_[0]));
  bench_.Restart();
  EXPECT_EQ(bench_.StateOf(calls_[0]), "unknown");
  EXPECT_FALSE(bench_.queue->Answer(calls_[0]));
}

// What an older file holds of it is the answer to another attempt, or to none.
TEST_F(HeldAnswersTest, AVerdictThatAnOlderFileDidNotKnowKeepsNoAnswer) {
  Accept(1);
  bench_.Serve(200, "<p>no JSON</p>");
  bench_.RunFor(minutes(1));
  ASSERT_EQ(bench_.StateOf(calls_[0]), "unknown");
  ASSERT_TRUE(bench_.queue->Answer(calls_[0]));
  const DiskImage before = DiskImage::Of(bench_);
  ASSERT_TRUE(bench_.queue->Settle(calls_[0], 1, Settlement::kVerified));
  bench_.PutFileBack(before);
  EXPECT_EQ(bench_.Show(calls_[0]).verdict, Verdict::kVerified);
  EXPECT_FALSE(bench_.queue->Answer(calls_[0]));
}

// Behind refusals they leave one by one: that is no rest.
TEST_F(HeldAnswersTest, CallsThatLeaveOneByOneAreNoPause) {
  Accept(3);
  FakeHttpClient::Reply busy;
  busy.status = 429;
  bench_.http.Answer(200, std::string(kLoginAnswer));
  bench_.http.Play(busy);
  bench_.Serve(200);
  (void)bench_.worker->DeliverNext();
  EXPECT_TRUE(bench_.queue->Stats()->paused_until);
  bench_.clock.Advance(minutes(10));
  (void)bench_.worker->DeliverNext();
  ASSERT_EQ(bench_.queue->Stats()->In(CallState::kDone), 1);
  EXPECT_FALSE(bench_.queue->Stats()->paused_until);
}

TEST_F(HeldAnswersTest, A503ThatSaysWhenToComeBackIsAPause) {
  Accept(5);
  FakeHttpClient::Reply busy;
  busy.status = 503;
  busy.headers = {{"retry-after", "100"}};
  bench_.http.Answer(200, std::string(kLoginAnswer));
  bench_.http.Play(busy);
  bench_.Serve(200);
  bench_.RunFor(seconds(99));
  EXPECT_EQ(bench_.posts(), 1);
  EXPECT_EQ(bench_.queue->Stats()->In(CallState::kPending), 5);
  EXPECT_EQ(bench_.Ledger()[0].billed, Billed::kNo);
  bench_.RunFor(hours(1));
  EXPECT_EQ(bench_.queue->Stats()->In(CallState::kDone), 5);
}

TEST_F(HeldAnswersTest, AFullDiskAfterA413RepeatsNoRequestOfFullSize) {
  bench_.Open();
  VerificationCall call = FacialCall();
  call.pictures.selfie = DrawJpeg(400'000, 's');
  const CallReference reference = bench_.Accept(call);
  bench_.http.Answer(200, std::string(kLoginAnswer));
  FakeHttpClient::Reply too_large;
  too_large.status = 413;
  too_large.on_arrival = [this] { bench_.disk.set_capacity(bench_.disk.used() + 65536); };
  bench_.http.Play(too_large);
  bench_.Serve(200);
  for (int i = 0; i < 3; ++i) (void)bench_.worker->DeliverNext();
  bench_.disk.set_capacity(1 << 24);
  bench_.RunFor(minutes(1));
  EXPECT_EQ(bench_.StateOf(reference), "done");
  EXPECT_EQ(bench_.posts(), 2);
  const auto& seen = bench_.http.seen();
  EXPECT_LT(seen.back().body.size(), seen[1].body.size() * 2 / 3);
}

// A profile that does not say how "no such record" looks: a wrong path answers the same.
class SilentProfileTest : public testing::Test {
 protected:
  SilentProfileTest()
      : bench_(1, SandboxProfile(R"("no_record": { "message": "There is no record" },
      "billed": true,
      "price": 50.0)",
                                 R"("billed": true, "price": 50.0)")) {
    bench_.Open();
    bench_.Serve(404, R"({"message":"no Route matched with those values"})");
  }

  QueueBench bench_;
};

TEST_F(SilentProfileTest, AWrongPathCostsTwoCallsAndErasesNone) {
  std::vector<CallReference> calls;
  for (int i = 0; i < 6; ++i) calls.push_back(bench_.Accept(LookupCall(i)));
  bench_.RunFor(hours(10));
  EXPECT_EQ(bench_.posts(), 2);
  EXPECT_EQ(bench_.queue->Stats()->held, 4);
  EXPECT_EQ(bench_.Show(calls[5]).hold->reason, HoldReason::kWrongAddress);
  for (const size_t i : {0U, 1U}) {
    EXPECT_EQ(bench_.StateOf(calls[i]), "done");
    EXPECT_TRUE(bench_.Show(calls[i]).has_payload);
    EXPECT_EQ(bench_.Ledger()[i].billed, Billed::kMaybe);
  }
}

TEST_F(SilentProfileTest, ASuccessShowsThatTheAddressIsRightAndErasesWhatWasKept) {
  const CallReference nobody = bench_.Accept(LookupCall(1));
  bench_.StepUntilIdle();
  EXPECT_TRUE(bench_.Show(nobody).has_payload);
  bench_.Restart();
  bench_.Accept(FacialCall());
  bench_.Serve(200);
  bench_.StepUntilIdle();
  EXPECT_TRUE(bench_.Show(nobody).has_payload) << "another endpoint has another address";
  bench_.Accept(LookupCall(2));
  bench_.StepUntilIdle();
  EXPECT_FALSE(bench_.Show(nobody).has_payload);
  EXPECT_EQ(bench_.Show(nobody).verdict, Verdict::kRejected);
}

TEST_F(SilentProfileTest, WhatIsKeptInDoubtGrowsNoOlderThanACallThatWaits) {
  const CallReference nobody = bench_.Accept(LookupCall(1));
  bench_.StepUntilIdle();
  bench_.clock.Advance(hours(71));
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_TRUE(bench_.Show(nobody).has_payload);
  bench_.clock.Advance(hours(1));
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_FALSE(bench_.Show(nobody).has_payload);
}

TEST_F(SilentProfileTest, ItsAnswerIsNotKeptForRetentionTwice) {
  const CallReference early = bench_.Accept(LookupCall(1));
  bench_.StepUntilIdle();
  bench_.clock.Advance(hours(1));
  bench_.Serve(200);
  ASSERT_TRUE(bench_.queue->Answer(early));
  bench_.clock.Advance(hours(71));
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_EQ(bench_.StateOf(early), "done");
  EXPECT_FALSE(bench_.queue->Answer(early));
}

// Though its pictures go with its age, whoever asks again is not billed again.
TEST_F(SilentProfileTest, WhatEndedInDoubtIsFoundAgainAsLongAsAnyOther) {
  constexpr DurableQueue::ClientRequest kRequest{"key-1", "the body"};
  DurableQueue::AcceptOptions options;
  options.request = kRequest;
  const auto nobody = bench_.queue->Accept(LookupCall(1), options);
  ASSERT_TRUE(nobody);
  bench_.clock.Advance(hours(71));
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.StateOf(*nobody), "done");
  bench_.clock.Advance(hours(1));
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_FALSE(bench_.Show(*nobody).has_payload);
  for (int hour = 0; hour < 24; ++hour) {
    EXPECT_EQ(*bench_.queue->FindRequest(kRequest), *nobody);
    EXPECT_TRUE(bench_.queue->FindObstacle(LookupCall(1), false));
    bench_.clock.Advance(std::chrono::minutes(59));
    ASSERT_TRUE(bench_.queue->Expire());
  }
  bench_.clock.Advance(bench_.options.queue.retention + hours(25));
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_EQ(bench_.queue->Show(*nobody).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace idkiosk
