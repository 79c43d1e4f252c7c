#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/queue/storage/call_store.h"
#include "app/queue/storage/sqlite_database.h"
#include "app/service/secret_writer.h"
#include "tests/app/queue/queue_fixture.h"

// What becomes of the keys that wrap the keys of calls.

namespace idkiosk {
namespace {

using std::chrono::hours;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class DurableQueueEpochTest : public testing::Test {
 protected:
  std::vector<std::string> Keys() { return bench_.storage.Describe()->names; }

  void WaitADay() {
    bench_.clock.Advance(hours(24));
    ASSERT_TRUE(bench_.queue->Expire());
  }

  QueueBench bench_;
};

TEST_F(DurableQueueEpochTest, WhatAnOldCopyOfTheFileHoldsCannotBeOpenedOnceTheCallIsErased) {
  bench_.Open();
  ASSERT_THAT(Keys(), Contains("queue.epoch.2"));
  const CallReference reference = bench_.Accept(FacialCall());
  bench_.Close();
  Bytes sealed_key;
  {
    auto database = SqliteDatabase::Open(kQueueFile, bench_.disk.name());
    ASSERT_TRUE(database);
    auto query = (*database)->Query("SELECT sealed_key FROM call");
    ASSERT_TRUE(query && query->Next().value_or(false));
    const ByteSpan blob = query->Blob(0);
    sealed_key.assign(blob.begin(), blob.end());
  }
  bench_.Open();
  const auto opens = [&] {
    EpochKeys epochs(bench_.storage, bench_.entropy, *bench_.storage.DeriveKey("queue/1"));
    EXPECT_TRUE(epochs.Load());
    return PayloadSeal(bench_.crypto, bench_.entropy, epochs)
        .Unwrap(reference, sealed_key)
        .has_value();
  };
  EXPECT_TRUE(opens());
  WaitADay();
  EXPECT_TRUE(opens()) << "it waits";
  bench_.Serve(200);
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.StateOf(reference), "done");
  WaitADay();
  bench_.clock.Advance(hours(1));
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_FALSE(opens());
  EXPECT_THAT(Keys(), Contains(StartsWith("queue.epoch")).Times(1)) << "keys do not pile up";
}

// The day is not over, and others come.
TEST_F(DurableQueueEpochTest, WhatWasErasedOnRequestIsSealedForGoodWithinTheHour) {
  bench_.Open();
  bench_.Serve(200);
  const CallReference reference = bench_.Accept(FacialCall());
  bench_.StepUntilIdle();
  ASSERT_TRUE(bench_.queue->Answer(reference));
  ASSERT_TRUE(bench_.queue->ErasePerson(reference));
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_THAT(Keys(), Contains("queue.epoch.3"));
  const CallReference next = bench_.Accept(LookupCall(1));
  bench_.clock.Advance(hours(1));
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_THAT(Keys(), Not(Contains("queue.epoch.2")));
  bench_.Restart();
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.StateOf(next), "done");
  // A key that seals nothing yet is not spent.
  for (int hour = 0; hour < 3; ++hour) {
    bench_.clock.Advance(hours(1));
    ASSERT_TRUE(bench_.queue->Expire());
  }
  EXPECT_THAT(Keys(), Contains(StartsWith("queue.epoch")).Times(1));
  EXPECT_THAT(Keys(), Contains("queue.epoch.3"));
}

// Cancelled before it was erased, and never seen by a look.
TEST_F(DurableQueueEpochTest, WhatCameAndWentBetweenTwoLooksIsSealedForGoodToo) {
  bench_.Open();
  const CallReference reference = bench_.Accept(FacialCall());
  ASSERT_TRUE(bench_.queue->Cancel(reference));
  ASSERT_TRUE(bench_.queue->ErasePerson(reference));
  for (int look = 0; look < 2; ++look) {
    ASSERT_TRUE(bench_.queue->Expire());
    bench_.clock.Advance(hours(1));
  }
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_THAT(Keys(), Not(Contains("queue.epoch.2")));
}

// Calls wait under a key that only the newer vault has.
TEST_F(DurableQueueEpochTest, BesideAnOlderVaultNoKeyTakesTheNumberOfOneThatItLacks) {
  bench_.Open();
  const CallReference gone = bench_.Accept(FacialCall());
  const DiskImage before = DiskImage::Of(bench_);
  WaitADay();
  ASSERT_TRUE(bench_.queue->Cancel(gone));
  ASSERT_TRUE(bench_.queue->ErasePerson(gone));
  const CallReference waits = bench_.Accept(LookupCall(1));
  ASSERT_TRUE(bench_.queue->Expire());
  DiskImage mixed = DiskImage::Of(bench_);
  bench_.Close();
  mixed.vault = before.vault;
  mixed.PutOn(bench_);
  bench_.Open();
  (void)bench_.queue->AcceptLedger();
  for (int day = 0; day < 2; ++day) WaitADay();
  bench_.Serve(200);
  bench_.StepUntilIdle();
  EXPECT_NE(bench_.StateOf(waits), "damaged");
  EXPECT_NE(bench_.StateOf(waits), "done");
}

// It has read the keys before the epoch turned.
TEST_F(DurableQueueEpochTest, AnotherProcessSealsByTheNewestKey) {
  bench_.Open();
  const auto other = bench_.TryOpen(DurableQueue::Role::kOperate);
  ASSERT_TRUE(other);
  WaitADay();
  bench_.clock.Advance(hours(1));
  ASSERT_TRUE(bench_.queue->Expire());
  ASSERT_THAT(Keys(), Not(Contains("queue.epoch.2")));
  const auto taken = (*other)->Accept(LookupCall(1), {});
  ASSERT_TRUE(taken);
  bench_.Serve(200);
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.StateOf(*taken), "done");
}

TEST_F(DurableQueueEpochTest, WhoWasAskedAboutCannotBeFoundOutOnceTheRowIsGone) {
  bench_.options.billing.duplicate_window = hours(60);
  bench_.Open();
  bench_.Serve(200);
  bench_.Accept(LookupCall(7));
  bench_.StepUntilIdle();
  for (int day = 0; day < 2; ++day) WaitADay();
  EXPECT_TRUE(bench_.queue->FindObstacle(LookupCall(7), false)) << "asked two days ago";
  EXPECT_FALSE(bench_.queue->FindObstacle(LookupCall(8), false));
  bench_.Restart();
  EXPECT_TRUE(bench_.queue->FindObstacle(LookupCall(7), false));
  bench_.Accept(LookupCall(7));
  bench_.Close();
  {
    auto database = SqliteDatabase::Open(kQueueFile, bench_.disk.name());
    EXPECT_EQ(**(*database)->Number("SELECT count(DISTINCT substr(question_mac,5)) FROM call"), 2)
        << "the same person on two days";
  }
  bench_.Open();
  EXPECT_THAT(Keys(), Contains("queue.epoch.2")) << "an older row is held against it";
  bench_.StepUntilIdle();
  for (int day = 0; day < 6; ++day) WaitADay();
  EXPECT_THAT(*bench_.queue->List(false), IsEmpty());
  EXPECT_THAT(Keys(), Not(Contains("queue.epoch.2")));
  EXPECT_THAT(Keys(), Not(Contains("queue.epoch.4")));
}

// As an earlier idkiosk told identical calls apart.
TEST_F(DurableQueueEpochTest, AnIdenticalCallOfAnEarlierIdkioskIsFound) {
  bench_.Open();
  bench_.Accept(LookupCall(7));
  bench_.Close();
  {
    auto database = SqliteDatabase::Open(kQueueFile, bench_.disk.name());
    const SecretBytes rows = *bench_.storage.DeriveKey("ledger-mac/v1");
    CallStore calls(**database, bench_.crypto, rows);
    auto row = calls.LoadById(1);
    ASSERT_TRUE(row);
    SecretWriter question;
    const VerificationCall call = LookupCall(7);
    for (const std::string_view part :
         {std::string_view("lookup_nin"), call.nin.text(), call.phone.text(),
          std::string_view(call.id_type), call.id_number.text(),
          std::string_view(call.search_type)}) {
      question.Uint32(static_cast<uint32_t>(part.size())).Text(part);
    }
    const Crypto::Digest digest = bench_.crypto.HmacSha256(
        *bench_.storage.DeriveKey("queue-question/v1"), question.Take().view());
    row->question_mac.assign(digest.begin(), digest.end());
    ASSERT_TRUE(calls.Save(*row));
  }
  bench_.Open();
  EXPECT_TRUE(bench_.queue->FindObstacle(LookupCall(7), false));
}

TEST_F(DurableQueueEpochTest, CallsOfSeveralEpochsAreDeliveredAfterRestarts) {
  bench_.Open();
  std::vector<CallReference> references;
  for (int day = 0; day < 3; ++day) {
    references.push_back(bench_.Accept(LookupCall(day)));
    bench_.clock.Advance(hours(23));
    bench_.Restart();
  }
  bench_.Serve(200);
  bench_.StepUntilIdle();
  for (const CallReference& each : references) EXPECT_EQ(bench_.StateOf(each), "done");
}

TEST_F(DurableQueueEpochTest, AKeyThatTheVaultLacksCostsTheCallsUnderItAndNoOthers) {
  bench_.Open();
  const CallReference waits = bench_.Accept(LookupCall(1));
  WaitADay();
  const CallReference goes = bench_.Accept(LookupCall(2));
  const SecretBytes key = *bench_.storage.Get("queue.epoch.2");
  ASSERT_TRUE(bench_.storage.Remove("queue.epoch.2"));
  bench_.Serve(200);
  bench_.Restart();
  EXPECT_THAT(bench_.queue->notices(),
              Contains(HasSubstr("number 2, that the vault does not hold")));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.StateOf(goes), "done");
  EXPECT_EQ(bench_.StateOf(waits), "pending");
  EXPECT_THAT(bench_.Show(waits).engineer, HasSubstr("whose key is gone"));
  EXPECT_EQ(bench_.posts(), 1);
  ASSERT_TRUE(bench_.storage.Put("queue.epoch.2", key));
  bench_.Restart();
  bench_.clock.Advance(hours(1));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.StateOf(waits), "done");
}

TEST_F(DurableQueueEpochTest, ADamagedRowOfNoEpochBlocksNothing) {
  bench_.Open();
  const CallReference damaged = bench_.Accept(LookupCall(1));
  const CallReference good = bench_.Accept(LookupCall(2));
  bench_.Close();
  bench_.DamageCopies();
  {
    auto database = SqliteDatabase::Open(kQueueFile, bench_.disk.name());
    ASSERT_TRUE(database);
    ASSERT_TRUE(
        (*database)->Execute("UPDATE call SET sealed_key=CAST(x'00000099' || "
                             "substr(sealed_key,5) AS BLOB) WHERE id=1"));
  }
  bench_.Open();
  bench_.Serve(200);
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.StateOf(damaged), "damaged");
  EXPECT_EQ(bench_.StateOf(good), "done");
}

TEST_F(DurableQueueEpochTest, AVaultThatCannotBeWrittenKeepsTheEpochAndHoldsNothingUp) {
  bench_.Open();
  bench_.storage.set_put_error(Error{ErrorCode::kExhausted, "the disk is full"});
  WaitADay();
  EXPECT_THAT(Keys(), Not(Contains("queue.epoch.3")));
  EXPECT_THAT(bench_.Accept(LookupCall(1)), Not(IsEmpty()));
  bench_.storage.set_put_error(std::nullopt);
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_THAT(Keys(), Contains("queue.epoch.3"));
}

TEST_F(DurableQueueEpochTest, AClockThatIsSetTurnsNoEpoch) {
  bench_.Open();
  for (const hours jump : {hours(-48), hours(96)}) {
    bench_.clock.JumpWall(jump);
    bench_.Restart();
  }
  EXPECT_THAT(Keys(), Not(Contains("queue.epoch.3")));
}

TEST_F(DurableQueueEpochTest, WhoDoesNotDeliverTurnsNoEpoch) {
  bench_.Open(DurableQueue::Role::kOperate);
  bench_.Accept(LookupCall(1));
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_THAT(Keys(), Not(Contains(StartsWith("queue.epoch"))));
}

// A file as version 1 wrote it: the wrapped key without its epoch.
TEST_F(DurableQueueEpochTest, CallsThatVersionOneKeptAreDelivered) {
  bench_.Open(DurableQueue::Role::kOperate);
  const CallReference reference = bench_.Accept(FacialCall());
  bench_.Close();
  {
    auto database = SqliteDatabase::Open(kQueueFile, bench_.disk.name());
    ASSERT_TRUE(database);
    const SecretBytes rows = *bench_.storage.DeriveKey("ledger-mac/v1");
    CallStore calls(**database, bench_.crypto, rows);
    auto row = calls.Load(reference);
    ASSERT_TRUE(row);
    row->sealed_key.erase(row->sealed_key.begin(), row->sealed_key.begin() + 4);
    ASSERT_TRUE(calls.Save(*row));
  }
  bench_.MakeOld(1, {});
  bench_.Open();
  bench_.Serve(200);
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.StateOf(reference), "done");
  EXPECT_EQ(bench_.queue->Answer(reference)->text(), kVerifiedAnswer);
}

}  // namespace
}  // namespace idkiosk
