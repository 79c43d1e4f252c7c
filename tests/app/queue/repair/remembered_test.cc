#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/queue/queue_fixture.h"

// The queue's file is lost, or an older copy, or without its log. The ledger still knows which
// requests and which questions were asked, so none of them is asked, and billed, a second time.
namespace idkiosk {
namespace {

constexpr DurableQueue::ClientRequest kRequest{"key-1", "the body"};

enum class Loss { kWholeFile, kLog, kOlderCopy };

class RememberedTest : public QueueBench, public testing::TestWithParam<Loss> {
 protected:
  RememberedTest() {
    Open();
    Serve(200);
    older_ = DiskImage::Of(*this);
  }

  CallReference Ask(const DurableQueue::ClientRequest& request = kRequest) {
    auto taken = queue->Accept(
        LookupCall(1),
        {.operator_id = "ada", .confirmed = true, .case_id = "case-7", .request = request});
    EXPECT_TRUE(taken);
    return taken.value_or("");
  }

  void LoseTheFile() {
    DiskImage now = DiskImage::Of(*this);
    Close();
    switch (GetParam()) {
      case Loss::kWholeFile:
        now.database.clear();
        break;
      case Loss::kLog:
        now.database.erase("/state/queue.db-wal");
        break;
      case Loss::kOlderCopy:
        now.database = older_.database;
        break;
    }
    now.PutOn(*this);
    tokens.Forget();
    Open();
  }

  // Whether the same request, and the same question, are found to be this call's.
  void ExpectKnown(const CallReference& reference) {
    const auto found = queue->FindRequest(kRequest);
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, reference);
    EXPECT_FALSE(queue->FindRequest({kRequest.key, "another body"}));
    const auto obstacle = queue->FindObstacle(LookupCall(1), false);
    ASSERT_TRUE(obstacle);
    EXPECT_EQ(obstacle->kind, Obstacle::Kind::kAskedBefore);
    EXPECT_EQ(obstacle->before->reference, reference);
  }

  DiskImage older_;
};

TEST_P(RememberedTest, AnAnsweredCallIsNotAskedTwice) {
  const CallReference reference = Ask();
  StepUntilIdle();
  ASSERT_EQ(posts(), 1);
  const CallSummary before = Show(reference);
  LoseTheFile();
  ExpectKnown(reference);
  const CallSummary after = Show(reference);
  EXPECT_EQ(after.state, CallState::kDone);
  EXPECT_EQ(after.verdict, Verdict::kVerified);
  EXPECT_EQ(after.operator_id, "ada");
  EXPECT_EQ(after.case_id, "case-7");
  EXPECT_EQ(after.attempts, 1);
  EXPECT_EQ(after.billed_attempts, 1);
  EXPECT_EQ(after.accepted_at, before.accepted_at);
  EXPECT_EQ(after.ended_at, before.ended_at);
  StepUntilIdle();
  EXPECT_EQ(posts(), 1);
}

TEST_P(RememberedTest, ARejectedOneNeither) {
  Serve(400, R"({"error":"no"})");
  const CallReference reference = Ask();
  StepUntilIdle();
  LoseTheFile();
  ExpectKnown(reference);
  EXPECT_EQ(Show(reference).verdict, Verdict::kRejected);
  StepUntilIdle();
  EXPECT_EQ(posts(), 1);
}

TEST_P(RememberedTest, ACancelledOneKeepsItsKey) {
  const CallReference reference = Ask();
  ASSERT_TRUE(queue->Cancel(reference));
  LoseTheFile();
  EXPECT_EQ(**queue->FindRequest(kRequest), reference);
  EXPECT_EQ(StateOf(reference), "cancelled");
  StepUntilIdle();
  EXPECT_EQ(posts(), 0);
}

TEST_P(RememberedTest, AnUnknownOneKeepsItsKey) {
  Serve(500);
  const CallReference reference = Ask();
  StepUntilIdle();
  ASSERT_EQ(StateOf(reference), "unknown");
  LoseTheFile();
  ExpectKnown(reference);
  EXPECT_EQ(StateOf(reference), "unknown");
  EXPECT_EQ(posts(), 1);
}

// Neither the file nor the copies have it: nothing of it can be sent, and nothing is asked anew.
TEST_P(RememberedTest, AnUnknownOneWithoutACopyIsUnknownStill) {
  Serve(500);
  const CallReference reference = Ask();
  StepUntilIdle();
  RemoveCopies();
  LoseTheFile();
  ExpectKnown(reference);
  EXPECT_EQ(StateOf(reference), "unknown");
  if (GetParam() != Loss::kLog) {
    EXPECT_FALSE(queue->Retry(reference, AttemptsOf(*queue, reference)));
    EXPECT_THAT(*queue->Lost(), testing::IsEmpty());
  }
  Serve(200);
  RunFor(std::chrono::hours(1));
  EXPECT_EQ(posts(), 1);
  ASSERT_TRUE(queue->Settle(reference, 1, Settlement::kVerified));
  EXPECT_EQ(Show(reference).verdict, Verdict::kVerified);
  ExpectKnown(reference);
}

TEST_P(RememberedTest, AWaitingOneKeepsItsKey) {
  const CallReference reference = Ask();
  LoseTheFile();
  ExpectKnown(reference);
  StepUntilIdle();
  EXPECT_EQ(posts(), 1);
}

TEST_P(RememberedTest, OneThatWasGivenUpIsKnown) {
  Serve(500);
  const CallReference reference = Ask();
  StepUntilIdle();
  ASSERT_TRUE(queue->GiveUp(reference));
  LoseTheFile();
  ExpectKnown(reference);
  EXPECT_EQ(Show(reference).verdict, Verdict::kGivenUp);
}

// Its person's data went on request, and no loss brings any of it back: only the request's key.
TEST_P(RememberedTest, OfAnErasedPersonTheKeyAloneIsKnown) {
  const CallReference reference = Ask();
  StepUntilIdle();
  ASSERT_TRUE(queue->ErasePerson(reference));
  LoseTheFile();
  EXPECT_EQ(Show(reference).verdict, Verdict::kVerified);
  EXPECT_THAT(queue->FindRequest(kRequest).error().message, testing::HasSubstr("erased since"));
  EXPECT_FALSE(queue->FindObstacle(LookupCall(1), false));
}

// What came back is in the file from then on: no second loss is needed to forget it in its time.
TEST_P(RememberedTest, WhatCameBackGoesInItsTime) {
  const CallReference reference = Ask();
  StepUntilIdle();
  LoseTheFile();
  Restart();
  ExpectKnown(reference);
  RunFor(options.queue.retention + options.billing.duplicate_window + std::chrono::hours(48));
  EXPECT_FALSE(queue->Show(reference));
  EXPECT_EQ(posts(), 1);
}

// It comes back when somebody delivers.
TEST(LackingFileTest, WhoOnlyLooksIsToldOfWhatItLacks) {
  OpenBench bench;
  bench.Serve(500, "");
  const CallReference unknown = bench.Accept(LookupCall(8));
  bench.StepUntilIdle();
  DiskImage image = DiskImage::Of(bench);
  bench.Close();
  image.database.clear();
  image.PutOn(bench);
  bench.Open(DurableQueue::Role::kOperate);
  EXPECT_EQ(bench.queue->Stats()->held, 1);
  EXPECT_EQ(bench.queue->Show(unknown).error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(*bench.queue->Losses(),
              testing::Contains(testing::AllOf(testing::HasSubstr(unknown),
                                               testing::HasSubstr("queue deliver"))));
  bench.Close();
  bench.Open();
  EXPECT_EQ(bench.StateOf(unknown), "unknown");
  EXPECT_THAT(*bench.queue->Losses(), testing::IsEmpty());
}

// A row that has gone by its age is what the ledger makes of it, as long as any other.
TEST(DamagedKeyTest, AnEndedOneKeepsItsKeyThoughItGoesByItsAge) {
  OpenBench bench;
  bench.options.queue.max_age = std::chrono::minutes(30);
  bench.Restart();
  bench.Serve(200);
  const DurableQueue::ClientRequest request{"key-1", "the body"};
  const auto asked = bench.queue->Accept(LookupCall(7), {.operator_id = "ada", .request = request});
  ASSERT_TRUE(asked);
  bench.StepUntilIdle();
  ASSERT_EQ(bench.StateOf(*asked), "done");
  bench.Close();
  Meddle(kQueueFile, bench.disk.name(), "UPDATE call SET mac=randomblob(32) WHERE state='done'");
  bench.Open();
  for (int half = 0; half < 4; ++half) {
    bench.clock.Advance(std::chrono::minutes(31));
    ASSERT_TRUE(bench.queue->Expire());
  }
  EXPECT_EQ(bench.StateOf(*asked), "done");
  EXPECT_EQ(bench.queue->FindRequest(request).value_or(""), *asked);
}

// Its key makes nobody pay again once a person has ended it.
TEST(DamagedKeyTest, ADiscardedOneThatMayHaveBeenBilledKeepsItsKey) {
  OpenBench bench;
  bench.Serve(500, "");
  const DurableQueue::ClientRequest request{"key-1", "the body"};
  const auto asked = bench.queue->Accept(LookupCall(7), {.operator_id = "ada", .request = request});
  ASSERT_TRUE(asked);
  bench.StepUntilIdle();
  ASSERT_EQ(bench.StateOf(*asked), "unknown");
  bench.Close();
  Meddle(kQueueFile, bench.disk.name(), "UPDATE call SET mac=randomblob(32) WHERE state='unknown'");
  bench.RemoveCopies();
  bench.Open();
  ASSERT_EQ(bench.StateOf(*asked), "damaged");
  ASSERT_TRUE(bench.queue->Discard(*asked));
  for (int start = 0; start < 2; ++start) {
    EXPECT_EQ(bench.queue->FindRequest(request).value_or(""), *asked);
    EXPECT_EQ(bench.queue->FindObstacle(LookupCall(7), false)->kind, Obstacle::Kind::kAskedBefore);
    EXPECT_EQ(bench.queue->Show(*asked)->verdict, Verdict::kGivenUp);
    bench.Restart();
  }
}

std::string NameOfLoss(const testing::TestParamInfo<Loss>& each) {
  constexpr std::string_view kNames[] = {"WholeFile", "Log", "OlderCopy"};
  return std::string(kNames[static_cast<size_t>(each.param)]);
}
INSTANTIATE_TEST_SUITE_P(Losses, RememberedTest,
                         testing::Values(Loss::kWholeFile, Loss::kLog, Loss::kOlderCopy),
                         NameOfLoss);

}  // namespace
}  // namespace idkiosk
