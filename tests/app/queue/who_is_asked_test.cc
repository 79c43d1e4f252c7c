#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/queue/queue_fixture.h"

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using testing::IsEmpty;
using testing::SizeIs;

class WhoIsAskedTest : public testing::Test {
 protected:
  void SetUp() override {
    bench_.options.billing.breaker_after = 0;
    bench_.Open();
  }
  CallReference Lose(int number) {
    const CallReference reference = bench_.Accept(LookupCall(number));
    bench_.Serve(500, "{}");
    bench_.Step();
    EXPECT_EQ(bench_.StateOf(reference), "unknown");
    return reference;
  }
  std::vector<DurableQueue::AskedCall> Asked(CallState state) {
    auto page = bench_.queue->WhoIsAsked({.state = state, .since = {}, .before = {}});
    EXPECT_TRUE(page) << page.error().message;
    return page ? std::move(page->calls) : std::vector<DurableQueue::AskedCall>();
  }

  QueueBench bench_;
};

TEST_F(WhoIsAskedTest, ToldWithItsNumberAndWhatItHasCost) {
  const CallReference lost = Lose(1);
  const auto asked = Asked(CallState::kUnknown);
  ASSERT_THAT(asked, SizeIs(1));
  EXPECT_EQ(asked[0].call.reference, lost);
  EXPECT_EQ(asked[0].number.text(), "00000000001");
  EXPECT_EQ(asked[0].times, 1);
  EXPECT_EQ(asked[0].answered_by, "");
  EXPECT_EQ(asked[0].spent, bench_.profile.at(Endpoint::kLookupNin).price);
}

TEST_F(WhoIsAskedTest, TheSameAskedOnAnotherDayCountsAndItsVerdictIsFound) {
  const CallReference lost = Lose(1);
  (void)Lose(2);
  // Another day has another key for what tells whether two calls ask the same.
  bench_.clock.Advance(hours(25));
  ASSERT_TRUE(bench_.queue->Expire());
  bench_.Serve(200);
  const CallReference answered = bench_.Accept(LookupCall(1));
  bench_.RunFor(minutes(1));
  ASSERT_EQ(bench_.StateOf(answered), "done");
  for (const auto& asked : Asked(CallState::kUnknown)) {
    const bool is_first = asked.call.reference == lost;
    EXPECT_EQ(asked.times, is_first ? 2 : 1);
    EXPECT_EQ(asked.answered_by, is_first ? answered : "");
  }
}

TEST_F(WhoIsAskedTest, AnEarlierVerdictIsNoAnswerToWhatWasAskedAnew) {
  bench_.Serve(200);
  (void)bench_.Accept(LookupCall(1));
  bench_.RunFor(minutes(1));
  (void)Lose(1);
  const auto asked = Asked(CallState::kUnknown);
  ASSERT_THAT(asked, SizeIs(1));
  EXPECT_EQ(asked[0].times, 2);
  EXPECT_EQ(asked[0].answered_by, "");
}

TEST_F(WhoIsAskedTest, EveryCallIsOnSomePage) {
  for (int i = 1; i <= 7; ++i) (void)bench_.Accept(LookupCall(i));
  std::vector<std::string> numbers;
  DurableQueue::CallFilter filter{
      .state = CallState::kPending, .since = {}, .before = {}, .limit = 3};
  for (bool more = true; more;) {
    auto page = bench_.queue->WhoIsAsked(filter);
    ASSERT_TRUE(page);
    for (const auto& each : page->calls) numbers.emplace_back(each.number.text());
    more = page->next.has_value();
    filter.before = page->next;
  }
  std::ranges::sort(numbers);
  EXPECT_EQ(std::ranges::unique(numbers).size(), 0U);
  EXPECT_THAT(numbers, SizeIs(7));
}

TEST_F(WhoIsAskedTest, ACallWhoseQuestionIsErasedHasNoNumber) {
  const CallReference lost = Lose(1);
  bench_.clock.Advance(bench_.options.queue.max_age + hours(1));
  ASSERT_TRUE(bench_.queue->Expire());
  ASSERT_EQ(bench_.StateOf(lost), "unknown");
  const auto asked = Asked(CallState::kUnknown);
  ASSERT_THAT(asked, SizeIs(1));
  EXPECT_THAT(asked[0].number.text(), IsEmpty());
  EXPECT_EQ(bench_.queue->NumberOf(lost).error().code, ErrorCode::kNotFound);
}

TEST_F(WhoIsAskedTest, NumberIsOpenedByReference) {
  const CallReference lost = Lose(7);
  const auto number = bench_.queue->NumberOf(lost);
  ASSERT_TRUE(number) << number.error().message;
  EXPECT_EQ(number->text(), "00000000007");
  EXPECT_EQ(bench_.queue->NumberOf("AAAAAA").error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace idkiosk
