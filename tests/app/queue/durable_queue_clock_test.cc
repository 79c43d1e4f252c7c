#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/queue/durable_queue.h"
#include "app/queue/policy/queue_clock.h"
#include "app/queue/storage/row_mac.h"
#include "app/queue/storage/sqlite_database.h"
#include "tests/app/queue/queue_fixture.h"

// Wrong dates, clocks that are set, and boards that are switched off: none of them ends a call,
// opens a cap of spending or keeps one closed.

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr hours kDay(24);

class DurableQueueClockTest : public testing::Test {
 protected:
  DurableQueueClockTest() { bench_.Open(); }

  // What the worker's upkeep does.
  void Expire() { ASSERT_TRUE(bench_.queue->Expire()); }

  // The board runs for `time`, with the upkeep of every hour.
  void RunFor(hours time) {
    for (hours passed(0); passed < time; ++passed) {
      bench_.clock.Advance(hours(1));
      Expire();
    }
  }

  void Reboot(Duration off = seconds(20)) {
    bench_.Close();
    bench_.clock.Reboot(off);
    bench_.tokens.Forget();
    bench_.Open();
  }

  // Delivers what may be delivered.
  int Posts() {
    bench_.StepUntilIdle();
    return bench_.posts();
  }

  QueueBench bench_;
};

TEST_F(DurableQueueClockTest, AClockAheadAtOneStartEndsNoCall) {
  const CallReference reference = bench_.Accept(LookupCall(1));
  bench_.clock.JumpWall(4 * kDay);
  bench_.Restart();
  Expire();
  EXPECT_EQ(bench_.StateOf(reference), "pending");
  bench_.clock.JumpWall(-4 * kDay);
  bench_.Restart();
  Expire();
  bench_.Serve(200);
  EXPECT_EQ(Posts(), 1);
  EXPECT_EQ(bench_.StateOf(reference), "done");
}

TEST_F(DurableQueueClockTest, AClockAheadAfterABootEndsNoCall) {
  const CallReference reference = bench_.Accept(LookupCall(1));
  bench_.clock.JumpWall(4 * kDay);
  Reboot();
  Expire();
  EXPECT_EQ(bench_.StateOf(reference), "pending");
}

TEST_F(DurableQueueClockTest, AClockThatWasBehindAndIsSetRightEndsNoCall) {
  bench_.clock.JumpWall(-4 * kDay);
  Reboot();
  const CallReference reference = bench_.Accept(LookupCall(1));
  bench_.clock.Advance(minutes(5));
  bench_.clock.JumpWall(4 * kDay);
  Expire();
  EXPECT_EQ(bench_.StateOf(reference), "pending");
  bench_.Restart();
  Expire();
  Reboot();
  Expire();
  EXPECT_EQ(bench_.StateOf(reference), "pending");
}

TEST_F(DurableQueueClockTest, AnAnswerOutlivesAWrongDate) {
  const CallReference reference = bench_.Accept(LookupCall(1));
  bench_.Serve(200);
  EXPECT_EQ(Posts(), 1);
  bench_.clock.JumpWall(30 * kDay);
  bench_.Restart();
  Expire();
  EXPECT_TRUE(bench_.queue->Answer(reference));
  RunFor(kDay);
  EXPECT_FALSE(bench_.queue->Answer(reference));
}

TEST_F(DurableQueueClockTest, ABoardThatWasSwitchedOffDidNotSeeThatTimePass) {
  const CallReference reference = bench_.Accept(LookupCall(1));
  Reboot(4 * kDay);
  Expire();
  EXPECT_EQ(bench_.StateOf(reference), "pending");
}

TEST_F(DurableQueueClockTest, AgeIsSummedOverBoots) {
  const CallReference reference = bench_.Accept(LookupCall(1));
  for (int boot = 0; boot < 3; ++boot) {
    RunFor(hours(23));
    EXPECT_EQ(bench_.StateOf(reference), "pending") << boot;
    Reboot(hours(1));
  }
  RunFor(hours(4));
  EXPECT_EQ(bench_.StateOf(reference), "expired");
}

TEST_F(DurableQueueClockTest, AfterAStepWithinARunTheServiceConfirmsTheDateFirst) {
  const CallReference reference = bench_.Accept(LookupCall(1));
  RunFor(hours(10));
  bench_.clock.JumpWall(4 * kDay);
  RunFor(hours(63));
  EXPECT_EQ(bench_.StateOf(reference), "pending");
  bench_.queue->LearnServiceTime(seconds(3));
  RunFor(hours(1));
  EXPECT_EQ(bench_.StateOf(reference), "expired");
}

TEST_F(DurableQueueClockTest, WhatTheServicesDateRefutesEndsNoCall) {
  const CallReference reference = bench_.Accept(LookupCall(1));
  RunFor(hours(10));
  bench_.http.Answer(200, std::string(kLoginAnswer));
  bench_.http.Answer(429, "{}", {{"date", "Thu, 19 Nov 2026 12:00:00 GMT"}});
  bench_.Step();
  RunFor(hours(80));
  EXPECT_EQ(bench_.StateOf(reference), "pending");
}

TEST_F(DurableQueueClockTest, ADateThatSaysTheCallIsYoungerKeepsIt) {
  const CallReference reference = bench_.Accept(LookupCall(1));
  RunFor(hours(60));
  // A board without a battery goes on from the time that it stored some days ago.
  bench_.clock.JumpWall(-10 * kDay);
  Reboot();
  RunFor(hours(20));
  EXPECT_EQ(bench_.StateOf(reference), "pending");
}

TEST_F(DurableQueueClockTest, WhatMayHaveBeenBilledNeverEndsAsUnsent) {
  const CallReference reference = bench_.Accept(LookupCall(1));
  bench_.Serve(500, "{}");
  EXPECT_EQ(Posts(), 1);
  ASSERT_TRUE(bench_.queue->Retry(reference, AttemptsOf(*bench_.queue, reference)));
  EXPECT_EQ(bench_.StateOf(reference), "pending");
  RunFor(hours(73));
  EXPECT_EQ(bench_.StateOf(reference), "unknown");
  EXPECT_FALSE(bench_.Show(reference).has_payload);
}

class CapClockTest : public DurableQueueClockTest {
 protected:
  CapClockTest() {
    bench_.Close();
    bench_.options.billing.calls_per_day = 2;
    bench_.Open();
    bench_.Serve(200);
    for (int i = 0; i < 6; ++i) bench_.Accept(LookupCall(i));
  }
};

TEST_F(CapClockTest, ADateAheadHoldsNobodyForAMonth) {
  bench_.clock.JumpWall(30 * kDay);
  bench_.Restart();
  EXPECT_EQ(Posts(), 2);
  bench_.clock.JumpWall(-30 * kDay);
  bench_.Restart();
  EXPECT_EQ(Posts(), 2);
  RunFor(kDay);
  EXPECT_EQ(Posts(), 4);
}

TEST_F(CapClockTest, ADateBehindOpensNoCap) {
  bench_.clock.JumpWall(-4 * kDay);
  bench_.Restart();
  EXPECT_EQ(Posts(), 2);
  bench_.clock.JumpWall(4 * kDay);
  EXPECT_EQ(Posts(), 2);
  bench_.Restart();
  EXPECT_EQ(Posts(), 2);
  Reboot();
  EXPECT_EQ(Posts(), 2);
}

TEST_F(CapClockTest, AVersion2FileIsTakenOverAndItsRowsOfTheFutureHoldNobodyForAMonth) {
  EXPECT_EQ(Posts(), 2);
  std::vector<LedgerRow> rows = bench_.Ledger();
  for (LedgerRow& row : rows) {
    row.started_at = bench_.clock.WallNow() + 30 * kDay;
    row.ended_at = row.started_at;
  }
  bench_.Close();
  {
    auto database = SqliteDatabase::Open("/state/queue.db", bench_.disk.name());
    ASSERT_TRUE(database);
    ASSERT_TRUE((*database)->Execute("DELETE FROM setting WHERE name='board_time'"));
  }
  bench_.MakeOld(2, rows);
  bench_.Open();
  for (const LedgerRow& row : bench_.Ledger()) EXPECT_TRUE(row.genuine);
  EXPECT_EQ(Posts(), 2);
  RunFor(kDay);
  EXPECT_EQ(Posts(), 4);
}

TEST(BoardTimeTest, ComesBackAsItWasStored) {
  BoardTime time{.boot_id = "b1f6",
                 .ahead = -5,
                 .newest = 1'800'000'000'000,
                 .wall_ahead = -42,
                 .wall_trusted = true,
                 .stepped_at = 7};
  const MbedtlsCrypto crypto;
  const SecretBytes key(Crypto::kKeySize);
  const Bytes stored = SerializeBoardTime(time, crypto, key);
  const auto parsed = ParseBoardTime(stored, crypto, key);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(*parsed, time);
  for (size_t at = 0; at < stored.size(); ++at) {
    Bytes damaged = stored;
    damaged[at] ^= 4;
    EXPECT_FALSE(ParseBoardTime(damaged, crypto, key)) << at;
  }
  EXPECT_FALSE(ParseBoardTime(ByteSpan(stored).first(60), crypto, key));
  // As version 1 had it.
  Bytes unproven = stored;
  unproven[7] = 1;
  unproven.resize(unproven.size() - Crypto::Digest().size());
  EXPECT_EQ(*ParseBoardTime(unproven, crypto, key), time);
}

TEST(QueueClockTest, ABoardThatDoesNotNameItsBootsCountsNoBootTwice) {
  class Nameless final : public Clock {
   public:
    [[nodiscard]] MonotonicTime Now() const override { return MonotonicTime(hours(50)); }
    [[nodiscard]] WallTime WallNow() const override { return FakeClock().WallNow(); }
    [[nodiscard]] seconds AheadOfUtc(WallTime) const override { return {}; }
    [[nodiscard]] bool WallIsTrusted() const override { return true; }
    [[nodiscard]] std::string BootId() const override { return ""; }
  };
  const Nameless clock;
  QueueClock first(clock);
  first.Begin(std::nullopt, std::nullopt);
  QueueClock second(clock);
  second.Begin(first.State(std::nullopt), std::nullopt);
  EXPECT_EQ(second.Milliseconds(), first.Milliseconds());
}

}  // namespace
}  // namespace idkiosk
