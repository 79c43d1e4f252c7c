#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/queue/queue_fixture.h"

// Queue's file, ledger and vault as they were at an earlier moment, each genuine and all of one
// mind; only the second copies of calls are those of now. Counted at the server.

namespace idkiosk {
namespace {

using std::chrono::hours;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

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
  // Nothing is sent until a person has looked, and then what may have been sent is unknown.
  void ExpectHeldAndThenUnknown(std::initializer_list<CallReference> references) {
    const int posts = bench_.posts();
    EXPECT_TRUE(bench_.queue->IsHeldForLedger());
    Deliver();
    ASSERT_TRUE(bench_.queue->AcceptLedger());
    for (const CallReference& each : references) EXPECT_EQ(bench_.StateOf(each), "unknown");
    Deliver();
    EXPECT_EQ(bench_.posts(), posts);
    // What it said before holds nothing up a second time.
    bench_.Restart();
    EXPECT_FALSE(bench_.queue->IsHeldForLedger());
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
  ExpectHeldAndThenUnknown({first, second});
  // A person's word counts, and no start takes it back.
  ASSERT_TRUE(bench_.queue->Retry(first));
  bench_.Restart();
  EXPECT_EQ(bench_.StateOf(first), "pending");
  Deliver();
  EXPECT_EQ(bench_.posts(), 3);
  EXPECT_EQ(bench_.StateOf(first), "done");
  EXPECT_EQ(bench_.StateOf(second), "unknown");
}

// Killed while one is on its way and the copy of the other is not erased yet: no slot tells.
TEST_F(OlderStateTest, WhatWasSentBeforeAKillIsUnknownUntilAPersonSays) {
  const CallReference first = AcceptAndWait(1);
  const CallReference second = AcceptAndWait(2);
  const DiskImage before = DiskImage::Of(bench_);
  ASSERT_TRUE(bench_.worker->DeliverNext(first));
  ASSERT_TRUE(bench_.queue->BeginAttempt(second));
  PutBack(before);
  ExpectHeldAndThenUnknown({first, second});
}

TEST_F(OlderStateTest, WhatLostItsAnswerSinceIsUnknownStill) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  bench_.Serve(500, "");
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.StateOf(call), "unknown");
  bench_.Serve(200);
  PutBack(before);
  ExpectHeldAndThenUnknown({call});
}

// Accepted since, so that the file and the ledger know nothing of it.
TEST_F(OlderStateTest, WhatWasAcceptedSinceIsUnknownToo) {
  const DiskImage before = DiskImage::Of(bench_);
  bench_.Serve(500, "");
  const CallReference lost = AcceptAndWait(1);
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.StateOf(lost), "unknown");
  bench_.Serve(200);
  const CallReference waits = AcceptAndWait(2);
  PutBack(before);
  ExpectHeldAndThenUnknown({lost, waits});
}

// Ledger and mark are gone, and the file is older: who accepts that says nothing of single calls.
TEST_F(OlderStateTest, BesideALedgerThatIsGoneAcceptingItSendsNothingAgain) {
  const CallReference answered = AcceptAndWait(1);
  const CallReference given_up = AcceptAndWait(2);
  DiskImage before = DiskImage::Of(bench_);
  ASSERT_TRUE(bench_.worker->DeliverNext(answered));
  bench_.Serve(500, "");
  ASSERT_TRUE(bench_.worker->DeliverNext(given_up));
  ASSERT_TRUE(bench_.queue->GiveUp(given_up));
  bench_.Serve(200);
  std::erase_if(before.files, [](const auto& each) { return each.first.contains("/ledger/"); });
  before.vault.set_mark({});
  PutBack(before);
  ExpectHeldAndThenUnknown({answered, given_up});
}

TEST_F(OlderStateTest, AWitnessThatWasCutIsMadeAnew) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  bench_.Close();
  for (const size_t size : {0, 88, 511}) {
    bench_.files.Put("/state/copies/ledger.witness", Bytes(size, 'x'));
    bench_.Open();
    bench_.Close();
    EXPECT_EQ(bench_.files.Content("/state/copies/ledger.witness").size(), 1024U);
  }
  bench_.Open();
  Deliver();
  ASSERT_EQ(bench_.posts(), 1);
  PutBack(before);
  ExpectHeldAndThenUnknown({call});
}

// Killed when the ledger had gone on, and before the queue's file said what that means.
TEST_F(OlderStateTest, AcceptingThatIsKilledHalfWaySendsNothingAgain) {
  const CallReference call = AcceptAndWait(1);
  DiskImage before = DiskImage::Of(bench_);
  Deliver();
  ASSERT_EQ(bench_.posts(), 1);
  PutBack(before);
  bench_.Close();
  bench_.Open(DurableQueue::Role::kOperate);
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  const DiskImage said = DiskImage::Of(bench_);
  bench_.Restart();
  DiskImage killed = DiskImage::Of(bench_);
  ASSERT_FALSE(bench_.queue->IsHeldForLedger());
  bench_.Close();
  killed.database = said.database;
  killed.PutOn(bench_);
  bench_.Open();
  EXPECT_EQ(bench_.StateOf(call), "unknown");
  Deliver();
  EXPECT_EQ(bench_.posts(), 1);
  // Once: a person's word holds after that.
  ASSERT_TRUE(bench_.queue->Retry(call));
  bench_.Restart();
  EXPECT_EQ(bench_.StateOf(call), "pending");
}

TEST_F(OlderStateTest, NothingEndsByItsAgeBeforeAPersonHasLooked) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  Deliver();
  PutBack(before);
  ASSERT_TRUE(bench_.queue->IsHeldForLedger());
  bench_.clock.Advance(hours(24 * 30));
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_EQ(bench_.StateOf(call), "held");
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  EXPECT_EQ(bench_.StateOf(call), "unknown");
}

// As a backup that left them out is put on another board.
TEST_F(OlderStateTest, WithoutAnyCopyWhatWaitsIsUnknown) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  Deliver();
  bench_.RemoveCopies();
  PutBack(before);
  EXPECT_EQ(bench_.StateOf(call), "unknown");
  EXPECT_THAT(bench_.queue->notices(), Contains(AllOf(HasSubstr("older copy"), HasSubstr(call))));
  Deliver();
  EXPECT_EQ(bench_.posts(), 1);
  ASSERT_TRUE(bench_.queue->Retry(call));
  bench_.Restart();
  EXPECT_EQ(bench_.StateOf(call), "pending");
}

// The ledger is the newest: what it does not know to be sent was not sent.
TEST_F(OlderStateTest, DamagedCopiesAloneMakeNothingUnknown) {
  const CallReference call = AcceptAndWait(1);
  bench_.Close();
  for (const std::string& path : bench_.files.paths()) {
    if (path.contains("/copies/slots-")) bench_.files.Delete(path);
  }
  bench_.Open();
  EXPECT_EQ(bench_.StateOf(call), "pending");
  Deliver();
  EXPECT_EQ(bench_.posts(), 1);
}

}  // namespace
}  // namespace idkiosk
