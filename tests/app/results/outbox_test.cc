#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/app/results/outbox_bench.h"

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class OutboxTest : public OutboxBench, public testing::Test {};

TEST_F(OutboxTest, HandsOverWhatEndsInItsOrder) {
  const auto first = Verified(1);
  const auto second = Accept(LookupCall(2));
  ASSERT_TRUE(queue->Cancel(second));
  const auto third = Verified(3);
  HandOverAll();
  EXPECT_THAT(Taken(), ElementsAre(first, second, third));
  HandOverAll();
  RestartAll();
  HandOverAll();
  EXPECT_EQ(receiver.taken.size(), 3u) << "once, where nothing went wrong";
}

TEST_F(OutboxTest, ADestinationThatIsNewGetsWhatEndsFromThenOn) {
  (void)Verified(1);
  files.Delete("/state/results-webhook.cursor");
  OpenOutbox();
  HandOverAll();
  EXPECT_THAT(Taken(), IsEmpty());
  const auto second = Verified(2);
  HandOverAll();
  EXPECT_THAT(Taken(), ElementsAre(second));
}

// The place cannot be written down: what ends meanwhile is not taken for what ended before.
TEST_F(OutboxTest, ANewDestinationOnAFullDiskMissesNothing) {
  files.Delete("/state/results-webhook.cursor");
  OpenOutbox();
  files.FailStep(2, ErrorCode::kExhausted);  // behind the attempt to read it
  (void)outbox->Step();
  EXPECT_THAT(files.Content("/state/results-webhook.cursor"), IsEmpty());
  const auto first = Verified(1);
  clock.Advance(minutes(1));
  HandOverAll();
  EXPECT_THAT(Taken(), ElementsAre(first));
}

TEST_F(OutboxTest, AReceiverThatIsAwayForDaysGetsEverythingAndIsNotHammered) {
  receiver.good = false;
  std::vector<CallReference> ended;
  for (int day = 0; day < 3; ++day) {
    ended.push_back(Verified(day + 1));
    for (const MonotonicTime end = clock.Now() + hours(24); clock.Now() < end;) {
      const MonotonicTime next = outbox->Step();
      ASSERT_GT(next, clock.Now()) << "a busy loop";
      ASSERT_LE(next - clock.Now(), options.queue.backoff_last);
      clock.Advance(next - clock.Now());
      ASSERT_TRUE(queue->Expire());
    }
  }
  EXPECT_LT(receiver.tries, 3 * 24 * 60);
  receiver.good = true;
  clock.Advance(options.queue.backoff_last);
  HandOverAll();
  EXPECT_EQ(Taken(), ended);
}

// Whoever mends the first trouble looks whether that was all.
TEST_F(OutboxTest, SaysTheTroubleThatThereIsNow) {
  const OutboxCursorFile cursor("/state", "webhook", crypto, key, files);
  receiver.good = false;
  (void)Verified(1);
  HandOverAll();
  EXPECT_EQ((**cursor.Load()).trouble, "it answered 500");
  const WallTime since = (**cursor.Load()).trouble_since;
  receiver.good = true;
  receiver.says_so = false;
  clock.Advance(minutes(1));
  HandOverAll();
  EXPECT_EQ((**cursor.Load()).trouble, "cut");
  EXPECT_EQ((**cursor.Load()).trouble_since, since);
}

TEST_F(OutboxTest, WaitsAsLongAsTheReceiverAsks) {
  receiver.says_so = false;
  receiver.retry_after = seconds(600);
  const auto first = Verified(1);
  EXPECT_EQ(outbox->Step(), clock.Now() + seconds(600));
  clock.Advance(seconds(599));
  (void)outbox->Step();
  EXPECT_EQ(receiver.tries, 1);
  receiver.says_so = true;
  clock.Advance(seconds(1));
  HandOverAll();
  ASSERT_THAT(Taken(), ElementsAre(first, first));
  EXPECT_EQ(receiver.taken[0].id, receiver.taken[1].id);
}

TEST_F(OutboxTest, StopsWhereNothingIsWantedAndAsksOnceMoreAtTheNextStart) {
  receiver.gone = true;
  const auto first = Verified(1);
  EXPECT_EQ(outbox->Step(), MonotonicTime::max());
  clock.Advance(hours(24));
  EXPECT_EQ(outbox->Step(), MonotonicTime::max());
  EXPECT_EQ(receiver.tries, 1);
  RestartAll();
  EXPECT_EQ(outbox->Step(), MonotonicTime::max());
  EXPECT_EQ(receiver.tries, 2);
  receiver.gone = false;
  RestartAll();
  HandOverAll();
  EXPECT_THAT(Taken(), ElementsAre(first));
}

// The power fails at each step of a kiosk's day: every end arrives, in order for each check, and
// what comes again has the same id.
TEST_F(OutboxTest, EveryEndArrivesHoweverThePowerFails) {
  int number = 0;
  std::set<CallReference> all;
  for (const Unsynced fate : {Unsynced::kLost, Unsynced::kKept}) {
    for (size_t step = 1;; ++step) {
      SCOPED_TRACE(fmt::format("step {}", step));
      power->FailAtStep(step);
      const auto answered = queue->Accept(
          LookupCall(++number), {.person_waits = true, .operator_id = "op", .confirmed = true});
      (void)worker->DeliverRun({[] { return true; }, [](const auto&) {}});
      const auto cancelled = queue->Accept(
          LookupCall(++number), {.person_waits = true, .operator_id = "op", .confirmed = true});
      if (cancelled) (void)queue->Cancel(*cancelled);
      for (int i = 0; i < 4; ++i) (void)outbox->Step();
      const bool failed = power->failed();
      PowerComesBack(fate);
      if (answered) all.insert(*answered);
      if (cancelled) all.insert(*cancelled);
      clock.Advance(minutes(30));
      StepUntilIdle();
      // What was on its way when the power failed is unknown; a person ends it.
      const auto open = queue->List(true);
      ASSERT_TRUE(open);
      for (const CallSummary& each : *open) {
        if (each.state == CallState::kUnknown) {
          ASSERT_TRUE(queue->GiveUp(each.reference));
        } else {
          ASSERT_TRUE(queue->Cancel(each.reference)) << Name(each.state);
        }
      }
      HandOverAll();
      if (!failed) break;
    }
  }
  std::map<std::string, std::string> bodies;
  std::map<CallReference, std::vector<std::string>> orders;
  for (const auto& each : receiver.taken) {
    EXPECT_TRUE(bodies.emplace(each.id, each.body).first->second == each.body) << each.body;
    orders[each.reference].push_back(each.id);
    all.erase(each.reference);
  }
  EXPECT_THAT(all, IsEmpty());
  for (const auto& [reference, ids] : orders) {
    EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), 1u) << reference;
  }
}

TEST_F(OutboxTest, AnAnswerThatWasLostMakesItComeAgainAlsoAfterAKill) {
  receiver.says_so = false;
  const auto first = Verified(1);
  (void)outbox->Step();
  RestartAll();
  receiver.says_so = true;
  HandOverAll();
  ASSERT_THAT(Taken(), ElementsAre(first, first));
  EXPECT_EQ(receiver.taken[0].id, receiver.taken[1].id);
}

TEST_F(OutboxTest, AFullDiskHoldsNothingUp) {
  const auto first = Verified(1);
  const auto second = Verified(2);
  files.set_capacity(0);
  HandOverAll();
  EXPECT_THAT(Taken(), ElementsAre(first, second));
  files.set_capacity(1 << 30);
  RestartAll();
  HandOverAll();
  EXPECT_THAT(Taken(), ElementsAre(first, second, first, second)) << "the place was not kept";
}

TEST_F(OutboxTest, ADamagedPlaceMakesEverythingComeAgain) {
  const auto first = Verified(1);
  HandOverAll();
  CloseAll();
  Bytes file = files.Content("/state/results-webhook.cursor");
  file[4] ^= 1;
  files.Put("/state/results-webhook.cursor", file);
  Open();
  OpenOutbox();
  HandOverAll();
  EXPECT_THAT(Taken(), ElementsAre(first, first));
}

// An older ledger goes on under the numbers of records that were handed over already.
TEST_F(OutboxTest, AnOlderLedgerHidesNothing) {
  const auto first = Verified(1);
  HandOverAll();
  CloseAll();
  DiskImage older = DiskImage::Of(*this);
  Open();
  OpenOutbox();
  (void)Verified(2);
  (void)Verified(3);
  HandOverAll();
  CloseAll();
  const Bytes cursor = files.Content("/state/results-webhook.cursor");
  older.PutOn(*this);
  files.Put("/state/results-webhook.cursor", cursor);
  receiver.taken.clear();
  Open();
  OpenOutbox();
  const auto fourth = Verified(4);
  const auto fifth = Verified(5);
  const auto sixth = Verified(6);
  HandOverAll();
  EXPECT_THAT(Taken(), ElementsAre(first, fourth, fifth, sixth));
}

TEST_F(OutboxTest, NothingIsHandedOverWhileNobodyHasLookedAtADoubtfulLedger) {
  (void)Verified(1);
  CloseAll();
  for (const std::string& path : files.paths()) {
    if (!path.contains("/ledger/") || !path.ends_with(".journal")) continue;
    Bytes file = files.Content(path);
    file[200] ^= 1;
    files.Put(path, file);
  }
  Open();
  OpenOutbox();
  ASSERT_TRUE(queue->IsHeldForLedger());
  HandOverAll();
  EXPECT_THAT(Taken(), IsEmpty());
  ASSERT_TRUE(queue->AcceptLedger());
  (void)queue->Claim();
  ASSERT_FALSE(queue->IsHeldForLedger());
  const auto next = Verified(2);
  HandOverAll();
  EXPECT_THAT(Taken(), testing::Contains(next));
}

TEST_F(OutboxTest, SaysAnAnswerToTheAuditTrailBeforeItLeaves) {
  results.include = {"answer"};
  const auto first = Verified(1);
  audit.broken = Error{ErrorCode::kExhausted, "full"};
  (void)outbox->Step();
  EXPECT_EQ(receiver.tries, 0);
  audit.broken.reset();
  clock.Advance(minutes(1));
  HandOverAll();
  EXPECT_THAT(audit.entries,
              ElementsAre(fmt::format("answer.opened {}, by results (webhook)", first)));
  EXPECT_THAT(receiver.taken.at(0).body, HasSubstr(R"("answer":{"data":)"));
}

TEST_F(OutboxTest, TheNumberGoesAlongWhereItIsConfiguredAndStandsInTheAuditTrail) {
  results.include = {"nin"};
  options.keep_number = true;
  RestartAll();
  (void)Verified(7);
  HandOverAll();
  EXPECT_THAT(receiver.taken.at(0).body, HasSubstr(R"("nin":"00000000007")"));
  EXPECT_THAT(receiver.taken.at(0).body, Not(HasSubstr("Ada")));
  EXPECT_THAT(audit.entries, testing::SizeIs(1));
}

TEST_F(OutboxTest, AnAnswerThatWasErasedMeanwhileIsMissing) {
  results.include = {"answer"};
  receiver.good = false;
  const auto first = Verified(1);
  (void)outbox->Step();
  clock.Advance(options.queue.retention + hours(1));
  ASSERT_TRUE(queue->Expire());
  receiver.good = true;
  HandOverAll();
  ASSERT_THAT(Taken(), ElementsAre(first));
  EXPECT_THAT(receiver.taken[0].body, Not(HasSubstr("Ada")));
  EXPECT_THAT(receiver.taken[0].body, HasSubstr(R"("verdict":"verified")"));
  EXPECT_THAT(receiver.taken[0].body, HasSubstr(R"("service_reference":"R-1")"));
}

TEST_F(OutboxTest, NothingPersonalLeavesUnlessItIsConfigured) {
  (void)Verified(1);
  HandOverAll();
  const std::string& body = receiver.taken.at(0).body;
  EXPECT_THAT(body, Not(HasSubstr("00000000001")));
  EXPECT_THAT(body, Not(HasSubstr("Ada")));
  EXPECT_THAT(audit.entries, IsEmpty());
}

}  // namespace
}  // namespace idkiosk
