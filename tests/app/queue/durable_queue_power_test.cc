#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/seeded_rounds.h"

// The power fails, or the disk does, at each step of accepting, sending, recording and erasing.
// Checked: no accepted call is lost (I2), nothing is sent that was not approved and written down
// first (I1), and the queue comes back by itself (I4).

namespace idkiosk {
namespace {

using std::chrono::hours;

const auto kStride = static_cast<size_t>(SweepStride());

// A day in the life of a queue, which goes on after errors as the program does.
class CutLife {
 public:
  explicit CutLife(uint64_t seed) : bench_(seed) {
    bench_.disk.ShareSupply(power_);
    bench_.files.ShareSupply(power_);
    bench_.options.billing.max_billed_attempts = 2;
    int count = 0;
    bench_.ServeLogins([count](const auto&) mutable {
      FakeHttpClient::Reply reply;
      reply.status = ++count == 2 ? 500 : 200;
      reply.body = kVerifiedAnswer;
      return reply;
    });
  }

  // Returns when it is over or the power has failed.
  void Live() {
    if (!Open()) return;
    for (int i = 0; i < 3; ++i) Accept(i);
    for (int i = 0; i < 8 && Alive(); ++i) Step();
    Accept(3);
    if (const auto extra = Accept(4); extra && Alive()) {
      if (bench_.queue->Cancel(*extra)) {
        cancelled_.insert(*extra);
        ended_early_.insert(*extra);
      }
    }
    if (Alive()) {
      bench_.clock.Advance(hours(25));
      (void)bench_.queue->Expire();
    }
    for (int i = 0; i < 4 && Alive(); ++i) Step();
  }

  void PowerComesBack(Unsynced fate) {
    bench_.Close();
    power_->Restore();
    bench_.disk.Restart(fate);
    bench_.files.Restart(fate);
    bench_.tokens.Forget();
    ASSERT_TRUE(Open()) << "the queue does not come back";
    for (const std::string& each : bench_.queue->notices()) {
      EXPECT_THAT(each, Not(testing::HasSubstr("DAMAGED")));
    }
  }

  // Everything that can still be delivered is.
  void Finish() {
    for (int i = 0; i < 12; ++i) {
      bench_.StepUntilIdle();
      bench_.clock.Advance(std::chrono::minutes(20));
    }
  }

  void CheckInvariants() {
    std::map<CallReference, int> approved;
    for (const LedgerRow& row : bench_.Ledger()) {
      EXPECT_TRUE(row.genuine);
      if (row.billed != Billed::kNo) ++approved[row.reference];
    }
    const auto list = bench_.queue->List(false);
    ASSERT_TRUE(list) << list.error().message;
    std::set<CallReference> there;
    for (const CallSummary& call : *list) {
      there.insert(call.reference);
      EXPECT_NE(call.state, CallState::kDamaged);
      EXPECT_LE(call.billed_attempts, 2);
      EXPECT_EQ(call.billed_attempts, approved[call.reference]);
      if (cancelled_.contains(call.reference)) {
        EXPECT_EQ(call.state, CallState::kCancelled);
      }
      // A disk that failed alone leaves nothing that nobody was told of.
      EXPECT_TRUE(!only_disk_failed_ || accepted_.contains(call.reference)) << call.reference;
    }
    for (const CallReference& each : accepted_) {
      // Rows of ended calls go with time; what was billed stays in the ledger.
      EXPECT_TRUE(there.contains(each) || ended_early_.contains(each)) << each << " is lost";
    }
    int total = 0;
    for (const auto& [reference, count] : approved) total += count;
    EXPECT_LE(bench_.posts(), total) << "something was sent that was not written down";
  }

  [[nodiscard]] QueueBench& bench() { return bench_; }
  [[nodiscard]] FakePower& power() { return *power_; }
  void set_only_disk_failed() { only_disk_failed_ = true; }

 private:
  bool Open() {
    auto opened = bench_.TryOpen();
    // A disk that fails once does not fail the next time.
    if (!opened && Powered()) opened = bench_.TryOpen();
    if (!opened) return false;
    bench_.queue = std::move(*opened);
    bench_.worker = std::make_unique<DeliveryWorker>(*bench_.queue, bench_.client, bench_.shrinker,
                                                     bench_.clock);
    return true;
  }
  bool Powered() const { return !power_->failed(); }
  bool Alive() const { return bench_.queue != nullptr && Powered(); }

  std::optional<CallReference> Accept(int number) {
    if (!Alive()) return std::nullopt;
    const auto reference = bench_.queue->Accept(LookupCall(number), {});
    if (!reference) return std::nullopt;
    accepted_.insert(*reference);
    return *reference;
  }

  // Up to three calls, one after the other.
  void Step() {
    int left = 2;
    const auto note = [this](const DeliveryWorker::Step& each) {
      const auto call = bench_.queue->Show(*each.reference);
      if (call && call->state == CallState::kDone) ended_early_.insert(*each.reference);
    };
    const auto step = bench_.worker->DeliverRun({[&left] { return left-- > 0; }, note});
    if (step && !step->reference) {
      bench_.clock.Advance(std::max<Duration>(step->next - bench_.clock.Now(), {}));
    }
  }

  const std::shared_ptr<FakePower> power_ = std::make_shared<FakePower>();
  QueueBench bench_;
  std::set<CallReference> accepted_;
  std::set<CallReference> cancelled_;
  std::set<CallReference> ended_early_;
  bool only_disk_failed_ = false;
};

struct Steps {
  size_t all = 0;
  size_t of_database = 0;
  size_t of_files = 0;
};

Steps StepsOfAGoodLife() {
  CutLife life(1);
  life.Live();
  life.CheckInvariants();
  return {life.power().steps(), life.bench().disk.steps(), life.bench().files.steps()};
}

void FailPowerEverywhere(Unsynced fate) {
  const size_t steps = StepsOfAGoodLife().all;
  ASSERT_GT(steps, 100U);
  for (size_t step = 1; step <= steps; step += kStride) {
    SCOPED_TRACE(testing::Message() << "power fails at step " << step << " of " << steps);
    CutLife life(step);
    life.power().FailAtStep(step);
    life.Live();
    ASSERT_NO_FATAL_FAILURE(life.PowerComesBack(fate));
    life.CheckInvariants();
    life.Finish();
    life.CheckInvariants();
    if (testing::Test::HasFailure()) return;
  }
}

TEST(DurableQueuePowerTest, KeepsItsPromisesWhenWhatWasNotSyncedIsLost) {
  FailPowerEverywhere(Unsynced::kLost);
}

TEST(DurableQueuePowerTest, KeepsItsPromisesWhenWhatWasNotSyncedIsTorn) {
  FailPowerEverywhere(Unsynced::kTorn);
}

TEST(DurableQueuePowerTest, KeepsItsPromisesWhenEverythingArrived) {
  FailPowerEverywhere(Unsynced::kKept);
}

void FailOneStep(size_t steps, const std::function<void(QueueBench&, size_t)>& fail) {
  for (size_t step = 1; step <= steps; step += kStride) {
    SCOPED_TRACE(testing::Message() << "the disk fails at step " << step << " of " << steps);
    CutLife life(step);
    life.set_only_disk_failed();
    fail(life.bench(), step);
    life.Live();
    life.CheckInvariants();
    ASSERT_NO_FATAL_FAILURE(life.PowerComesBack(Unsynced::kKept));
    life.CheckInvariants();
    life.Finish();
    life.CheckInvariants();
    if (testing::Test::HasFailure()) return;
  }
}

TEST(DurableQueuePowerTest, KeepsItsPromisesWhenOneStepOfTheDiskFails) {
  FailOneStep(StepsOfAGoodLife().of_database,
              [](QueueBench& bench, size_t step) { bench.disk.FailStep(step); });
}

TEST(DurableQueuePowerTest, KeepsItsPromisesWhenOneStepOfTheLedgerFails) {
  FailOneStep(StepsOfAGoodLife().of_files, [](QueueBench& bench, size_t step) {
    bench.files.FailStep(step, ErrorCode::kUnavailable);
  });
}

// A commit whose sync failed stands in the log all the same, and would come back from there.
TEST(DurableQueuePowerTest, ACallThatWasRefusedDoesNotComeBackAfterThePowerFailed) {
  int refused = 0;
  for (size_t step = 1; step < 60; ++step) {
    QueueBench bench(step);
    bench.Open();
    bench.Accept(LookupCall(1));
    bench.disk.FailStep(step);
    const bool accepted = bench.queue->Accept(LookupCall(2), {}).has_value();
    refused += accepted ? 0 : 1;
    bench.disk.FailPowerAtStep(1);
    bench.Close();
    bench.disk.Restart(Unsynced::kKept);
    bench.Open();
    EXPECT_EQ(bench.queue->List(false)->size(), accepted ? 2U : 1U) << "step " << step;
  }
  EXPECT_GT(refused, 5);
}

}  // namespace
}  // namespace idkiosk
