#include <gtest/gtest.h>

#include "tests/app/queue/queue_fixture.h"

// Hurrying is for the one call that a person waits for, never for the backlog.

namespace idkiosk {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

class HurryTest : public testing::Test {
 protected:
  HurryTest() {
    bench_.Open();
    bench_.http.Answer(200, std::string(kLoginAnswer));
    EXPECT_TRUE(bench_.client.Login());
  }

  QueueBench bench_;
};

TEST_F(HurryTest, APersonHurriesOneCallAndNotTheBacklog) {
  for (int i = 0; i < 10; ++i) bench_.Accept(LookupCall(i));
  bench_.RunFor(minutes(30));
  const CallReference mine = bench_.Accept(FacialCall(), true);
  bench_.Step();
  for (int visitor = 0; visitor < 5; ++visitor) {
    const int before = bench_.http.attempts();
    ASSERT_TRUE(bench_.queue->Hurry(mine));
    bench_.StepUntilIdle();
    EXPECT_EQ(bench_.http.attempts() - before, 1);
  }
  bench_.clock.Advance(seconds(1));
  bench_.Serve(200);
  ASSERT_TRUE(bench_.queue->Hurry(mine));
  EXPECT_EQ(bench_.Step().reference, mine);
  bench_.StepUntilIdle();
  EXPECT_LT(bench_.posts(), 4) << "the others are spread over their time";
}

// Those that came before are due, and wait for the outage's pace.
TEST_F(HurryTest, WhoComesInAnOutageIsTriedAtOnceBehindOthersWhoWait) {
  for (int i = 0; i < 40; ++i) {
    const CallReference mine = bench_.Accept(LookupCall(i), true);
    bench_.StepUntilIdle();
    EXPECT_EQ(bench_.Show(mine).attempts, 1) << i;
    bench_.RunFor(seconds(37));
  }
}

// Each first try made the pause of all twice as long: ten people, and a second's outage was one of
// ten minutes.
TEST_F(HurryTest, ACrowdInAShortOutageWaitsNoLongerThanOnePersonWould) {
  for (int i = 0; i < 50; ++i) {
    bench_.Accept(LookupCall(i), true);
    bench_.StepUntilIdle();
    bench_.clock.Advance(std::chrono::milliseconds(20));
  }
  bench_.Serve(200);
  bench_.RunFor(seconds(20));
  EXPECT_EQ(bench_.posts(), 50);
}

TEST_F(HurryTest, WhoHurriesInAnOutageIsTriedAtOnceBehindOthersWhoWait) {
  std::vector<CallReference> calls;
  for (int i = 0; i < 10; ++i) calls.push_back(bench_.Accept(LookupCall(i), true));
  for (int i = 0; i < 40; ++i) {
    bench_.RunFor(seconds(37));
    const CallReference& mine = calls[static_cast<size_t>(i) % calls.size()];
    const int before = bench_.Show(mine).attempts;
    ASSERT_TRUE(bench_.queue->Hurry(mine));
    bench_.StepUntilIdle();
    EXPECT_EQ(bench_.Show(mine).attempts, before + 1) << i;
  }
}

// The backlog goes out bit by bit, for many minutes.
TEST_F(HurryTest, WhoMeetsATokenThatIsOverBehindAnOutageGoesAtOnceWithAnother) {
  for (int i = 0; i < 40; ++i) bench_.Accept(LookupCall(i));
  bench_.RunFor(minutes(60));
  bench_.Serve(200);
  bench_.RunFor(minutes(30));
  ASSERT_GT(bench_.posts(), 1);
  ASSERT_GT(bench_.queue->List(/*only_open=*/true)->size(), 10U) << "the backlog is still spread";
  const CallReference mine = bench_.Accept(LookupCall(99), true);
  bench_.http.Answer(401, "{}");
  bench_.http.Answer(200, std::string(kLoginAnswer));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.Show(mine).verdict, Verdict::kVerified);
}

TEST_F(HurryTest, AHurriedBacklogMeetsAnOutageWithOneCallAndNobodyWaitsForIt) {
  for (int i = 0; i < 50; ++i) bench_.Accept(LookupCall(i));
  bench_.RunFor(minutes(30));
  const int before = bench_.http.attempts();
  ASSERT_TRUE(bench_.queue->HurryBacklog(200));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.http.attempts() - before, 1);
  const auto waiting = bench_.queue->List(/*only_open=*/true);
  for (const CallSummary& each : *waiting) EXPECT_FALSE(each.person_waits);
  bench_.Serve(200);
  bench_.clock.Advance(seconds(1));
  ASSERT_TRUE(bench_.queue->HurryBacklog(200));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), 50);
}

TEST_F(HurryTest, AnOutageThatOneMeetsEndsNoOtherPersonsHaste) {
  std::vector<CallReference> people;
  for (int i = 0; i < 3; ++i) people.push_back(bench_.Accept(LookupCall(i)));
  for (int i = 3; i < 10; ++i) bench_.Accept(LookupCall(i));
  bench_.RunFor(minutes(30));
  const int before = bench_.http.attempts();
  ASSERT_TRUE(bench_.queue->HurryBacklog(200));
  for (const CallReference& each : people) ASSERT_TRUE(bench_.queue->Hurry(each));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.http.attempts() - before, 3) << "each person's, and none of the backlog";
}

// Their own backoffs were over, and nothing left at the time that was told.
TEST_F(HurryTest, ABacklogThatIsSpreadTellsWhenTheNextOfItLeaves) {
  for (int i = 0; i < 10; ++i) bench_.Accept(LookupCall(i));
  bench_.RunFor(minutes(30));
  bench_.Serve(200);
  while (bench_.posts() == 0) bench_.RunFor(seconds(1));
  const auto next = [&] {
    std::optional<WallTime> first;
    const auto waiting = bench_.queue->List(/*only_open=*/true);
    for (const CallSummary& each : *waiting) {
      first = std::min(first.value_or(*each.next_attempt), *each.next_attempt);
    }
    return *first;
  };
  const int sent = bench_.posts();
  const WallTime told = next();
  ASSERT_GT(told - bench_.clock.WallNow(), seconds(1));
  bench_.RunFor(told - bench_.clock.WallNow() - seconds(1));
  EXPECT_EQ(bench_.posts(), sent);
  bench_.RunFor(seconds(2));
  EXPECT_EQ(bench_.posts(), sent + 1);
}

TEST_F(HurryTest, WhoeverDeliversAllAtOnceMeetsAnOutageWithOneCall) {
  for (int i = 0; i < 10; ++i) bench_.Accept(LookupCall(i));
  bench_.RunFor(minutes(30));
  const int before = bench_.http.attempts();
  const auto attempts = bench_.worker->DeliverAll(bench_.clock.Now(), [](auto) { return false; });
  ASSERT_TRUE(attempts);
  EXPECT_EQ(*attempts, 1);
  EXPECT_EQ(bench_.http.attempts() - before, 1);
}

TEST_F(HurryTest, WhoeverDeliversAllMayBeStoppedAfterTheCallUnderWay) {
  for (int i = 0; i < 10; ++i) bench_.Accept(LookupCall(i));
  bench_.Serve(200);
  int asked = 0;
  const auto attempts = bench_.worker->DeliverAll(
      bench_.clock.Now(), [](auto) { return false; }, [&asked] { return ++asked < 3; });
  ASSERT_TRUE(attempts);
  EXPECT_EQ(bench_.posts(), *attempts);
  EXPECT_LE(*attempts, 3);
  EXPECT_EQ(bench_.queue->Stats()->In(CallState::kPending), 10 - *attempts);
  EXPECT_EQ(bench_.queue->Stats()->In(CallState::kSending), 0);
}

}  // namespace
}  // namespace idkiosk
