#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "app/queue/storage/sqlite_database.h"
#include "platform/posix/posix_file_system.h"
#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/scratch_folder.h"

// An older copy of the queue's file is written over the one that is open, as cp does it: what was
// answered since is in the ledger alone. Counted at the server.

namespace idkiosk {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class PutBackTest : public testing::Test {
 protected:
  PutBackTest() {
    options_.folder = folder_ / "state";
    options_.queue.reserve_bytes = 4096;
    options_.role = DurableQueue::Role::kDeliver;
    bench_.Serve(200);
    Start();
  }

  void Start() {
    worker_.reset();
    queue_.reset();
    auto opened = DurableQueue::Open(options_, bench_.profile, bench_.clock, bench_.crypto,
                                     bench_.entropy, bench_.storage, files_);
    ASSERT_TRUE(opened) << opened.error().message;
    queue_ = std::move(*opened);
    worker_ =
        std::make_unique<DeliveryWorker>(*queue_, bench_.client, bench_.shrinker, bench_.clock);
  }
  // What the local API does with a request.
  Result<CallReference> Ask(int number) {
    const std::string key = fmt::format("key-{}", number);
    const DurableQueue::ClientRequest request{key, "the body"};
    const auto known = queue_->FindRequest(request);
    if (!known) return std::unexpected(known.error());
    if (*known) return **known;
    DurableQueue::AcceptOptions asked;
    asked.confirmed = true;
    asked.request = request;
    auto taken = queue_->Accept(LookupCall(number), asked);
    if (!taken) return std::unexpected(Error(taken.error()));
    return std::move(*taken);
  }
  CallReference AskAndDeliver(int number) {
    const auto asked = Ask(number);
    EXPECT_TRUE(asked) << asked.error().message;
    EXPECT_TRUE(worker_->DeliverNext());
    return asked.value_or("");
  }
  // There is nothing to send: the copies of what has ended go.
  void Rest() {
    const auto step = worker_->DeliverNext();
    EXPECT_TRUE(step && !step->reference);
  }
  [[nodiscard]] std::string StateOf(const CallReference& reference) {
    const auto call = queue_->Show(reference);
    return call ? std::string(StateWord(*call)) : call.error().message;
  }
  void Keep() {
    fs::create_directories(older());
    for (const char* each : kParts) fs::copy(file(each), older() + "/queue.db" + each);
  }
  // A copy is kept, and the attempt of a call begins.
  CallReference BeginBehindAnOlderCopy() {
    AskAndDeliver(1);
    Rest();
    CallReference asked = Ask(2).value_or("");
    Keep();
    EXPECT_TRUE(queue_->Claim(asked));
    EXPECT_TRUE(queue_->BeginAttempt(asked));
    return asked;
  }
  void RecordVerified(const CallReference& asked,
                      const std::string& answer = std::string(kVerifiedAnswer)) {
    Outcome outcome;
    outcome.kind = OutcomeKind::kVerified;
    outcome.endpoint = Endpoint::kLookupNin;
    outcome.disposition = Disposition::kDone;
    outcome.billed = Billed::kYes;
    outcome.verdict = Verdict::kVerified;
    outcome.stage = SendStage::kAnswered;
    outcome.http_status = 200;
    EXPECT_TRUE(queue_->Record(asked, outcome, AsBytes(answer)));
  }
  // As cp writes: the files stay the same ones.
  void PutBack() {
    for (const char* each : kParts) {
      std::ifstream from(older() + "/queue.db" + each, std::ios::binary);
      std::ofstream(file(each), std::ios::binary) << from.rdbuf();
    }
  }
  [[nodiscard]] std::string file(const char* part) const {
    return options_.folder + "/queue.db" + part;
  }
  [[nodiscard]] std::string older() const { return folder_ / "older"; }

  static constexpr const char* kParts[] = {"", "-wal", "-shm"};

  ScratchFolder folder_;
  PosixFileSystem files_;
  QueueBench bench_;
  DurableQueue::Options options_;
  std::unique_ptr<DurableQueue> queue_;
  std::unique_ptr<DeliveryWorker> worker_;
};

TEST_F(PutBackTest, OverTheOpenFileNothingIsAcceptedOrSent) {
  AskAndDeliver(1);
  ASSERT_TRUE(Ask(2));
  Keep();
  const CallReference answered = AskAndDeliver(3);
  const int posts = bench_.posts();
  PutBack();
  for (const int number : {2, 3, 4}) {
    const auto refused = Ask(number);
    ASSERT_FALSE(refused) << number;
    EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
    EXPECT_THAT(refused.error().message, HasSubstr("older copy"));
  }
  EXPECT_FALSE(queue_->Accept(LookupCall(5), {}));
  EXPECT_FALSE(queue_->CheckRoom());
  (void)worker_->DeliverNext();
  EXPECT_EQ(bench_.posts(), posts);
  EXPECT_THAT(StateOf(answered), HasSubstr("older copy")) << "and not that it is not there";
}

TEST_F(PutBackTest, TheStartAfterItFindsEachRequestThatWasAnswered) {
  AskAndDeliver(1);
  Keep();
  const CallReference second = AskAndDeliver(2);
  const CallReference third = AskAndDeliver(3);
  Rest();
  const int posts = bench_.posts();
  PutBack();
  EXPECT_FALSE(Ask(4));
  (void)worker_->DeliverNext();
  Start();
  EXPECT_EQ(StateOf(second), "done");
  EXPECT_EQ(StateOf(third), "done");
  EXPECT_EQ(Ask(2).value_or(""), second);
  EXPECT_EQ(Ask(3).value_or(""), third);
  (void)worker_->DeliverNext();
  EXPECT_EQ(bench_.posts(), posts);
  // And everything goes on.
  AskAndDeliver(4);
  EXPECT_EQ(bench_.posts(), posts + 1);
}

// What was accepted since has its copy.
TEST_F(PutBackTest, TheStartAfterItFindsWhatWaits) {
  AskAndDeliver(1);
  Keep();
  const auto waits = Ask(2);
  ASSERT_TRUE(waits);
  const int posts = bench_.posts();
  PutBack();
  EXPECT_FALSE(Ask(2));
  Start();
  EXPECT_EQ(Ask(2).value_or(""), *waits);
  ASSERT_TRUE(worker_->DeliverNext());
  (void)worker_->DeliverNext();
  EXPECT_EQ(bench_.posts(), posts + 1);
  EXPECT_EQ(StateOf(*waits), "done");
}

// The file alone is the older one, and its log is of now. An integrity check sees it where pages of
// both are used together.
class PutBackBesideALogTest : public PutBackTest {
 protected:
  void KeepFileAlone() {
    Close();
    fs::copy(file(""), folder_ / "older.db");
    Start();
  }
  void Close() {
    worker_.reset();
    queue_.reset();
  }
  // As after a kill: nothing brings the log into the file.
  void PutBackFileAlone() {
    for (const char* each : kParts) fs::copy(file(each), folder_ / ("now" + std::string(each)));
    Close();
    for (const char* each : {"-wal", "-shm"}) {
      fs::copy(folder_ / ("now" + std::string(each)), file(each),
               fs::copy_options::overwrite_existing);
    }
    fs::copy(folder_ / "older.db", file(""), fs::copy_options::overwrite_existing);
    Start();
  }
  // One of them is empty.
  void HarmIndex() {
    const auto meddle = [&](const char* sql) {
      auto database = SqliteDatabase::Open(file(""), "");
      ASSERT_TRUE(database) << database.error().message;
      const Status done = (*database)->Execute(sql);
      ASSERT_TRUE(done) << done.error().message;
    };
    meddle(
        "PRAGMA writable_schema=ON;"
        "UPDATE sqlite_schema SET sql=replace(sql, 'IS NOT NULL', 'IS 1') WHERE name='call_age'");
    meddle("REINDEX call_age");
    meddle(
        "PRAGMA writable_schema=ON;"
        "UPDATE sqlite_schema SET sql=replace(sql, 'IS 1', 'IS NOT NULL') WHERE name='call_age'");
  }
  // Each of these keys finds its call again, and nothing is sent for it.
  void ExpectKnown(const std::map<int, CallReference>& asked) {
    const int posts = bench_.posts();
    for (const auto& [number, reference] : asked) {
      EXPECT_EQ(Ask(number).value_or("none"), reference) << number;
    }
    (void)worker_->DeliverNext();
    EXPECT_EQ(bench_.posts(), posts);
  }
  std::map<int, CallReference> AskFour() {
    std::map<int, CallReference> asked;
    for (int number = 101; number <= 104; ++number) asked[number] = AskAndDeliver(number);
    Rest();
    // The file has them then, and the log is empty.
    Close();
    Start();
    return asked;
  }
};

TEST_F(PutBackBesideALogTest, WhatAnIndexAloneKnowsComesBackFromTheLedger) {
  for (int number = 1; number <= 40; ++number) AskAndDeliver(number);
  Rest();
  KeepFileAlone();
  const auto asked = AskFour();
  AskAndDeliver(105);
  PutBackFileAlone();
  EXPECT_THAT(queue_->notices(), testing::Contains(HasSubstr("older copy")));
  EXPECT_THAT(queue_->notices(), testing::Not(testing::Contains(HasSubstr("no call is lost"))));
  ExpectKnown(asked);
  Close();
  Start();
  EXPECT_THAT(queue_->notices(), testing::IsEmpty()) << "once";
  ExpectKnown(asked);
}

// A call that seems to be long over may be of today.
TEST_F(PutBackBesideALogTest, WhatEndedByAWrongClockComesBackToo) {
  for (int number = 1; number <= 40; ++number) AskAndDeliver(number);
  Rest();
  KeepFileAlone();
  bench_.clock.JumpWall(-std::chrono::hours(24 * 400));
  const auto asked = AskFour();
  bench_.clock.JumpWall(std::chrono::hours(24 * 400));
  AskAndDeliver(105);
  PutBackFileAlone();
  ExpectKnown(asked);
}

// The process that runs does not go on in a file that another has found to be of two moments.
TEST_F(PutBackBesideALogTest, WhoRunsBeginsAnewOnceAnotherHasFoundIt) {
  for (int number = 1; number <= 40; ++number) AskAndDeliver(number);
  Rest();
  KeepFileAlone();
  const auto asked = AskFour();
  AskAndDeliver(105);
  {
    std::ifstream from(folder_ / "older.db", std::ios::binary);
    std::ofstream(file(""), std::ios::binary) << from.rdbuf();
  }
  DurableQueue::Options other = options_;
  other.role = DurableQueue::Role::kOperate;
  (void)DurableQueue::Open(other, bench_.profile, bench_.clock, bench_.crypto, bench_.entropy,
                           bench_.storage, files_);
  EXPECT_FALSE(Ask(106));
  Start();
  ExpectKnown(asked);
}

// A file that lacks nothing stays as it is, but for what is held against it.
TEST_F(PutBackBesideALogTest, AnIndexThatWasDamagedBringsNothingBackThatRetentionRemoved) {
  const CallReference removed = AskAndDeliver(1);
  Rest();
  bench_.clock.Advance(options_.queue.retention + options_.billing.duplicate_window +
                       std::chrono::hours(48));
  ASSERT_TRUE(queue_->Expire());
  ASSERT_FALSE(queue_->Show(removed));
  const CallReference kept = AskAndDeliver(2);
  const auto waits = Ask(3);
  ASSERT_TRUE(waits);
  Close();
  HarmIndex();
  Start();
  EXPECT_THAT(queue_->notices(), testing::ElementsAre(HasSubstr("built again")));
  EXPECT_FALSE(queue_->Show(removed));
  EXPECT_EQ(StateOf(kept), "done");
  EXPECT_EQ(StateOf(*waits), "pending");
}

// Another process may write to it, too, and that makes it no other file.
TEST_F(PutBackTest, WhatAnotherProcessAcceptsIsNoOlderCopy) {
  AskAndDeliver(1);
  DurableQueue::Options other = options_;
  other.role = DurableQueue::Role::kOperate;
  const auto opened = DurableQueue::Open(other, bench_.profile, bench_.clock, bench_.crypto,
                                         bench_.entropy, bench_.storage, files_);
  ASSERT_TRUE(opened) << opened.error().message;
  ASSERT_TRUE((*opened)->Accept(LookupCall(2), {}));
  AskAndDeliver(3);
}

// Its attempt was begun before, and paid for.
TEST_F(PutBackTest, WhatIsAnsweredBehindItIsKept) {
  const CallReference asked = BeginBehindAnOlderCopy();
  PutBack();
  RecordVerified(asked, std::string(60000, 'A'));  // a portrait
  Start();
  EXPECT_EQ(StateOf(asked), "done");
  const auto answer = queue_->Answer(asked);
  EXPECT_TRUE(answer) << answer.error().message;
}

TEST_F(PutBackTest, WhatIsAnsweredBehindItIsKeptThoughTheRightOneComesBack) {
  const CallReference asked = BeginBehindAnOlderCopy();
  const auto right = [&](bool keeps) {
    for (const char* each : kParts) {
      const std::string aside = older() + "/right" + each;
      fs::copy_file(keeps ? file(each) : aside, keeps ? aside : file(each),
                    fs::copy_options::overwrite_existing);
    }
  };
  right(true);
  PutBack();
  RecordVerified(asked);
  right(false);
  AskAndDeliver(3);
  Start();
  EXPECT_EQ(StateOf(asked), "done");
  const auto answer = queue_->Answer(asked);
  EXPECT_TRUE(answer) << answer.error().message;
}

// Nothing can be told to the vault any more, and so nothing is sent: the program begins anew.
TEST_F(PutBackTest, AVaultThatIsPutBackIsNoticed) {
  for (const bool by_delivery : {false, true}) {
    SCOPED_TRACE(by_delivery);
    const auto asked = Ask(by_delivery ? 2 : 1);
    ASSERT_TRUE(asked);
    int anew = 0;
    queue_->OnOlderFile([&] { ++anew; });
    ASSERT_TRUE(queue_->CheckRoom());
    const FakeSecureStorage before = bench_.storage;
    bench_.storage.ReplaceMark();
    if (by_delivery) {
      (void)worker_->DeliverNext();
    } else {
      EXPECT_FALSE(queue_->CheckRoom());
    }
    EXPECT_EQ(anew, 1);
    queue_->OnOlderFile(nullptr);
    bench_.storage = before;
    Start();
  }
}

}  // namespace
}  // namespace idkiosk
