#include "app/queue/repair/unnamed_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/app/queue/queue_fixture.h"

// Calls that were accepted, where the parts of the state folder that name them are old or gone: the
// vault knows how many there were.

namespace idkiosk {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

class UnnamedCallsTest : public testing::Test {
 protected:
  static constexpr int kCalls = 8;
  static constexpr int kSent = 6;

  // A kiosk that has accepted eight calls, and sent six of them.
  void SetUp() override {
    bench_.Serve(200);
    bench_.Open();
    for (int i = 0; i < kCalls; ++i) references_.push_back(bench_.Accept(LookupCall(i)));
    ASSERT_TRUE(bench_.queue->Expire());
    before_ = DiskImage::Of(bench_);
    for (int i = 0; i < kSent; ++i) bench_.Step();
    after_ = DiskImage::Of(bench_);
    bench_.Close();
  }
  // The program starts on these disks, and works until nothing is left to do.
  void StartOn(const DiskImage& image) {
    image.PutOn(bench_);
    bench_.tokens.Forget();
    bench_.Open();
    if (bench_.queue != nullptr) bench_.StepUntilIdle();
  }

  QueueBench bench_;
  std::vector<CallReference> references_;
  DiskImage before_;
  DiskImage after_;
};

// A queue that grows while it is open lacks nothing of what it has grown by.
TEST_F(UnnamedCallsTest, OfAQueueThatIsNewNothingIsMissing) {
  QueueBench bench;
  bench.Serve(200);
  bench.Open();
  for (int i = 0; i < 3; ++i) {
    bench.Accept(LookupCall(i));
    bench.StepUntilIdle();
    EXPECT_EQ(MissingFrom(*bench.queue), "");
  }
}

// Its copy, its row, or its number in the vault is enough.
TEST_F(UnnamedCallsTest, AnAcceptanceThatTheLedgerLacksYetIsMissedOnlyWhereNothingNamesIt) {
  StartOn(after_);
  DiskImage before = DiskImage::Of(bench_);
  const CallReference newest = bench_.Accept(LookupCall(20));
  const DiskImage killed = DiskImage::Of(bench_);
  bench_.Close();
  DiskImage without_row = killed;
  without_row.database = before.database;
  DiskImage without_copy = killed;
  (void)without_copy.TakeCopy(newest);
  for (const DiskImage* each :
       std::array<const DiskImage*, 3>{&killed, &without_row, &without_copy}) {
    each->PutOn(bench_);
    bench_.Open();
    // A copy that is erased says that the call has ended: then all else is of before.
    const bool erased = each == &without_copy;
    EXPECT_EQ(bench_.queue->LedgerVerdict().state,
              erased ? JournalState::kRolledBack : JournalState::kGenuine);
    EXPECT_TRUE(bench_.queue->Show(newest));
    bench_.Close();
  }
  before.vault = killed.vault;
  StartOn(before);
  EXPECT_TRUE(bench_.queue->IsHeldForLedger());
}

// File, copies and the later ledger are old or gone. Nothing names the calls: their number is said
// until a person has ended it.
TEST_F(UnnamedCallsTest, CallsThatNothingNamesAreCountedAndSaidUntilAPersonEndsIt) {
  StartOn(after_);
  for (int nin = 20; nin < 23; ++nin) bench_.Accept(LookupCall(nin));
  ASSERT_TRUE(bench_.queue->Expire());
  DiskImage old = before_;
  old.vault = bench_.storage;
  bench_.Close();
  for (const bool deleted : {false, true}) {
    SCOPED_TRACE(deleted ? "deleted" : "old");
    DiskImage image = old;
    if (deleted) {
      image.database.clear();
      std::erase_if(image.files, [](const auto& each) {
        return each.first.contains("/copies/") || each.first.contains("/ledger/");
      });
    }
    StartOn(image);
    ASSERT_TRUE(bench_.queue->IsHeldForLedger());
    const uint64_t accepted = deleted ? kCalls + 3 : 3;
    const auto missing = bench_.queue->MissingFromLedger();
    ASSERT_TRUE(missing && *missing);
    EXPECT_EQ((*missing)->accepted, accepted);
    EXPECT_EQ((*missing)->open, 3U);
    ASSERT_TRUE(bench_.queue->AcceptLedger("somebody"));
    const std::string said = fmt::format("NOBODY CAN NAME: {} were accepted", accepted);
    for (int start = 0; start < 2; ++start) {
      EXPECT_THAT(*bench_.queue->Losses(), Contains(HasSubstr(said)));
      bench_.Restart();
      EXPECT_FALSE(bench_.queue->IsHeldForLedger());
      EXPECT_THAT(bench_.queue->notices(), Contains(HasSubstr(said)));
    }
    ASSERT_THAT(*bench_.queue->Unnamed(), SizeIs(1));
    const std::string name = NameOf(bench_.queue->Unnamed()->front());
    EXPECT_EQ(bench_.queue->DiscardUnnamed("records-1-1").error().code, ErrorCode::kNotFound);
    bench_.Close();
    bench_.Open(DurableQueue::Role::kOperate);
    ASSERT_TRUE(bench_.queue->DiscardUnnamed(name, "user 3"));
    EXPECT_THAT(*bench_.queue->Losses(), Not(Contains(HasSubstr("NOBODY CAN NAME"))));
    bench_.Restart();
    EXPECT_THAT(bench_.queue->notices(), Not(Contains(HasSubstr("NOBODY CAN NAME"))));
    EXPECT_THAT(*bench_.queue->Unnamed(), SizeIs(0));
    EXPECT_EQ(bench_.queue->Decisions({})->back().by, "user 3");
    bench_.Close();
  }
}

// Each of the queue's file, the copies and the ledger as it is, as it was, or gone; the vault is as
// it is. What nothing names is counted.
TEST_F(UnnamedCallsTest, NoMixOfOldAndDeletedPartsLosesACallInSilence) {
  StartOn(after_);
  for (int nin = 20; nin < 23; ++nin) references_.push_back(bench_.Accept(LookupCall(nin)));
  ASSERT_TRUE(bench_.queue->Expire());
  references_.push_back(bench_.Accept(LookupCall(23)));
  const DiskImage now = DiskImage::Of(bench_);
  bench_.Close();
  enum Part : uint8_t { kNow, kOld, kGone };
  const auto put = [&](DiskImage& image, std::string_view folder, Part part) {
    const DiskImage& from = part == kNow ? now : before_;
    std::erase_if(image.files, [=](const auto& each) { return each.first.contains(folder); });
    for (const auto& [path, content] : from.files) {
      if (part != kGone && path.contains(folder)) image.files[path] = content;
    }
  };
  int mixes = 0;
  for (const Part file : {kNow, kOld, kGone}) {
    for (const Part copies : {kNow, kOld, kGone}) {
      for (const Part ledger : {kNow, kOld, kGone}) {
        SCOPED_TRACE(fmt::format("file {}, copies {}, ledger {}", file, copies, ledger));
        DiskImage image = now;
        if (file == kOld) image.database = before_.database;
        if (file == kGone) image.database.clear();
        put(image, "/copies/", copies);
        put(image, "/ledger/", ledger);
        StartOn(image);
        if (bench_.queue->IsHeldForLedger()) {
          ASSERT_TRUE(bench_.queue->AcceptLedger("somebody"));
        }
        bench_.Restart();
        uint64_t nameless = 0;
        const auto lost = *bench_.queue->Lost();
        for (const CallReference& each : references_) {
          const bool named = bench_.queue->Show(each).has_value() ||
                             !bench_.queue->Attempts(each)->empty() ||
                             std::ranges::find(lost, each) != lost.end();
          nameless += named ? 0 : 1;
        }
        uint64_t said = 0;
        const auto told = *bench_.queue->Unnamed();
        for (const UnnamedCalls& each : told) {
          said += each.accepted.value_or(references_.size());
        }
        EXPECT_LE(nameless, said);
        EXPECT_TRUE(nameless > 0 || said == 0) << said << " are said to be lost, and none is";
        bench_.Close();
        ++mixes;
      }
    }
  }
  EXPECT_EQ(mixes, 27);
}

// The same backup is put back twice, and each time a person accepts what is left.
TEST_F(UnnamedCallsTest, AreToldUntilAPersonEndsItThoughMoreIsLost) {
  for (const bool with_copies : {true, false}) {
    SCOPED_TRACE(with_copies);
    QueueBench bench;
    bench.Serve(200);
    bench.Open();
    const auto ask = [&](int number) {
      bench.Accept(LookupCall(number));
      bench.StepUntilIdle();
      ASSERT_TRUE(bench.queue->Expire());
    };
    ask(1);
    const DiskImage backup = DiskImage::Of(bench);
    // An open one would be named by its copy.
    bench.Serve(with_copies ? 500 : 200, with_copies ? "" : kVerifiedAnswer);
    ask(2);
    const auto put_back = [&] {
      bench.Close();
      DiskImage mixed = DiskImage::Of(bench);
      mixed.database = backup.database;
      const auto is_old = [&](const auto& file) {
        return with_copies || !file.first.starts_with("/state/copies/");
      };
      std::erase_if(mixed.files, is_old);
      std::ranges::copy_if(backup.files, std::inserter(mixed.files, mixed.files.end()), is_old);
      mixed.PutOn(bench);
      bench.tokens.Forget();
      bench.Open();
      ASSERT_TRUE(bench.queue->IsHeldForLedger());
      ASSERT_TRUE(bench.queue->AcceptLedger());
      const auto told = bench.queue->Unnamed();
      ASSERT_THAT(told, testing::Optional(SizeIs(1)));
      EXPECT_EQ(told->front().accepted, 1);
      EXPECT_EQ(told->front().open, with_copies ? 1 : 0);
    };
    put_back();
    put_back();
    put_back();
    bench.Restart();
    ASSERT_THAT(bench.queue->Unnamed(), testing::Optional(SizeIs(1)));
    // A program may ask for one of them again by itself.
    const DurableQueue::ClientRequest request{"the key", "the body"};
    EXPECT_FALSE(bench.queue->FindRequest(request));
    bench.RunFor(std::chrono::hours(25));
    EXPECT_TRUE(bench.queue->FindRequest(request)) << "a key is known for a day";
    EXPECT_TRUE(bench.queue->DiscardUnnamed(NameOf(bench.queue->Unnamed()->front()), "op"));
    bench.Restart();
    EXPECT_THAT(bench.queue->Unnamed(), testing::Optional(testing::IsEmpty()));
    EXPECT_FALSE(bench.queue->IsHeldForLedger());
    EXPECT_TRUE(bench.queue->FindRequest(request));
  }
}

}  // namespace
}  // namespace idkiosk
