#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/queue/doubted_calls.h"
#include "tests/fakes/seeded_rounds.h"

// Calls of which records were lost, or whose own record is damaged: a person says what becomes of
// them, whatever happens meanwhile. Counted at the server.

namespace idkiosk {
namespace {

using std::chrono::hours;

// Neither its copy nor an older file tells of the doubt.
TEST_F(DoubtedCallTest, OfALedgerThatLostItsAttemptStaysSoThoughItsRecordIsDamaged) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  bench_.Serve(500, "");
  Deliver();
  PutBack(before, {kLedger, kQueueFile});
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  bench_.Serve(200);
  ExpectStillInDoubt(call);
}

// Whoever adds up the ledger sees which calls may have cost without an attempt there.
TEST_F(DoubtedCallTest, IsNamedAmongWhatPeopleDecided) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  bench_.Serve(500, "");
  Deliver();
  PutBack(before, {kLedger, kQueueFile});
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  ExpectNamedAmongDecisions(call);
}

// The file alone knows that it was billed.
TEST_F(DoubtedCallTest, OneThatHadEndedIsNamedTooAndStaysEnded) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.StateOf(call), "done");
  const int posts = bench_.posts();
  PutBack(before, {kLedger});
  ASSERT_TRUE(bench_.queue->IsHeldForLedger());
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  ExpectNamedAmongDecisions(call);
  bench_.Restart();
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.StateOf(call), "done");
  EXPECT_EQ(bench_.posts(), posts);
}

// Another price than the one that was said takes the yes back.
TEST_F(DoubtedCallTest, IsNotSentAtAnotherPriceThanThatOfTheYes) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  Deliver();
  PutBack(before, {kLedger, kQueueFile});
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  ASSERT_TRUE(bench_.queue->Retry(call, AttemptsOf(*bench_.queue, call)));
  ASSERT_EQ(bench_.StateOf(call), "pending");
  for (EndpointProfile& each : bench_.profile.endpoints) each.price += 1;
  bench_.Restart();
  ExpectNotSent(call);
}

TEST_F(DoubtedCallTest, OfALedgerThatNeverKnewItStaysSoThoughItsRecordIsDamaged) {
  AcceptAndWait(1);
  Deliver();
  const DiskImage before = DiskImage::Of(bench_);
  const CallReference call = AcceptAndWait(2);
  PutBack(before, {kLedger, kQueueFile});
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  ExpectStillInDoubt(call);
}

TEST_F(DoubtedCallTest, InAFileThatIsOlderThanTheDoubtIsInDoubtThere) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  bench_.Serve(500, "");
  Deliver();
  PutBack(before, {kLedger, kQueueFile});
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  bench_.Serve(200);
  PutBack(before, {kQueueFile, "/state/copies/slots"});
  ExpectStillInDoubt(call);
}

// The reply tells of the first attempt; the second is the one that was lost.
class RepliedAfterLossTest : public DoubtedCallTest,
                             public testing::WithParamInterface<std::vector<std::string_view>> {};

TEST_P(RepliedAfterLossTest, IsNotSentThoughItsFirstAttemptNeverArrived) {
  const CallReference call = AcceptAndWait(1);
  bench_.Serve(500, "");
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.StateOf(call), "unknown");
  const DiskImage before = DiskImage::Of(bench_);
  ASSERT_TRUE(bench_.queue->Retry(call, 1));
  Deliver();
  ASSERT_EQ(bench_.posts(), 2);
  bench_.Close();
  DiskImage lacking = before;
  lacking.database.clear();
  std::vector<std::string_view> paths = GetParam();
  const bool lacks_file = paths.front().empty();
  if (lacks_file) paths.front() = kQueueFile;
  bench_.Open();
  for (const std::string_view each : paths) PutBack(lacks_file ? lacking : before, {each, kLedger});
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  ASSERT_EQ(bench_.StateOf(call), "unknown");
  ASSERT_TRUE(bench_.queue->Settle(call, 1, Settlement::kNotReceived));
  bench_.Serve(200);
  ExpectNotSent(call);
  // A person's yes names what it may cost, and is for that.
  EXPECT_GT(bench_.Show(call).billed_attempts, 0);
  ASSERT_TRUE(bench_.queue->Retry(call, AttemptsOf(*bench_.queue, call)));
  EXPECT_FALSE(bench_.queue->Cancel(call)) << "nobody knows that it was never sent";
  Deliver();
  EXPECT_EQ(bench_.StateOf(call), "done");
  EXPECT_EQ(bench_.posts(), 3);
}

INSTANTIATE_TEST_SUITE_P(Each, RepliedAfterLossTest,
                         testing::Values(std::vector<std::string_view>{"/state/ledger/"},
                                         std::vector<std::string_view>{kQueueFile},
                                         std::vector<std::string_view>{""}),
                         [](const auto& each) {
                           const std::string_view what = each.param.front();
                           return std::string(
                               what.empty() ? "FileIsGone"
                                            : (what == kQueueFile ? "FileIsOlder" : "FileIsOfNow"));
                         });

// The file knows of the second attempt, and the ledger lost it together with the first reply.
TEST_F(DoubtedCallTest, IsNotSentThoughTheSameReplyIsTakenOnceMore) {
  bench_.Serve(500, "");
  const CallReference call = AcceptAndWait(1);
  bench_.StepUntilIdle();
  const DiskImage before = DiskImage::Of(bench_);
  ASSERT_TRUE(bench_.queue->Settle(call, 1, Settlement::kNotReceived));
  Deliver();
  ASSERT_EQ(bench_.posts(), 2);
  PutBack(before, {kLedger});
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  ASSERT_TRUE(bench_.queue->Settle(call, 1, Settlement::kNotReceived));
  bench_.Serve(200);
  ExpectNotSent(call);
}

// Where a rule sends what is unknown once more, it does so of what the ledger tells whole alone.
TEST_F(DoubtedCallTest, IsSentByNoRule) {
  bench_.options.billing.max_billed_attempts = 2;
  bench_.Restart();
  bench_.Serve(500, "");
  const CallReference call = AcceptAndWait(1);
  const DiskImage waits = DiskImage::Of(bench_);
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.posts(), 1);
  DiskImage older = DiskImage::Of(bench_);
  older.database = waits.database;
  bench_.Serve(200);
  Deliver();
  ASSERT_EQ(bench_.StateOf(call), "done");
  ASSERT_EQ(bench_.posts(), 2);
  PutBack(older, {kLedger, kQueueFile});
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  ExpectNotSent(call);
}

// The power failed as its end was written, and its record was damaged, too: ledger and copy have
// all of it.
TEST_F(DoubtedCallTest, WhatWasPaidForIsKeptThoughTheFileIsOlderAndItsRecordDamaged) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  Deliver();
  ASSERT_EQ(bench_.StateOf(call), "done");
  PutBack(before, {kQueueFile, "/state/copies/slots"}, "UPDATE call SET mac=randomblob(32)");
  EXPECT_EQ(bench_.StateOf(call), "done");
  EXPECT_TRUE(bench_.queue->Answer(call));
  EXPECT_EQ(bench_.posts(), 1);
}

// On a disk that is full in the middle of it: what has no room yet comes back in doubt, too.
TEST_F(DoubtedCallTest, WhatHadNoRoomIsInDoubtOnceItHas) {
  const DiskImage before = DiskImage::Of(bench_);
  std::vector<CallReference> calls;
  for (int i = 0; i < 8; ++i) calls.push_back(AcceptAndWait(i));
  const DiskImage after = DiskImage::Of(bench_);
  bench_.StepUntilIdle();
  const int posts = bench_.posts();
  for (const int room : Sweep({0, 4, 8, 12, 16, 24, 32, 64})) {
    SCOPED_TRACE(room);
    PutBack(after, {"/state/copies/slots"});
    PutBack(before, {kQueueFile, kLedger});
    ASSERT_TRUE(bench_.queue->IsHeldForLedger());
    bench_.disk.set_capacity(bench_.disk.used() + static_cast<uint64_t>(room) * 1024);
    (void)bench_.queue->AcceptLedger();
    bench_.disk.set_capacity(uint64_t{1} << 40);
    bench_.Restart();
    if (bench_.queue->IsHeldForLedger()) {
      ASSERT_TRUE(bench_.queue->AcceptLedger());
    }
    bench_.RunFor(std::chrono::minutes(2));
    EXPECT_EQ(bench_.posts(), posts);
  }
}

// A command that takes calls over does not write the ledger.
TEST_F(DoubtedCallTest, IsTakenOverFromAFileThatWasSetAside) {
  AcceptAndWait(1);
  bench_.StepUntilIdle();
  const DiskImage before = DiskImage::Of(bench_);
  const CallReference call = AcceptAndWait(2);
  PutBack(DiskImage::Of(bench_), {}, "PRAGMA wal_checkpoint(TRUNCATE)");
  bench_.Close();
  const std::string content = DiskImage::Of(bench_).database.at(kQueueFile);
  bench_.Open();
  PutBack(before, {kQueueFile, kLedger, "/state/copies/slots"});
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  bench_.Close();
  const std::string aside = "queue.db.damaged-2026-11-20T010000Z";
  bench_.disk.Replace("/state/" + aside, content);
  bench_.files.Put("/state/" + aside, {});
  bench_.Open(DurableQueue::Role::kOperate);
  const auto salvaged = bench_.queue->Salvage(aside);
  ASSERT_TRUE(salvaged) << salvaged.error().message;
  ASSERT_EQ(salvaged->taken_over, 1);
  bench_.options.billing.max_billed_attempts = 2;
  bench_.Restart();
  ASSERT_TRUE(bench_.queue->Expire());
  ExpectStillInDoubt(call);
}

// Its copy lay somewhere else as the ledger was accepted: nobody knows what it lost of that call.
TEST_F(DoubtedCallTest, IsWhatACopyOrAFileOfBeforeBringsBackLater) {
  const DiskImage empty = DiskImage::Of(bench_);
  const CallReference call = AcceptAndWait(1);
  const DiskImage waits = DiskImage::Of(bench_);
  ASSERT_TRUE(bench_.queue->Cancel(call));
  bench_.StepUntilIdle();
  for (const std::string_view late :
       {std::string_view("/state/copies/slots"), std::string_view(kQueueFile)}) {
    SCOPED_TRACE(late);
    PutBack(empty, {kQueueFile, kLedger, "/state/copies/slots"});
    if (bench_.queue->IsHeldForLedger()) {
      ASSERT_TRUE(bench_.queue->AcceptLedger());
    }
    PutBack(waits, {late});
    ExpectNotSent(call);
  }
  // What is accepted since is not.
  bench_.clock.Advance(std::chrono::minutes(1));
  const CallReference later = AcceptAndWait(2);
  Deliver();
  EXPECT_EQ(bench_.StateOf(later), "done");
}

// What another process accepts beside a running kiosk is new, whatever time the clock once told.
TEST_F(DoubtedCallTest, IsNoNewCallThoughTheClockWasAheadAsTheLedgerWasAccepted) {
  AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  Deliver();
  bench_.clock.JumpWall(hours(24 * 300));
  LoseLedgerSince(before);
  bench_.clock.JumpWall(-hours(24 * 300));
  bench_.Restart();
  auto operating = bench_.TryOpen(DurableQueue::Role::kOperate);
  ASSERT_TRUE(operating) << operating.error().message;
  const auto call = (*operating)->Accept(LookupCall(7), {.operator_id = "op"});
  ASSERT_TRUE(call);
  bench_.RunFor(hours(1));
  EXPECT_EQ(bench_.StateOf(*call), "done");
}

// What a person decides while the ledger is held is known once it is accepted, whatever becomes of
// the row that says so.
TEST_F(DoubtedCallTest, WhatWasGivenUpBesideAHeldLedgerStaysSo) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  bench_.Close();
  bench_.files.Delete("/state/copies/ledger.witness");
  bench_.Open();
  ASSERT_TRUE(bench_.queue->IsHeldForLedger());
  EXPECT_FALSE(bench_.queue->Cancel(call)) << "nobody knows that it was never sent";
  ASSERT_TRUE(bench_.queue->GiveUp(call));
  PutBack(before, {"/state/copies/slots"}, "UPDATE call SET mac=randomblob(32)");
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  Deliver();
  EXPECT_EQ(bench_.Show(call).verdict, Verdict::kGivenUp);
  EXPECT_EQ(bench_.posts(), 0);
}

// A copy that cannot be read beside a ledger that lost records is no accepted call's that was never
// told: somebody hears of it.
TEST_F(DoubtedCallTest, WhatOnlyADamagedCopyNamesIsSaidToBeLost) {
  AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  const CallReference call = AcceptAndWait(2);
  bench_.DamageCopies();
  PutBack(before, {kQueueFile, kLedger});
  ASSERT_TRUE(bench_.queue->IsHeldForLedger());
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  for (int start = 0; start < 2; ++start) {
    const auto lost = bench_.queue->Lost();
    ASSERT_TRUE(lost);
    EXPECT_EQ(*lost, std::vector{call});
    bench_.Restart();
  }
  EXPECT_TRUE(bench_.queue->Discard(call));
}

// A person's yes was used since, and all of it lost once more.
TEST_F(DoubtedCallTest, ASecondTimeIsKnownThoughTheFileIsOlderThanThat) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage first = DiskImage::Of(bench_);
  bench_.Serve(500, "");
  Deliver();
  PutBack(first, {kLedger, kQueueFile, kSlots});
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  ASSERT_TRUE(bench_.queue->Retry(call, AttemptsOf(*bench_.queue, call)));
  const DiskImage approved = DiskImage::Of(bench_);
  Deliver();
  ASSERT_EQ(bench_.posts(), 2);
  PutBack(approved, {kLedger, kQueueFile, kSlots});
  ASSERT_TRUE(bench_.queue->IsHeldForLedger());
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  ASSERT_EQ(bench_.StateOf(call), "unknown");
  EXPECT_EQ(bench_.Show(call).billed_attempts, 2);
  bench_.Serve(200);
  PutBack(approved, {kQueueFile});
  ExpectNotSent(call);
}

// Nobody can say of it that it was never sent.
TEST_F(DoubtedCallTest, WhatIsDiscardedOrErasedBesideAHeldLedgerIsNotCalledUnsent) {
  const CallReference discarded = AcceptAndWait(1);
  const CallReference erased = AcceptAndWait(2);
  const DiskImage before = DiskImage::Of(bench_);
  Deliver();
  PutBack(before, {kQueueFile, kLedger, kSlots},
          fmt::format("UPDATE call SET mac=randomblob(32) WHERE reference='{}'", discarded));
  bench_.Close();
  bench_.DamageCopies();
  bench_.Open();
  ASSERT_TRUE(bench_.queue->IsHeldForLedger());
  EXPECT_EQ(bench_.queue->BilledOfLost(discarded), 1);
  ASSERT_TRUE(bench_.queue->Discard(discarded));
  ASSERT_TRUE(bench_.queue->ErasePerson(erased));
  EXPECT_EQ(bench_.Show(erased).verdict, Verdict::kGivenUp);
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  bench_.Restart();
  EXPECT_EQ(bench_.Show(discarded).verdict, Verdict::kGivenUp);
}

// Accepted in a kiosk that runs: its end is no longer awaited.
TEST_F(DoubtedCallTest, IsUnknownWhereItsApprovalIsTheLastThatTheAcceptedLedgerTells) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  ASSERT_TRUE(bench_.queue->Claim());
  ASSERT_TRUE(bench_.queue->BeginAttempt(call));
  DiskImage killed = DiskImage::Of(bench_);
  bench_.Close();
  killed.database = before.database;
  killed.files.erase("/state/copies/ledger.witness");
  killed.PutOn(bench_);
  bench_.tokens.Forget();
  bench_.Open();
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  EXPECT_EQ(bench_.StateOf(call), "unknown");
  EXPECT_TRUE(bench_.queue->GiveUp(call));
}

// Its end was told: only a person asks again.
TEST_F(DoubtedCallTest, WhatWasRejectedInDoubtIsNotSentThoughItsRecordIsDamaged) {
  bench_.Serve(413, kErrorAnswer);
  const CallReference call = bench_.Accept(FacialCall("12345678901"));
  Deliver();
  ASSERT_TRUE(bench_.Show(call).has_payload);
  ASSERT_EQ(bench_.StateOf(call), "done");
  bench_.Serve(200);
  DamageRow(call);
  ExpectNotSent(call);
}

// What lay elsewhere as the ledger was accepted was accepted before that, whatever time it tells.
TEST_F(DoubtedCallTest, IsWhatComesBackLaterThoughTheClockWasAheadAsItWasAccepted) {
  const DiskImage empty = DiskImage::Of(bench_);
  bench_.clock.JumpWall(hours(24 * 10));
  const CallReference call = AcceptAndWait(1);
  const DiskImage waits = DiskImage::Of(bench_);
  Deliver();
  const int posts = bench_.posts();
  ASSERT_EQ(bench_.StateOf(call), "done");
  bench_.clock.JumpWall(-hours(24 * 10));
  for (const std::string_view late : {kSlots, std::string_view(kQueueFile)}) {
    SCOPED_TRACE(late);
    PutBack(empty, {kQueueFile, kLedger, kSlots});
    if (bench_.queue->IsHeldForLedger()) {
      ASSERT_TRUE(bench_.queue->AcceptLedger());
    }
    PutBack(waits, {late});
    Deliver();
    EXPECT_EQ(bench_.posts(), posts);
  }
}

}  // namespace
}  // namespace idkiosk
