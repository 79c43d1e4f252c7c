#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/queue/storage/attempt_ledger.h"
#include "app/queue/storage/sqlite_database.h"
#include "tests/app/queue/queue_fixture.h"

// The queue's file and the ledger of attempts, held against each other: whatever is damaged, lost
// or put back, nobody pays twice. Counted at the server.

namespace idkiosk {
namespace {

using std::chrono::hours;
using testing::Contains;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

constexpr const char* kSegment = "/state/ledger/000000000001.journal";

class LedgerTest : public testing::Test {
 protected:
  static constexpr int kCalls = 8;
  static constexpr int kSent = 6;

  // A kiosk that has accepted eight calls, and sent six of them; its log holds the sending alone.
  // Records of the ledger: the first acceptance, the others, then two of each attempt.
  void SetUp() override {
    bench_.Serve(200);
    bench_.Open();
    for (int i = 0; i < kCalls; ++i) references_.push_back(bench_.Accept(LookupCall(i)));
    ASSERT_TRUE(bench_.queue->Expire());
    before_ = DiskImage::Of(bench_);
    for (int i = 0; i < kSent; ++i) bench_.Step();
    ASSERT_EQ(bench_.posts(), kSent);
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

  bool IsHeldForTheLedger() {
    const auto stats = bench_.queue->Stats();
    return std::ranges::any_of(stats->holds, [](const Hold& hold) {
      return hold.reason == HoldReason::kLedger && !hold.endpoint;
    });
  }
  std::string Verdict() { return Describe(bench_.queue->LedgerVerdict()); }
  int Count(std::string_view state) {
    int count = 0;
    for (const CallReference& each : references_) count += bench_.StateOf(each) == state ? 1 : 0;
    return count;
  }

  QueueBench bench_;
  std::vector<CallReference> references_;
  DiskImage before_;
  DiskImage after_;
};

TEST_F(LedgerTest, AFlippedByteInTheLogOfTheFileSendsNothingTwice) {
  for (const size_t at : {40U, 3000U, 9000U}) {
    DiskImage damaged = after_;
    ASSERT_GT(damaged.database[kQueueLog].size(), at);
    damaged.database[kQueueLog][at] ^= 0x10;
    const int sent = bench_.posts();
    StartOn(damaged);
    EXPECT_EQ(bench_.posts() - sent, kCalls - kSent) << "byte " << at;
    EXPECT_EQ(Count("done"), kCalls);
    EXPECT_THAT(bench_.queue->notices(), Contains(HasSubstr("has it from the ledger")));
    EXPECT_EQ(bench_.queue->Answer(references_[0])->text(), kVerifiedAnswer);
    EXPECT_EQ(bench_.Total().billed_yes, kCalls);
    EXPECT_EQ(Verdict(), "genuine");
    bench_.Close();
  }
}

TEST_F(LedgerTest, ALostLogSendsNothingTwice) {
  DiskImage damaged = after_;
  damaged.database.erase(kQueueLog);
  StartOn(damaged);
  EXPECT_EQ(bench_.posts(), kCalls);
  EXPECT_EQ(Count("done"), kCalls);
}

TEST_F(LedgerTest, AnOlderFilePutBackSendsNothingTwice) {
  DiskImage damaged = after_;
  damaged.database = before_.database;
  StartOn(damaged);
  EXPECT_EQ(bench_.posts(), kCalls);
  EXPECT_EQ(Count("done"), kCalls);
  EXPECT_THAT(bench_.queue->notices(), Contains(HasSubstr("6 attempts")));
}

TEST_F(LedgerTest, AnApprovalThatAnOlderFileDoesNotKnowIsUnknownAndWaitsForAPerson) {
  StartOn(after_);
  const CallReference reference = bench_.Accept(LookupCall(90));
  ASSERT_TRUE(bench_.queue->Expire());
  const DiskImage older = DiskImage::Of(bench_);
  ASSERT_TRUE(bench_.queue->BeginAttempt(reference));
  DiskImage newest = DiskImage::Of(bench_);
  bench_.Close();
  newest.database = older.database;
  StartOn(newest);
  EXPECT_EQ(bench_.StateOf(reference), "unknown");
  EXPECT_THAT(bench_.queue->notices(), Contains(HasSubstr("it is not known whether")));
  bench_.clock.Advance(hours(30));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), kCalls);
  EXPECT_EQ(bench_.Show(reference).billed_attempts, 1);
  EXPECT_EQ(bench_.Ledger().back().rule, "interrupted");
}

TEST_F(LedgerTest, ANewFileBesideAnOldLedgerSaysWhatIsMissing) {
  DiskImage damaged = after_;
  damaged.database.clear();
  std::erase_if(damaged.files,
                [](const auto& each) { return each.first.contains("/copies/slots-"); });
  StartOn(damaged);
  EXPECT_EQ(bench_.posts(), kSent);
  EXPECT_THAT(bench_.queue->notices(), Contains(HasSubstr("lacked calls that had ended: 6")));
  EXPECT_THAT(bench_.queue->notices(), Contains(HasSubstr("2 ACCEPTED CALLS ARE LOST")));
  EXPECT_THAT(bench_.Ledger(), SizeIs(kSent));
  EXPECT_EQ(Verdict(), "genuine");
}

// One page of the file that was never written, as a bad memory card has it.
TEST_F(LedgerTest, ARowThatIsOlderThanTheLedgerIsNotSentAgain) {
  after_.PutOn(bench_);
  {
    auto database = SqliteDatabase::Open(kQueueFile, bench_.disk.name());
    ASSERT_TRUE(database);
    ASSERT_TRUE((*database)->Execute(
        "ATTACH '/state/kept.db' AS k; CREATE TABLE k.kept AS SELECT * FROM call WHERE id=7"));
  }
  bench_.Open();
  bench_.StepUntilIdle();
  ASSERT_EQ(bench_.posts(), kCalls);
  bench_.Close();
  {
    auto database = SqliteDatabase::Open(kQueueFile, bench_.disk.name());
    ASSERT_TRUE(database);
    ASSERT_TRUE(
        (*database)->Execute("ATTACH '/state/kept.db' AS k; DELETE FROM call WHERE id=7;"
                             "INSERT INTO call SELECT * FROM k.kept"));
  }
  bench_.Open();
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), kCalls);
  EXPECT_EQ(bench_.StateOf(references_[6]), "done");
  EXPECT_EQ(bench_.Show(references_[6]).verdict, Verdict::kVerified);
  EXPECT_THAT(
      bench_.queue->notices(),
      Contains(HasSubstr(fmt::format("1 ({}) of its calls that wait had ended", references_[6]))));
}

TEST_F(LedgerTest, AnApprovalThatTheFileCouldNotTakeIsTakenBack) {
  after_.PutOn(bench_);
  bench_.Open();
  for (size_t step = 1; step < 8; ++step) {
    const auto pending = bench_.queue->List(true)->front();
    bench_.disk.FailStep(step);
    const Status begun = bench_.queue->BeginAttempt(pending.reference);
    if (begun) break;
    EXPECT_EQ(bench_.StateOf(pending.reference), "pending");
    EXPECT_EQ(bench_.Ledger().back().billed, Billed::kNo);
  }
  bench_.Restart();
  bench_.clock.Advance(std::chrono::minutes(1));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.Total().billed_maybe + bench_.Total().billed_yes, kCalls);
}

TEST_F(LedgerTest, TheVaultRemembersEachAcceptanceEachApprovalAndTheEndOfARun) {
  const auto number = [this] { return ParsePosition(bench_.storage.mark())->number; };
  // How many calls there were, behind the place.
  const auto calls = [this] {
    return ReadUint64(ByteSpan(bench_.storage.mark()).subspan<40, 8>());
  };
  StartOn(after_);
  uint64_t last = number();
  EXPECT_GT(last, 2 * kSent) << "two records of each attempt";
  for (uint64_t nin = 20; nin < 22; ++nin) {
    const uint64_t accepted = calls();
    bench_.Accept(LookupCall(static_cast<int>(nin)));
    EXPECT_EQ(calls(), accepted + 1);
    bench_.StepUntilIdle();
    EXPECT_GT(number(), last) << "an approval";
    last = number();
  }
  bench_.Close();
  EXPECT_GT(number(), last) << "the end of the run";
}

// A call is accepted, its process killed, and everything but the vault put back.
TEST_F(LedgerTest, AnAcceptanceThatWasTakenBackWithAllElseIsNoticed) {
  StartOn(after_);
  DiskImage before = DiskImage::Of(bench_);
  bench_.Accept(LookupCall(20));
  before.vault = bench_.storage;
  bench_.Close();
  StartOn(before);
  EXPECT_THAT(Verdict(), StartsWith("rolled back to"));
  EXPECT_TRUE(IsHeldForTheLedger());
  const auto missing = bench_.queue->MissingFromLedger();
  ASSERT_TRUE(missing && *missing);
  EXPECT_EQ((*missing)->accepted, 1U);
}

TEST_F(LedgerTest, AFileOfAnotherLengthLacksNothing) {
  Bytes& file = after_.files.at(kSegment);
  const size_t size = file.size();
  file.resize(size + 4096);
  StartOn(after_);
  EXPECT_EQ(Verdict(), "genuine");
  EXPECT_EQ(bench_.posts(), kCalls);
  bench_.Restart();
  EXPECT_EQ(Verdict(), "genuine");
  DiskImage shorter = DiskImage::Of(bench_);
  bench_.Close();
  shorter.files.at(kSegment).resize(size - 4096);
  StartOn(shorter);
  EXPECT_THAT(Verdict(), StartsWith("cut after"));
  EXPECT_TRUE(IsHeldForTheLedger());
  ASSERT_TRUE(bench_.queue->AcceptLedger("somebody"));
  bench_.Restart();
  EXPECT_EQ(Verdict(), "genuine");
  EXPECT_FALSE(IsHeldForTheLedger());
}

TEST_F(LedgerTest, AMissingMarkHoldsTheQueueUntilSomebodyHasLooked) {
  after_.vault.set_mark({});
  StartOn(after_);
  EXPECT_THAT(Verdict(), StartsWith("without its mark in the vault"));
  EXPECT_TRUE(IsHeldForTheLedger());
  EXPECT_EQ(bench_.posts(), kSent);
  ASSERT_TRUE(bench_.queue->AcceptLedger("somebody"));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), kSent) << "nobody knows whether the others were sent";
  EXPECT_EQ(Count("unknown"), kCalls - kSent);
  ASSERT_TRUE(
      bench_.queue->Retry(references_.back(), AttemptsOf(*bench_.queue, references_.back())));
  bench_.Restart();
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), kSent + 1);
  EXPECT_EQ(Verdict(), "genuine");
}

// File and ledger are put back, the vault and the copies are not; somebody says that it is fine.
TEST_F(LedgerTest, WhatWaitsInAnOlderFileIsNotSentOnceAnOlderLedgerWasAccepted) {
  StartOn(after_);
  const CallReference cancelled = bench_.Accept(LookupCall(20));
  DiskImage older = DiskImage::Of(bench_);
  const CallReference paid = bench_.Accept(LookupCall(21));
  older = DiskImage::Of(bench_);
  ASSERT_TRUE(bench_.queue->Cancel(cancelled));
  bench_.StepUntilIdle();
  const CallReference newest = bench_.Accept(LookupCall(22));
  const int posts = bench_.posts();
  older.vault = bench_.storage;
  for (const auto& [path, content] : DiskImage::Of(bench_).files) {
    if (path.contains("/copies/")) older.files[path] = content;
  }
  bench_.Close();
  StartOn(older);
  EXPECT_TRUE(IsHeldForTheLedger());
  ASSERT_TRUE(bench_.queue->AcceptLedger("somebody"));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), posts);
  EXPECT_EQ(bench_.StateOf(newest), "unknown");
  // What they asked is erased: nobody sends them again, whatever a person says.
  for (const CallReference& each : {cancelled, paid}) {
    EXPECT_EQ(bench_.StateOf(each), "unknown");
    ASSERT_TRUE(bench_.queue->Retry(each, AttemptsOf(*bench_.queue, each)));
  }
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), posts);
  for (const CallReference& each : {cancelled, paid}) EXPECT_EQ(bench_.StateOf(each), "damaged");
}

// The queue's file and the ledger are put back to where the call was not there yet.
TEST_F(LedgerTest, WhatWaitsInItsCopyAloneIsNamedWhileTheLedgerIsNotAccepted) {
  StartOn(after_);
  DiskImage image = DiskImage::Of(bench_);
  const CallReference newest = bench_.Accept(LookupCall(20));
  ASSERT_TRUE(bench_.queue->Expire());
  image.vault = bench_.storage;
  for (const auto& [path, content] : DiskImage::Of(bench_).files) {
    if (path.contains("/copies/")) image.files[path] = content;
  }
  bench_.Close();
  StartOn(image);
  EXPECT_THAT(*bench_.queue->Losses(), testing::ElementsAre(testing::HasSubstr(newest)));
  EXPECT_EQ(bench_.queue->Stats()->In(CallState::kPending), 1);
  EXPECT_EQ(bench_.queue->Stats()->held, 1);
  ASSERT_TRUE(bench_.queue->AcceptLedger("somebody"));
  EXPECT_THAT(*bench_.queue->Losses(), testing::IsEmpty());
  EXPECT_EQ(bench_.StateOf(newest), "unknown");
}

TEST_F(LedgerTest, NothingIsSentThatTheVaultCannotBeToldOf) {
  after_.PutOn(bench_);
  bench_.Open();
  bench_.storage.set_put_error(Error{ErrorCode::kForbidden, "read-only"});
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), kSent);
  EXPECT_EQ(Count("pending"), kCalls - kSent);
  bench_.storage.set_put_error(std::nullopt);
  bench_.clock.Advance(hours(1));
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), kCalls);
}

// All that tells what was sent is gone, but for the copies.
TEST_F(LedgerTest, CopiesWithoutALedgerAreNotSentByThemselves) {
  DiskImage bare = after_;
  bare.database.clear();
  std::erase_if(bare.files, [](const auto& each) { return !each.first.contains("/copies/"); });
  bare.vault.set_mark({});
  for (const bool witnessed : {true, false}) {
    SCOPED_TRACE(witnessed);
    if (!witnessed) bare.files.erase("/state/copies/ledger.witness");
    StartOn(bare);
    EXPECT_TRUE(IsHeldForTheLedger()) << "the copies say of attempts, too";
    ASSERT_TRUE(bench_.queue->AcceptLedger());
    EXPECT_EQ(Count("unknown"), kCalls) << "with those that were sent, whose copies go later";
    bench_.StepUntilIdle();
    EXPECT_EQ(bench_.posts(), kSent);
    bench_.Close();
  }
}

// What an older idkiosk kept among the vault's secrets is held against the ledger, and taken over.
TEST_F(LedgerTest, TheMarkOfAnOlderIdkioskIsTakenOver) {
  const JournalPosition newest = *ParsePosition(after_.vault.mark());
  after_.vault.set_mark({});
  for (const uint64_t ahead : {5U, 0U}) {
    DiskImage older = after_;
    older.vault.Set("ledger.anchor",
                    AsText(SerializePosition({newest.number + ahead, newest.mac})));
    StartOn(older);
    EXPECT_EQ(IsHeldForTheLedger(), ahead > 0);
    bench_.Close();
  }
  EXPECT_FALSE(bench_.storage.Get("ledger.anchor"));
  EXPECT_FALSE(bench_.storage.mark().empty());
}

// A queue's file of before there was a ledger of its own.
TEST_F(LedgerTest, AnOlderLedgerIsTakenOver) {
  StartOn(after_);
  bench_.Serve(500, "");
  bench_.Accept(LookupCall(30));
  bench_.StepUntilIdle();
  const std::vector<LedgerRow> rows = bench_.Ledger();
  const LedgerSum total = bench_.Total();
  bench_.Close();
  bench_.MakeOld(3, rows);
  {
    auto database = SqliteDatabase::Open(kQueueFile, bench_.disk.name());
    ASSERT_TRUE((*database)->Execute("UPDATE attempt SET billed='no' WHERE id=2"));
  }
  bench_.Open(DurableQueue::Role::kOperate);
  EXPECT_THAT(bench_.Ledger(), SizeIs(rows.size())) << "who only looks sees it, too";
  bench_.Close();
  for (int start = 0; start < 2; ++start) {
    bench_.Open();
    const auto taken = bench_.Ledger();
    ASSERT_EQ(taken.size(), rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(taken[i].genuine, i != 1);
      EXPECT_EQ(taken[i].reference, rows[i].reference);
      EXPECT_EQ(taken[i].ended_at, rows[i].ended_at);
      EXPECT_EQ(taken[i].operator_id, rows[i].operator_id);
    }
    EXPECT_EQ(bench_.Total().billed_yes, total.billed_yes - 1) << "a false row counts for nothing";
    EXPECT_EQ(bench_.Total().price_maybe, total.price_maybe);
    EXPECT_EQ(bench_.queue->notices().empty(), start == 1);
    EXPECT_EQ(Verdict(), "genuine");
    bench_.Close();
  }
}

// What is done to the ledger itself: it is said, nothing is sent before a person has looked, and
// then the queue goes on.
class DoubtfulLedgerTest : public LedgerTest {
 protected:
  // Where the records of the ledger's only file begin.
  std::vector<size_t> Records() const {
    const Bytes& file = after_.files.at(kSegment);
    std::vector<size_t> records;
    for (size_t at = JournalFormat::kHeaderSize; at < file.size(); at += 16) {
      if (AsText(ByteSpan(file).subspan(at, 4)) == "IKR1") records.push_back(at);
    }
    return records;
  }

  // Without the calls that are in doubt.
  std::vector<LedgerDecision> PeoplesDecisions() {
    std::vector<LedgerDecision> decisions = *bench_.queue->Decisions(std::nullopt);
    std::erase_if(decisions, [](const LedgerDecision& each) { return each.by.empty(); });
    return decisions;
  }

  // Held until somebody looked, then as ever but for what waited. What is found stays the same
  // until then.
  void ExpectHeldUntilAPersonLooked(const DiskImage& image, const std::string& verdict,
                                    const std::string& afterwards) {
    image.PutOn(bench_);
    const int before = bench_.posts();
    for (int start = 0; start < 2; ++start) {
      bench_.Open();
      bench_.StepUntilIdle();
      EXPECT_EQ(bench_.posts(), before);
      EXPECT_EQ(Verdict(), verdict);
      EXPECT_TRUE(IsHeldForTheLedger());
      EXPECT_EQ(bench_.queue->Lift("all:ledger").error().code, ErrorCode::kFailedPrecondition);
      EXPECT_THAT(bench_.queue->notices(), Contains(HasSubstr("NOT GENUINE: " + verdict)));
      // A person's decision about one call is none about the ledger.
      const auto waiting = bench_.queue->List(true);
      if (!waiting->empty())
        (void)bench_.queue->Retry(waiting->front().reference,
                                  AttemptsOf(*bench_.queue, waiting->front().reference));
      bench_.StepUntilIdle();
      EXPECT_EQ(bench_.posts(), before);
      bench_.Close();
    }
    bench_.Open();
    ASSERT_TRUE(bench_.queue->AcceptLedger());
    bench_.StepUntilIdle();
    // Nobody knows of which of them the lost records told.
    EXPECT_EQ(bench_.posts(), before);
    const auto open = bench_.queue->List(true);
    EXPECT_THAT(*open, Each(Field(&CallSummary::state, CallState::kUnknown)));
    bench_.Restart();
    EXPECT_EQ(Verdict(), afterwards);
    EXPECT_FALSE(IsHeldForTheLedger());
    const CallReference next = bench_.Accept(LookupCall(77));
    bench_.StepUntilIdle();
    EXPECT_EQ(bench_.StateOf(next), "done");
  }
};

TEST_F(DoubtfulLedgerTest, TheLastThreeRecordsTakenOut) {
  DiskImage damaged = after_;
  const std::vector<size_t> records = Records();
  Bytes& file = damaged.files[kSegment];
  std::fill(file.begin() + static_cast<ptrdiff_t>(records[records.size() - 3]), file.end(), 0);
  ExpectHeldUntilAPersonLooked(damaged, "cut after 11", "genuine");
}

TEST_F(DoubtfulLedgerTest, BilledOverwrittenInOneRecord) {
  DiskImage damaged = after_;
  Bytes& file = damaged.files[kSegment];
  const std::string_view text = AsText(file);
  const size_t billed = text.find("yes", Records()[2 + 3]);
  ASSERT_NE(billed, std::string_view::npos);
  file[billed] = 'n';
  file[billed + 1] = 'o';
  ExpectHeldUntilAPersonLooked(damaged, "altered at 6", "altered at 6");
}

TEST_F(DoubtfulLedgerTest, AllOfItTakenAway) {
  DiskImage damaged = after_;
  damaged.files.erase(kSegment);
  ExpectHeldUntilAPersonLooked(damaged, "cut after 0", "genuine");
}

// Within one life of the process.
TEST_F(DoubtfulLedgerTest, AnOlderCopyOfFileAndLedger) {
  const auto put_back = [this] {
    DiskImage damaged = after_;
    damaged.vault = bench_.storage;
    damaged.PutOn(bench_);
  };
  StartOn(after_);
  ASSERT_EQ(bench_.posts(), kCalls);
  bench_.Close();
  put_back();
  bench_.Open();
  EXPECT_EQ(Verdict(), "rolled back to 14") << "the end of the run";
  bench_.Close();
  after_.PutOn(bench_);
  bench_.Open();
  bench_.StepUntilIdle();
  const FakeSecureStorage vault = bench_.storage;
  bench_.Close();
  bench_.storage = vault;  // it was killed
  const int before = bench_.posts();
  put_back();
  bench_.Open();
  bench_.StepUntilIdle();
  EXPECT_EQ(Verdict(), "rolled back to 14") << "an approval";
  EXPECT_EQ(bench_.posts(), before);
  ASSERT_TRUE(bench_.queue->AcceptLedger("user 0"));
  bench_.Restart();
  EXPECT_EQ(Verdict(), "genuine");
  const std::vector<LedgerDecision> decisions = PeoplesDecisions();
  ASSERT_THAT(decisions, SizeIs(1));
  EXPECT_EQ(decisions.front().by, "user 0");
  EXPECT_THAT(decisions.front().what, HasSubstr("rolled back to 14"));
}

TEST_F(DoubtfulLedgerTest, WhoOnlyOperatesMayAcceptItWhileAnotherDelivers) {
  DiskImage damaged = after_;
  damaged.files.erase(kSegment);
  damaged.PutOn(bench_);
  bench_.Open(DurableQueue::Role::kOperate);
  EXPECT_EQ(Verdict(), "cut after 0");
  ASSERT_TRUE(bench_.queue->AcceptLedger("user 7"));
  bench_.Restart();
  const std::vector<LedgerDecision> decisions = PeoplesDecisions();
  ASSERT_THAT(decisions, SizeIs(1));
  EXPECT_EQ(decisions.front().by, "user 7");
  const int before = bench_.posts();
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), before);
  EXPECT_EQ(bench_.queue->AcceptLedger().error().code, ErrorCode::kFailedPrecondition);
}

TEST_F(DoubtfulLedgerTest, DamageThatNobodyHasSeenYetIsHeldForAgain) {
  DiskImage damaged = after_;
  damaged.files[kSegment][Records()[3] + 60] ^= 1;
  damaged.PutOn(bench_);
  bench_.Open();
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  bench_.Close();
  damaged = DiskImage::Of(bench_);
  damaged.files[kSegment][Records()[6] + 60] ^= 1;
  damaged.PutOn(bench_);
  bench_.Open();
  EXPECT_EQ(Verdict(), "altered at 4");
  EXPECT_TRUE(IsHeldForTheLedger());
}

}  // namespace
}  // namespace idkiosk
