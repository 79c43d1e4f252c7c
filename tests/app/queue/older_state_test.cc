#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "tests/app/queue/queue_fixture.h"

// Queue's file, ledger and vault as they were at an earlier moment, each genuine and all of one
// mind; only the second copies of calls are those of now. Counted at the server.

namespace idkiosk {
namespace {

using std::chrono::hours;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

constexpr const char* kWitness = "/state/copies/ledger.witness";

class OlderStateTest : public WaitingCalls, public testing::Test {
 protected:
  // The copies, or what begins with `path`, stay as they are.
  void PutBack(const DiskImage& before, std::string_view path = "/state/copies/") {
    const DiskImage now = DiskImage::Of(bench_);
    bench_.Close();
    DiskImage mixed = before;
    const auto is_copy = [=](const auto& each) { return each.first.starts_with(path); };
    std::erase_if(mixed.files, is_copy);
    std::ranges::copy_if(now.files, std::inserter(mixed.files, mixed.files.end()), is_copy);
    mixed.PutOn(bench_);
    bench_.tokens.Forget();
    bench_.Open();
  }
  static void ForgetThatThereIsAWitness(DiskImage& image) {
    Bytes mark = image.vault.mark();
    ASSERT_EQ(mark.size(), 57U);
    mark.pop_back();
    image.vault.set_mark(mark);
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
  ASSERT_TRUE(bench_.queue->Retry(first, AttemptsOf(*bench_.queue, first)));
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

// The same reply, taken once more, must not let it go: its copy is gone, as it is once a call has
// ended.
TEST_F(OlderStateTest, WhatWasAnsweredAfterAReplyIsNotReleasedByTheSameReply) {
  bench_.Serve(500, "");
  const CallReference call = AcceptAndWait(1);
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.StateOf(call), "unknown");
  const DiskImage before = DiskImage::Of(bench_);
  bench_.Serve(200);
  ASSERT_TRUE(bench_.queue->Settle(call, 1, Settlement::kNotReceived));
  Deliver();
  ASSERT_EQ(bench_.StateOf(call), "done");
  ASSERT_EQ(bench_.posts(), 2);
  PutBack(before, "/state/copies/slots");
  (void)bench_.queue->Settle(call, 1, Settlement::kNotReceived);
  Deliver();
  EXPECT_EQ(bench_.posts(), 2);
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

// What is left of the witness, of its two pages of 4,096 bytes.
struct Harm {
  const char* name;
  Bytes (*left)(Bytes whole);  // nothing: it is removed
};

constexpr Harm kHarms[] = {
    {"Removed", [](Bytes) { return Bytes(); }},
    {"CutShort", [](Bytes) { return Bytes(1, 'I'); }},
    {"Zeros", [](Bytes whole) { return Bytes(whole.size()); }},
    {"ABitInEachPage",
     [](Bytes whole) {
       whole[20] ^= 1;
       whole[4096 + 20] ^= 1;
       return whole;
     }},
};

class WitnessHarmTest : public OlderStateTest,
                        public testing::WithParamInterface<std::tuple<Harm, bool>> {
 public:
  static std::string NameOf(const testing::TestParamInfo<ParamType>& each) {
    const auto& [harm, is_older] = each.param;
    return std::string(harm.name) + (is_older ? "AndTheRestIsOlder" : "Alone");
  }
};

INSTANTIATE_TEST_SUITE_P(Witness, WitnessHarmTest,
                         testing::Combine(testing::ValuesIn(kHarms), testing::Bool()),
                         WitnessHarmTest::NameOf);

TEST_P(WitnessHarmTest, HoldsUntilAPersonHasLooked) {
  const auto& [harm, is_older] = GetParam();
  const CallReference call = AcceptAndWait(1);
  DiskImage image = DiskImage::Of(bench_);
  if (is_older) Deliver();
  ASSERT_EQ(bench_.posts(), is_older ? 1 : 0);
  const Bytes left = harm.left(bench_.files.Content(kWitness));
  bench_.Close();
  bench_.files.Delete(kWitness);
  if (!left.empty()) bench_.files.Put(kWitness, left);
  PutBack(image);
  EXPECT_THAT(Describe(bench_.queue->LedgerVerdict()), HasSubstr("without its witness"));
  ExpectHeldAndThenUnknown({call});
  EXPECT_EQ(bench_.files.Content(kWitness).size(), 8192U);
}

TEST_F(OlderStateTest, TheWitnessOfAnotherKioskHolds) {
  const CallReference call = AcceptAndWait(1);
  bench_.Close();
  QueueBench another;
  another.storage = FakeSecureStorage(9);
  another.Open();
  another.Accept(LookupCall(1));
  ASSERT_EQ(another.files.Content(kWitness).size(), 8192U);
  bench_.files.Put(kWitness, another.files.Content(kWitness));
  bench_.Open();
  ExpectHeldAndThenUnknown({call});
}

// But the vault, which knows that there was a mark, and the copies.
TEST_F(OlderStateTest, WhereAllThatTellsIsGoneThisIsNoFirstStart) {
  const CallReference call = AcceptAndWait(1);
  bench_.Serve(500, "");
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.StateOf(call), "unknown");
  bench_.Serve(200);
  DiskImage left = DiskImage::Of(bench_);
  bench_.Close();
  left.database.clear();
  std::erase_if(left.files, [](const auto& each) { return !each.first.contains("/slots-"); });
  left.vault.LoseMark();
  left.PutOn(bench_);
  bench_.Open(DurableQueue::Role::kOperate);
  bench_.Restart();
  ExpectHeldAndThenUnknown({call});
}

// A cut ledger, whose file and copies agree, proves nothing where mark or witness are gone as well.
TEST_F(OlderStateTest, BesideACutLedgerAMissingMarkMakesWhatWaitsUnknown) {
  AcceptAndWait(0);
  Deliver();
  const CallReference call = AcceptAndWait(1);
  DiskImage before = DiskImage::Of(bench_);
  Deliver();
  ASSERT_EQ(bench_.posts(), 2);
  std::erase_if(before.files, [](const auto& each) { return each.first.contains("/ledger/"); });
  before.vault.set_mark({});
  bench_.files.Delete(kWitness);
  PutBack(before);
  EXPECT_THAT(Describe(bench_.queue->LedgerVerdict()), HasSubstr("cut after 0"));
  ExpectHeldAndThenUnknown({call});
}

TEST_F(OlderStateTest, DamageToOnePageOfTheWitnessHoldsNothing) {
  const CallReference call = AcceptAndWait(1);
  const Bytes whole = bench_.files.Content(kWitness);
  ASSERT_EQ(whole.size(), 8192U);
  for (const size_t page : {0U, 4096U}) {
    bench_.Close();
    Bytes damaged = whole;
    std::ranges::fill_n(damaged.begin() + static_cast<ptrdiff_t>(page), 4096, 0xff);
    bench_.files.Put(kWitness, damaged);
    bench_.Open();
    EXPECT_FALSE(bench_.queue->IsHeldForLedger());
  }
  Deliver();
  EXPECT_EQ(bench_.StateOf(call), "done");
}

// It left none, and a mark that says nothing of one.
TEST_F(OlderStateTest, BehindAnEarlierIdkioskTheWitnessIsMade) {
  const CallReference call = AcceptAndWait(1);
  DiskImage before = DiskImage::Of(bench_);
  before.files.erase(kWitness);
  ForgetThatThereIsAWitness(before);
  bench_.Close();
  before.PutOn(bench_);
  bench_.Open();
  EXPECT_FALSE(bench_.queue->IsHeldForLedger());
  EXPECT_EQ(bench_.files.Content(kWitness).size(), 8192U);
  before = DiskImage::Of(bench_);
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
  ASSERT_TRUE(bench_.queue->Retry(call, AttemptsOf(*bench_.queue, call)));
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

// The copy does not wait for a person to accept the ledger, and nothing else brings the face back.
TEST_F(OlderStateTest, AnErasedPersonsCopyGoesAtOnce) {
  const CallReference call = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  bench_.Serve(500, "");
  Deliver();
  PutBack(before);
  ASSERT_TRUE(bench_.queue->IsHeldForLedger());
  ASSERT_TRUE(CopySlots(DiskImage::Of(bench_).files).contains(call));
  ASSERT_TRUE(bench_.queue->ErasePerson(call));
  EXPECT_FALSE(CopySlots(DiskImage::Of(bench_).files).contains(call));
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  bench_.Serve(200);
  Deliver();
  EXPECT_EQ(bench_.posts(), 1);
  EXPECT_EQ(bench_.StateOf(call), "done");
}

TEST_F(OlderStateTest, ADamagedFileIsNotErasedBeforeThatCanBePutDown) {
  (void)AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  Deliver();
  PutBack(before);
  ASSERT_TRUE(bench_.queue->IsHeldForLedger());
  const std::string file = "queue.db.damaged-20261129T100000Z";
  bench_.files.Put("/state/" + file, AsBytes("the last copy of a call"));
  EXPECT_FALSE(bench_.queue->DiscardSetAside(file));
  EXPECT_FALSE(bench_.files.Content("/state/" + file).empty());
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  EXPECT_TRUE(bench_.queue->DiscardSetAside(file));
  EXPECT_TRUE(bench_.files.Content("/state/" + file).empty());
}

// As a backup that left them out is put on another board. With the mark of an earlier idkiosk,
// which says nothing of a witness.
TEST_F(OlderStateTest, WithoutAnyCopyWhatWaitsIsUnknown) {
  const CallReference call = AcceptAndWait(1);
  DiskImage before = DiskImage::Of(bench_);
  Deliver();
  ForgetThatThereIsAWitness(before);
  bench_.RemoveCopies();
  bench_.files.Delete(kWitness);
  PutBack(before);
  EXPECT_EQ(bench_.StateOf(call), "unknown");
  EXPECT_THAT(bench_.queue->notices(), Contains(AllOf(HasSubstr("older copy"), HasSubstr(call))));
  Deliver();
  EXPECT_EQ(bench_.posts(), 1);
  ASSERT_TRUE(bench_.queue->Retry(call, AttemptsOf(*bench_.queue, call)));
  bench_.Restart();
  EXPECT_EQ(bench_.StateOf(call), "pending");
}

// The ledger is the newest: what it does not know to be sent was not sent.
// Since the last start, so that the mark is as good as the newest one: the slots alone tell.
TEST_F(OlderStateTest, AnErasedCopyHoldsWhereTheWitnessIsOlderToo) {
  const CallReference ended = AcceptAndWait(1);
  const CallReference waits = AcceptAndWait(2);
  const DiskImage before = DiskImage::Of(bench_);
  ASSERT_TRUE(bench_.worker->DeliverNext(ended));
  bench_.Close();
  PutBack(before, "/state/copies/slots-");
  EXPECT_THAT(bench_.queue->notices(), Contains(HasSubstr(ended)));
  ExpectHeldAndThenUnknown({ended, waits});
}

// What is sealed of a fresh call was in its copy alone: it had one, whatever the ledger knows.
TEST_F(OlderStateTest, AnErasedCopyOfAFreshCallHoldsToo) {
  for (const bool with_pictures : {false, true}) {
    const CallReference ended = bench_.Accept(with_pictures ? FacialCall() : LookupCall(1));
    const DiskImage before = DiskImage::Of(bench_);
    ASSERT_TRUE(bench_.worker->DeliverNext(ended));
    bench_.Close();
    PutBack(before, "/state/copies/slots-");
    EXPECT_THAT(bench_.queue->notices(), Contains(HasSubstr(ended)));
    ExpectHeldAndThenUnknown({ended});
    EXPECT_TRUE(bench_.queue->GiveUp(ended)) << "nothing of it is left to send";
  }
}

// None has ended, so that each copy is there: what is noted beside it tells.
TEST_F(OlderStateTest, AnAttemptThatIsNotedBesideTheCopyHoldsWhereTheWitnessIsOlderToo) {
  const CallReference lost = AcceptAndWait(1);
  const CallReference waits = AcceptAndWait(2);
  const DiskImage before = DiskImage::Of(bench_);
  bench_.Serve(500, "");
  ASSERT_TRUE(bench_.worker->DeliverNext(lost));
  bench_.Serve(200);
  PutBack(before, "/state/copies/slots-");
  EXPECT_THAT(bench_.queue->notices(), Contains(HasSubstr(lost)));
  ExpectHeldAndThenUnknown({lost, waits});
  // A person's word counts, and no start takes it back.
  ASSERT_TRUE(bench_.queue->Retry(lost, AttemptsOf(*bench_.queue, lost)));
  bench_.Restart();
  EXPECT_FALSE(bench_.queue->IsHeldForLedger());
  Deliver();
  EXPECT_EQ(bench_.StateOf(lost), "done");
  EXPECT_EQ(bench_.posts(), 2);
}

// Accepted and sent since, so that the file knows nothing of it.
TEST_F(OlderStateTest, AnAttemptThatIsNotedBesideACopyWithoutARowHoldsToo) {
  const DiskImage before = DiskImage::Of(bench_);
  const CallReference lost = AcceptAndWait(1);
  bench_.Serve(500, "");
  ASSERT_TRUE(bench_.worker->DeliverNext(lost));
  bench_.Serve(200);
  PutBack(before, "/state/copies/slots-");
  ExpectHeldAndThenUnknown({lost});
  ASSERT_TRUE(bench_.queue->Retry(lost, AttemptsOf(*bench_.queue, lost)));
  bench_.Restart();
  EXPECT_FALSE(bench_.queue->IsHeldForLedger());
}

// Each attempt is in the ledger before it is noted.
TEST_F(OlderStateTest, AttemptsThatTheLedgerKnowsHoldNothing) {
  const CallReference call = AcceptAndWait(1);
  bench_.Serve(429);
  for (int attempt = 1; attempt <= 20; ++attempt) {
    bench_.clock.Advance(hours(2));
    ASSERT_TRUE(bench_.worker->DeliverNext(call));
    ASSERT_EQ(bench_.posts(), attempt);
    bench_.Restart();
    ASSERT_FALSE(bench_.queue->IsHeldForLedger());
  }
  bench_.Serve(200);
  Deliver();
  EXPECT_EQ(bench_.StateOf(call), "done");
}

// Each start looks, and none makes the older mark good by it.
TEST_F(OlderStateTest, AStartThatHoldsLeavesTheMarkAsItIs) {
  const CallReference ended = AcceptAndWait(1);
  const DiskImage before = DiskImage::Of(bench_);
  Deliver();
  bench_.Close();
  PutBack(before, "/state/copies/slots-");
  for (int start = 0; start < 3; ++start) {
    const Bytes mark = DiskImage::Of(bench_).vault.mark();
    bench_.Restart();
    EXPECT_TRUE(bench_.queue->IsHeldForLedger());
    EXPECT_EQ(DiskImage::Of(bench_).vault.mark(), mark);
  }
  ExpectHeldAndThenUnknown({ended});
}

// A file of slots is lost, and another of other sizes is whole.
TEST_F(OlderStateTest, AFileOfCopiesThatIsLostMakesNothingUnknown) {
  const CallReference small = AcceptAndWait(1);
  const CallReference large = bench_.Accept(FacialCall());
  ASSERT_TRUE(bench_.queue->Expire());
  bench_.Close();
  int deleted = 0;
  for (const std::string& path : bench_.files.paths()) {
    if (!path.contains("/copies/slots-") || !path.ends_with("x4096")) continue;
    bench_.files.Delete(path);
    ++deleted;
  }
  ASSERT_EQ(deleted, 1);
  bench_.Open();
  EXPECT_FALSE(bench_.queue->IsHeldForLedger());
  EXPECT_EQ(bench_.StateOf(small), "pending");
  EXPECT_EQ(bench_.StateOf(large), "pending");
}

// One flipped bit in the head of a slot: nobody can tell whose it was.
TEST_F(OlderStateTest, ADamagedSlotMakesNothingUnknown) {
  const CallReference call = AcceptAndWait(1);
  bench_.Close();
  const auto slots = CopySlots(DiskImage::Of(bench_).files);
  const CopySlot& slot = slots.at(call);
  Bytes file = bench_.files.Content(slot.path);
  file[slot.at] ^= 1;
  bench_.files.Put(slot.path, file);
  bench_.Open();
  EXPECT_FALSE(bench_.queue->IsHeldForLedger());
  Deliver();
  EXPECT_EQ(bench_.StateOf(call), "done");
}

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
