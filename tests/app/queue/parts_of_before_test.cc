#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/queue/doubted_calls.h"
#include "tests/fakes/seeded_rounds.h"

// Parts of the state folder, and the vault, each of another moment: what looks like proof, and is
// none. Counted at the server.

namespace idkiosk {
namespace {

using std::chrono::hours;

class PartsOfBeforeTest : public DoubtedCallTest {
 protected:
  static constexpr std::string_view kWitness = "/state/copies/ledger.witness";
  // The same, and the file system fails once as it opens. False: so it does not open.
  bool OpensDespite(const DiskImage& mixed, int step) {
    bench_.Close();
    mixed.PutOn(bench_);
    bench_.tokens.Forget();
    bench_.files.FailStep(static_cast<size_t>(step), ErrorCode::kUnavailable);
    const bool opens = Opens();
    bench_.files.FailNoStep();
    return opens;
  }
  // A call waits, and all of the file is in its pages but for what comes now.
  DiskImage OneWaits() {
    AcceptAndWait(1);
    bench_.StepUntilIdle();
    bench_.Restart();
    EXPECT_TRUE(bench_.queue->Expire());
    AcceptAndWait(2);
    bench_.Restart();
    EXPECT_TRUE(bench_.queue->Expire());
    return DiskImage::Of(bench_);
  }
};

// A vault was put back, and another key was made with the number of one that had sealed the call.
TEST_F(PartsOfBeforeTest, AKeyOfTheSameNumberMakesItNoNewCall) {
  AcceptAndWait(1);
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.posts(), 1);
  bench_.Restart();
  bench_.RunFor(hours(23));
  ASSERT_TRUE(bench_.queue->Expire());
  const DiskImage a = DiskImage::Of(bench_);
  // A key of its own begins, before anybody has come.
  bench_.RunFor(hours(2));
  ASSERT_TRUE(bench_.queue->Expire());
  const DiskImage morning = DiskImage::Of(bench_);
  const CallReference call = AcceptAndWait(2);
  const DiskImage waits = DiskImage::Of(bench_);
  Deliver();
  ASSERT_EQ(bench_.StateOf(call), "done");
  ASSERT_EQ(bench_.posts(), 2);
  // All but the witness of the evening before.
  bench_.clock.Reboot();
  DiskImage first = a;
  Take(first, DiskImage::Of(bench_), kWitness);
  Mix(first);
  ASSERT_TRUE(bench_.queue->IsHeldForLedger());
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.posts(), 2);
  // The vault of the morning, and the copies of when the call waited.
  DiskImage second = DiskImage::Of(bench_);
  second.vault = morning.vault;
  Take(second, waits, kSlots);
  bench_.clock.Reboot();
  Mix(second);
  EXPECT_FALSE(bench_.queue->IsHeldForLedger());
  Deliver();
  EXPECT_EQ(bench_.posts(), 2) << bench_.StateOf(call);
}

// The file says by its log how far it knows the ledger, and its rows are older.
TEST_F(PartsOfBeforeTest, AnOlderFileBesideTheNewerLogIsNoProof) {
  const DiskImage before = OneWaits();
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.posts(), 2);
  ASSERT_TRUE(bench_.queue->Expire());
  bench_.Restart();
  const DiskImage now = DiskImage::Of(bench_);
  for (const bool older_copies : {false, true}) {
    SCOPED_TRACE(older_copies);
    DiskImage mixed = now;
    mixed.database[kQueueFile] = before.database.at(kQueueFile);
    Take(mixed, before, kLedger);
    if (older_copies) Take(mixed, before, kSlots);
    Mix(mixed);
    EXPECT_TRUE(bench_.queue->IsHeldForLedger());
    EXPECT_TRUE(bench_.queue->AcceptLedger());
    Deliver();
    EXPECT_EQ(bench_.posts(), 2);
  }
}

// Nor where the records that its rows lack are damaged.
TEST_F(PartsOfBeforeTest, NorIsItWhereRecordsAreDamaged) {
  const DiskImage before = OneWaits();
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.posts(), 2);
  const DiskImage between = DiskImage::Of(bench_);
  AcceptAndWait(3);
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.posts(), 3);
  ASSERT_TRUE(bench_.queue->Expire());
  bench_.Restart();
  DiskImage mixed = DiskImage::Of(bench_);
  mixed.database[kQueueFile] = before.database.at(kQueueFile);
  for (auto& [path, bytes] : mixed.files) {
    if (!path.starts_with(kLedger)) continue;
    const Bytes& was = before.files.at(path);
    const Bytes& then = between.files.at(path);
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (was[i] != then[i]) bytes[i] = 0x55;
    }
  }
  Mix(mixed);
  EXPECT_TRUE(bench_.queue->IsHeldForLedger());
  EXPECT_TRUE(bench_.queue->AcceptLedger());
  Deliver();
  EXPECT_EQ(bench_.posts(), 3);
}

// They went on from the same place another way, on which there were more records.
TEST_F(PartsOfBeforeTest, AFileAndAVaultOfALongerWayAreNoProof) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage zero = DiskImage::Of(bench_);
  for (int i = 0; i < 6; ++i) {
    const CallReference other = bench_.Accept(LookupCall(10 + i));
    ASSERT_TRUE(bench_.worker->DeliverNext(other));
    ASSERT_EQ(bench_.StateOf(other), "done");
  }
  ASSERT_EQ(bench_.StateOf(call), "pending");
  ASSERT_EQ(bench_.posts(), 6);
  ASSERT_TRUE(bench_.queue->Expire());
  const DiskImage one = DiskImage::Of(bench_);
  // Put back but for the witness; somebody accepts it, and says yes to the call.
  DiskImage back = zero;
  Take(back, one, kWitness);
  Mix(back);
  ASSERT_TRUE(bench_.queue->IsHeldForLedger());
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  ASSERT_EQ(bench_.StateOf(call), "unknown");
  ASSERT_TRUE(bench_.queue->Retry(call, AttemptsOf(*bench_.queue, call)));
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.posts(), 7);
  ASSERT_EQ(bench_.StateOf(call), "done");
  DiskImage mixed = one;
  Take(mixed, zero, kLedger);
  Take(mixed, DiskImage::Of(bench_), kWitness);
  Mix(mixed);
  ASSERT_TRUE(bench_.queue->IsHeldForLedger());
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  Deliver();
  EXPECT_EQ(bench_.posts(), 7);
}

// It was answered since, and its row has gone by retention.
TEST_F(PartsOfBeforeTest, WhatIsTakenOverBesideAHeldLedgerIsInDoubt) {
  bench_.options.queue.retention = hours(1);
  bench_.options.billing.duplicate_window = hours(1);
  bench_.Restart();
  AcceptAndWait(1);
  bench_.StepUntilIdle();
  const CallReference call = AcceptAndWait(2);
  PutBack(DiskImage::Of(bench_), {}, "PRAGMA wal_checkpoint(TRUNCATE)");
  bench_.Close();
  const std::string content = DiskImage::Of(bench_).database.at(kQueueFile);
  bench_.Open();
  const std::string aside = "queue.db.damaged-2026-11-20T010000Z";
  bench_.disk.Replace("/state/" + aside, content);
  bench_.files.Put("/state/" + aside, {});
  bench_.Restart();
  const DiskImage before = DiskImage::Of(bench_);
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.StateOf(call), "done");
  ASSERT_EQ(bench_.posts(), 2);
  bench_.Accept(LookupCall(3));
  bench_.RunFor(hours(30));
  ASSERT_FALSE(bench_.queue->Show(call)) << "its row is gone";
  const int posts = bench_.posts();
  PutBack(before, {kLedger});
  ASSERT_TRUE(bench_.queue->IsHeldForLedger());
  const auto salvaged = bench_.queue->Salvage(aside);
  ASSERT_TRUE(salvaged) << salvaged.error().message;
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  Deliver();
  EXPECT_EQ(bench_.posts(), posts);
}

TEST_F(PartsOfBeforeTest, AnAnswerIsKeptThoughItsCopyCannotBeReadOnce) {
  const DiskImage empty = Empty();
  const CallReference call = bench_.Accept(LookupCall(2));
  const DiskImage left = AnsweredWithoutARow(empty, call);
  for (const int step : Sweep(150, 260)) {
    SCOPED_TRACE(step);
    if (OpensDespite(left, step)) (void)bench_.worker->DeliverNext();
    bench_.Restart();
    if (bench_.queue->IsHeldForLedger()) {
      ASSERT_TRUE(bench_.queue->AcceptLedger());
    }
    ExpectAnswered(call);
  }
  EXPECT_EQ(bench_.posts(), 2);
}

TEST_F(PartsOfBeforeTest, AnAnswerIsKeptThoughThereIsNoRoomForItsCall) {
  const DiskImage empty = Empty();
  const CallReference call = bench_.Accept(FacialCall("12345678901"));
  const DiskImage left = AnsweredWithoutARow(empty, call);
  for (const int room : Sweep(40, 80)) {
    SCOPED_TRACE(room);
    bench_.Close();
    left.PutOn(bench_);
    bench_.tokens.Forget();
    bench_.disk.set_capacity(bench_.disk.used() + static_cast<uint64_t>(room) * 1024);
    if (Opens()) (void)bench_.worker->DeliverNext();
    bench_.disk.set_capacity(uint64_t{1} << 40);
    bench_.Restart();
    ExpectAnswered(call);
  }
}

TEST_F(PartsOfBeforeTest, ARequestIsOneCallThoughItsCopyCannotBeReadOnce) {
  for (const int step : Sweep(150, 330)) {
    SCOPED_TRACE(step);
    ASSERT_TRUE(bench_.queue->Expire());
    const DiskImage empty = DiskImage::Of(bench_);
    const std::string key = fmt::format("key-{}", step);
    const DurableQueue::ClientRequest request{key, "the body"};
    const auto ask = [&](bool confirmed) {
      return bench_.queue->Accept(
          LookupCall(step), {.operator_id = "op", .confirmed = confirmed, .request = request});
    };
    ASSERT_TRUE(ask(true));
    DiskImage mixed = DiskImage::Of(bench_);
    mixed.database = empty.database;  // its commit is not synced
    const int posts = bench_.posts();
    if (OpensDespite(mixed, step)) {
      const auto known = bench_.queue->FindRequest(request);
      if (known && !*known) (void)ask(false);
    } else {
      bench_.Open();
    }
    bench_.StepUntilIdle();
    bench_.Restart();
    bench_.RunFor(hours(1));
    EXPECT_EQ(bench_.posts(), posts + 1);
  }
}

TEST_F(PartsOfBeforeTest, AQuestionIsKeptThoughItsCopyCannotBeReadOnce) {
  const DiskImage empty = Empty();
  const CallReference call = bench_.Accept(LookupCall(2));
  ASSERT_TRUE(bench_.queue->Claim(call));
  ASSERT_TRUE(bench_.queue->BeginAttempt(call));
  DiskImage left = DiskImage::Of(bench_);
  left.database = empty.database;
  for (const int step : Sweep(150, 260)) {
    SCOPED_TRACE(step);
    (void)OpensDespite(left, step);
    bench_.Restart();
    EXPECT_EQ(bench_.StateOf(call), "unknown");
    const Status again = bench_.queue->Retry(call, AttemptsOf(*bench_.queue, call));
    EXPECT_TRUE(again) << again.error().message;
  }
}

// The first damage reads well again, or stays; another record is damaged.
TEST_F(PartsOfBeforeTest, OtherDamageThanWhatWasLookedAtHolds) {
  for (const bool mends : {true, false}) {
    SCOPED_TRACE(mends);
    const int n = mends ? 1 : 100;
    const CallReference other = AcceptAndWait(n);
    const DiskImage one = DiskImage::Of(bench_);
    const CallReference second = AcceptAndWait(n + 1);
    const DiskImage two = DiskImage::Of(bench_);
    ASSERT_TRUE(bench_.queue->Cancel(second));
    ASSERT_TRUE(bench_.worker->DeliverNext(other));
    const CallReference call = AcceptAndWait(n + 2);
    const DiskImage waits = DiskImage::Of(bench_);
    ASSERT_TRUE(bench_.queue->Claim(call));
    ASSERT_TRUE(bench_.queue->BeginAttempt(call));
    const DiskImage begun = DiskImage::Of(bench_);
    bench_.Serve(500, "");
    Outcome outcome;
    outcome.kind = OutcomeKind::kServerFailure;
    outcome.endpoint = Endpoint::kLookupNin;
    outcome.disposition = Disposition::kUnknown;
    outcome.billed = Billed::kMaybe;
    outcome.stage = SendStage::kAnswered;
    outcome.http_status = 500;
    ASSERT_TRUE(bench_.queue->Record(call, outcome, {}));
    ASSERT_EQ(bench_.StateOf(call), "unknown");
    ASSERT_TRUE(bench_.queue->Expire());
    const auto damage = [&](DiskImage& image, const DiskImage& from, const DiskImage& to) {
      int changed = 0;
      for (auto& [path, bytes] : image.files) {
        if (!path.starts_with(kLedger)) continue;
        for (size_t i = 0; i < bytes.size(); ++i) {
          if (from.files.at(path)[i] == to.files.at(path)[i]) continue;
          if (++changed == 40) bytes[i] ^= 1;
        }
      }
    };
    DiskImage first = DiskImage::Of(bench_);
    damage(first, one, two);
    Mix(first);
    ASSERT_TRUE(bench_.queue->IsHeldForLedger());
    ASSERT_TRUE(bench_.queue->AcceptLedger());
    ASSERT_EQ(bench_.StateOf(call), "unknown");
    bench_.Serve(200);
    Deliver();
    ASSERT_EQ(bench_.StateOf(call), "unknown");
    const int posts = bench_.posts();
    DiskImage later = DiskImage::Of(bench_);
    if (mends) damage(later, one, two);  // it reads well again
    damage(later, waits, begun);
    later.database = waits.database;
    Take(later, waits, kSlots);
    Mix(later);
    if (bench_.queue->IsHeldForLedger()) {
      ASSERT_TRUE(bench_.queue->AcceptLedger());
    }
    Deliver();
    EXPECT_EQ(bench_.posts(), posts);
  }
}

// It is killed before the ledger knows the call.
TEST_F(PartsOfBeforeTest, ANewCallIsNewThoughTheVaultIsOfBeforeTheLook) {
  AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  Deliver();
  LoseLedgerSince(before);
  bench_.Restart();
  DiskImage older = DiskImage::Of(bench_);
  older.vault = before.vault;
  Mix(older);
  const CallReference call = bench_.Accept(LookupCall(2));
  const DiskImage killed = DiskImage::Of(bench_);
  Mix(killed);
  EXPECT_EQ(bench_.StateOf(call), "pending");
  EXPECT_EQ(bench_.Show(call).billed_attempts, 0);
}

// Nor is one that waits for another start, whatever upkeep does until then.
TEST_F(PartsOfBeforeTest, AnAnswerIsKeptThoughTheLedgerGoesOnInAnotherFile) {
  const DiskImage empty = Empty();
  const CallReference call = bench_.Accept(LookupCall(2));
  const DiskImage left = AnsweredWithoutARow(empty, call);
  const auto ledger_files = [&] {
    return std::ranges::count_if(bench_.files.paths(), [](const std::string& each) {
      return each.starts_with(kLedger) && each.ends_with(".journal");
    });
  };
  int waited = 0;
  for (int step = 150; step < 260 && waited == 0; ++step) {
    SCOPED_TRACE(step);
    if (!OpensDespite(left, step) || bench_.queue->Show(call)) continue;
    ++waited;
    for (int i = 0; ledger_files() < 2 && i < 3000; ++i) {
      bench_.Accept(LookupCall(100 + i));
      bench_.StepUntilIdle();
    }
    ASSERT_GE(ledger_files(), 2);
    ASSERT_TRUE(bench_.queue->Expire());
    bench_.Restart();
    ExpectAnswered(call);
  }
  EXPECT_EQ(waited, 1) << "no step kept it from its copy";
}

// While another copy cannot be read, rows are not held against the ledger as a whole.
TEST_F(PartsOfBeforeTest, ACallOfBeforeTheLookIsInDoubtThoughAnotherCopyCannotBeRead) {
  AcceptAndWait(1);
  bench_.StepUntilIdle();
  const DiskImage zero = DiskImage::Of(bench_);
  const CallReference call = AcceptAndWait(2);
  const DiskImage waits = DiskImage::Of(bench_);
  Deliver();
  DiskImage back = zero;
  Take(back, DiskImage::Of(bench_), kWitness);
  Mix(back);
  ASSERT_TRUE(bench_.queue->IsHeldForLedger());
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  AcceptAndWait(3);
  DiskImage mixed = DiskImage::Of(bench_);
  mixed.database = waits.database;
  for (const int step : Sweep(150, 260)) {
    SCOPED_TRACE(step);
    if (!OpensDespite(mixed, step)) continue;
    bench_.StepUntilIdle();
    EXPECT_NE(bench_.StateOf(call), "done");
  }
}

// The vault of the day before lacks the key of the call, which the ledger says was answered.
TEST_F(PartsOfBeforeTest, AnAnswerIsKeptThoughTheVaultLacksItsKeyForAWhile) {
  const DiskImage empty = Empty();
  bench_.RunFor(hours(25));
  ASSERT_TRUE(bench_.queue->Expire());
  const CallReference call = bench_.Accept(LookupCall(2));
  DiskImage left = AnsweredWithoutARow(empty, call);
  const FakeSecureStorage vault = left.vault;
  left.vault = empty.vault;
  Mix(left);
  if (bench_.queue->IsHeldForLedger()) {
    ASSERT_TRUE(bench_.queue->AcceptLedger());
  }
  EXPECT_FALSE(bench_.queue->Answer(call));
  ASSERT_TRUE(bench_.queue->Expire());
  DiskImage newer = DiskImage::Of(bench_);
  newer.vault = vault;
  Mix(newer);
  ExpectAnswered(call);
}

// Killed at any moment while the answer is put down. A portrait makes it long, or too long for the
// ledger.
TEST_F(PartsOfBeforeTest, ALongAnswerIsKeptAtEachMoment) {
  for (const size_t size : {60000U, 200000U}) {
    SCOPED_TRACE(size);
    Empty();
    std::vector<DiskImage> moments;
    bool over = false;
    bench_.ServeLogins([&](const auto&) {
      FakeHttpClient::Reply reply;
      reply.status = 200;
      reply.body = fmt::format(
          R"({{"data":{{"verified":true,"fullName":"Ada Obi","photo":"{}","reference":"R-1"}}}})",
          std::string(size, 'A'));
      reply.on_arrival = [&] {
        for (size_t step = 1; step <= 12; ++step) {
          bench_.files.CallBeforeStep(step, [&] {
            if (!over) moments.push_back(DiskImage::Of(bench_));
          });
        }
      };
      return reply;
    });
    const CallReference call = AcceptAndWait(static_cast<int>(size));
    ASSERT_TRUE(bench_.worker->DeliverNext(call));
    over = true;
    bench_.Serve(200);
    ExpectAnswered(call);
    int done = 0;
    for (const DiskImage& each : moments) {
      Mix(each);
      if (bench_.StateOf(call) != "done") continue;
      ++done;
      ExpectAnswered(call);
    }
    EXPECT_GT(done, 0);
  }
}

}  // namespace
}  // namespace idkiosk
