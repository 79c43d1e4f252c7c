#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/queue/doubted_calls.h"

// A copy of a call lies on a bad sector, for a while or for ever. Counted at the server.

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using testing::HasSubstr;

class BadSectorTest : public DoubtedCallTest {
 protected:
  static constexpr std::string_view kKey = "the key";

  [[nodiscard]] static DurableQueue::ClientRequest Request(std::string_view key) {
    return {key, "the body"};
  }
  CallReference AcceptAndWait(int number) {
    CallReference call = bench_.Accept(Question(number));
    EXPECT_TRUE(bench_.queue->Expire());
    return call;
  }
  CallReference AcceptRequested(int number) {
    const auto call = bench_.queue->Accept(
        Question(number), {.operator_id = "op", .confirmed = true, .request = Request(kKey)});
    EXPECT_TRUE(call);
    return call.value_or("");
  }
  static constexpr size_t kHead = 0;
  // Of a call with pictures, where it is not in the block of the head.
  static constexpr size_t kContent = 8192;
  static VerificationCall Question(int number) {
    VerificationCall call = FacialCall(fmt::format("1234567{:04}", number));
    call.pictures.selfie = SecretBytes::CopyOf(std::string(20000, 'j'));
    return call;
  }
  void OpenWithBadSector(const DiskImage& image, const CallReference& call, size_t at = kContent) {
    PutBadSector(image, call, at);
    ASSERT_TRUE(Opens());
  }
  void PutBadSector(const DiskImage& image, const CallReference& call, size_t at) {
    const CopySlot slot = CopySlots(image.files).at(call);
    bench_.Close();
    image.PutOn(bench_);
    bench_.tokens.Forget();
    bench_.files.FailReadsOf(slot.path, slot.at + at);
  }
  void OpenWithDamagedRow(const CallReference& call,
                          const std::string& how = "mac=randomblob(32)") {
    bench_.Close();
    Meddle(kQueueFile, bench_.disk.name(),
           fmt::format("UPDATE call SET {} WHERE reference='{}'", how, call));
    OpenWithBadSector(DiskImage::Of(bench_), call);
  }
  // What a power cut leaves of calls that the ledger does not know yet: their copies.
  static DiskImage CopiesAlone(const DiskImage& empty, DiskImage left) {
    left.database = empty.database;
    left.vault = empty.vault;
    return left;
  }
  void ReadWellAgain() {
    bench_.files.FailNoRead();
    bench_.Restart();
    Deliver();
  }
  [[nodiscard]] std::string Losses() {
    const auto losses = bench_.queue->Losses();
    return losses ? fmt::format("{}", fmt::join(*losses, "\n")) : losses.error().message;
  }
  void ExpectNewRequestsAreTaken() {
    const auto other = bench_.queue->FindRequest(Request("another"));
    ASSERT_TRUE(other) << other.error().message;
    EXPECT_FALSE(*other);
  }
  void ExpectKnownOnceDiscarded(const CallReference& call) {
    Deliver();
    const int posts = bench_.posts();
    EXPECT_THAT(Losses(), HasSubstr("cannot be read now: 1 (" + call));
    const Status discarded = bench_.queue->Discard(call, "op");
    ASSERT_TRUE(discarded) << discarded.error().message;
    EXPECT_THAT(Losses(), testing::Not(HasSubstr(call)));
    const auto known = bench_.queue->FindRequest(Request(kKey));
    ASSERT_TRUE(known) << known.error().message;
    EXPECT_EQ(known->value_or(""), call);
    bench_.files.FailNoRead();
    bench_.Restart();
    Deliver();
    EXPECT_EQ(bench_.posts(), posts);
  }
};

TEST_F(BadSectorTest, IsNoLostCallAndStopsOnlyWhatItAskedUntilAPersonEndsIt) {
  const DiskImage empty = Empty();
  const CallReference call = AcceptRequested(2);
  ASSERT_TRUE(bench_.queue->Expire());
  DiskImage left = DiskImage::Of(bench_);
  left.database = empty.database;
  OpenWithBadSector(left, call);
  EXPECT_THAT(bench_.queue->Lost(), testing::Optional(testing::IsEmpty()));
  EXPECT_FALSE(bench_.queue->FindRequest(Request(kKey))) << "it may be paid a second time";
  const auto same = bench_.queue->Accept(Question(2), {.operator_id = "op"});
  ASSERT_FALSE(same);
  EXPECT_THAT(same.error().message, HasSubstr(call));
  EXPECT_TRUE(bench_.queue->Accept(Question(3), {.operator_id = "op"}));
  ExpectNewRequestsAreTaken();
  ExpectKnownOnceDiscarded(call);
  EXPECT_EQ(bench_.StateOf(call), "cancelled");
}

TEST_F(BadSectorTest, OfACallThatHasEndedCanBeGivenUpToo) {
  const DiskImage empty = Empty();
  const CallReference call = AcceptRequested(2);
  OpenWithBadSector(AnsweredWithoutARow(empty, call), call);
  ExpectNewRequestsAreTaken();
  ExpectKnownOnceDiscarded(call);
  EXPECT_EQ(bench_.StateOf(call), "done");
  EXPECT_EQ(bench_.Show(call).verdict, Verdict::kVerified);
}

// Who cannot tell whose copy lies there, sends nothing and accepts nothing.
TEST_F(BadSectorTest, UnderANameKeepsFromStartingAndLosesNothing) {
  for (const bool only_copies : {true, false}) {
    SCOPED_TRACE(only_copies);
    const DiskImage empty = Empty();
    std::vector<CallReference> all;
    for (int i = 0; i < 3; ++i) all.push_back(bench_.Accept(Question(10 * (i + 1) + only_copies)));
    const DiskImage left = DiskImage::Of(bench_);
    PutBadSector(only_copies ? CopiesAlone(empty, left) : left, all.front(), kHead);
    const auto opened = bench_.TryOpen();
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::kUnavailable);
    EXPECT_THAT(opened.error().message, HasSubstr("copy the state folder with ddrescue"));
    const int posts = bench_.posts();
    bench_.files.FailNoRead();
    bench_.Open();
    Deliver();
    for (const CallReference& each : all) EXPECT_EQ(bench_.StateOf(each), "done");
    EXPECT_EQ(bench_.posts(), posts + 3);
  }
}

TEST_F(BadSectorTest, UnderACallThatTheLedgerDoesNotKnowStopsEachQuestionAndErasesNothing) {
  const DiskImage empty = Empty();
  const CallReference call = AcceptRequested(2);
  const CallReference other = bench_.Accept(Question(3));
  OpenWithBadSector(CopiesAlone(empty, DiskImage::Of(bench_)), call);
  EXPECT_THAT(Losses(), HasSubstr(call));
  EXPECT_FALSE(bench_.queue->FindRequest(Request(kKey)));
  EXPECT_FALSE(bench_.queue->Accept(Question(2), {.operator_id = "op"}));
  Deliver();
  EXPECT_EQ(bench_.StateOf(other), "done");
  const int posts = bench_.posts();
  ReadWellAgain();
  EXPECT_EQ(bench_.StateOf(call), "done");
  EXPECT_EQ(bench_.posts(), posts + 1);
}

TEST_F(BadSectorTest, StopsTheSameQuestionThoughItWasAskedLongAgo) {
  bench_.options.queue.retention = hours(24 * 7);
  bench_.Restart();
  bench_.Accept(Question(2));
  bench_.StepUntilIdle();
  bench_.RunFor(hours(30));
  const DiskImage empty = Empty();
  const auto again = bench_.queue->Accept(Question(2), {.operator_id = "op"});
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_TRUE(bench_.queue->Expire());
  DiskImage left = DiskImage::Of(bench_);
  left.database = empty.database;
  OpenWithBadSector(left, *again);
  EXPECT_FALSE(bench_.queue->Accept(Question(2), {.operator_id = "op"}));
}

TEST_F(BadSectorTest, LosesNoAnswer) {
  const DiskImage empty = Empty();
  const CallReference call = bench_.Accept(Question(2));
  OpenWithBadSector(AnsweredWithoutARow(empty, call), call);
  ReadWellAgain();
  ExpectAnswered(call);
}

// Nor does it count as an error of the delivery.
TEST_F(BadSectorTest, UnderAFreshCallKeepsNobodyElseWaiting) {
  Empty();
  const CallReference call = bench_.Accept(Question(2));
  const CallReference other = bench_.Accept(Question(3));
  OpenWithBadSector(DiskImage::Of(bench_), call);
  bench_.RunFor(hours(2));
  EXPECT_EQ(bench_.StateOf(other), "done");
  EXPECT_EQ(bench_.StateOf(call), "pending");
  EXPECT_THAT(bench_.Show(call).engineer, HasSubstr("cannot read"));
  bench_.files.FailNoRead();
  bench_.RunFor(hours(2));
  EXPECT_EQ(bench_.StateOf(call), "done") << "without a new start";
}

TEST_F(BadSectorTest, UnderADamagedRowKeepsNobodyElseWaiting) {
  Empty();
  const CallReference call = AcceptAndWait(2);
  const CallReference other = AcceptAndWait(3);
  OpenWithDamagedRow(call);
  bench_.RunFor(minutes(10));
  EXPECT_EQ(bench_.StateOf(other), "done");
  EXPECT_THAT(Losses(), HasSubstr("cannot be read now: 1 (" + call));
  const auto upkeep = bench_.queue->Expire();
  EXPECT_TRUE(upkeep) << upkeep.error().message;
  bench_.RunFor(hours(80));
  bench_.files.FailNoRead();
  bench_.RunFor(hours(2));
  EXPECT_THAT(bench_.StateOf(call), testing::AnyOf("done", "expired"));
}

TEST_F(BadSectorTest, UnderADamagedRowIsReadAgainWithoutAStart) {
  Empty();
  const CallReference call = AcceptAndWait(2);
  OpenWithDamagedRow(call);
  bench_.RunFor(minutes(10));
  bench_.files.FailNoRead();
  bench_.RunFor(hours(2));
  EXPECT_EQ(bench_.StateOf(call), "done");
}

TEST_F(BadSectorTest, UnderADamagedRowStopsTheSameQuestion) {
  for (const char* damaged : {"request=randomblob(68)", "question_mac=randomblob(36)"}) {
    SCOPED_TRACE(damaged);
    bench_.Serve(503, "");
    const bool by_key = std::string_view(damaged).starts_with("request");
    const int number = by_key ? 5 : 6;
    const CallReference call = AcceptRequested(number);
    ASSERT_TRUE(bench_.queue->Expire());
    OpenWithDamagedRow(call, damaged);
    ASSERT_TRUE(bench_.queue->Expire());
    EXPECT_TRUE(!by_key || !bench_.queue->FindRequest(Request(kKey)));
    EXPECT_FALSE(bench_.queue->Accept(Question(number), {.operator_id = "op"}));
    bench_.Serve(200);
    ReadWellAgain();
    EXPECT_EQ(bench_.StateOf(call), "done");
    bench_.RunFor(hours(100));
  }
}

// Another one's is not told to be gone.
TEST_F(BadSectorTest, UnderANameEndsNoErasureByHalf) {
  const CallReference bad = AcceptAndWait(2);
  const CallReference other = AcceptAndWait(3);
  const CopySlot slot = CopySlots(DiskImage::Of(bench_).files).at(bad);
  bench_.files.FailReadsOf(slot.path, slot.at);
  (void)bench_.queue->Lost();  // looks
  EXPECT_TRUE(bench_.queue->Cancel(other));
  (void)bench_.queue->Expire();
  bench_.files.FailNoRead();
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_FALSE(CopySlots(DiskImage::Of(bench_).files).contains(other));
}

TEST_F(BadSectorTest, KeepsTheKeyInTheVault) {
  const DiskImage empty = Empty();
  const CallReference call = bench_.Accept(Question(2));
  OpenWithBadSector(CopiesAlone(empty, DiskImage::Of(bench_)), call);
  bench_.RunFor(hours(60));
  ReadWellAgain();
  EXPECT_EQ(bench_.StateOf(call), "done") << Losses();
}

TEST_F(BadSectorTest, BringsNoHoldBackThatAPersonHasLifted) {
  Empty();
  const CallReference call = AcceptAndWait(2);
  const DiskImage before = DiskImage::Of(bench_);
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(bench_.worker->DeliverNext(bench_.Accept(Question(10 + i))));
  }
  ASSERT_TRUE(bench_.queue->Expire());
  bench_.Close();
  Meddle(kQueueFile, bench_.disk.name(),
         fmt::format("DELETE FROM call WHERE reference='{}'", call));
  DiskImage mixed = DiskImage::Of(bench_);
  Take(mixed, before, kLedger);
  OpenWithBadSector(mixed, call);
  ASSERT_TRUE(bench_.queue->IsHeldForLedger());
  ASSERT_TRUE(bench_.queue->AcceptLedger());
  bench_.Restart();
  EXPECT_FALSE(bench_.queue->IsHeldForLedger()) << Describe(bench_.queue->LedgerVerdict());
  ASSERT_TRUE(bench_.queue->Discard(call, "op"));
  bench_.Restart();
  EXPECT_FALSE(bench_.queue->IsHeldForLedger()) << "once it is given up";
}

}  // namespace
}  // namespace idkiosk
