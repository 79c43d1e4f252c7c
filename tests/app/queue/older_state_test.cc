#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/queue/storage/sqlite_database.h"
#include "tests/app/queue/queue_fixture.h"

// Queue's file, ledger and vault as they were at an earlier moment, each genuine and all of one
// mind; only the second copies of calls are those of now. Counted at the server.

namespace idkiosk {
namespace {

using std::chrono::hours;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class OlderStateTest : public testing::Test {
 protected:
  OlderStateTest() {
    bench_.Serve(200);
    bench_.Open();
  }

  // In the file and among the copies, as what has waited is.
  CallReference AcceptAndWait(int number) {
    CallReference reference = bench_.Accept(LookupCall(number));
    EXPECT_TRUE(bench_.queue->Expire());
    return reference;
  }
  void Deliver() {
    bench_.StepUntilIdle();
    bench_.RunFor(hours(12));
  }
  // The copies stay as they are.
  void PutBack(const DiskImage& before) {
    const DiskImage now = DiskImage::Of(bench_);
    bench_.Close();
    DiskImage mixed = before;
    const auto is_copy = [](const auto& each) { return each.first.starts_with("/state/copies/"); };
    std::erase_if(mixed.files, is_copy);
    std::ranges::copy_if(now.files, std::inserter(mixed.files, mixed.files.end()), is_copy);
    mixed.PutOn(bench_);
    bench_.tokens.Forget();
    bench_.Open();
  }
  void ExpectUnknown(const CallReference& reference) {
    EXPECT_EQ(bench_.StateOf(reference), "unknown");
    EXPECT_THAT(bench_.queue->notices(),
                Contains(testing::AllOf(HasSubstr("older copy"), HasSubstr(reference))));
  }

  QueueBench bench_;
};

TEST_F(OlderStateTest, WhatHasEndedSinceIsUnknownUntilAPersonSays) {
  const CallReference first = AcceptAndWait(1);
  const CallReference second = AcceptAndWait(2);
  const DiskImage before = DiskImage::Of(bench_);
  Deliver();
  ASSERT_EQ(bench_.posts(), 2);
  PutBack(before);
  ExpectUnknown(first);
  ExpectUnknown(second);
  Deliver();
  EXPECT_EQ(bench_.posts(), 2);
  // A person's word counts, and no start takes it back.
  ASSERT_TRUE(bench_.queue->Retry(first));
  bench_.Restart();
  EXPECT_THAT(bench_.queue->notices(), Not(Contains(HasSubstr("older copy"))));
  EXPECT_EQ(bench_.StateOf(first), "pending");
  Deliver();
  EXPECT_EQ(bench_.posts(), 3);
  EXPECT_EQ(bench_.StateOf(first), "done");
  EXPECT_EQ(bench_.StateOf(second), "unknown");
}

// As a backup that left them out is put on another board.
TEST_F(OlderStateTest, WithoutAnyCopyWhatWaitsIsUnknown) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  Deliver();
  bench_.RemoveCopies();
  PutBack(before);
  ExpectUnknown(call);
  Deliver();
  EXPECT_EQ(bench_.posts(), 1);
}

TEST_F(OlderStateTest, WhatLostItsAnswerSinceIsUnknownStill) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  bench_.Serve(500, "");
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.StateOf(call), "unknown");
  bench_.Serve(200);
  PutBack(before);
  ExpectUnknown(call);
  EXPECT_EQ(bench_.Show(call).billed_attempts, 1);
  Deliver();
  EXPECT_EQ(bench_.posts(), 1);
}

TEST_F(OlderStateTest, WhatWasOnItsWayAtAKillIsUnknownStill) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  ASSERT_TRUE(bench_.queue->BeginAttempt(call));
  const DiskImage killed = DiskImage::Of(bench_);
  bench_.Close();
  killed.PutOn(bench_);
  bench_.Open();
  ASSERT_EQ(bench_.StateOf(call), "unknown");
  PutBack(before);
  ExpectUnknown(call);
  Deliver();
  EXPECT_EQ(bench_.posts(), 0);
}

// Accepted since, so that the file and the ledger know nothing of it.
TEST_F(OlderStateTest, WhatWasAcceptedSinceIsSentOnceOrUnknown) {
  const DiskImage before = DiskImage::Of(bench_);
  bench_.Serve(500, "");
  const CallReference lost = AcceptAndWait(1);
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.StateOf(lost), "unknown");
  bench_.Serve(200);
  const CallReference waits = AcceptAndWait(2);
  PutBack(before);
  Deliver();
  EXPECT_EQ(bench_.StateOf(lost), "unknown");
  EXPECT_EQ(bench_.StateOf(waits), "done");
  EXPECT_EQ(bench_.posts(), 2);
}

// The copy knows of an attempt less once the service's operator has said that it never arrived.
TEST_F(OlderStateTest, WhatTheOperatorSaysReachesTheCopy) {
  bench_.Serve(500, "");
  const CallReference call = AcceptAndWait(1);
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.StateOf(call), "unknown");
  ASSERT_TRUE(bench_.queue->Settle(call, 1, Settlement::kNotReceived));
  bench_.Restart();
  EXPECT_THAT(bench_.queue->notices(), IsEmpty());
  EXPECT_EQ(bench_.StateOf(call), "pending");
  bench_.Serve(200);
  Deliver();
  EXPECT_EQ(bench_.StateOf(call), "done");
  EXPECT_EQ(bench_.posts(), 2);
}

}  // namespace
}  // namespace idkiosk
