#include "app/operator/people_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/fake_audit_log.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class PeopleListTest : public testing::Test {
 protected:
  void SetUp() override {
    bench_.options.billing.breaker_after = 0;
    bench_.Open();
  }
  CallReference Lose(int number) {
    const CallReference reference = bench_.Accept(LookupCall(number));
    bench_.Serve(500, "{}");
    bench_.RunFor(std::chrono::minutes(20));
    EXPECT_EQ(bench_.StateOf(reference), "unknown");
    return reference;
  }
  PeopleList Read() {
    auto list = ReadPeople(*bench_.queue);
    EXPECT_TRUE(list) << list.error().message;
    return list.value_or(PeopleList());
  }
  int64_t Price(int calls) const { return calls * bench_.profile.at(Endpoint::kLookupNin).price; }

  QueueBench bench_;
  FakeAuditLog audit_;
};

TEST(MaskedTest, ShowsTheFirstThreeDigitsAndTheLastTwo) {
  EXPECT_EQ(Masked("70123456789"), "701 **** **89");
  EXPECT_EQ(Masked("+2348012345678"), "+23 **** *****78");
  EXPECT_EQ(Masked("A12345"), "******");
  EXPECT_EQ(Masked(""), "");
}

TEST_F(PeopleListTest, GroupsByPersonThoseInDoubtFirst) {
  const CallReference first = Lose(1);
  const CallReference second = Lose(1);
  (void)bench_.Accept(LookupCall(3));
  const CallReference waits = bench_.Accept(LookupCall(1));
  const PeopleList list = Read();
  ASSERT_THAT(list.people, SizeIs(2));
  EXPECT_EQ(list.people[0].masked, "000 **** **01");
  std::vector<CallReference> references;
  for (const ListedCall& each : list.people[0].calls) references.push_back(each.call.reference);
  EXPECT_THAT(references, ElementsAre(second, first, waits));
  EXPECT_EQ(list.people[0].calls[0].times, 3);
  EXPECT_EQ(list.left_out, 0);
}

TEST_F(PeopleListTest, OneDecisionIsForAllAndIsPutDownForEach) {
  const CallReference first = Lose(1);
  const CallReference second = Lose(2);
  const CallReference third = Lose(3);
  const int before = bench_.posts();
  const Status done =
      DecideAll(*bench_.queue, audit_, "page", {{first, second}, {third}, Price(2), 2});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_THAT(audit_.entries, ElementsAre(HasSubstr("call.given_up " + third),
                                          HasSubstr("call.sent_again " + first),
                                          HasSubstr("call.sent_again " + second)));
  bench_.Serve(200);
  bench_.RunFor(std::chrono::minutes(5));
  EXPECT_EQ(bench_.posts(), before + 2);
  EXPECT_EQ(bench_.Show(third).verdict, Verdict::kGivenUp);
}

TEST_F(PeopleListTest, OneYesPaysForOneAttempt) {
  const CallReference lost = Lose(1);
  const Decisions yes{{lost}, {}, Price(1), 1};
  ASSERT_TRUE(DecideAll(*bench_.queue, audit_, "page", yes));
  bench_.RunFor(std::chrono::minutes(5));
  ASSERT_EQ(bench_.StateOf(lost), "unknown");
  const int posts = bench_.posts();
  const Status again = DecideAll(*bench_.queue, audit_, "page", yes);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kFailedPrecondition);
  bench_.RunFor(std::chrono::minutes(5));
  EXPECT_EQ(bench_.posts(), posts);
}

TEST_F(PeopleListTest, AnotherPriceThanWasToldDoesNothing) {
  const CallReference lost = Lose(1);
  const Status done = DecideAll(*bench_.queue, audit_, "page", {{lost}, {}, Price(1) - 1, 1});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_THAT(audit_.entries, SizeIs(0));
  EXPECT_EQ(bench_.StateOf(lost), "unknown");
}

TEST_F(PeopleListTest, ACallThatIsInDoubtNoMoreKeepsAllFromBeingDone) {
  const CallReference lost = Lose(1);
  const CallReference settled = Lose(2);
  ASSERT_TRUE(bench_.queue->GiveUp(settled));
  EXPECT_FALSE(DecideAll(*bench_.queue, audit_, "page", {{}, {lost, settled}, 0, 0}));
  EXPECT_EQ(bench_.StateOf(lost), "unknown");
}

TEST_F(PeopleListTest, WithoutAnAuditTrailNothingIsDone) {
  const CallReference lost = Lose(1);
  audit_.broken = Error{ErrorCode::kExhausted, "the disk is full"};
  const Status done = DecideAll(*bench_.queue, audit_, "page", {{}, {lost}, 0, 0});
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("1 of 1 calls were not done"));
  EXPECT_EQ(bench_.StateOf(lost), "unknown");
}

}  // namespace
}  // namespace idkiosk
