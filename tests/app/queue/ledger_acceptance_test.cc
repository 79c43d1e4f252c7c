#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/queue/doubted_calls.h"
#include "tests/fakes/seeded_rounds.h"

// A person accepts a ledger that lost records: that is carried out once, whatever fails meanwhile,
// and everybody knows of it.

namespace idkiosk {
namespace {

using LedgerAcceptanceTest = DoubtedCallTest;

// Wherever it stops as a person accepts the ledger: what may have been sent is a person's, and what
// the ledger proves to be paid for is told.
TEST_F(LedgerAcceptanceTest, ThatFailsHalfWayIsFinishedLater) {
  const CallReference lost = AcceptAndWait(1);
  const CallReference paid = AcceptAndWait(2);
  const DiskImage early = DiskImage::Of(bench_);
  const CallReference in_copy_alone = AcceptAndWait(3);
  DiskImage before = DiskImage::Of(bench_);
  before.database = early.database;
  ASSERT_TRUE(bench_.queue->Hurry(paid));
  ASSERT_TRUE(bench_.worker->DeliverNext(paid));
  ASSERT_EQ(bench_.StateOf(paid), "done");
  for (const auto& [path, content] : DiskImage::Of(bench_).files) {
    if (path.starts_with(kLedger)) before.files[path] = content;
  }
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.posts(), 3);
  int failed = 0;
  for (const int step : Sweep(1, 60)) {
    SCOPED_TRACE(step);
    PutBack(before, {kQueueFile, kLedger, "/state/copies/slots"});
    ASSERT_TRUE(bench_.queue->IsHeldForLedger());
    bench_.files.FailStep(step, ErrorCode::kExhausted);
    failed += bench_.queue->AcceptLedger() ? 0 : 1;
    bench_.files.FailNoStep();
    if (step % 2 == 0) {
      bench_.Restart();
    } else {
      bench_.RunFor(std::chrono::minutes(2));
    }
    if (bench_.queue->IsHeldForLedger()) {
      ASSERT_TRUE(bench_.queue->AcceptLedger());
    }
    bench_.RunFor(std::chrono::minutes(2));
    EXPECT_EQ(bench_.StateOf(lost), "unknown");
    EXPECT_EQ(bench_.StateOf(in_copy_alone), "unknown");
    EXPECT_EQ(bench_.Show(in_copy_alone).billed_attempts, 1);
    EXPECT_EQ(bench_.posts(), 3);
    EXPECT_EQ(bench_.StateOf(paid), "done");
    const auto answer = bench_.queue->Answer(paid);
    EXPECT_TRUE(answer) << answer.error().message;
  }
  EXPECT_GT(failed, 0);
}

// Neither a start nor the work that goes on beside it fails where an acceptance cannot be finished.
TEST_F(LedgerAcceptanceTest, ThatHasNoRoomHoldsAndAllElseGoesOn) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  Deliver();
  PutBack(before, {kQueueFile, kLedger, "/state/copies/slots"});
  ASSERT_TRUE(bench_.queue->IsHeldForLedger());
  bench_.disk.set_capacity(bench_.disk.used());
  bench_.files.set_capacity(0);
  EXPECT_FALSE(bench_.queue->AcceptLedger());
  EXPECT_FALSE(bench_.Step().reference);
  bench_.Restart();
  ASSERT_TRUE(bench_.queue);
  EXPECT_TRUE(bench_.queue->IsHeldForLedger());
  EXPECT_FALSE(bench_.Step().reference);
  bench_.files.set_capacity(uint64_t{1} << 40);
  bench_.disk.set_capacity(uint64_t{1} << 40);
  bench_.Restart();
  if (bench_.queue->IsHeldForLedger()) {
    ASSERT_TRUE(bench_.queue->AcceptLedger());
  }
  ExpectNotSent(call);
}

// The file is lost, or older, before what a person accepted was carried out.
TEST_F(LedgerAcceptanceTest, ThatFailsHalfWayIsFinishedThoughTheFileIsLostMeanwhile) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  DiskImage lacking = before;
  lacking.database.clear();
  Deliver();
  ASSERT_EQ(bench_.posts(), 1);
  for (const int step : Sweep(1, 60)) {
    for (const DiskImage* file : std::initializer_list<const DiskImage*>{&lacking, &before}) {
      SCOPED_TRACE(step);
      PutBack(before, {kQueueFile, kLedger, kSlots});
      ASSERT_TRUE(bench_.queue->IsHeldForLedger());
      bench_.files.FailStep(static_cast<size_t>(step), ErrorCode::kUnavailable);
      (void)bench_.queue->AcceptLedger();
      bench_.files.FailNoStep();
      PutBack(*file, {kQueueFile});
      if (bench_.queue->IsHeldForLedger()) {
        ASSERT_TRUE(bench_.queue->AcceptLedger());
      }
      Deliver();
      ASSERT_EQ(bench_.posts(), 1);
    }
  }
}

// Another process looks at it while what a person accepted waits for room.
TEST_F(LedgerAcceptanceTest, ThatIsNotCarriedOutIsKnownToEveryProcess) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  Deliver();
  int unfinished = 0;
  for (int step = 1; step <= 60; ++step) {
    SCOPED_TRACE(step);
    PutBack(before, {kQueueFile, kLedger, kSlots});
    ASSERT_TRUE(bench_.queue->IsHeldForLedger());
    bench_.disk.FailStep(static_cast<size_t>(step));
    (void)bench_.queue->AcceptLedger();
    bench_.disk.FailNoStep();
    if (!bench_.queue->IsHeldForLedger()) continue;
    unfinished += bench_.queue->LedgerVerdict().state == JournalState::kGenuine ? 1 : 0;
    auto operating = bench_.TryOpen(DurableQueue::Role::kOperate);
    ASSERT_TRUE(operating) << operating.error().message;
    EXPECT_TRUE((*operating)->IsHeldForLedger());
    EXPECT_FALSE((*operating)->Cancel(call)) << "nobody knows that it was never sent";
    const auto shown = (*operating)->Show(call);
    ASSERT_TRUE(shown);
    EXPECT_TRUE(shown->hold || shown->state == CallState::kUnknown);
  }
  EXPECT_GT(unfinished, 0);
}

// The first try fails, and the program goes on from it later by itself.
TEST_F(LedgerAcceptanceTest, TellsWhoThoughItsFirstTryFailed) {
  AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  Deliver();
  for (const int step : Sweep(1, 60)) {
    SCOPED_TRACE(step);
    PutBack(before, {kQueueFile, kLedger, kSlots});
    bench_.files.FailStep(static_cast<size_t>(step), ErrorCode::kUnavailable);
    (void)bench_.queue->AcceptLedger("ada");
    bench_.files.FailNoStep();
    bench_.RunFor(std::chrono::minutes(2));
    if (bench_.queue->IsHeldForLedger()) {
      ASSERT_TRUE(bench_.queue->AcceptLedger("ada"));
    }
    const auto decisions = bench_.queue->Decisions(std::nullopt);
    ASSERT_TRUE(decisions);
    EXPECT_TRUE(std::ranges::any_of(*decisions, [](const LedgerDecision& each) {
      return each.by == "ada" && each.what.starts_with("the ledger was accepted");
    }));
  }
}

// Two people accept it, one of them while the program has gone on already.
TEST_F(LedgerAcceptanceTest, IsGivenOnce) {
  AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  Deliver();
  PutBack(before, {kQueueFile, kLedger, kSlots});
  auto operating = bench_.TryOpen(DurableQueue::Role::kOperate);
  ASSERT_TRUE(operating) << operating.error().message;
  ASSERT_TRUE((*operating)->IsHeldForLedger());
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  EXPECT_FALSE((*operating)->AcceptLedger());
  operating->reset();
  const CallReference later = AcceptAndWait(2);
  bench_.Restart();
  EXPECT_EQ(bench_.StateOf(later), "pending") << "somebody accepted nothing since";
}

// More calls are in doubt than one record holds, and it stops between two of them.
TEST_F(LedgerAcceptanceTest, OfManyCallsIsNoneWithoutTheLook) {
  for (int i = 0; i < 210; ++i) bench_.Accept(LookupCall(i));
  const DiskImage before = DiskImage::Of(bench_);
  const CallReference call = AcceptAndWait(1000);
  const DiskImage waits = DiskImage::Of(bench_);
  ASSERT_TRUE(bench_.worker->DeliverNext(call));
  const DiskImage now = DiskImage::Of(bench_);
  DiskImage back = before;
  back.files["/state/copies/ledger.witness"] = now.files.at("/state/copies/ledger.witness");
  for (const int step : Sweep(500, 560)) {
    SCOPED_TRACE(step);
    bench_.Close();
    back.PutOn(bench_);
    bench_.tokens.Forget();
    bench_.Open();
    ASSERT_TRUE(bench_.queue->IsHeldForLedger());
    bench_.files.FailPowerAtStep(static_cast<size_t>(step));
    (void)bench_.queue->AcceptLedger();
    bench_.Close();
    bench_.files.Restart(Unsynced::kKept);
    bench_.tokens.Forget();
    bench_.Open();
    if (bench_.queue->IsHeldForLedger()) {
      ASSERT_TRUE(bench_.queue->AcceptLedger());
    }
    PutBack(waits, {kSlots});
    ASSERT_NE(bench_.StateOf(call), "pending");
  }
}

}  // namespace
}  // namespace idkiosk
