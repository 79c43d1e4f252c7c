#include "app/workers/queue_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/fake_task_runner.h"

// What staff sees and decides, on the real queue.
namespace idkiosk {
namespace {

using testing::SizeIs;

class QueueBookTest : public QueueBench, public testing::Test {
 protected:
  QueueBookTest() {
    Open();
    book_.emplace(
        QueueBook::Dependencies{*queue, profile, clock, runner_, runner_, [this] { ++woken_; }});
  }

  // What a question to the book is answered with.
  template <typename Answer>
  Answer Ask(auto question) {
    std::optional<Answer> answer;
    question([&answer](Answer given) { answer.emplace(std::move(given)); });
    runner_.RunUntilIdle();
    return std::move(*answer);
  }
  CallBook::Overview Look() {
    return *Ask<Result<CallBook::Overview>>([&](auto then) { book_->Look(std::move(then)); });
  }
  CallBook::Tally Count() {
    return *Ask<Result<CallBook::Tally>>([&](auto then) { book_->Count(std::move(then)); });
  }

  FakeTaskRunner runner_{clock};
  std::optional<QueueBook> book_;
  int woken_ = 0;
};

TEST_F(QueueBookTest, ShowsTheCallsAndWhatTheDayHasCost) {
  Serve(200);
  (void)Accept(LookupCall(1));
  (void)Accept(LookupCall(2));
  EXPECT_EQ(Look().spent_today, 0);
  EXPECT_EQ(Count().waiting, 2);
  EXPECT_EQ(Count().last_delivered, std::nullopt);
  StepUntilIdle();
  const CallBook::Overview overview = Look();
  EXPECT_THAT(overview.calls, SizeIs(2));
  EXPECT_EQ(overview.billed_today, 2);
  EXPECT_EQ(overview.spent_today, 2 * profile.at(Endpoint::kLookupNin).price);
  EXPECT_EQ(Count().waiting, 0);
  EXPECT_EQ(Count().last_delivered, clock.WallNow());
}

TEST_F(QueueBookTest, CountsTheDayOfThePeopleHere) {
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
  EXPECT_EQ(Look().billed_today, 1);
  clock.Advance(std::chrono::minutes(40));  // 00:10 of the next day there, 23:10 here
  EXPECT_EQ(Look().billed_today, 0);
  clock.set_ahead_of_utc(std::chrono::hours(-5));
  EXPECT_EQ(Look().billed_today, 1);
}

TEST_F(QueueBookTest, OpensASealedAnswer) {
  Serve(200);
  const CallReference reference = Accept(LookupCall(1));
  const auto open = [&] {
    return Ask<Result<AnswerParts>>(
        [&](auto then) { book_->OpenAnswer(reference, std::move(then)); });
  };
  EXPECT_EQ(open().error().code, ErrorCode::kNotFound);
  StepUntilIdle();
  EXPECT_EQ(open()->name.text(), "Ada Obi");
}

TEST_F(QueueBookTest, FindsWhatWasAskedBefore) {
  const CallReference reference = Accept(LookupCall(1));
  const auto find = [&](int number) {
    return Ask<CallBook::Looked>(
        [&](auto then) { book_->FindDuplicate(LookupCall(number), std::move(then)); });
  };
  const CallBook::Looked same = find(1);
  ASSERT_TRUE(same.before);
  EXPECT_EQ(same.before->reference, reference);
  EXPECT_EQ(same.call.nin.text(), "00000000001") << "the question comes back";
  EXPECT_FALSE(find(2).before);
}

TEST_F(QueueBookTest, SendsOnlyAnUnknownCallAgain) {
  Serve(500);
  const CallReference reference = Accept(LookupCall(1));
  const auto resend = [&] {
    return Ask<Status>([&](auto then) { book_->Resend(reference, std::move(then)); });
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

TEST_F(QueueBookTest, GivesAnUnknownCallUp) {
  Serve(500);
  const CallReference reference = Accept(LookupCall(1));
  StepUntilIdle();
  const Status done = Ask<Status>([&](auto then) { book_->GiveUp(reference, std::move(then)); });
  EXPECT_TRUE(done);
  EXPECT_EQ(Show(reference).verdict, Verdict::kGivenUp);
}

}  // namespace
}  // namespace idkiosk
