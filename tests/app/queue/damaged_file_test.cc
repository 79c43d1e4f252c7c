#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/queue/storage/sqlite_database.h"
#include "platform/posix/posix_file_system.h"
#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/scratch_folder.h"

// Files of this machine's, that are damaged, removed or cut, some while they are open.

namespace idkiosk {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

class DamagedRealFileTest : public testing::Test {
 protected:
  DamagedRealFileTest() {
    options_.folder = folder_;
    options_.queue.reserve_bytes = 4096;
    options_.role = DurableQueue::Role::kDeliver;
  }

  Result<std::unique_ptr<DurableQueue>> Open() {
    return DurableQueue::Open(options_, bench_.profile, bench_.clock, bench_.crypto, bench_.entropy,
                              bench_.storage, files_);
  }
  std::unique_ptr<DurableQueue> MustOpen() {
    auto opened = Open();
    EXPECT_TRUE(opened) << opened.error().message;
    return std::move(*opened);
  }
  std::string path() const { return folder_ + "/queue.db"; }
  static Outcome Verified() {
    Outcome outcome;
    outcome.kind = OutcomeKind::kVerified;
    outcome.disposition = Disposition::kDone;
    outcome.endpoint = Endpoint::kLookupNin;
    outcome.verdict = Verdict::kVerified;
    outcome.stage = SendStage::kAnswered;
    outcome.billed = Billed::kYes;
    return outcome;
  }

  void ExpectSetAside() {
    const auto size = fs::file_size(path());
    auto queue = MustOpen();
    ASSERT_GE(queue->notices().size(), 1U);
    EXPECT_THAT(queue->notices()[0], HasSubstr("set aside, complete"));
    EXPECT_TRUE(queue->Accept(LookupCall(99), {}));
    int kept = 0;
    for (const auto& each : fs::directory_iterator(folder_)) {
      const std::string name = each.path().filename().string();
      if (!name.starts_with("queue.db.damaged-") || name.ends_with("-wal") ||
          name.ends_with("-shm")) {
        continue;
      }
      ++kept;
      EXPECT_EQ(each.file_size(), size);
    }
    EXPECT_EQ(kept, 1);
  }

  QueueBench bench_;
  PosixFileSystem files_;
  const ScratchFolder scratch_;
  const std::string& folder_ = scratch_.path();
  DurableQueue::Options options_;
};

TEST_F(DamagedRealFileTest, FilesAreForTheirOwnerAlone) {
  auto queue = MustOpen();
  ASSERT_TRUE(queue->Accept(LookupCall(1), {}));
  for (const auto& each : fs::directory_iterator(folder_)) {
    EXPECT_EQ(each.status().permissions() & (fs::perms::group_all | fs::perms::others_all),
              fs::perms::none)
        << each.path();
  }
}

TEST_F(DamagedRealFileTest, NotADatabaseIsSetAsideWhole) {
  std::ofstream(path()) << std::string(5000, 'x');
  ExpectSetAside();
}

TEST_F(DamagedRealFileTest, ATruncatedFileIsSetAsideWhole) {
  {
    auto queue = MustOpen();
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(queue->Accept(LookupCall(i), {}));
  }
  fs::resize_file(path(), fs::file_size(path()) / 2);
  ExpectSetAside();
}

TEST_F(DamagedRealFileTest, ABrokenPageIsSetAsideWhole) {
  {
    auto queue = MustOpen();
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(queue->Accept(LookupCall(i), {}));
  }
  std::fstream file(path(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(8 * 4096);
  file << std::string(4096, '\x5a');
  file.close();
  ExpectSetAside();
}

// The queue's file, or the ledger; removed, or with a copy in its place.
class RemovedFileTest : public DamagedRealFileTest,
                        public testing::WithParamInterface<std::tuple<const char*, bool>> {};

// What is written to a file that has no name any more is lost at the end of the program.
TEST_P(RemovedFileTest, NothingIsAcceptedOrSent) {
  auto queue = MustOpen();
  bench_.Serve(200);
  DeliveryWorker worker(*queue, bench_.client, bench_.shrinker, bench_.clock);
  ASSERT_TRUE(queue->Accept(LookupCall(1), {}));
  ASSERT_TRUE(worker.DeliverNext());
  ASSERT_TRUE(queue->Accept(LookupCall(2), {}));
  const int posts = bench_.posts();
  const auto& [name, is_replaced] = GetParam();
  const std::string away = folder_ + "/away";
  const std::string file = fmt::format("{}/{}", folder_, name);
  fs::rename(file, away);
  if (is_replaced) fs::copy(away, file, fs::copy_options::recursive);
  const Accepted refused = queue->Accept(LookupCall(3), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable) << "not found is what a call is";
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr(file), HasSubstr("while idkiosk uses it")));
  EXPECT_FALSE(queue->CheckRoom());
  (void)worker.DeliverNext();
  EXPECT_EQ(bench_.posts(), posts);
}
INSTANTIATE_TEST_SUITE_P(Files, RemovedFileTest,
                         testing::Combine(testing::Values("queue.db", "ledger"), testing::Bool()));

// A file of fifty calls, some of them sent, with one page after the other broken.
class SalvageTest : public DamagedRealFileTest {
 protected:
  static constexpr int kCalls = 50;

  SalvageTest() {
    bench_.Serve(200);
    auto queue = MustOpen();
    DeliveryWorker worker(*queue, bench_.client, bench_.shrinker, bench_.clock);
    for (int i = 0; i < kCalls; ++i) {
      references_.push_back(*queue->Accept(LookupCall(i), {}));
      const bool sent = i >= 5 || worker.DeliverNext().has_value();
      EXPECT_TRUE(sent);
    }
    EXPECT_TRUE(queue->Claim(references_[5]));
    EXPECT_TRUE(queue->BeginAttempt(references_[5]));
  }

  void BreakPage(int page) {
    std::fstream file(path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(page * 4096);
    file << std::string(4096, '\x5a');
  }
  void Damage(const CallReference& reference) {
    const std::string file = folder_ + "/copies/slots-0001-64x4096";
    Bytes content = *files_.Read(file, SIZE_MAX);
    DamageCopy(content, reference);
    ASSERT_TRUE(files_.Overwrite(file, content));
  }
  // Of all that has not ended.
  void DamageCopies() {
    for (int i = 5; i < kCalls; ++i) Damage(references_[static_cast<size_t>(i)]);
  }
  std::string SetAsideFile(DurableQueue& queue) {
    const auto aside = queue.SetAsideFiles();
    EXPECT_TRUE(aside && aside->size() == 1);
    return aside && !aside->empty() ? aside->front() : "";
  }
  // All that waits goes out.
  void Deliver(DurableQueue& queue) {
    DeliveryWorker worker(queue, bench_.client, bench_.shrinker, bench_.clock);
    const auto step = worker.DeliverRun({[] { return true; },
                                         [](const auto& each) {
                                           EXPECT_EQ(each.outcome->kind, OutcomeKind::kVerified)
                                               << each.outcome->engineer;
                                         }});
    EXPECT_TRUE(step) << step.error().message;
  }

  std::vector<CallReference> references_;
};

TEST_F(SalvageTest, EachBrokenPageCostsItsOwnCallsAndNobodyPaysTwice) {
  DamageCopies();
  const auto whole = fs::file_size(path());
  const std::string copy = folder_ + "/copy";
  fs::create_directory(copy);
  const auto put = [&](const std::string& from, const std::string& to) {
    for (const char* each : {"queue.db", "ledger", "copies"}) {
      fs::remove_all(to + "/" + each);
      fs::copy(from + "/" + each, to + "/" + each, fs::copy_options::recursive);
    }
  };
  put(folder_, copy);
  const FakeSecureStorage vault = bench_.storage;
  int broken = 0;
  int all_lost = 0;
  for (int page = 1; page < static_cast<int>(whole / 4096); ++page) {
    SCOPED_TRACE(testing::Message() << "page " << page);
    put(copy, folder_);
    bench_.storage = vault;
    BreakPage(page);
    const int sent = bench_.posts();
    auto queue = MustOpen();
    const bool set_aside = !queue->SetAsideFiles()->empty();
    broken += set_aside ? 1 : 0;
    const size_t kept = queue->List(false)->size();
    const auto stats = queue->Stats();
    EXPECT_EQ(stats->In(CallState::kDamaged), 0);
    Deliver(*queue);
    // Of the calls that were sent, or may have been, none goes out again.
    EXPECT_LE(bench_.posts() - sent, kCalls - 6);
    const auto known = queue->Show(references_[5]);
    EXPECT_TRUE(!known || known->state == CallState::kUnknown);
    if (set_aside) {
      const std::string file = SetAsideFile(*queue);
      const auto again = queue->Salvage(file);
      ASSERT_TRUE(again) << again.error().message;
      const auto lost = again->lost.size() + static_cast<size_t>(again->nameless);
      EXPECT_GE(kept + lost, static_cast<size_t>(kCalls));
      all_lost += kept == 0 ? 1 : 0;
      EXPECT_TRUE(queue->DiscardSetAside(file));
    }
    EXPECT_THAT(*queue->SetAsideFiles(), testing::IsEmpty());
  }
  EXPECT_GT(broken, 5);
  EXPECT_LE(all_lost, 1) << "the root of the calls";
}

TEST_F(SalvageTest, WhatIsLostIsCountedAndNamedAndTheKeysStayUntilAPersonEndsIt) {
  DamageCopies();
  Meddle(path(), "",
         "UPDATE chunk SET sealed=CAST(x'00' || substr(sealed,2) AS BLOB) WHERE id/65536=9;"
         "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql=replace(sql, 'verdict TEXT', "
         "'verdikt TEXT') WHERE name='call'");
  auto queue = MustOpen();
  EXPECT_THAT(queue->notices(),
              Contains(AllOf(HasSubstr("49 calls were taken over"),
                             HasSubstr("1 COULD NOT BE OPENED"), HasSubstr(references_[8]))));
  EXPECT_EQ(queue->Show(references_[0])->verdict, Verdict::kVerified);
  EXPECT_EQ(queue->Answer(references_[0])->text(), kVerifiedAnswer);
  EXPECT_EQ(queue->Show(references_[5])->state, CallState::kUnknown);
  EXPECT_EQ(queue->Show(references_[6])->state, CallState::kPending);
  Deliver(*queue);
  EXPECT_EQ(bench_.posts(), kCalls - 2);

  const std::string file = SetAsideFile(*queue);
  EXPECT_THAT(*queue->Losses(), Contains(HasSubstr(file)));
  const auto again = queue->Salvage(file);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->taken_over, 0);
  EXPECT_THAT(again->lost, Contains(references_[8]));
  const auto has_key = [this] {
    const auto names = bench_.storage.Describe()->names;
    return std::ranges::find(names, "queue.epoch.2") != names.end();
  };
  const auto days_pass = [&] {
    for (int day = 0; day < 5; ++day) {
      bench_.clock.Advance(std::chrono::hours(24));
      ASSERT_TRUE(queue->Expire());
    }
  };
  ASSERT_TRUE(queue->GiveUp(references_[5]));
  days_pass();
  EXPECT_TRUE(has_key());
  EXPECT_EQ(queue->DiscardSetAside("queue.db").error().code, ErrorCode::kInvalid);
  EXPECT_EQ(queue->DiscardSetAside(file + "x").error().code, ErrorCode::kInvalid);
  ASSERT_TRUE(queue->DiscardSetAside(file, "user 5"));
  EXPECT_THAT(*queue->Losses(), Contains(HasSubstr(references_[8])));
  ASSERT_TRUE(queue->Discard(references_[8]));
  EXPECT_THAT(queue->Decisions(std::nullopt)->front().what, HasSubstr(file));
  EXPECT_THAT(*queue->Losses(), testing::IsEmpty());
  days_pass();
  EXPECT_FALSE(has_key());
}

TEST_F(SalvageTest, NoneIsLostIsSaidOnlyWhereThatIsTrue) {
  const CallReference lost = references_.back();
  const std::string kept = folder_ + "/kept";
  fs::copy(folder_ + "/ledger", kept, fs::copy_options::recursive);
  const FakeSecureStorage vault = bench_.storage;
  for (const bool whole : {true, false}) {
    SCOPED_TRACE(whole);
    bench_.storage = vault;
    fs::remove_all(folder_ + "/ledger");
    fs::copy(kept, folder_ + "/ledger", fs::copy_options::recursive);
    if (whole) fs::copy(folder_ + "/copies", kept + "-copies", fs::copy_options::recursive);
    if (!whole) fs::rename(kept + "-copies", folder_ + "/copies");
    if (!whole) Damage(lost);
    if (!whole) fs::copy(kept + "-file", path());
    if (whole) fs::resize_file(path(), fs::file_size(path()) / 4096 * 2 / 3 * 4096);
    if (whole) fs::copy(path(), kept + "-file");
    const int sent = bench_.posts();
    auto queue = MustOpen();
    EXPECT_EQ(testing::Value(queue->notices(), Contains(HasSubstr("none is lost"))), whole);
    EXPECT_EQ(testing::Value(queue->notices(),
                             Contains(AllOf(HasSubstr("CALL IS LOST"), HasSubstr(lost)))),
              !whole);
    EXPECT_THAT(*queue->Lost(), testing::SizeIs(whole ? 0 : 1));
    EXPECT_EQ(queue->Show(references_[5])->state, CallState::kUnknown);
    Deliver(*queue);
    EXPECT_EQ(bench_.posts() - sent, kCalls - (whole ? 6 : 7));
    queue.reset();
    for (const char* each : {"", "-wal", "-shm"}) fs::remove(path() + each);
    if (whole) fs::remove_all(folder_ + "/copies");
  }
}

// Put back later by a person, when the queue has gone on.
TEST_F(SalvageTest, ALaterSalvageSendsNothingThatTheLedgerKnows) {
  const std::string aside = path() + ".damaged-2026-11-20T010000Z";
  fs::copy(path(), aside);
  {
    auto queue = MustOpen();
    Deliver(*queue);
    EXPECT_EQ(bench_.posts(), kCalls - 1);
  }
  fs::remove(path());
  fs::remove_all(folder_ + "/copies");
  auto queue = MustOpen();
  const auto salvaged = queue->Salvage("queue.db.damaged-2026-11-20T010000Z");
  ASSERT_TRUE(salvaged) << salvaged.error().message;
  EXPECT_EQ(salvaged->unknown, 1);
  EXPECT_EQ(queue->Show(references_[5])->state, CallState::kUnknown);
  Deliver(*queue);
  EXPECT_EQ(bench_.posts(), kCalls - 1);
}

TEST_F(DamagedRealFileTest, WhoDoesNotDeliverSetsNothingAside) {
  std::ofstream(path()) << std::string(5000, 'x');
  options_.role = DurableQueue::Role::kOperate;
  const auto opened = Open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(fs::file_size(path()), 5000U);
}

TEST_F(DamagedRealFileTest, AnIndexThatLostItsWayIsMadeAnew) {
  {
    auto queue = MustOpen();
    ASSERT_TRUE(queue->Accept(LookupCall(1), {}));
  }
  // The index is out of sight while its table changes.
  Meddle(path(), "",
         "CREATE TABLE kept AS SELECT * FROM sqlite_schema WHERE name='call_age';"
         "PRAGMA writable_schema=ON; DELETE FROM sqlite_schema WHERE name='call_age'");
  Meddle(path(), "", "UPDATE call SET age_at=age_at+1");
  Meddle(path(), "",
         "PRAGMA writable_schema=ON; INSERT INTO sqlite_schema SELECT * FROM kept;"
         "DROP TABLE kept");
  auto queue = MustOpen();
  EXPECT_EQ(queue->Stats()->In(CallState::kPending), 1);
  ASSERT_EQ(queue->notices().size(), 1U);
  EXPECT_THAT(queue->notices()[0], HasSubstr("built again"));
  bench_.clock.Advance(std::chrono::hours(73));
  EXPECT_EQ(queue->Expire(), 1) << "too old";
}

// Its answer is awaited: nobody makes another call of it meanwhile.
TEST_F(DamagedRealFileTest, OneThatIsOnItsWayIsNotDecidedAbout) {
  auto queue = MustOpen();
  const auto call = queue->Accept(LookupCall(1), {});
  ASSERT_TRUE(call);
  ASSERT_TRUE(queue->Expire());
  ASSERT_TRUE(queue->BeginAttempt(*call));
  Meddle(path(), "", "UPDATE call SET mac=randomblob(32)");
  EXPECT_FALSE(queue->Retry(*call, 1));
  EXPECT_FALSE(queue->GiveUp(*call));
  EXPECT_FALSE(queue->ErasePerson(*call));
  EXPECT_EQ(queue->Show(*call)->state, CallState::kDamaged);
  // And what comes of it is kept.
  ASSERT_TRUE(queue->Record(*call, Verified(), AsBytes(kVerifiedAnswer)));
  EXPECT_EQ(queue->Show(*call)->verdict, Verdict::kVerified);
  EXPECT_EQ(queue->Show(*call)->billed_attempts, 1);
  EXPECT_EQ(queue->Ledger(std::nullopt)->size(), 1U);
  EXPECT_TRUE(queue->Answer(*call));
}

// The ledger has what was paid for, and the others do not wait for its record.
TEST_F(DamagedRealFileTest, OneThatIsOnItsWayAndHasNoCopyKeepsNobodyWaiting) {
  auto queue = MustOpen();
  const auto call = queue->Accept(LookupCall(1), {});
  ASSERT_TRUE(call);
  ASSERT_TRUE(queue->Expire());
  ASSERT_TRUE(queue->BeginAttempt(*call));
  fs::remove_all(folder_ + "/copies");
  Meddle(path(), "", "UPDATE call SET mac=randomblob(32)");
  EXPECT_FALSE(queue->Discard(*call)) << "its answer is awaited";
  ASSERT_TRUE(queue->Record(*call, Verified(), AsBytes(kVerifiedAnswer)));
  const auto ledger = queue->Ledger(std::nullopt);
  ASSERT_EQ(ledger->size(), 1U);
  EXPECT_EQ(ledger->at(0).billed, Billed::kYes);
  EXPECT_EQ(queue->Show(*call)->billed_attempts, 1) << "who ends it is told";
  EXPECT_TRUE(queue->Discard(*call));
}

// And what the service says by it of all calls is heard.
TEST_F(DamagedRealFileTest, OneThatIsOnItsWayAndIsForbiddenHoldsTheOthers) {
  auto queue = MustOpen();
  const auto call = queue->Accept(LookupCall(1), {});
  ASSERT_TRUE(call);
  ASSERT_TRUE(queue->Accept(LookupCall(2), {}));
  ASSERT_TRUE(queue->Expire());
  ASSERT_TRUE(queue->BeginAttempt(*call));
  fs::remove_all(folder_ + "/copies");
  Meddle(path(), "", fmt::format("DELETE FROM call WHERE reference='{}'", *call));
  Outcome forbidden = Verified();
  forbidden.kind = OutcomeKind::kForbidden;
  forbidden.disposition = Disposition::kHold;
  forbidden.billed = Billed::kNo;
  forbidden.http_status = 403;
  ASSERT_TRUE(queue->Record(*call, forbidden, {}));
  const auto stats = queue->Stats();
  ASSERT_EQ(stats->holds.size(), 1U);
  EXPECT_EQ(stats->holds[0].reason, HoldReason::kAccess);
  EXPECT_FALSE(std::holds_alternative<DurableQueue::Claimed>(*queue->Claim()));
}

TEST_F(DamagedRealFileTest, OneThatIsDamagedBeforeItIsSentKeepsNobodyWaiting) {
  auto queue = MustOpen();
  const auto call = queue->Accept(LookupCall(1), {});
  ASSERT_TRUE(call);
  Meddle(path(), "", "UPDATE call SET mac=randomblob(32)");
  ASSERT_FALSE(queue->BeginAttempt(*call));
  Outcome outcome = Verified();
  outcome.kind = OutcomeKind::kNotApproved;
  outcome.disposition = Disposition::kRetry;
  outcome.verdict = Verdict::kNone;
  outcome.stage = SendStage::kNotSent;
  outcome.billed = Billed::kNo;
  EXPECT_TRUE(queue->Record(*call, outcome, {}));
  EXPECT_TRUE(queue->Ledger(std::nullopt)->empty());
}

TEST_F(DamagedRealFileTest, ANewerFileIsLeftAlone) {
  {
    auto queue = MustOpen();
  }
  Meddle(path(), "", "PRAGMA user_version=1000");
  const Bytes before = files_.Read(path(), 1 << 20).value_or(Bytes());
  const auto opened = Open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_THAT(opened.error().message, HasSubstr("newer idkiosk"));
  EXPECT_TRUE(files_.Read(path(), 1 << 20).value_or(Bytes()) == before) << "byte for byte";
}

// What is only looked at needs no write: a disk may be worn, or read-only.
TEST_F(DamagedRealFileTest, OpeningAloneWritesNothing) {
  {
    auto queue = MustOpen();
  }
  options_.role = DurableQueue::Role::kOperate;
  const Bytes before = files_.Read(path(), 1 << 20).value_or(Bytes());
  {
    auto queue = MustOpen();
  }
  EXPECT_TRUE(files_.Read(path(), 1 << 20).value_or(Bytes()) == before);
}

TEST_F(DamagedRealFileTest, TwoProcessesMayWorkOnOneQueue) {
  auto deliverer = MustOpen();
  options_.role = DurableQueue::Role::kOperate;
  auto operating = MustOpen();
  const auto reference = operating->Accept(LookupCall(1), {});
  ASSERT_TRUE(reference) << reference.error().message;
  const auto claim = deliverer->Claim();
  ASSERT_TRUE(claim) << claim.error().message;
  EXPECT_EQ(std::get<DurableQueue::Claimed>(*claim).reference, *reference);
  ASSERT_TRUE(operating->Cancel(*reference));
  EXPECT_EQ(deliverer->BeginAttempt(*reference).error().code, ErrorCode::kFailedPrecondition);
}

}  // namespace
}  // namespace idkiosk
