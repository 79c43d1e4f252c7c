#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/queue/queue_fixture.h"

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using testing::ElementsAre;

// What has ended, whatever ended it, in the order of the ledger.
class EndsTest : public testing::Test {
 protected:
  explicit EndsTest(ServiceProfile with = SandboxProfile()) : bench_(1, std::move(with)) {
    bench_.options.billing.breaker_after = 0;
    bench_.Open();
  }

  CallReference Unknown(int number) {
    const CallReference reference = bench_.Accept(LookupCall(number));
    bench_.Serve(500, "{}");
    bench_.Step();
    EXPECT_EQ(bench_.StateOf(reference), "unknown");
    return reference;
  }
  CallReference Answered(int number, int status, std::string_view body) {
    const CallReference reference = bench_.Accept(LookupCall(number));
    bench_.Serve(status, body);
    bench_.RunFor(minutes(30));
    return reference;
  }

  // "KD7Q2M verified"
  std::vector<std::string> Ends(uint64_t place = 0, size_t limit = 100) {
    const auto ends = bench_.queue->Ends(place, limit);
    EXPECT_TRUE(ends) << ends.error().message;
    std::vector<std::string> lines;
    for (const CallEnd& each : ends.value_or(CallEnds()).first) {
      const std::string_view word =
          each.verdict == Verdict::kNone ? Name(each.state) : Name(each.verdict);
      lines.push_back(fmt::format("{} {}", each.reference, word));
    }
    return lines;
  }

  QueueBench bench_;
};

// Whoever was told what the call cost is told again.
TEST_F(EndsTest, AnEndedCallWhoseAttemptIsSettledEndsOnceMore) {
  const auto reference = Unknown(1);
  bench_.Serve(200);
  ASSERT_TRUE(bench_.queue->Retry(reference, 1));
  bench_.RunFor(minutes(30));
  const std::string verified = reference + " verified";
  ASSERT_THAT(Ends(), ElementsAre(verified));
  const uint64_t first = bench_.queue->Ends(0, 1)->first.front().place;
  ASSERT_TRUE(bench_.queue->Settle(reference, 1, Settlement::kNotVerified));
  EXPECT_THAT(Ends(), ElementsAre(verified, verified));
  EXPECT_THAT(Ends(first), ElementsAre(verified));
  bench_.Restart();
  EXPECT_THAT(Ends(), ElementsAre(verified, verified));
}

TEST_F(EndsTest, ACallEndsWhenItsLastAttemptDoes) {
  const auto reference = Answered(1, 200, kVerifiedAnswer);
  const auto ended = bench_.queue->Show(reference)->ended_at;
  EXPECT_EQ(ended, bench_.queue->Ends(0, 1)->first.front().ended_at);
  EXPECT_EQ(ended, bench_.queue->Attempts(reference)->back().ended_at);
}

TEST_F(EndsTest, EachKindOfEndIsThereOnceAndAlsoAfterARestart) {
  const auto verified = Answered(1, 200, kVerifiedAnswer);
  const auto differs = Answered(2, 200, kNotVerifiedAnswer);
  const auto refused = Answered(3, 400, R"({"message":"no"})");
  const auto given_up = Unknown(4);
  ASSERT_TRUE(bench_.queue->GiveUp(given_up));
  const auto settled = Unknown(5);
  ASSERT_TRUE(bench_.queue->Settle(settled, 1, Settlement::kVerified));
  const auto cancelled = bench_.Accept(LookupCall(6));
  ASSERT_TRUE(bench_.queue->Cancel(cancelled));
  const auto expired = bench_.Accept(LookupCall(7));
  bench_.clock.Advance(bench_.options.queue.max_age + hours(1));
  ASSERT_TRUE(bench_.queue->Expire());

  const std::vector<std::string> all = {verified + " verified", differs + " not_verified",
                                        refused + " rejected",  given_up + " given_up",
                                        settled + " verified",  cancelled + " cancelled",
                                        expired + " expired"};
  EXPECT_EQ(Ends(), all);
  const CallEnds before = *bench_.queue->Ends(0, 100);
  bench_.Restart();
  EXPECT_EQ(Ends(), all);
  EXPECT_EQ(bench_.queue->Ends(0, 100)->first, before.first);

  // From any place on.
  EXPECT_EQ(before.count, 7);
  EXPECT_EQ(before.newest, before.first.back());
  const auto rest = bench_.queue->Ends(before.first[4].place, 1);
  EXPECT_EQ(rest->at, before.first[4]);
  EXPECT_THAT(rest->first, ElementsAre(before.first[5]));
  EXPECT_EQ(rest->count, 2);
  EXPECT_EQ(bench_.queue->Ends(before.first[4].place + 1, 1)->at, std::nullopt);
}

TEST_F(EndsTest, WhatWasAcceptedAndWhenIsKnownAfterTheCallIsErased) {
  const WallTime accepted = bench_.clock.WallNow();
  const auto reference = Answered(1, 200, kVerifiedAnswer);
  bench_.clock.Advance(hours(24 * 40));
  ASSERT_TRUE(bench_.queue->Expire());
  bench_.clock.Advance(hours(24 * 40));
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_EQ(bench_.queue->Show(reference).error().code, ErrorCode::kNotFound);
  bench_.Restart();
  const CallEnd end = bench_.queue->Ends(0, 1)->first.at(0);
  EXPECT_EQ(end.reference, reference);
  EXPECT_EQ(end.accepted_at, accepted);
  EXPECT_EQ(end.endpoint, Endpoint::kLookupNin);
}

// Answered at once, after a wait, and after the power failed behind the answer.
TEST_F(EndsTest, TheNumberIsKeptAsLongAsTheAnswerWhereThatIsAskedFor) {
  const auto nin = [&](const CallReference& reference) {
    const auto kept = bench_.queue->Nin(reference);
    return kept ? std::string(kept->text()) : std::string(Name(kept.error().code));
  };
  const std::string gone(Name(ErrorCode::kNotFound));
  const auto before = Answered(1, 200, kVerifiedAnswer);
  EXPECT_EQ(nin(before), gone);
  bench_.options.keep_number = true;
  bench_.Restart();
  const auto at_once = Answered(2, 200, kVerifiedAnswer);
  EXPECT_EQ(nin(at_once), "00000000002");
  const auto waits = bench_.Accept(LookupCall(3));
  EXPECT_EQ(nin(waits), gone) << "it has not ended";
  ASSERT_TRUE(bench_.queue->Expire());
  bench_.Restart();
  bench_.StepUntilIdle();
  EXPECT_EQ(nin(waits), "00000000003");
  EXPECT_FALSE(bench_.Show(waits).has_payload);
  const auto cancelled = bench_.Accept(LookupCall(4));
  ASSERT_TRUE(bench_.queue->Cancel(cancelled));
  EXPECT_EQ(nin(cancelled), gone);
  bench_.Restart();
  EXPECT_EQ(nin(at_once), "00000000002");
  bench_.clock.Advance(bench_.options.queue.retention + hours(1));
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_EQ(nin(at_once), gone);
  EXPECT_EQ(nin(waits), gone);
}

// One program at a time writes the ledger: what others decide it takes over.
TEST_F(EndsTest, WhatAnotherProgramCancelsIsThereOnceItIsTakenOver) {
  const auto reference = bench_.Accept(LookupCall(1));
  auto other = bench_.TryOpen(DurableQueue::Role::kOperate);
  ASSERT_TRUE(other);
  ASSERT_TRUE((*other)->Cancel(reference));
  EXPECT_THAT(Ends(), testing::IsEmpty());
  // As soon as nothing is to be sent.
  ASSERT_TRUE(bench_.queue->Claim());
  EXPECT_THAT(Ends(), ElementsAre(reference + " cancelled"));
  EXPECT_EQ((*other)->Ends(0, 5)->count, 1);
}

// A profile that does not say how "no such record" looks: a wrong path answers the same.
class DoubtfulEndsTest : public EndsTest {
 protected:
  DoubtfulEndsTest()
      : EndsTest(SandboxProfile(R"("no_record": { "message": "There is no record" },
      "billed": true,
      "price": 50.0)",
                                R"("billed": true, "price": 50.0)")) {}

  static constexpr std::string_view kNotHere = R"({"message":"no Route matched"})";
};

TEST_F(DoubtfulEndsTest, WhatWasRejectedInDoubtEndsOnceMoreWhenItIsSentAgain) {
  const auto reference = Answered(1, 404, kNotHere);
  EXPECT_THAT(Ends(), ElementsAre(reference + " rejected"));
  ASSERT_TRUE(bench_.queue->Retry(reference, AttemptsOf(*bench_.queue, reference)));
  bench_.Serve(200);
  bench_.RunFor(minutes(30));
  const std::vector<std::string> both = {reference + " rejected", reference + " verified"};
  EXPECT_EQ(Ends(), both);
  bench_.Restart();
  EXPECT_EQ(Ends(), both);
}

TEST_F(DoubtfulEndsTest, WhatWasRejectedInDoubtEndsOnceWhenItsPayloadGoesLater) {
  const auto reference = Answered(1, 404, kNotHere);
  const auto other = Answered(2, 200, kVerifiedAnswer);
  bench_.clock.Advance(bench_.options.queue.max_age + hours(1));
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_THAT(Ends(), ElementsAre(reference + " rejected", other + " verified"));
}

}  // namespace
}  // namespace idkiosk
