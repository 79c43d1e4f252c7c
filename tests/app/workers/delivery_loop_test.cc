#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <utility>

#include "app/workers/delivery_loop.h"
#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/fake_task_runner.h"

// The queue as a session uses it: asked on one thread, delivered on another.
namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::SizeIs;

class DeliveryTest : public testing::Test {
 protected:
  DeliveryTest() { bench_.Open(); }

  DeliveryLoop::Dependencies Dependencies() {
    return {
        .worker = *bench_.worker,
        .clock = bench_.clock,
        .heartbeat = heartbeat_,
        .longest_exchange = 60s,
        .report = [this](const DeliveryWorker::Step& step) { reports_.push_back(*step.reference); },
        .chore =
            [this] {
              ++chores_;
              sent_before_chore_ = reports_.size();
              return bench_.clock.Now() + 10min;
            },
        .give_up = [this] { bench_.http.Cancel(); }};
  }

  QueueBench bench_;
  Heartbeat heartbeat_{bench_.clock};
  std::vector<CallReference> reports_;
  int chores_ = 0;
  size_t sent_before_chore_ = 0;
};

TEST_F(DeliveryTest, SendsWhatWaitsThenDoesItsChore) {
  bench_.Serve(200);
  const CallReference first = bench_.Accept(LookupCall(1));
  const CallReference second = bench_.Accept(LookupCall(2));
  DeliveryLoop loop(Dependencies());
  const MonotonicTime now = bench_.clock.Now();
  EXPECT_EQ(loop.StepOnce(), now);
  EXPECT_THAT(reports_, testing::UnorderedElementsAre(first, second));
  EXPECT_EQ(chores_, 1);
  EXPECT_EQ(sent_before_chore_, 2U);
  EXPECT_GT(loop.StepOnce(), now);
  EXPECT_EQ(chores_, 1);
}

TEST_F(DeliveryTest, ErrandsAreDoneBeforeTheNextCallAndDoNotPileUp) {
  bench_.Serve(200);
  (void)bench_.Accept(LookupCall(1));
  DeliveryLoop loop(Dependencies());
  size_t errands = 0;
  for (size_t i = 0; i < DeliveryLoop::kMostErrands; ++i) {
    EXPECT_TRUE(loop.Do([&errands] { ++errands; }));
  }
  EXPECT_FALSE(loop.Do([&errands] { ++errands; }));
  for (size_t i = 1; i <= DeliveryLoop::kMostErrands; ++i) {
    EXPECT_EQ(loop.StepOnce(), bench_.clock.Now());
    EXPECT_EQ(errands, i);
  }
  EXPECT_THAT(reports_, SizeIs(0));
  (void)loop.StepOnce();
  EXPECT_THAT(reports_, SizeIs(1));
  EXPECT_TRUE(loop.Do([&errands] { ++errands; }));
}

TEST_F(DeliveryTest, AnErrandMayEndEverything) {
  bench_.Serve(200);
  (void)bench_.Accept(LookupCall(1));
  DeliveryLoop loop(Dependencies());
  EXPECT_TRUE(loop.Do([&loop] { loop.Halt(); }));
  for (int i = 0; i < 3; ++i) (void)loop.StepOnce();
  EXPECT_THAT(reports_, SizeIs(0));
  EXPECT_EQ(chores_, 0);
  EXPECT_EQ(bench_.http.seen().size(), 0U);
}

TEST_F(DeliveryTest, AnErrandWakesTheThread) {
  std::promise<void> done;
  DeliveryLoop loop(Dependencies());
  loop.Start();
  EXPECT_TRUE(loop.Do([&done] { done.set_value(); }));
  done.get_future().get();
}

TEST_F(DeliveryTest, GivesItsWordForAsLongAsAnExchangeMayTake) {
  DeliveryLoop loop(Dependencies());
  EXPECT_TRUE(heartbeat_.alive());
  (void)loop.StepOnce();
  bench_.clock.Advance(120s);
  EXPECT_TRUE(heartbeat_.alive());
  bench_.clock.Advance(60s);
  EXPECT_FALSE(heartbeat_.alive());
}

TEST_F(DeliveryTest, SendsNothingOnceItHasEnded) {
  bench_.Serve(200);
  DeliveryLoop loop(Dependencies());
  loop.Start();
  loop.End();
  (void)bench_.Accept(LookupCall(1));
  loop.Wake();
  loop.End();
  EXPECT_THAT(reports_, SizeIs(0));
}

TEST_F(DeliveryTest, AWakeUpIsHeardAtOnce) {
  bench_.Serve(200);
  std::promise<CallReference> reported;
  DeliveryLoop::Dependencies deps = Dependencies();
  deps.report = [&](const DeliveryWorker::Step& step) { reported.set_value(*step.reference); };
  DeliveryLoop loop(std::move(deps));
  loop.Start();
  const CallReference reference = bench_.Accept(LookupCall(1));
  loop.Wake();
  EXPECT_EQ(reported.get_future().get(), reference);
}

TEST_F(DeliveryTest, WaitsForTheExchangeUnderWayButNotForEver) {
  std::promise<void> arrived;
  std::promise<void> given_up;
  bench_.ServeLogins([&](const auto&) {
    arrived.set_value();
    given_up.get_future().wait();
    FakeHttpClient::Reply reply;
    reply.body = kVerifiedAnswer;
    return reply;
  });
  bench_.Accept(LookupCall(1));
  DeliveryLoop::Dependencies deps = Dependencies();
  // It is called again for as long as the exchange goes on.
  bool told = false;
  deps.give_up = [&] {
    if (!std::exchange(told, true)) given_up.set_value();
  };
  deps.grace = 20ms;
  {
    DeliveryLoop loop(std::move(deps));
    loop.Start();
    arrived.get_future().wait();
  }
  EXPECT_THAT(reports_, SizeIs(1)) << "its answer was recorded all the same";
}

}  // namespace
}  // namespace idkiosk
