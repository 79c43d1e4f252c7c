#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/seeded_rounds.h"

// Ten thousand random steps of people, network and power cuts, held against a model that fits on a
// page.

namespace idkiosk {
namespace {

using How = FakeHttpClient::Reply::How;

struct Modelled {
  int number = 0;
  CallState state = CallState::kPending;
  int billed = 0;
  int allowed = 1;
  bool doubtful = false;  // it ended, and its payload stays until there is a success
};

class Model {
 public:
  explicit Model(uint64_t seed) : random_(seed), bench_(seed) {
    bench_.options.billing.breaker_after = 0;
    bench_.options.queue.max_age = std::chrono::hours(24 * 365);
    bench_.options.queue.retention = std::chrono::hours(24 * 365);
    bench_.Open();
    bench_.ServeLogins([this](const auto&) { return RandomReply(); });
  }

  void Run(int steps) {
    for (step_ = 0; step_ < steps && !testing::Test::HasFailure(); ++step_) {
      SCOPED_TRACE(testing::Message() << "step " << step_);
      TakeStep();
      if (step_ % 50 == 0) CompareAll();
    }
    CompareAll();
    CompareBilling();
  }

 private:
  int Pick(int below) { return static_cast<int>(random_() % static_cast<uint64_t>(below)); }

  void TakeStep() {
    switch (Pick(16)) {
      case 0:
      case 1:
      case 2:
        return Accept();
      case 3:
        return Decide(&RetryAsSeen, [](Modelled& call) {
          const bool open = call.state == CallState::kPending || call.state == CallState::kUnknown;
          if (!open && !call.doubtful) return false;
          call.state = CallState::kPending;
          call.doubtful = false;
          call.allowed = std::max(call.allowed, call.billed + 1);
          return true;
        });
      case 4:
        return Decide(&DurableQueue::GiveUp, [](Modelled& call) {
          const bool may = call.state == CallState::kUnknown ||
                           (call.state == CallState::kPending && call.billed > 0);
          if (may) call.state = CallState::kDone;
          return may;
        });
      case 5:
        return Decide(&DurableQueue::Cancel, [](Modelled& call) {
          const bool may = call.state == CallState::kPending && call.billed == 0;
          if (may) call.state = CallState::kCancelled;
          return may;
        });
      case 6:
        return bench_.clock.Advance(std::chrono::seconds(Pick(900)));
      case 7:
        return KillWhileSending();
      case 8:
        bench_.Restart();
        return Lift();
      case 9:
        return Hurry();
      default:
        return Deliver();
    }
  }

  // Every call here is of one endpoint, so any hold closes the intake.
  void Accept() {
    const int number = ++last_number_;
    const bool closed = !bench_.queue->Stats()->holds.empty();
    const Accepted accepted = bench_.queue->Accept(
        LookupCall(number), {.person_waits = Pick(4) == 0, .operator_id = "op"});
    ASSERT_EQ(accepted.has_value(), !closed);
    if (accepted) model_[*accepted] = {.number = number};
  }

  // A person looked at everything that is held.
  void Lift() {
    const auto stats = bench_.queue->Stats();
    ASSERT_TRUE(stats);
    for (const Hold& hold : stats->holds) {
      EXPECT_TRUE(bench_.queue->Lift(HoldId(hold)));
    }
  }

  void Hurry() {
    if (model_.empty()) return;
    const auto chosen = std::next(model_.begin(), Pick(static_cast<int>(model_.size())));
    EXPECT_TRUE(bench_.queue->Hurry(chosen->first));
  }

  static Status RetryAsSeen(DurableQueue& queue, const CallReference& reference) {
    return queue.Retry(reference, AttemptsOf(queue, reference));
  }

  void Decide(const std::function<Status(DurableQueue&, const CallReference&)>& decision,
              const std::function<bool(Modelled&)>& modelled) {
    if (model_.empty()) return;
    auto chosen = std::next(model_.begin(), Pick(static_cast<int>(model_.size())));
    const bool expected = modelled(chosen->second);
    const Status decided = decision(*bench_.queue, chosen->first);
    EXPECT_EQ(decided.has_value(), expected) << (decided ? "" : decided.error().message);
  }

  void Deliver() {
    const auto step = bench_.Step();
    if (!step.reference) return;
    ASSERT_TRUE(step.outcome);
    Modelled& call = model_.at(*step.reference);
    EXPECT_EQ(call.state, CallState::kPending);
    if (step.outcome->billed != Billed::kNo) {
      ++call.billed;
      EXPECT_LE(call.billed, call.allowed) << "sent without approval";
    }
    if (step.outcome->disposition == Disposition::kDone) call.state = CallState::kDone;
    if (step.outcome->kind == OutcomeKind::kPicturesRefused) call.doubtful = true;
    if (step.outcome->kind == OutcomeKind::kVerified) {
      for (auto& [reference, each] : model_) each.doubtful = false;
    }
    if (step.outcome->disposition == Disposition::kUnknown) call.state = CallState::kUnknown;
  }

  // The power fails between the commit of an attempt and its answer.
  void KillWhileSending() {
    const auto claim = bench_.queue->Claim();
    ASSERT_TRUE(claim) << claim.error().message;
    const auto* claimed = std::get_if<DurableQueue::Claimed>(&*claim);
    if (claimed == nullptr) return;
    if (!bench_.queue->BeginAttempt(claimed->reference)) return;
    Modelled& call = model_.at(claimed->reference);
    ++call.billed;
    call.state = CallState::kUnknown;
    ++never_left_;
    bench_.disk.FailPowerAtStep(1);
    bench_.Close();
    bench_.disk.Restart(static_cast<FakeSqliteDisk::Unsynced>(Pick(3)));
    bench_.tokens.Forget();
    bench_.Open();
  }

  FakeHttpClient::Reply RandomReply() {
    FakeHttpClient::Reply reply;
    constexpr int kStatuses[] = {400, 401, 403, 404, 429, 500, 503};
    const int choice = Pick(23);
    if (choice < 7) {
      reply.status = kStatuses[choice];
      reply.body = reply.status == 404 ? R"({"message":"There is no record"})" : kErrorAnswer;
    } else if (choice < 10) {
      constexpr How kHows[] = {How::kRefuse, How::kDrop, How::kRepeat};
      reply.how = kHows[choice - 7];
    } else if (choice == 10) {
      reply.body = "<html>";
    } else {
      reply.body = kVerifiedAnswer;
    }
    const bool free = reply.how == How::kRefuse || reply.status == 401 || reply.status == 403 ||
                      reply.status == 429;
    if (!free) ++billed_by_server_;
    return reply;
  }

  void CompareAll() {
    const auto list = bench_.queue->List(false);
    ASSERT_TRUE(list) << list.error().message;
    ASSERT_EQ(list->size(), model_.size());
    QueueStats expected;
    for (const CallSummary& call : *list) {
      const Modelled& modelled = model_.at(call.reference);
      EXPECT_EQ(Name(call.state), Name(modelled.state)) << call.reference;
      EXPECT_EQ(call.billed_attempts, modelled.billed) << call.reference;
      ++expected.In(modelled.state);
    }
    const auto stats = bench_.queue->Stats();
    ASSERT_TRUE(stats);
    EXPECT_EQ(stats->calls, expected.calls);
  }

  // What the server billed, or may have, is what the ledger says, to the row.
  void CompareBilling() {
    const LedgerSum total = bench_.Total();
    EXPECT_EQ(total.billed_yes + total.billed_maybe - never_left_, billed_by_server_);
    for (const LedgerRow& row : bench_.Ledger()) EXPECT_TRUE(row.genuine);
  }

  std::mt19937_64 random_;
  QueueBench bench_;
  std::map<CallReference, Modelled> model_;
  int last_number_ = 0;
  int step_ = 0;
  int64_t billed_by_server_ = 0;
  int64_t never_left_ = 0;
};

class DurableQueueModelTest : public testing::TestWithParam<uint64_t> {};

TEST_P(DurableQueueModelTest, BehavesLikeTheModelForAThousandSteps) {
  const uint64_t seed = Seed() - 1 + GetParam();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Model(seed).Run(Rounds(1000));
}

INSTANTIATE_TEST_SUITE_P(Seeds, DurableQueueModelTest, testing::Range<uint64_t>(1, 11));

}  // namespace
}  // namespace idkiosk
