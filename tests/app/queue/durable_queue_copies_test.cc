#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "app/queue/storage/sqlite_database.h"
#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/seeded_rounds.h"

// What was accepted is sent once, or is said to be lost; what has ended is never sent: whatever is
// flipped, cut, removed or put back in the state folder. Counted at the server.

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class CopiesTest : public testing::Test {
 protected:
  CopiesTest() {
    bench_.Serve(200);
    bench_.Open();
  }

  void Accept(int calls) {
    for (int i = 0; i < calls; ++i) references_.push_back(bench_.Accept(LookupCall(i)));
  }
  // kill -9: what it has done is there, and it does nothing more.
  DiskImage Kill() {
    DiskImage image = DiskImage::Of(bench_);
    bench_.Close();
    return image;
  }
  void StartOn(const DiskImage& image) {
    image.PutOn(bench_);
    bench_.tokens.Forget();
    bench_.Open();
  }
  void Deliver() {
    bench_.StepUntilIdle();
    bench_.RunFor(minutes(5));
  }
  void MeddleWith(const char* sql) { Meddle(kQueueFile, bench_.disk.name(), sql); }
  void ExpectAllSentOnce(int calls) {
    Deliver();
    EXPECT_EQ(bench_.posts(), calls);
    for (const CallReference& each : references_) EXPECT_EQ(bench_.StateOf(each), "done");
    EXPECT_THAT(*bench_.queue->Lost(), IsEmpty());
  }
  std::map<CallReference, CopySlot> Slots() const { return CopySlots(DiskImage::Of(bench_).files); }
  std::vector<CallReference> Copies() const {
    std::vector<CallReference> calls;
    for (const auto& [reference, slot] : Slots()) calls.push_back(reference);
    return calls;
  }

  QueueBench bench_;
  std::vector<CallReference> references_;
};

// Its copy seemed erased, and the ledger older; and the other name seemed that of a lost call.
TEST_F(CopiesTest, AFlippedBitInTheNameOfACopyHoldsNothingAndLosesNothing) {
  Accept(3);
  const DiskImage image = Kill();
  const CopySlot slot = CopySlots(image.files).at(references_[1]);
  for (const bool keeps_the_row : {true, false}) {
    for (size_t byte = 16; byte < 22; ++byte) {
      for (const char bit : {'\x01', '\x04', '\x80'}) {
        SCOPED_TRACE(fmt::format("byte {} bit {} {}", byte, int{bit}, keeps_the_row));
        DiskImage damaged = image;
        damaged.files[slot.path].at(slot.at + byte) ^= static_cast<uint8_t>(bit);
        if (!keeps_the_row) damaged.database.clear();
        StartOn(damaged);
        EXPECT_THAT(*bench_.queue->Lost(), IsEmpty());
        EXPECT_FALSE(bench_.queue->IsHeldForLedger());
        const int before = bench_.posts();
        Deliver();
        EXPECT_EQ(bench_.posts() - before, 3);
        for (const CallReference& each : references_) EXPECT_EQ(bench_.StateOf(each), "done");
        bench_.Close();
      }
    }
  }
}

TEST_F(CopiesTest, AFlippedByteInTheLogLosesNoAcceptedCall) {
  Accept(4);
  DiskImage image = Kill();
  const size_t size = image.database[kQueueLog].size();
  int sent = 0;
  for (size_t at = 50; at < size; at += size / 16) {
    SCOPED_TRACE(at);
    DiskImage damaged = image;
    damaged.database[kQueueLog][at] ^= 0x20;
    StartOn(damaged);
    EXPECT_THAT(bench_.queue->notices(), Not(Contains(HasSubstr("LOST"))));
    ExpectAllSentOnce(sent += 4);
    bench_.Close();
  }
}

TEST_F(CopiesTest, ALostLogOrFileLosesNoAcceptedCall) {
  Accept(3);
  const DiskImage image = Kill();
  DiskImage damaged = image;
  damaged.database.erase(kQueueLog);
  StartOn(damaged);
  EXPECT_THAT(bench_.queue->notices(), Contains(HasSubstr("3 (")));
  ExpectAllSentOnce(3);
  bench_.Close();
  damaged.database.clear();
  StartOn(damaged);
  ExpectAllSentOnce(6);
}

TEST_F(CopiesTest, ARowThatWasDeletedOrDamagedComesBack) {
  Accept(3);
  bench_.Close();
  MeddleWith(
      "DELETE FROM call WHERE id=1; UPDATE call SET engineer='x' WHERE id=2;"
      "UPDATE chunk SET sealed=CAST(x'00' || substr(sealed,2) AS BLOB) WHERE id/65536=3");
  bench_.Open();
  ExpectAllSentOnce(3);
  EXPECT_EQ(bench_.queue->Stats()->In(CallState::kDamaged), 0);
}

// Hurried as it was, it was written down as it was: its copy never came again.
TEST_F(CopiesTest, ADamagedRowIsNotHurriedWithTheBacklogAndComesBack) {
  Accept(3);
  bench_.Close();
  MeddleWith("UPDATE call SET attempts=7 WHERE id=2");
  bench_.Open();
  ASSERT_TRUE(bench_.queue->HurryBacklog(200));
  ExpectAllSentOnce(3);
}

// One that is approved with the answer of another, too.
TEST_F(CopiesTest, EachAttemptIsNotedBesideItsCopy) {
  Accept(3);
  std::vector<int> notes;
  constexpr size_t kNoteAt = 23;
  bench_.ServeLogins([&](const auto&) {
    const CopySlot slot = Slots().at(references_[notes.size()]);
    notes.push_back(bench_.files.Content(slot.path).at(slot.at + kNoteAt) & 0x0f);
    FakeHttpClient::Reply reply;
    reply.body = R"({"data":{"verified":true,"fullName":"Ada Obi"}})";
    return reply;
  });
  bench_.StepUntilIdle();
  // The fake answers the first before it is approved.
  EXPECT_THAT(notes, ElementsAre(testing::_, 1, 1));
}

TEST_F(CopiesTest, WhatIsLostIsSaidAtEachStartUntilAPersonEndsIt) {
  Accept(2);
  ASSERT_TRUE(bench_.queue->Expire());
  DiskImage image = Kill();
  image.database.clear();
  const std::string file = CopySlots(image.files).at(references_[1]).path;
  (void)image.TakeCopy(references_[0]);
  DamageCopy(image.files[file], references_[1]);
  StartOn(image);
  for (int start = 0; start < 2; ++start) {
    EXPECT_THAT(bench_.queue->notices(), Contains(HasSubstr("2 ACCEPTED CALLS ARE LOST")));
    EXPECT_THAT(*bench_.queue->Losses(), Contains(HasSubstr(references_[0])));
    bench_.Restart();
  }
  bench_.Close();
  bench_.Open(DurableQueue::Role::kOperate);
  EXPECT_THAT(*bench_.queue->Lost(), SizeIs(2));
  ASSERT_TRUE(bench_.queue->Discard(references_[0], "user 3"));
  EXPECT_THAT(*bench_.queue->Lost(), ElementsAre(references_[1]));
  bench_.Restart();
  ASSERT_TRUE(bench_.queue->Discard(references_[1], "user 4"));
  EXPECT_EQ(bench_.queue->Discard("KD7Q2M").error().code, ErrorCode::kNotFound);
  const CallReference good = bench_.Accept(LookupCall(9));
  EXPECT_EQ(bench_.queue->Discard(good).error().code, ErrorCode::kFailedPrecondition);
  bench_.Restart();
  EXPECT_THAT(bench_.queue->notices(), IsEmpty());
  EXPECT_THAT(*bench_.queue->Losses(), IsEmpty());
  const auto decisions = bench_.queue->Decisions(std::nullopt);
  ASSERT_THAT(*decisions, SizeIs(2));
  EXPECT_EQ(decisions->front().by, "user 3");
  EXPECT_THAT(decisions->front().what, HasSubstr(references_[0]));
  // And nothing brings it back.
  bench_.Close();
  StartOn(image);
  Deliver();
  EXPECT_EQ(bench_.posts(), 0);
}

// By whoever decided it: the process that delivers, or another beside it.
TEST_F(CopiesTest, WhatHasEndedIsNeverSentWhateverIsPutBack) {
  for (const bool beside : {false, true}) {
    SCOPED_TRACE(beside);
    references_.clear();
    Accept(2);
    bench_.Serve(500, "");
    const CallReference unknown = bench_.Accept(LookupCall(50));
    ASSERT_TRUE(bench_.worker->DeliverNext(unknown));
    ASSERT_EQ(bench_.StateOf(unknown), "unknown");
    bench_.Serve(200);
    const DiskImage before = DiskImage::Of(bench_);
    if (beside) {
      bench_.Close();
      bench_.Open(DurableQueue::Role::kOperate);
    }
    const int posts = bench_.posts();
    ASSERT_TRUE(bench_.queue->Cancel(references_[0]));
    ASSERT_TRUE(bench_.queue->Cancel(references_[1]));
    ASSERT_TRUE(bench_.queue->GiveUp(unknown));
    DiskImage after = Kill();
    // The file and every copy as they were.
    after.database = before.database;
    for (const auto& [path, content] : before.files) {
      if (path.starts_with("/state/copies/")) after.files[path] = content;
    }
    StartOn(after);
    Deliver();
    EXPECT_EQ(bench_.posts(), posts);
    EXPECT_EQ(bench_.StateOf(references_[0]), "cancelled");
    EXPECT_EQ(bench_.Show(unknown).verdict, Verdict::kGivenUp);
    bench_.Close();
    // The file is gone, and the copies are there again.
    after.database.clear();
    StartOn(after);
    Deliver();
    EXPECT_EQ(bench_.posts(), posts);
    EXPECT_THAT(*bench_.queue->Lost(), IsEmpty());
    EXPECT_THAT(Copies(), IsEmpty());
  }
}

TEST_F(CopiesTest, AnOldCopyOfACallThatWasSentIsNotBroughtBack) {
  Accept(1);
  const CopySlot slot = Slots().at(references_[0]);
  const Bytes copy = DiskImage::Of(bench_).TakeCopy(references_[0]);
  Deliver();
  ASSERT_EQ(bench_.posts(), 1);
  bench_.clock.Advance(hours(24 * 5));
  ASSERT_TRUE(bench_.queue->Expire());
  ASSERT_FALSE(bench_.queue->Show(references_[0]));
  bench_.Close();
  DiskImage image = DiskImage::Of(bench_);
  image.PutCopy(slot, copy);
  // As an earlier idkiosk kept it, under another call's name.
  image.files["/state/copies/KD7Q2M"] = Bytes(copy.begin() + 24, copy.end());
  StartOn(image);
  Deliver();
  EXPECT_EQ(bench_.posts(), 1);
  EXPECT_THAT(*bench_.queue->List(false), IsEmpty());
  EXPECT_THAT(*bench_.queue->Lost(), ElementsAre("KD7Q2M"));
}

// A copy in a file of its own, which an earlier idkiosk has left.
TEST_F(CopiesTest, ACopyInAFileOfItsOwnIsReadAndGoesLikeTheOthers) {
  Accept(2);
  DiskImage image = Kill();
  image.database.clear();
  for (const CallReference& each : references_) {
    const Bytes slot = image.TakeCopy(each);
    const size_t size = ReadUint32(ByteSpan(slot).subspan<8, 4>());
    image.files["/state/copies/" + each] =
        Bytes(slot.begin() + 24, slot.begin() + 24 + static_cast<ptrdiff_t>(size));
  }
  StartOn(image);
  ExpectAllSentOnce(2);
  for (const CallReference& each : references_) {
    EXPECT_FALSE(*bench_.files.Exists("/state/copies/" + each));
  }
}

// The file has taken the queue's own time along; only the board's clock is left, and it is wrong.
TEST_F(CopiesTest, AClockThatIsWrongTakesNoCallWhenTheFileIsLost) {
  for (const hours ahead : {hours(24 * 4), hours(24 * 3650), hours(-24 * 4)}) {
    SCOPED_TRACE(ahead.count());
    references_.clear();
    Accept(2);
    DiskImage image = Kill();
    image.database.clear();
    bench_.clock.JumpWall(ahead);
    StartOn(image);
    ASSERT_TRUE(bench_.queue->Expire());
    for (const CallReference& each : references_) EXPECT_EQ(bench_.StateOf(each), "pending");
    bench_.clock.JumpWall(-ahead);
    ASSERT_TRUE(bench_.queue->Expire());
    for (const CallReference& each : references_) EXPECT_EQ(bench_.StateOf(each), "pending");
    Deliver();
    for (const CallReference& each : references_) EXPECT_EQ(bench_.StateOf(each), "done");
  }
}

// The power failed while a call was accepted: nobody was told, and nobody is alarmed.
TEST_F(CopiesTest, HalfACopyThatNobodyWasToldOfIsErased) {
  Accept(1);
  const DiskImage before = DiskImage::Of(bench_);
  Accept(1);
  DiskImage torn = before;
  DiskImage after = Kill();
  const CopySlot slot = CopySlots(after.files).at(references_[1]);
  Bytes half = after.TakeCopy(references_[1]);
  std::fill(half.begin() + 200, half.end(), 0);
  torn.PutCopy(slot, half);
  StartOn(torn);
  EXPECT_THAT(bench_.queue->notices(), IsEmpty());
  Deliver();
  EXPECT_EQ(bench_.posts(), 1);
  EXPECT_THAT(*bench_.queue->Lost(), IsEmpty());
  EXPECT_THAT(Copies(), IsEmpty());
}

TEST_F(CopiesTest, ACallThatMayHaveBeenSentComesBackAsUnknown) {
  Accept(1);
  ASSERT_TRUE(bench_.queue->BeginAttempt(references_[0]));
  DiskImage image = Kill();
  StartOn(image);  // the file knows of it
  ASSERT_TRUE(bench_.queue->Expire());
  image = Kill();
  image.PutOn(bench_);
  MeddleWith("DELETE FROM call");
  bench_.Open();
  Deliver();
  EXPECT_EQ(bench_.StateOf(references_[0]), "unknown");
  EXPECT_EQ(bench_.Show(references_[0]).billed_attempts, 1);
  EXPECT_EQ(bench_.posts(), 0);
}

// Nobody can say what the records that are gone have said.
TEST_F(CopiesTest, BesideALedgerThatWasCutACallComesBackAsUnknown) {
  Accept(1);
  bench_.Close();
  DiskImage image = DiskImage::Of(bench_);
  image.database.clear();
  std::erase_if(image.files, [](const auto& each) { return each.first.contains("/ledger/"); });
  StartOn(image);
  Deliver();
  ASSERT_NE(Describe(bench_.queue->LedgerVerdict()), "genuine");
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  Deliver();
  EXPECT_EQ(bench_.StateOf(references_[0]), "unknown");
  EXPECT_EQ(bench_.posts(), 0);
  ASSERT_TRUE(bench_.queue->Retry(references_[0], AttemptsOf(*bench_.queue, references_[0])));
  Deliver();
  EXPECT_EQ(bench_.posts(), 1);
}

TEST_F(CopiesTest, ACopyGoesWithThePayloadWhateverEndsIt) {
  bench_.options.queue.max_age = hours(72);
  Accept(1);
  EXPECT_THAT(Copies(), ElementsAre(references_[0]));
  Deliver();
  EXPECT_THAT(Copies(), IsEmpty()) << "answered";
  ASSERT_TRUE(bench_.queue->Cancel(bench_.Accept(LookupCall(2))));
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_THAT(Copies(), IsEmpty()) << "cancelled";
  bench_.Serve(500, "");
  const CallReference unknown = bench_.Accept(LookupCall(3));
  bench_.StepUntilIdle();
  EXPECT_THAT(Copies(), SizeIs(1));
  ASSERT_TRUE(bench_.queue->GiveUp(unknown));
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_THAT(Copies(), IsEmpty()) << "given up";
  bench_.ServeLogins([](const auto&) {
    FakeHttpClient::Reply reply;
    reply.how = FakeHttpClient::Reply::How::kRefuse;
    return reply;
  });
  bench_.Accept(LookupCall(4));
  bench_.clock.Advance(hours(73));
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_THAT(Copies(), IsEmpty()) << "expired";
  bench_.Close();
  bench_.Open(DurableQueue::Role::kOperate);
  ASSERT_TRUE(bench_.queue->Cancel(bench_.Accept(LookupCall(5))));
  EXPECT_THAT(Copies(), IsEmpty()) << "cancelled by who does not deliver";
}

TEST_F(CopiesTest, LeftoversAreErasedAtTheNextStart) {
  Accept(1);
  DiskImage before = DiskImage::Of(bench_);
  Deliver();
  const CopySlot slot = CopySlots(before.files).at(references_[0]);
  Bytes copy = before.TakeCopy(references_[0]);
  DiskImage after = Kill();
  after.PutCopy(slot, copy);
  after.files["/state/copies/" + references_[0] + ".new"] = copy;
  std::fill_n(copy.begin(), 512, 0xff);  // refused
  after.PutCopy({slot.path, slot.at + slot.size, slot.size}, copy);
  StartOn(after);
  Deliver();
  EXPECT_THAT(Copies(), IsEmpty());
  for (const auto& [path, content] : DiskImage::Of(bench_).files) {
    EXPECT_FALSE(path.ends_with(".new"));
    if (path != slot.path) continue;
    EXPECT_TRUE(std::ranges::all_of(content, [](uint8_t each) { return each == 0; }));
  }
  EXPECT_EQ(bench_.posts(), 1);
}

TEST_F(CopiesTest, AFullDiskRefusesCleanlyAndLeavesNoFile) {
  const auto used = [this] { return (uint64_t{1} << 40) - *bench_.files.FreeSpace("/state"); };
  bench_.files.set_capacity(uint64_t{1} << 40);
  Accept(1);
  VerificationCall large = FacialCall();
  large.pictures.selfie = DrawJpeg(3 << 20, 's');
  bench_.disk.set_capacity(bench_.disk.used());
  EXPECT_EQ(bench_.queue->Accept(FacialCall(), {}).error().code, ErrorCode::kExhausted);
  EXPECT_THAT(Copies(), SizeIs(1));
  bench_.disk.set_capacity(uint64_t{1} << 40);
  bench_.files.set_capacity(used() + (3 << 20));
  EXPECT_EQ(bench_.queue->Accept(large, {}).error().code, ErrorCode::kExhausted);
  EXPECT_THAT(Copies(), SizeIs(1));
  EXPECT_THAT(*bench_.queue->List(false), SizeIs(1));
}

// Its process was killed between the copy and the commit: nobody can tell whether the person was
// told, so it is not lost.
TEST_F(CopiesTest, ACopyWithoutARowIsBroughtBack) {
  Accept(1);
  const DiskImage before = DiskImage::Of(bench_);
  Accept(1);
  DiskImage after = Kill();
  DiskImage killed = before;
  const CopySlot slot = CopySlots(after.files).at(references_[1]);
  killed.PutCopy(slot, after.TakeCopy(references_[1]));
  StartOn(killed);
  ExpectAllSentOnce(2);
}

// As an older idkiosk leaves it: rows without copies, and a ledger of attempts alone.
TEST_F(CopiesTest, CallsThatWereAcceptedBeforeThereWereCopiesGetOne) {
  Accept(2);
  bench_.Close();
  bench_.MakeOld(3, {});
  ASSERT_THAT(Copies(), IsEmpty());
  bench_.Open();
  EXPECT_THAT(Copies(), SizeIs(2));
  bench_.Close();
  MeddleWith("DELETE FROM call");
  bench_.Open();
  ExpectAllSentOnce(2);
}

TEST_F(CopiesTest, WhatAnotherProcessAcceptsOrCancelsIsWrittenDownByWhoDelivers) {
  bench_.Close();
  bench_.Open(DurableQueue::Role::kOperate);
  Accept(3);
  ASSERT_TRUE(bench_.queue->Cancel(references_[2]));
  bench_.Restart();
  DiskImage image = Kill();
  image.database.clear();
  std::erase_if(image.files, [](const auto& each) { return each.first.contains("/copies/"); });
  StartOn(image);
  EXPECT_THAT(*bench_.queue->Lost(), testing::UnorderedElementsAre(references_[0], references_[1]));
}

TEST_F(CopiesTest, NothingIsMoreReadableThanItWas) {
  bench_.Accept(FacialCall("98765432109"));
  ASSERT_THAT(Copies(), SizeIs(1));
  for (const std::string& path : bench_.files.paths()) {
    const Bytes content = bench_.files.Content(path);
    for (std::string_view secret : {"98765432109", "\xff\xd8\xff\xe0", "ssssssssss", "Ada Obi"}) {
      EXPECT_FALSE(AsText(content).contains(secret)) << path << " holds " << secret;
    }
  }
}

// Killed at any moment, and then something is done to the disk: each call that was told accepted is
// sent once, or is unknown, or is named as lost; and one that was told cancelled is not sent.
class KilledAndDamaged {
 public:
  explicit KilledAndDamaged(uint64_t seed) : random_(seed), bench_(seed) {
    bench_.options.billing.breaker_after = 0;
    bench_.ServeLogins([this](const auto&) {
      FakeHttpClient::Reply reply;
      reply.status = Pick(8) == 0 ? 500 : 200;
      reply.body = kVerifiedAnswer;
      return reply;
    });
  }

  void Run() {
    bench_.Open();
    for (int life = 0; life < 4; ++life) {
      const DiskImage older = DiskImage::Of(bench_);
      for (int left = 2 + Pick(8); left > 0; --left) TakeStep();
      DiskImage image = DiskImage::Of(bench_);
      bench_.Close();
      Damage(image, older);
      image.PutOn(bench_);
      bench_.tokens.Forget();
      if (!bench_.TryOpen()) {
        // Set aside, which takes a real disk: SalvageTest.
        image.database.clear();
        image.PutOn(bench_);
      }
      bench_.Open();
    }
    bench_.RunFor(minutes(30));
    Check();
  }

 private:
  int Pick(int below) { return static_cast<int>(random_() % static_cast<uint64_t>(below)); }

  void TakeStep() {
    const int choice = Pick(6);
    if (choice < 3) {
      numbers_[bench_.Accept(LookupCall(count_))] = count_;
      ++count_;
    } else if (choice == 3) {
      const auto open = bench_.queue->List(true);
      if (open->empty()) return;
      const CallReference chosen = (*open)[random_() % open->size()].reference;
      if (bench_.queue->Cancel(chosen)) cancelled_.insert(chosen);
    } else if (choice == 4) {
      bench_.Step();
    } else {
      bench_.clock.Advance(minutes(1));
      ASSERT_TRUE(bench_.queue->Expire());
    }
  }

  void Flip(std::string& bytes) {
    if (bytes.empty()) return;
    char& one = bytes[random_() % bytes.size()];
    one = static_cast<char>(one ^ 1 << Pick(8));
  }

  void Damage(DiskImage& image, const DiskImage& older) {
    std::string& log = image.database[kQueueLog];
    std::string& file = image.database[kQueueFile];
    switch (Pick(7)) {
      case 0:
        return Flip(log);
      case 1:
        return log.clear();
      case 2:
        return Flip(file);
      case 3:
        return file.resize(file.size() / 4096 * random_() % 97 / 97 * 4096);
      case 4:
        image.database = older.database;
        return;
      case 5:
        return image.database.clear();
      default:
        return;
    }
  }

  void Check() {
    const auto lost = bench_.queue->Lost();
    ASSERT_TRUE(lost);
    EXPECT_THAT(*lost, IsEmpty()) << "every copy is good";
    std::map<CallReference, int> approved;
    for (const LedgerRow& row : bench_.Ledger()) {
      if (row.billed != Billed::kNo) ++approved[row.reference];
    }
    int all = 0;
    for (const auto& [reference, number] : numbers_) {
      const bool cancelled = cancelled_.contains(reference);
      EXPECT_EQ(approved[reference], cancelled ? 0 : 1)
          << reference << (cancelled ? " was cancelled" : "");
      all += cancelled ? 0 : 1;
    }
    EXPECT_EQ(bench_.posts(), all);
  }

  std::mt19937_64 random_;
  QueueBench bench_;
  std::map<CallReference, int> numbers_;
  std::set<CallReference> cancelled_;
  int count_ = 0;
};

TEST(KilledAndDamagedTest, SendsEachAcceptedCallOnceAndNoCancelledOne) {
  const int rounds = Rounds(150) / SweepStride();
  for (int round = 0; round < rounds && !testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(testing::Message() << "seed " << Seed() + static_cast<uint64_t>(round));
    KilledAndDamaged(Seed() + static_cast<uint64_t>(round)).Run();
  }
}

}  // namespace
}  // namespace idkiosk
