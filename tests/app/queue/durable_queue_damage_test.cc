#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/queue/storage/sqlite_database.h"
#include "tests/app/queue/queue_fixture.h"

namespace idkiosk {
namespace {

class DamagedRecordTest : public testing::Test {
 protected:
  DamagedRecordTest() {
    bench_.Open();
    bench_.Serve(200);
    damaged_ = bench_.Accept(FacialCall());
    bench_.clock.Advance(std::chrono::seconds(1));
    good_ = bench_.Accept(LookupCall(2));
  }

  // And no copy is left.
  void MeddleWith(const std::string& sql) {
    bench_.Close();
    bench_.DamageCopies();
    Meddle(kQueueFile, bench_.disk.name(), sql);
    bench_.Open();
  }

  // The damaged one is never sent and stays; the other is not held up.
  void ExpectQuarantine() {
    bench_.StepUntilIdle();
    EXPECT_EQ(bench_.StateOf(good_), "done");
    EXPECT_EQ(bench_.posts(), 1);
    const auto damaged = bench_.queue->Stats()->In(CallState::kDamaged);
    EXPECT_EQ(damaged, 1);
    EXPECT_EQ(bench_.queue->List(true)->size(), 1U);
  }

  QueueBench bench_;
  CallReference damaged_;
  CallReference good_;
};

TEST_F(DamagedRecordTest, APictureWithAFlippedBit) {
  MeddleWith(
      "UPDATE chunk SET sealed = CAST(substr(sealed,1,100) || x'00' || substr(sealed,102) AS BLOB) "
      "WHERE id = 65536 + 256");
  ExpectQuarantine();
}

TEST_F(DamagedRecordTest, AMissingPicture) {
  MeddleWith("DELETE FROM chunk WHERE id = 65536 + 3*256");
  ExpectQuarantine();
}

TEST_F(DamagedRecordTest, PicturesInEachOthersPlace) {
  MeddleWith(
      "CREATE TEMP TABLE swap AS SELECT id, sealed FROM chunk WHERE id IN (65536+2*256, "
      "65536+3*256); UPDATE chunk SET sealed = (SELECT sealed FROM swap WHERE swap.id != chunk.id) "
      "WHERE id IN (65536+2*256, 65536+3*256)");
  ExpectQuarantine();
}

TEST_F(DamagedRecordTest, AnotherEndpoint) {
  MeddleWith("UPDATE call SET endpoint='lookup_phone' WHERE endpoint='verify'");
  ExpectQuarantine();
}

TEST_F(DamagedRecordTest, MoreApprovedAttemptsThanApproved) {
  MeddleWith("UPDATE call SET allowed_attempts=5 WHERE endpoint='verify'");
  ExpectQuarantine();
}

// The file is empty for a while, as after a quiet day: a call that comes then is kept twice, too.
TEST_F(DamagedRecordTest, ACallThatWaitsIsKeptTwiceThoughAllBeforeItAreGone) {
  bench_.StepUntilIdle();
  bench_.clock.Advance(bench_.options.queue.retention + std::chrono::hours(25));
  ASSERT_TRUE(bench_.queue->Expire());
  ASSERT_TRUE(bench_.queue->List(false)->empty());
  bench_.clock.Advance(std::chrono::hours(1));
  const CallReference waits = bench_.Accept(FacialCall());
  ASSERT_TRUE(bench_.queue->Expire());
  bench_.RemoveCopies();
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.StateOf(waits), "done");
}

// Nobody loses what the next delivery brings back.
TEST_F(DamagedRecordTest, WhatHasAWholeCopyIsNotDiscarded) {
  bench_.Close();
  Meddle(kQueueFile, bench_.disk.name(), "UPDATE call SET mac=randomblob(32) WHERE id=1");
  bench_.Open(DurableQueue::Role::kOperate);
  ASSERT_EQ(bench_.StateOf(damaged_), "damaged");
  const Status refused = bench_.queue->Discard(damaged_);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message.contains("which brings it back")) << refused.error().message;
  bench_.Close();
  bench_.Open();
  EXPECT_EQ(bench_.StateOf(damaged_), "pending") << "the first look found it";
}

// Its copy could not be read for a moment, so that it was set aside.
TEST_F(DamagedRecordTest, WhoDecidesAboutItDecidesAboutItsCopy) {
  ASSERT_TRUE(bench_.queue->Expire());
  const DiskImage whole = DiskImage::Of(bench_);
  bench_.Close();
  Meddle(kQueueFile, bench_.disk.name(), "UPDATE call SET mac=randomblob(32) WHERE id=1");
  bench_.DamageCopies();
  bench_.Open();
  ASSERT_EQ(bench_.StateOf(damaged_), "damaged");
  EXPECT_EQ(bench_.queue->Stats()->In(CallState::kDamaged), 1) << "before anybody sends it";
  for (const auto& [path, bytes] : whole.files) {
    if (path.starts_with("/state/copies/") && path != "/state/copies/ledger.witness")
      bench_.files.Put(path, bytes);
  }
  ASSERT_TRUE(bench_.queue->Cancel(damaged_));
  EXPECT_EQ(bench_.StateOf(damaged_), "cancelled");
}

TEST_F(DamagedRecordTest, AStateThatDoesNotExist) {
  MeddleWith("UPDATE call SET state='pendinh' WHERE endpoint='verify'");
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.StateOf(good_), "done");
  EXPECT_EQ(bench_.StateOf(damaged_), "damaged");
  EXPECT_EQ(bench_.queue->Retry(damaged_, AttemptsOf(*bench_.queue, damaged_)).error().code,
            ErrorCode::kCorrupt);
}

TEST_F(DamagedRecordTest, ADoneCallIsNotPendingBecauseItsRowSaysSo) {
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), 2);
  MeddleWith("UPDATE call SET state='pending', due_at=0, has_payload=1");
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), 2);
  EXPECT_EQ(bench_.queue->Stats()->In(CallState::kDamaged), 2);
}

TEST_F(DamagedRecordTest, ItsSealedPartsGoWhenTheirTimeIsUp) {
  MeddleWith("UPDATE call SET endpoint='lookup_phone' WHERE endpoint='verify'");
  bench_.StepUntilIdle();
  bench_.clock.Advance(std::chrono::hours(73));
  ASSERT_TRUE(bench_.queue->Expire());
  bench_.Close();
  auto database = SqliteDatabase::Open("/state/queue.db", bench_.disk.name());
  EXPECT_EQ((*database)->Number("SELECT count(*) FROM chunk"), 0);
  EXPECT_EQ((*database)->Number("SELECT count(*) FROM call WHERE state='damaged'"), 1);
}

}  // namespace
}  // namespace idkiosk
