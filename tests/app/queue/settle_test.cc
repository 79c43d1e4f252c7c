#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/queue/call_meaning.h"
#include "tests/app/queue/queue_fixture.h"

namespace idkiosk {
namespace {

using std::chrono::minutes;
using testing::HasSubstr;

// The service's operator is asked about calls whose answers never came.
class SettleTest : public testing::Test {
 protected:
  void SetUp() override { bench_.Open(); }

  CallReference UnknownCall(int number = 1) {
    const CallReference reference = bench_.Accept(LookupCall(number));
    bench_.Serve(500, "{}");
    bench_.Step();
    EXPECT_EQ(bench_.StateOf(reference), "unknown");
    return reference;
  }

  QueueBench bench_;
};

TEST_F(SettleTest, WhatNeverArrivedIsSentAsIfForTheFirstTime) {
  const CallReference reference = UnknownCall();
  EXPECT_EQ(bench_.Total().billed_maybe, 1);
  ASSERT_TRUE(bench_.queue->Settle(reference, 1, Settlement::kNotReceived));
  EXPECT_EQ(bench_.StateOf(reference), "pending");
  EXPECT_EQ(bench_.Total().billed_maybe, 0);
  EXPECT_EQ(bench_.Ledger()[0].billed, Billed::kNo);
  EXPECT_EQ(bench_.Ledger()[0].rule, "told_not_received");
  const CallSummary told = bench_.Show(reference);
  EXPECT_FALSE(told.last_outcome) << "the answer that did not come is of no attempt any more";
  EXPECT_EQ(told.http_status, 0);
  EXPECT_THAT(MeaningOf(told), HasSubstr("goes out by itself"));
  EXPECT_TRUE(bench_.queue->Cancel(reference)) << "it was not sent, so it may be cancelled";

  const CallReference other = UnknownCall(2);
  ASSERT_TRUE(bench_.queue->Settle(other, 1, Settlement::kNotReceived));
  bench_.Serve(200);
  bench_.RunFor(minutes(20));
  EXPECT_EQ(bench_.StateOf(other), "done");
  EXPECT_EQ(bench_.Total().billed_yes, 1);
  EXPECT_EQ(bench_.posts(), 3);
}

class ToldVerdictTest : public SettleTest,
                        public testing::WithParamInterface<std::pair<Settlement, Verdict>> {};

TEST_P(ToldVerdictTest, EndsTheCallWhichIsNeverSentAgain) {
  const CallReference reference = UnknownCall();
  ASSERT_TRUE(bench_.queue->Settle(reference, 1, GetParam().first));
  const CallSummary call = bench_.Show(reference);
  EXPECT_EQ(call.state, CallState::kDone);
  EXPECT_EQ(call.verdict, GetParam().second);
  EXPECT_FALSE(call.has_payload);
  EXPECT_THAT(call.engineer, HasSubstr(Name(GetParam().first)));
  EXPECT_FALSE(bench_.queue->Retry(reference, AttemptsOf(*bench_.queue, reference)));
  EXPECT_EQ(bench_.Total().billed_yes, 1);
  EXPECT_EQ(bench_.Total().billed_maybe, 0);
  bench_.Serve(200);
  bench_.RunFor(minutes(20));
  EXPECT_EQ(bench_.posts(), 1);
}

INSTANTIATE_TEST_SUITE_P(Each, ToldVerdictTest,
                         testing::Values(std::pair(Settlement::kVerified, Verdict::kVerified),
                                         std::pair(Settlement::kNotVerified, Verdict::kNotVerified),
                                         std::pair(Settlement::kRejected, Verdict::kRejected)),
                         [](const auto& each) { return std::string(Name(each.param.first)); });

TEST_F(SettleTest, ItHoldsAfterARestartAndAfterAnOlderFile) {
  const CallReference reference = UnknownCall();
  const CallReference lost = UnknownCall(2);
  DiskImage before = DiskImage::Of(bench_);
  ASSERT_TRUE(bench_.queue->Settle(reference, 1, Settlement::kVerified));
  ASSERT_TRUE(bench_.queue->Settle(lost, 1, Settlement::kNotReceived));
  bench_.Restart();
  EXPECT_EQ(bench_.Show(reference).verdict, Verdict::kVerified);
  EXPECT_EQ(bench_.StateOf(lost), "pending");
  EXPECT_EQ(bench_.Total().billed_yes, 1);
  EXPECT_EQ(bench_.Total().billed_maybe, 0);
  // The power failed before the queue's file had it: nothing that arrived is sent again.
  before.files = DiskImage::Of(bench_).files;
  before.vault = DiskImage::Of(bench_).vault;
  bench_.Close();
  before.PutOn(bench_);
  bench_.Open();
  EXPECT_NE(bench_.StateOf(reference), "pending");
  bench_.Serve(200);
  const int posts = bench_.posts();
  bench_.RunFor(minutes(20));
  EXPECT_EQ(bench_.StateOf(reference), "done");
  EXPECT_LE(bench_.posts(), posts + 1);
}

TEST_F(SettleTest, OneOfTwoAttemptsInDoubtLeavesTheCallInDoubt) {
  const CallReference reference = UnknownCall();
  ASSERT_TRUE(bench_.queue->Retry(reference, AttemptsOf(*bench_.queue, reference)));
  bench_.Step();
  ASSERT_EQ(bench_.StateOf(reference), "unknown");
  ASSERT_TRUE(bench_.queue->Settle(reference, 1, Settlement::kNotReceived));
  EXPECT_EQ(bench_.StateOf(reference), "unknown") << "the second may have arrived";
  EXPECT_EQ(bench_.Show(reference).billed_attempts, 1);
  ASSERT_TRUE(bench_.queue->Settle(reference, 2, Settlement::kNotReceived));
  EXPECT_EQ(bench_.StateOf(reference), "pending");
}

TEST_F(SettleTest, NothingIsInDoubtOnceAllIsToldWhateverWasToldFirst) {
  const CallReference reference = UnknownCall();
  ASSERT_TRUE(bench_.queue->Retry(reference, AttemptsOf(*bench_.queue, reference)));
  bench_.Step();
  for (const int attempt : {2, 1}) {
    ASSERT_TRUE(bench_.queue->Settle(reference, attempt, Settlement::kNotReceived));
  }
  EXPECT_EQ(bench_.StateOf(reference), "pending");
  EXPECT_FALSE(bench_.Show(reference).last_outcome);
}

// At a service that answers 404 for people and for addresses.
struct DoubtfulBench : QueueBench {
  DoubtfulBench()
      : QueueBench(1, SandboxProfile(R"("no_record": { "message": "There is no record" },
      "billed": true,
      "price": 50.0)",
                                     R"("billed": true, "price": 50.0)")) {
    Open();
    Serve(404, kErrorAnswer);
    reference = Accept(LookupCall(1));
    StepUntilIdle();
    EXPECT_EQ(Show(reference).verdict, Verdict::kRejected);
  }

  CallReference reference;
};

TEST_F(SettleTest, WhatWasRejectedInDoubtEndsWithTheToldVerdictAndIsNotPaidForAgain) {
  DoubtfulBench bench;
  ASSERT_TRUE(bench.queue->Settle(bench.reference, 1, Settlement::kVerified));
  for (int i = 0; i < 2; ++i) {
    const CallSummary call = bench.Show(bench.reference);
    EXPECT_EQ(call.state, CallState::kDone);
    EXPECT_EQ(call.verdict, Verdict::kVerified);
    EXPECT_FALSE(call.has_payload);
    EXPECT_FALSE(bench.queue->Answer(bench.reference)) << "it said something else";
    EXPECT_EQ(MeaningOf(call), "Verified.");
    EXPECT_FALSE(bench.queue->Retry(bench.reference, AttemptsOf(*bench.queue, bench.reference)));
    EXPECT_EQ(bench.Total().billed_yes, 1);
    bench.Restart();
  }
}

// The power failed before the queue's file had it.
TEST_F(SettleTest, WhatWasRejectedInDoubtIsNotPaidForAgainByAnOlderFileEither) {
  DoubtfulBench bench;
  DiskImage before = DiskImage::Of(bench);
  ASSERT_TRUE(bench.queue->Settle(bench.reference, 1, Settlement::kVerified));
  before.files = DiskImage::Of(bench).files;
  before.vault = DiskImage::Of(bench).vault;
  bench.Close();
  before.PutOn(bench);
  bench.Open();
  EXPECT_EQ(bench.Show(bench.reference).state, CallState::kDone);
  EXPECT_FALSE(bench.queue->Answer(bench.reference)) << "it said something else";
  EXPECT_FALSE(bench.queue->Retry(bench.reference, AttemptsOf(*bench.queue, bench.reference)));
  EXPECT_EQ(bench.Total().billed_yes, 1);
}

TEST_F(SettleTest, WhatWasRejectedInDoubtSaysWhyThoughItNeverArrived) {
  DoubtfulBench bench;
  const CallReference reference = bench.reference;
  const std::string before(MeaningOf(bench.Show(reference)));
  EXPECT_THAT(before, HasSubstr("wrong address"));
  ASSERT_TRUE(bench.queue->Settle(reference, 1, Settlement::kNotReceived));
  EXPECT_EQ(MeaningOf(bench.Show(reference)), before);
}

// Who counts by the call and who counts by the ledger sees the same.
TEST_F(SettleTest, WhatNeverArrivedOfACallThatHasEndedCostNothingThereEither) {
  const CallReference reference = UnknownCall();
  ASSERT_TRUE(bench_.queue->GiveUp(reference));
  EXPECT_EQ(bench_.Show(reference).billed_attempts, 1);
  EXPECT_THAT(MeaningOf(bench_.Show(reference)), HasSubstr("it is not known"));
  ASSERT_TRUE(bench_.queue->Settle(reference, 1, Settlement::kNotReceived));
  EXPECT_THAT(MeaningOf(bench_.Show(reference)), HasSubstr("was not billed"));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(bench_.Ledger()[0].billed, Billed::kNo);
    EXPECT_EQ(bench_.Show(reference).billed_attempts, 0);
    EXPECT_EQ(bench_.StateOf(reference), "done");
    EXPECT_EQ(Name(bench_.Show(reference).verdict), "given_up") << "it stays ended";
    bench_.Restart();
  }
  bench_.RunFor(minutes(20));
  EXPECT_EQ(bench_.posts(), 1);
}

TEST_F(SettleTest, OfACallThatWasGivenUpItIsSaidWhatTheServicesOperatorKnew) {
  for (const Settlement told : {Settlement::kVerified, Settlement::kRejected}) {
    const CallReference reference = UnknownCall(static_cast<int>(told) + 1);
    ASSERT_TRUE(bench_.queue->GiveUp(reference));
    ASSERT_TRUE(bench_.queue->Settle(reference, 1, told));
    const CallSummary call = bench_.Show(reference);
    EXPECT_EQ(Name(call.verdict), "given_up") << "it stays ended";
    EXPECT_THAT(MeaningOf(call), HasSubstr("so it was billed"));
    EXPECT_THAT(call.engineer, HasSubstr(Name(told)));
  }
}

TEST_F(SettleTest, WhatALaterAttemptCameToStaysSaid) {
  const CallReference reference = UnknownCall();
  ASSERT_TRUE(bench_.queue->Retry(reference, AttemptsOf(*bench_.queue, reference)));
  bench_.Serve(429, "{}");
  bench_.Step();
  ASSERT_EQ(bench_.Show(reference).last_outcome, OutcomeKind::kBusy);
  ASSERT_TRUE(bench_.queue->Settle(reference, 1, Settlement::kNotReceived));
  EXPECT_EQ(bench_.Show(reference).last_outcome, OutcomeKind::kBusy);
}

// Told of the first while the second is on its way, which comes to nothing: a third would follow.
TEST_F(SettleTest, NothingIsSettledWhileAnotherAttemptIsOnItsWay) {
  for (const Settlement told : {Settlement::kVerified, Settlement::kNotReceived}) {
    const CallReference reference = UnknownCall(static_cast<int>(told) + 1);
    ASSERT_TRUE(bench_.queue->Retry(reference, AttemptsOf(*bench_.queue, reference)));
    ASSERT_TRUE(bench_.queue->BeginAttempt(reference));
    const Status early = bench_.queue->Settle(reference, 1, told);
    ASSERT_FALSE(early);
    EXPECT_EQ(early.error().code, ErrorCode::kFailedPrecondition);
    EXPECT_THAT(early.error().message, HasSubstr("on its way"));
    Outcome busy;
    busy.kind = OutcomeKind::kBusy;
    busy.endpoint = Endpoint::kLookupNin;
    busy.stage = SendStage::kAnswered;
    ASSERT_TRUE(bench_.queue->Record(reference, busy, {}));
    ASSERT_TRUE(bench_.queue->Settle(reference, 1, told));
    EXPECT_EQ(bench_.Show(reference).billed_attempts, told == Settlement::kVerified ? 1 : 0);
    if (told == Settlement::kVerified) {
      EXPECT_EQ(bench_.StateOf(reference), "done");
      const int posts = bench_.posts();
      bench_.Serve(200);
      bench_.RunFor(minutes(20));
      EXPECT_EQ(bench_.posts(), posts);
    }
  }
}

// Two programs say yes to the same second attempt, and it is over when the second one is heard.
TEST_F(SettleTest, OneYesPaysForOneAttempt) {
  const CallReference reference = UnknownCall();
  ASSERT_TRUE(bench_.queue->Retry(reference, 1));
  EXPECT_TRUE(bench_.queue->Retry(reference, 1)) << "nothing was sent in between";
  bench_.Step();
  ASSERT_EQ(bench_.StateOf(reference), "unknown");
  const Status second = bench_.queue->Retry(reference, 1);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, testing::HasSubstr("has been sent 2 times meanwhile"));
  EXPECT_TRUE(bench_.queue->Retry(reference, 2));
}

TEST_F(SettleTest, OneGrantedAttemptIsNotTwoOnceTheFirstNeverArrived) {
  const CallReference reference = UnknownCall();
  ASSERT_TRUE(bench_.queue->Retry(reference, AttemptsOf(*bench_.queue, reference)));
  bench_.Step();
  for (const int attempt : {1, 2}) {
    ASSERT_TRUE(bench_.queue->Settle(reference, attempt, Settlement::kNotReceived));
  }
  const int posts = bench_.posts();
  bench_.RunFor(std::chrono::hours(1));
  EXPECT_EQ(bench_.StateOf(reference), "unknown");
  EXPECT_EQ(bench_.posts(), posts + 1);
}

TEST_F(SettleTest, ACallThatIsToBeSentAgainIsNotWhenItsFirstAttemptHadArrived) {
  const CallReference reference = UnknownCall();
  ASSERT_TRUE(bench_.queue->Retry(reference, AttemptsOf(*bench_.queue, reference)));
  ASSERT_TRUE(bench_.queue->Settle(reference, 1, Settlement::kVerified));
  EXPECT_EQ(bench_.Show(reference).verdict, Verdict::kVerified);
  bench_.Serve(200);
  bench_.RunFor(minutes(20));
  EXPECT_EQ(bench_.posts(), 1);
}

TEST_F(SettleTest, AnAttemptOfACallThatHasEndedIsSettledInTheLedger) {
  const CallReference given_up = UnknownCall(1);
  ASSERT_TRUE(bench_.queue->GiveUp(given_up));
  const CallReference answered = UnknownCall(2);
  ASSERT_TRUE(bench_.queue->Retry(answered, AttemptsOf(*bench_.queue, answered)));
  bench_.Serve(200);
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.Show(answered).verdict, Verdict::kVerified);
  ASSERT_EQ(bench_.Total().billed_maybe, 2);

  ASSERT_TRUE(bench_.queue->Settle(given_up, 1, Settlement::kVerified));
  ASSERT_TRUE(bench_.queue->Settle(answered, 1, Settlement::kNotReceived));
  EXPECT_EQ(bench_.Total().billed_maybe, 0);
  EXPECT_EQ(bench_.Total().billed_yes, 2);
  EXPECT_EQ(bench_.Show(given_up).verdict, Verdict::kGivenUp);
  EXPECT_EQ(bench_.Show(answered).verdict, Verdict::kVerified);
  EXPECT_EQ(bench_.Show(answered).attempts, 2);
  EXPECT_EQ(bench_.queue->Ends(0, 0)->count, 4) << "each is told again, at its new cost";
  bench_.Restart();
  EXPECT_EQ(bench_.Total().billed_yes, 2);
}

TEST_F(SettleTest, AnAttemptOfACallThatIsGoneIsSettledInTheLedger) {
  const CallReference reference = UnknownCall();
  ASSERT_TRUE(bench_.queue->GiveUp(reference));
  bench_.RunFor(std::chrono::hours(24 * 10));
  ASSERT_FALSE(bench_.queue->Show(reference));
  ASSERT_TRUE(bench_.queue->Settle(reference, 1, Settlement::kNotReceived));
  EXPECT_EQ(bench_.Total().billed_maybe, 0);
  EXPECT_EQ(bench_.Total().billed_yes, 0);
}

TEST_F(SettleTest, WhatNeverArrivedAndCanNotBeSentAnyMoreHasEnded) {
  const CallReference reference = UnknownCall();
  bench_.clock.Advance(bench_.options.queue.max_age + std::chrono::hours(1));
  ASSERT_TRUE(bench_.queue->Expire());
  ASSERT_EQ(bench_.StateOf(reference), "unknown");
  ASSERT_FALSE(bench_.Show(reference).has_payload) << "its age has erased what it asked";
  ASSERT_TRUE(bench_.queue->Settle(reference, 1, Settlement::kNotReceived));
  const CallSummary call = bench_.Show(reference);
  EXPECT_EQ(call.state, CallState::kExpired);
  EXPECT_THAT(MeaningOf(call), HasSubstr("waited too long"));
  EXPECT_EQ(bench_.Total().billed_maybe, 0);
  EXPECT_EQ(bench_.queue->Ends(0, 100)->newest->state, CallState::kExpired);
  bench_.Restart();
  EXPECT_EQ(bench_.StateOf(reference), "expired");
}

TEST_F(SettleTest, OfTwoThatWereToldTheOneThatSaysMoreCountsWhicheverCameFirst) {
  const auto settled = [this](int number, Settlement first, Settlement second) {
    // Three in a row that verify nothing would hold the next.
    bench_.Serve(200);
    (void)bench_.Accept(LookupCall(number + 10));
    bench_.RunFor(minutes(20));
    const CallReference reference = UnknownCall(number);
    EXPECT_TRUE(bench_.queue->Retry(reference, AttemptsOf(*bench_.queue, reference)));
    bench_.Step();
    EXPECT_TRUE(bench_.queue->Settle(reference, 1, first));
    EXPECT_TRUE(bench_.queue->Settle(reference, 2, second));
    return bench_.Show(reference).verdict;
  };
  EXPECT_EQ(settled(1, Settlement::kVerified, Settlement::kNotVerified), Verdict::kVerified);
  EXPECT_EQ(settled(2, Settlement::kNotVerified, Settlement::kVerified), Verdict::kVerified);
  EXPECT_EQ(bench_.queue->Ends(0, 100)->newest->verdict, Verdict::kVerified);
  EXPECT_EQ(settled(3, Settlement::kRejected, Settlement::kNotVerified), Verdict::kNotVerified);
  EXPECT_EQ(settled(4, Settlement::kRejected, Settlement::kNotReceived), Verdict::kRejected);
  EXPECT_EQ(bench_.posts(), 12);
}

TEST_F(SettleTest, WhatTheServiceItselfAnsweredStaysWhateverIsToldOfAnotherAttempt) {
  const CallReference reference = UnknownCall();
  ASSERT_TRUE(bench_.queue->Retry(reference, AttemptsOf(*bench_.queue, reference)));
  bench_.Serve(200, kNotVerifiedAnswer);
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.Show(reference).verdict, Verdict::kNotVerified);
  ASSERT_TRUE(bench_.queue->Settle(reference, 1, Settlement::kVerified));
  EXPECT_EQ(bench_.Show(reference).verdict, Verdict::kNotVerified);
}

TEST_F(SettleTest, RefusesWhatIsNotInDoubt) {
  const auto refused = [this](const CallReference& reference, int attempt, ErrorCode code) {
    const Status settled = bench_.queue->Settle(reference, attempt, Settlement::kVerified);
    ASSERT_FALSE(settled);
    EXPECT_EQ(settled.error().code, code) << settled.error().message;
  };
  const CallReference reference = UnknownCall();
  refused("KD7Q2M", 1, ErrorCode::kNotFound);
  refused(reference, 2, ErrorCode::kNotFound);
  refused(reference, 0, ErrorCode::kNotFound);
  ASSERT_TRUE(bench_.queue->Settle(reference, 1, Settlement::kVerified));
  refused(reference, 1, ErrorCode::kFailedPrecondition);
  bench_.Serve(200);
  const CallReference done = bench_.Accept(LookupCall(3));
  bench_.StepUntilIdle();
  refused(done, 1, ErrorCode::kFailedPrecondition);
}

TEST_F(SettleTest, IsForWhoDelivers) {
  const CallReference reference = UnknownCall();
  bench_.Close();
  bench_.Open(DurableQueue::Role::kOperate);
  EXPECT_FALSE(bench_.queue->Settle(reference, 1, Settlement::kVerified));
  EXPECT_EQ(bench_.StateOf(reference), "unknown");
}

}  // namespace
}  // namespace idkiosk
