#include "app/queue/delivery_worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <utility>

#include "app/queue/storage/sqlite_database.h"
#include "tests/app/queue/queue_fixture.h"

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using How = FakeHttpClient::Reply::How;

constexpr std::string_view kNoRecordAnswer = R"({"message":"There is no record for this NIN."})";

FakeHttpClient::Reply Reply(int status, std::string_view body = kErrorAnswer) {
  FakeHttpClient::Reply reply;
  reply.status = status;
  reply.body = body;
  return reply;
}

FakeHttpClient::Reply Failure(How how) {
  FakeHttpClient::Reply reply;
  reply.how = how;
  return reply;
}

class DeliveryWorkerTest : public testing::Test {
 protected:
  DeliveryWorkerTest() {
    bench_.Open();
    // A token is there, so that the replies played are those of verifications.
    bench_.http.Answer(200, R"({"data":{"accessToken":"token-0"}})");
    EXPECT_TRUE(bench_.client.Login());
  }

  // One call, one attempt, and this is what the network does.
  CallReference Deliver(FakeHttpClient::Reply reply, VerificationCall call = LookupCall(1)) {
    const CallReference reference = bench_.Accept(std::move(call));
    bench_.http.Play(std::move(reply));
    EXPECT_EQ(bench_.Step().reference, reference);
    return reference;
  }

  void RunFor(Duration time) { bench_.RunFor(time); }

  std::string LedgerLine(size_t row = 0) {
    const auto rows = bench_.Ledger();
    if (row >= rows.size()) return "none";
    return fmt::format("{} {} {} {} {}", rows[row].number, Name(rows[row].stage),
                       rows[row].http_status, Name(rows[row].billed), rows[row].rule);
  }

  QueueBench bench_;
};

TEST_F(DeliveryWorkerTest, VerifiedIsDoneAndBilledOnce) {
  const CallReference reference = Deliver(Reply(200, kVerifiedAnswer));
  EXPECT_EQ(bench_.StateOf(reference), "done");
  EXPECT_EQ(bench_.Show(reference).verdict, Verdict::kVerified);
  EXPECT_EQ(LedgerLine(), "1 answered 200 yes verified");
  EXPECT_EQ(bench_.Ledger()[0].price, 5000);
}

TEST_F(DeliveryWorkerTest, RefusedConnectionKeepsTheCallUnbilledAndTriesAgain) {
  const CallReference reference = Deliver(Failure(How::kRefuse));
  EXPECT_EQ(bench_.StateOf(reference), "pending");
  EXPECT_EQ(LedgerLine(), "1 not_sent 0 no unreachable");
  EXPECT_EQ(bench_.Show(reference).billed_attempts, 0);
  bench_.Serve(200);
  RunFor(minutes(1));
  EXPECT_EQ(bench_.StateOf(reference), "done");
  EXPECT_EQ(bench_.posts(), 1);
  EXPECT_EQ(LedgerLine(1), "2 answered 200 yes verified");
}

TEST_F(DeliveryWorkerTest, AnOutageIsProbedWithBackoffAndNeverInABusyLoop) {
  for (int i = 0; i < 20; ++i) bench_.Accept(LookupCall(i));
  const int before = bench_.http.attempts();
  RunFor(hours(1));
  // Exponential up to 15 minutes, full jitter: about a dozen probes for all twenty calls.
  EXPECT_LT(bench_.http.attempts() - before, 40);
  EXPECT_GT(bench_.http.attempts() - before, 5);
  EXPECT_EQ(bench_.posts(), 0);
  bench_.Serve(200);
  RunFor(hours(5));
  EXPECT_EQ(bench_.posts(), 20);
}

TEST_F(DeliveryWorkerTest, ACertificateThatDoesNotFitIsTriedAgainLikeAnOutage) {
  const CallReference reference = Deliver(Failure(How::kDistrust));
  EXPECT_EQ(bench_.StateOf(reference), "pending");
  EXPECT_EQ(LedgerLine(), "1 not_sent 0 no certificate");
}

TEST_F(DeliveryWorkerTest, ALostAnswerIsUnknownAndNotResent) {
  for (How how : {How::kDrop, How::kCut, How::kRepeat}) {
    QueueBench bench;
    bench.Open();
    bench.http.Answer(200, std::string(kLoginAnswer));
    bench.http.Play(Failure(how));
    const CallReference reference = bench.Accept(LookupCall(1));
    bench.Serve(200);
    for (int i = 0; i < 50; ++i) {
      bench.StepUntilIdle();
      bench.clock.Advance(minutes(30));
    }
    EXPECT_EQ(bench.StateOf(reference), "unknown");
    EXPECT_EQ(bench.posts(), 1);
    EXPECT_EQ(bench.Show(reference).next_attempt, std::nullopt);
    EXPECT_EQ(bench.Show(reference).resend_price, 5000);
    ASSERT_TRUE(bench.queue->Retry(reference, AttemptsOf(*bench.queue, reference)));
    bench.StepUntilIdle();
    EXPECT_EQ(bench.StateOf(reference), "done");
    EXPECT_EQ(bench.posts(), 2);
  }
}

TEST_F(DeliveryWorkerTest, OneApprovalIsOneRequestEvenWhereAnotherAttemptWouldBeAllowed) {
  bench_.Close();
  bench_.options.billing.max_billed_attempts = 2;
  bench_.Open();
  const CallReference reference = Deliver(Failure(How::kRepeat));
  EXPECT_EQ(bench_.posts(), 1);
  EXPECT_EQ(bench_.StateOf(reference), "unknown");
}

TEST_F(DeliveryWorkerTest, ATimeoutAfterSendingIsUnknown) {
  FakeHttpClient::Reply slow = Reply(200, kVerifiedAnswer);
  slow.delay = minutes(2);
  const CallReference reference = Deliver(slow);
  EXPECT_EQ(bench_.StateOf(reference), "unknown");
  EXPECT_EQ(LedgerLine(), "1 sent 0 maybe lost");
}

TEST_F(DeliveryWorkerTest, AnswersThatCannotBeReadAreUnknownAndKept) {
  const CallReference reference = Deliver(Reply(200, "<html>Log in to our network</html>"));
  EXPECT_EQ(bench_.StateOf(reference), "unknown");
  EXPECT_EQ(bench_.queue->Answer(reference)->text(), "<html>Log in to our network</html>");
  EXPECT_EQ(LedgerLine(), "1 answered 200 maybe unreadable");
}

TEST_F(DeliveryWorkerTest, AnUnknownCallIsResentAfterItSettledWhereBillingAllowsIt) {
  bench_.Close();
  bench_.options.billing.max_billed_attempts = 2;
  bench_.Open();
  const CallReference reference = Deliver(Reply(500));
  EXPECT_EQ(bench_.StateOf(reference), "unknown");
  ASSERT_TRUE(bench_.Show(reference).next_attempt);
  bench_.Serve(500, kErrorAnswer);
  RunFor(minutes(1) + seconds(59));
  EXPECT_EQ(bench_.posts(), 1);
  RunFor(hours(30));
  EXPECT_EQ(bench_.posts(), 2);
  EXPECT_EQ(bench_.StateOf(reference), "unknown");
  EXPECT_EQ(bench_.Show(reference).next_attempt, std::nullopt);
}

TEST_F(DeliveryWorkerTest, A400IsFinalAndBilled) {
  const CallReference reference = Deliver(Reply(400));
  EXPECT_EQ(bench_.StateOf(reference), "done");
  EXPECT_EQ(bench_.Show(reference).verdict, Verdict::kRejected);
  EXPECT_EQ(bench_.Show(reference).http_status, 400);
  EXPECT_EQ(LedgerLine(), "1 answered 400 yes rejected");
  EXPECT_EQ(bench_.queue->Retry(reference, AttemptsOf(*bench_.queue, reference)).error().code,
            ErrorCode::kFailedPrecondition);
}

TEST_F(DeliveryWorkerTest, ARecordThatIsNotThereIsFinalAndBilled) {
  const CallReference reference = Deliver(Reply(404, kNoRecordAnswer));
  EXPECT_EQ(bench_.StateOf(reference), "done");
  EXPECT_EQ(LedgerLine(), "1 answered 404 yes no_record");
}

TEST_F(DeliveryWorkerTest, A401CostsOneLoginForAllAndTheCallGoesOutAgain) {
  std::vector<CallReference> references;
  for (int i = 0; i < 5; ++i) references.push_back(bench_.Accept(LookupCall(i)));
  bench_.http.Play(Reply(401));
  bench_.Serve(200);
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.logins, 1);
  for (const CallReference& each : references) EXPECT_EQ(bench_.StateOf(each), "done");
  EXPECT_EQ(LedgerLine(0), "1 answered 401 no unauthorized");
  EXPECT_EQ(LedgerLine(1), "2 answered 200 yes verified");
}

TEST_F(DeliveryWorkerTest, ASecond401HoldsTheQueueUntilAPersonMendsIt) {
  bench_.Serve(401, kErrorAnswer);
  const CallReference first = bench_.Accept(LookupCall(1));
  const CallReference second = bench_.Accept(LookupCall(2));
  RunFor(hours(10));
  EXPECT_EQ(bench_.posts(), 2);
  EXPECT_EQ(bench_.StateOf(first), "held");
  EXPECT_EQ(bench_.StateOf(second), "held");
  EXPECT_EQ(bench_.Show(second).hold->reason, HoldReason::kCredentials);
  bench_.Serve(200);
  ASSERT_TRUE(bench_.queue->Retry(first, AttemptsOf(*bench_.queue, first)));
  RunFor(minutes(1));
  EXPECT_EQ(bench_.StateOf(second), "done");
}

TEST_F(DeliveryWorkerTest, RefusedCredentialsHoldUntilTheVaultHoldsOthers) {
  bench_.tokens.Forget();
  bench_.http.set_server([](const auto&) { return Reply(401); });
  const CallReference reference = bench_.Accept(LookupCall(1));
  const int before = bench_.http.attempts();
  RunFor(hours(1));
  EXPECT_EQ(bench_.http.attempts() - before, 1);
  EXPECT_EQ(bench_.StateOf(reference), "held");
  EXPECT_EQ(bench_.Ledger().size(), 0U);
  bench_.Serve(200);
  bench_.storage.Set(kPasswordSecret, "the right one");
  RunFor(minutes(2));
  EXPECT_EQ(bench_.StateOf(reference), "done");
}

TEST_F(DeliveryWorkerTest, AMissingSecretHoldsAndMendsItself) {
  ASSERT_TRUE(bench_.storage.Remove(kApiKeySecret));
  bench_.Serve(200);
  const CallReference reference = bench_.Accept(LookupCall(1));
  RunFor(minutes(10));
  EXPECT_EQ(bench_.StateOf(reference), "held");
  EXPECT_EQ(bench_.Show(reference).hold->reason, HoldReason::kMissingSecret);
  EXPECT_EQ(bench_.posts(), 0);
  bench_.storage.Set(kApiKeySecret, "api-key");
  RunFor(minutes(2));
  EXPECT_EQ(bench_.StateOf(reference), "done");
}

TEST_F(DeliveryWorkerTest, A403HoldsItsEndpointAndNoOther) {
  const CallReference forbidden = bench_.Accept(LookupCall(1));
  const CallReference same = bench_.Accept(LookupCall(2));
  bench_.Serve(403, kErrorAnswer);
  bench_.Step();
  const CallReference other = bench_.Accept(FacialCall());
  bench_.Serve(200);
  RunFor(hours(10));
  EXPECT_EQ(bench_.StateOf(forbidden), "held");
  EXPECT_EQ(bench_.StateOf(same), "held");
  EXPECT_EQ(bench_.StateOf(other), "done");
  const auto stats = bench_.queue->Stats();
  EXPECT_EQ(stats->held, 2);
  ASSERT_EQ(stats->holds.size(), 1U);
  EXPECT_EQ(stats->holds[0].endpoint, Endpoint::kLookupNin);
  EXPECT_THAT(stats->holds[0].detail, HasSubstr("lookup_nin"));
  ASSERT_TRUE(bench_.queue->Lift("lookup_nin:access"));
  RunFor(minutes(1));
  EXPECT_EQ(bench_.StateOf(same), "done");
}

TEST_F(DeliveryWorkerTest, AWrongPathHoldsItsEndpoint) {
  const CallReference reference = Deliver(Reply(404, "<html>nginx</html>"));
  EXPECT_EQ(bench_.StateOf(reference), "held");
  EXPECT_EQ(bench_.Show(reference).hold->reason, HoldReason::kWrongAddress);
  EXPECT_EQ(LedgerLine(), "1 answered 404 maybe wrong_address");
}

TEST_F(DeliveryWorkerTest, A413IsSentAgainSmallerAndTheRungIsRemembered) {
  bench_.http.Play(Reply(413));
  bench_.http.Play(Reply(413));
  bench_.Serve(200);
  const CallReference reference = bench_.Accept(FacialCall());
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.StateOf(reference), "done");
  EXPECT_THAT(bench_.shrinker.rungs, ElementsAre(1, 2));
  EXPECT_EQ(bench_.shrinker.remembered, 2);
  const auto& seen = bench_.http.seen();
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_LT(seen[2].body.size(), seen[1].body.size());
  EXPECT_LT(seen[3].body.size(), seen[2].body.size());
  EXPECT_EQ(bench_.Show(reference).billed_attempts, 1);
  EXPECT_EQ(LedgerLine(0), "1 answered 413 no too_large");
}

TEST_F(DeliveryWorkerTest, AThird413IsTheAnswer) {
  bench_.Serve(413, kErrorAnswer);
  const CallReference reference = bench_.Accept(FacialCall());
  RunFor(hours(1));
  EXPECT_EQ(bench_.posts(), 3);
  EXPECT_EQ(bench_.StateOf(reference), "done");
  EXPECT_EQ(bench_.Show(reference).verdict, Verdict::kRejected);
  EXPECT_EQ(bench_.shrinker.remembered, std::nullopt);
  EXPECT_EQ(bench_.Total().billed_yes + bench_.Total().billed_maybe, 0);
  EXPECT_EQ(LedgerLine(1), "2 answered 413 no too_large");
  EXPECT_EQ(LedgerLine(2), "3 answered 413 no pictures_refused");
}

TEST_F(DeliveryWorkerTest, PicturesThatCannotBeMadeSmallerAreRejectedAtOnce) {
  bench_.Serve(413, kErrorAnswer);
  bench_.shrinker.error = Error{ErrorCode::kExhausted, "they are that small already"};
  const CallReference reference = bench_.Accept(FacialCall());
  RunFor(minutes(1));
  EXPECT_EQ(bench_.posts(), 1);
  EXPECT_EQ(bench_.StateOf(reference), "done");
  EXPECT_THAT(bench_.Show(reference).engineer, HasSubstr("that small already"));
  const std::string_view clerk = ClerkSentence(*bench_.Show(reference).last_outcome);
  EXPECT_THAT(std::string(clerk), Not(HasSubstr("sent again"))) << "nothing more is sent";
}

TEST_F(DeliveryWorkerTest, A429PausesAllCallsEvenOfAWaitingPerson) {
  FakeHttpClient::Reply busy = Reply(429);
  busy.headers = {{"retry-after", "100"}};
  const CallReference first = Deliver(busy);
  const CallReference urgent = bench_.Accept(LookupCall(2), true);
  bench_.Serve(200);
  RunFor(seconds(99));
  EXPECT_EQ(bench_.posts(), 1);
  RunFor(seconds(20));
  EXPECT_EQ(bench_.StateOf(first), "done");
  EXPECT_EQ(bench_.StateOf(urgent), "done");
  EXPECT_EQ(LedgerLine(), "1 answered 429 no busy");
  EXPECT_EQ(bench_.Show(first).billed_attempts, 1);
}

TEST_F(DeliveryWorkerTest, A429ThatHoldsAYesIsUnknownAndSentOnce) {
  const CallReference reference = Deliver(Reply(429, kVerifiedAnswer));
  EXPECT_EQ(bench_.Show(reference).verdict, Verdict::kNone);
  EXPECT_EQ(LedgerLine(), "1 answered 429 maybe unreadable");
  EXPECT_TRUE(bench_.Show(reference).has_answer);
  bench_.Serve(200);
  RunFor(hours(1));
  EXPECT_EQ(bench_.StateOf(reference), "unknown");
  EXPECT_EQ(bench_.posts(), 1);
}

TEST_F(DeliveryWorkerTest, APersonWhoHasJustComeDoesNotWaitForTheBackoff) {
  for (int i = 0; i < 3; ++i) bench_.Accept(LookupCall(i));
  RunFor(minutes(30));
  bench_.Serve(200);
  const CallReference urgent = bench_.Accept(FacialCall(), true);
  EXPECT_EQ(bench_.Step().reference, urgent);
  EXPECT_EQ(bench_.StateOf(urgent), "done");
}

TEST_F(DeliveryWorkerTest, AfterAnOutageTheBacklogIsSpread) {
  for (int i = 0; i < 50; ++i) bench_.Accept(LookupCall(i));
  RunFor(minutes(30));
  bench_.Serve(200);
  RunFor(minutes(40));
  EXPECT_GT(bench_.posts(), 2);
  EXPECT_LT(bench_.posts(), 40);
  RunFor(hours(2));
  EXPECT_EQ(bench_.posts(), 50);
}

TEST_F(DeliveryWorkerTest, OneLostPacketDoesNotHoldUpTheOthers) {
  std::vector<CallReference> references;
  for (int i = 0; i < 10; ++i) references.push_back(bench_.Accept(LookupCall(i)));
  bench_.http.Play(Failure(How::kRefuse));
  bench_.Serve(200);
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), 9);
  EXPECT_EQ(bench_.StateOf(references[0]), "pending");
  RunFor(seconds(10));
  EXPECT_EQ(bench_.posts(), 10);
}

TEST_F(DeliveryWorkerTest, SpendCapsOfAnHourAndADayHoldAndLiftThemselves) {
  bench_.Close();
  bench_.options.billing.calls_per_hour = 2;
  bench_.options.billing.calls_per_day = 3;
  bench_.Open();
  bench_.Serve(200);
  std::vector<CallReference> references;
  for (int i = 0; i < 5; ++i) references.push_back(bench_.Accept(LookupCall(i)));
  RunFor(minutes(59));
  EXPECT_EQ(bench_.posts(), 2);
  EXPECT_EQ(bench_.StateOf(references[4]), "held");
  const Hold hold = *bench_.Show(references[4]).hold;
  EXPECT_EQ(hold.reason, HoldReason::kSpendCap);
  EXPECT_GT(bench_.clock.WallNow() - hold.since, minutes(58)) << "not since somebody looks";
  RunFor(minutes(10));
  EXPECT_EQ(bench_.posts(), 3);
  RunFor(hours(22));
  EXPECT_EQ(bench_.posts(), 3);
  RunFor(hours(3));
  EXPECT_EQ(bench_.posts(), 5);
}

TEST_F(DeliveryWorkerTest, WhatWasNotBilledDoesNotCountForTheCap) {
  bench_.Close();
  bench_.options.billing.calls_per_hour = 1;
  bench_.Open();
  Deliver(Failure(How::kRefuse));
  bench_.Serve(200);
  RunFor(minutes(1));
  EXPECT_EQ(bench_.posts(), 1);
}

TEST_F(DeliveryWorkerTest, ThreeBilledRejectionsInARowOpenTheBreaker) {
  bench_.Serve(400, kErrorAnswer);
  std::vector<CallReference> references;
  for (int i = 0; i < 6; ++i) references.push_back(bench_.Accept(LookupCall(i)));
  RunFor(hours(10));
  EXPECT_EQ(bench_.posts(), 3);
  EXPECT_EQ(bench_.StateOf(references[5]), "held");
  EXPECT_EQ(bench_.Show(references[5]).hold->reason, HoldReason::kBreaker);
  // Not even a new start closes it: it is about money.
  bench_.Restart();
  RunFor(hours(1));
  EXPECT_EQ(bench_.posts(), 3);
  ASSERT_TRUE(bench_.queue->Retry(references[3], AttemptsOf(*bench_.queue, references[3])));
  bench_.Serve(200);
  RunFor(minutes(1));
  EXPECT_EQ(bench_.posts(), 6);
}

TEST_F(DeliveryWorkerTest, AGoodAnswerBetweenRejectionsKeepsTheBreakerClosed) {
  int count = 0;
  bench_.ServeLogins(
      [&](const auto&) { return ++count % 3 == 0 ? Reply(200, kVerifiedAnswer) : Reply(400); });
  for (int i = 0; i < 12; ++i) bench_.Accept(LookupCall(i));
  RunFor(minutes(1));
  EXPECT_EQ(bench_.posts(), 12);
}

TEST_F(DeliveryWorkerTest, ACallCancelledWhileTheConnectionWasMadeIsNotSent) {
  const CallReference reference = bench_.Accept(LookupCall(1));
  bench_.tokens.Forget();
  FakeHttpClient::Reply login = Reply(200, kLoginAnswer);
  login.on_arrival = [&] { EXPECT_TRUE(bench_.queue->Cancel(reference)); };
  bench_.http.Play(login);
  bench_.http.Play(Reply(200, kVerifiedAnswer));
  bench_.Step();
  EXPECT_EQ(bench_.StateOf(reference), "cancelled");
  EXPECT_EQ(bench_.posts(), 0);
}

TEST_F(DeliveryWorkerTest, AnAnswerThatCouldNotBeRecordedIsRecordedByTheNextStep) {
  const CallReference reference = bench_.Accept(LookupCall(1));
  const CallReference other = bench_.Accept(LookupCall(2));
  FakeHttpClient::Reply reply = Reply(200, kVerifiedAnswer);
  reply.on_arrival = [&] { bench_.disk.FailStep(1); };
  bench_.http.Play(reply);
  bench_.Serve(200);
  EXPECT_FALSE(bench_.worker->DeliverNext());
  EXPECT_EQ(bench_.StateOf(reference), "sending");
  EXPECT_EQ(bench_.Step().reference, reference);
  EXPECT_EQ(bench_.StateOf(reference), "done");
  EXPECT_EQ(bench_.posts(), 1);
  EXPECT_EQ(bench_.Step().reference, other);
}

TEST_F(DeliveryWorkerTest, ARunCommitsOnceACall) {
  // A log that is never written into the file meanwhile.
  bench_.Close();
  bench_.options.queue.reserve_bytes = 4 << 20;
  bench_.Open();
  constexpr int kCalls = 20;
  bench_.Serve(200);
  const auto commits = [this](const std::function<void()>& deliver) {
    for (int i = 0; i < kCalls; ++i) bench_.Accept(LookupCall(i));
    const size_t before = bench_.disk.syncs() + bench_.files.syncs();
    deliver();
    return bench_.disk.syncs() + bench_.files.syncs() - before;
  };
  const size_t singly = commits([this] {
    for (int i = 0; i < kCalls; ++i) bench_.Step();
  });
  // Not until nothing is left to do: then the copies of what has ended are erased.
  const size_t in_a_run = commits([this] {
    EXPECT_TRUE(bench_.worker->DeliverRun(
        {[this] { return bench_.posts() < 2 * kCalls; }, [](const auto&) {}}));
  });
  EXPECT_EQ(bench_.posts(), 2 * kCalls);
  EXPECT_GE(singly, 2U * kCalls);
  EXPECT_LE(in_a_run, kCalls + 3U);
}

TEST_F(DeliveryWorkerTest, WhatWasApprovedWithAnAnswerIsSentWhateverComes) {
  bench_.Serve(200);
  for (int i = 0; i < 3; ++i) bench_.Accept(LookupCall(i));
  bool first = true;
  std::vector<CallReference> told;
  const auto step =
      bench_.worker->DeliverRun({[&first] { return std::exchange(first, false); },
                                 [&told](const auto& each) { told.push_back(*each.reference); }});
  ASSERT_TRUE(step);
  EXPECT_EQ(bench_.posts(), 2);
  EXPECT_EQ(told.size(), 2U);
  for (const CallReference& each : told) EXPECT_EQ(bench_.StateOf(each), "done");
  EXPECT_EQ(bench_.queue->Stats()->In(CallState::kPending), 1);
  EXPECT_EQ(bench_.queue->Stats()->In(CallState::kSending), 0);
}

TEST_F(DeliveryWorkerTest, AConnectionThatDiesAfterAnApprovalCostsNothing) {
  const CallReference first = bench_.Accept(LookupCall(1));
  const CallReference second = bench_.Accept(LookupCall(2));
  bench_.http.Play(Reply(200, kVerifiedAnswer));
  bench_.http.Play(Failure(How::kRefuse));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.StateOf(first), "done");
  EXPECT_EQ(bench_.StateOf(second), "pending");
  EXPECT_EQ(bench_.Show(second).billed_attempts, 0);
  EXPECT_EQ(LedgerLine(1), "1 not_sent 0 no unreachable");
}

TEST_F(DeliveryWorkerTest, NothingIsApprovedBeforeAnAnswerThatAsksForARest) {
  for (int i = 0; i < 3; ++i) bench_.Accept(LookupCall(i));
  bench_.http.Play(Reply(200, kVerifiedAnswer));
  FakeHttpClient::Reply busy = Reply(429, "{}");
  bench_.http.Play(busy);
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), 2);
  EXPECT_EQ(bench_.queue->Stats()->In(CallState::kSending), 0);
  EXPECT_EQ(bench_.queue->Stats()->In(CallState::kPending), 2);
}

TEST_F(DeliveryWorkerTest, ADamagedCallEndsNoRun) {
  const CallReference first = bench_.Accept(LookupCall(1));
  bench_.Accept(LookupCall(2));
  const CallReference last = bench_.Accept(LookupCall(3));
  bench_.Close();
  bench_.DamageCopies();
  {
    auto database = SqliteDatabase::Open("/state/queue.db", bench_.disk.name());
    ASSERT_TRUE(database);
    ASSERT_TRUE((*database)->Execute("DELETE FROM chunk WHERE id BETWEEN 2*65536 AND 3*65536-1"));
  }
  bench_.Open();
  bench_.Serve(200);
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.StateOf(first), "done");
  EXPECT_EQ(bench_.StateOf(last), "done");
  EXPECT_EQ(bench_.queue->Stats()->In(CallState::kDamaged), 1);
  EXPECT_EQ(bench_.posts(), 2);
}

TEST_F(DeliveryWorkerTest, DeliverUntilEndsWithTheCallOrWithTheTime) {
  const auto wait = [this](MonotonicTime time) {
    EXPECT_GT(time, bench_.clock.Now());
    bench_.clock.Advance(time - bench_.clock.Now());
    return true;
  };
  const CallReference first = bench_.Accept(LookupCall(1));
  const auto kept = bench_.worker->DeliverUntil(first, bench_.clock.Now() + seconds(30), wait);
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_EQ(kept->state, CallState::kPending);
  EXPECT_EQ(kept->last_outcome, OutcomeKind::kUnreachable);
  // The next one, made by hand, does not wait for the backoff.
  bench_.Serve(200);
  const auto done = bench_.worker->DeliverUntil(first, bench_.clock.Now(), wait);
  EXPECT_EQ(done->verdict, Verdict::kVerified);

  const CallReference other = bench_.Accept(LookupCall(2));
  const CallReference mine = bench_.Accept(LookupCall(3));
  EXPECT_EQ(bench_.worker->DeliverUntil(mine, bench_.clock.Now(), wait)->state, CallState::kDone);
  EXPECT_EQ(bench_.StateOf(other), "pending");
}

TEST_F(DeliveryWorkerTest, ScreensMayAcceptAndLookWhileTheWorkerDelivers) {
  bench_.Serve(200);
  constexpr int kThreads = 4;
  constexpr int kCalls = 10;
  std::atomic<int> accepted = 0;
  std::vector<std::thread> screens;
  for (int screen = 0; screen < kThreads; ++screen) {
    screens.emplace_back([&, screen] {
      for (int i = 0; i < kCalls; ++i) {
        const auto reference = bench_.queue->Accept(LookupCall(screen * kCalls + i),
                                                    {.person_waits = true, .operator_id = ""});
        if (reference && bench_.queue->Show(*reference) && bench_.queue->Stats()) ++accepted;
      }
    });
  }
  while (bench_.queue->Stats()->In(CallState::kDone) < kThreads * kCalls && !HasFailure())
    bench_.Step();
  for (std::thread& each : screens) each.join();
  EXPECT_EQ(accepted, kThreads * kCalls);
  EXPECT_EQ(bench_.posts(), kThreads * kCalls);
}

TEST_F(DeliveryWorkerTest, DeliverAllFinishesWhatCanBeFinished) {
  const auto wait = [this](MonotonicTime time) {
    bench_.clock.Advance(time - bench_.clock.Now());
    return true;
  };
  for (int i = 0; i < 10; ++i) bench_.Accept(LookupCall(i));
  RunFor(minutes(20));
  bench_.Serve(200);
  const auto attempts = bench_.worker->DeliverAll(bench_.clock.Now(), wait);
  ASSERT_TRUE(attempts) << attempts.error().message;
  EXPECT_EQ(*attempts, 10);
  EXPECT_EQ(bench_.queue->Stats()->In(CallState::kPending), 0);
}

}  // namespace
}  // namespace idkiosk
