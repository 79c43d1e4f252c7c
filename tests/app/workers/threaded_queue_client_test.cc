#include "app/workers/threaded_queue_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/fake_audit_log.h"
#include "tests/fakes/fake_task_runner.h"

// What people before a screen ask of the real queue.
namespace idkiosk {
namespace {

using testing::SizeIs;

class ThreadedQueueClientTest : public QueueBench, public testing::Test {
 protected:
  ThreadedQueueClientTest() {
    Open();
    client_.emplace(ThreadedQueueClient::Dependencies{
        *queue, profile, clock, audit_, storage_runner_, control_, user_, [this] { ++woken_; }});
  }

  // What a question is answered with.
  template <typename Answer>
  Answer Ask(auto question) {
    std::optional<Answer> answer;
    question([&answer](Answer given) { answer.emplace(std::move(given)); });
    storage_runner_.RunUntilIdle();
    EXPECT_FALSE(answer) << "answered on the storage thread";
    control_.RunUntilIdle();
    return std::move(*answer);
  }
  QueueClient::Overview Overview() {
    return *Ask<Result<QueueClient::Overview>>(
        [&](auto then) { client_->ReadOverview(std::move(then)); });
  }
  QueueClient::Tally Tally() {
    return *Ask<Result<QueueClient::Tally>>(
        [&](auto then) { client_->ReadTally(std::move(then)); });
  }

  QueueClient::Looked Find(VerificationCall question, bool confirmed = false) {
    return Ask<QueueClient::Looked>(
        [&](auto then) { client_->FindObstacle(std::move(question), confirmed, std::move(then)); });
  }

  FakeAuditLog audit_;
  FakeTaskRunner storage_runner_{clock};
  FakeTaskRunner control_{clock};
  PageUser user_;
  std::optional<ThreadedQueueClient> client_;
  int woken_ = 0;
};

TEST_F(ThreadedQueueClientTest, AnswersOnTheControlThreadOnly) {
  std::optional<CallReference> reference;
  client_->Accept(LookupCall(1), {}, [&](const Accepted& kept) { reference = *kept; });
  EXPECT_EQ(woken_, 0);
  storage_runner_.RunUntilIdle();
  EXPECT_EQ(woken_, 1);
  EXPECT_EQ(reference, std::nullopt);
  control_.RunUntilIdle();
  ASSERT_NE(reference, std::nullopt);

  std::optional<CallSummary> call;
  client_->Show(*reference, [&](const Result<CallSummary>& shown) { call = *shown; });
  storage_runner_.RunUntilIdle();
  control_.RunUntilIdle();
  ASSERT_NE(call, std::nullopt);
  EXPECT_EQ(call->state, CallState::kPending);
  EXPECT_TRUE(call->person_waits);

  client_->NobodyWaits(*reference);
  storage_runner_.RunUntilIdle();
  EXPECT_FALSE(Show(*reference).person_waits);
}

TEST_F(ThreadedQueueClientTest, APersonWhoWaitsGetsATryWhileTheNetworkRests) {
  FakeHttpClient::Reply refused;
  refused.how = FakeHttpClient::Reply::How::kRefuse;
  http.set_server([&](const auto&) { return refused; });
  Accept(LookupCall(1));
  StepUntilIdle();
  const int tries = http.attempts();
  client_->Accept(LookupCall(2), {}, [](const auto&) {});
  storage_runner_.RunUntilIdle();
  Step();
  EXPECT_GT(http.attempts(), tries);
}

TEST_F(ThreadedQueueClientTest, SaysThatThereIsNoRoom) {
  files.set_capacity(0);
  disk.set_capacity(0);
  EXPECT_EQ(Find(LookupCall(1)).obstacle->kind, Obstacle::Kind::kNoRoom);
}

TEST_F(ThreadedQueueClientTest, FindsWhatWasAskedBeforeAndGivesTheQuestionBack) {
  EXPECT_FALSE(Find(LookupCall(1)).obstacle);
  const auto reference = Accept(LookupCall(1));
  const QueueClient::Looked same = Find(LookupCall(1));
  ASSERT_TRUE(same.obstacle);
  EXPECT_EQ(same.obstacle->before->reference, reference);
  EXPECT_EQ(same.question.nin.text(), "00000000001");
  EXPECT_FALSE(Find(LookupCall(1), true).obstacle);
}

TEST_F(ThreadedQueueClientTest, KeepsTheSameQuestionOnlyAfterAYes) {
  (void)Accept(LookupCall(1));
  const auto accept = [&](bool confirmed) {
    return Ask<Accepted>([&](auto then) {
      client_->Accept(LookupCall(1), {.confirmed = confirmed}, std::move(then));
    });
  };
  const Accepted refused = accept(false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, Obstacle::Kind::kAskedBefore);
  EXPECT_EQ(woken_, 0);
  EXPECT_TRUE(accept(true));
  EXPECT_EQ(woken_, 1);
}

TEST_F(ThreadedQueueClientTest, FindsWhatHoldsTheQueueAlsoWhereNothingWaits) {
  EXPECT_FALSE(Find(LookupCall(1)).obstacle);
  FakeHttpClient::Reply refused;
  refused.status = 403;
  ServeLogins([&](const auto&) { return refused; });
  const auto reference = Accept(LookupCall(1));
  StepUntilIdle();
  ASSERT_TRUE(Find(LookupCall(2)).obstacle);
  EXPECT_EQ(Find(LookupCall(2)).obstacle->hold->reason, HoldReason::kAccess);
  ASSERT_TRUE(queue->Cancel(reference));
  EXPECT_TRUE(Find(LookupCall(2)).obstacle);
}

TEST_F(ThreadedQueueClientTest, ShowsTheCallsAndWhatTheDayHasCost) {
  Serve(200);
  (void)Accept(LookupCall(1));
  (void)Accept(LookupCall(2));
  EXPECT_EQ(Overview().spent_today, 0);
  EXPECT_EQ(Tally().waiting, 2);
  EXPECT_EQ(Tally().last_delivered, std::nullopt);
  StepUntilIdle();
  const QueueClient::Overview overview = Overview();
  EXPECT_THAT(overview.calls, SizeIs(2));
  EXPECT_EQ(overview.billed_today, 2);
  EXPECT_EQ(overview.spent_today, 2 * profile.at(Endpoint::kLookupNin).price);
  EXPECT_EQ(Tally().waiting, 0);
  EXPECT_EQ(Tally().last_delivered, clock.WallNow());
}

TEST_F(ThreadedQueueClientTest, CountsTheDayOfThePeopleHere) {
  Serve(200);
  const auto bill_at = [&](Duration after_midnight_utc) {
    const auto day = std::chrono::floor<std::chrono::days>(clock.WallNow());
    clock.Advance(day + std::chrono::days(1) + after_midnight_utc - clock.WallNow());
    static int number = 0;
    (void)Accept(LookupCall(++number));
    StepUntilIdle();
  };
  clock.set_ahead_of_utc(std::chrono::hours(1));  // Lagos
  bill_at(std::chrono::minutes(22 * 60 + 30));
  EXPECT_EQ(Overview().billed_today, 1);
  clock.Advance(std::chrono::minutes(40));  // 00:10 of the next day there, 23:10 here
  EXPECT_EQ(Overview().billed_today, 0);
  clock.set_ahead_of_utc(std::chrono::hours(-5));
  EXPECT_EQ(Overview().billed_today, 1);
}

TEST_F(ThreadedQueueClientTest, OpensASealedAnswer) {
  Serve(200);
  const CallReference reference = Accept(LookupCall(1));
  const auto open = [&] {
    return Ask<Result<AnswerParts>>(
        [&](auto then) { client_->OpenAnswer(reference, std::move(then)); });
  };
  EXPECT_EQ(open().error().code, ErrorCode::kNotFound);
  StepUntilIdle();
  EXPECT_EQ(open()->name.text(), "Ada Obi");
}

TEST_F(ThreadedQueueClientTest, SendsOnlyAnUnknownCallAgain) {
  Serve(500);
  const CallReference reference = Accept(LookupCall(1));
  const auto resend = [&] {
    return Ask<Status>([&](auto then) { client_->Resend(reference, 1, std::move(then)); });
  };
  EXPECT_EQ(resend().error().code, ErrorCode::kFailedPrecondition);
  StepUntilIdle();
  ASSERT_EQ(StateOf(reference), "unknown");
  const int posts_before = posts();
  Serve(200);
  EXPECT_TRUE(resend());
  EXPECT_EQ(woken_, 1);
  EXPECT_FALSE(resend()) << "a second touch sends nothing more";
  StepUntilIdle();
  EXPECT_EQ(posts(), posts_before + 1);
  EXPECT_EQ(StateOf(reference), "done");
}

TEST_F(ThreadedQueueClientTest, GivesAnUnknownCallUp) {
  Serve(500);
  const CallReference reference = Accept(LookupCall(1));
  StepUntilIdle();
  const Status done = Ask<Status>([&](auto then) { client_->GiveUp(reference, std::move(then)); });
  EXPECT_TRUE(done);
  EXPECT_EQ(Show(reference).verdict, Verdict::kGivenUp);
}

}  // namespace
}  // namespace idkiosk
