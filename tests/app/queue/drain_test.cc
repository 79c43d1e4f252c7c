#include <gtest/gtest.h>

#include <cstdio>

#include "platform/base/log.h"
#include "tests/app/service/contract/sandbox_fixture.h"
#include "tests/fakes/resident_memory.h"
#include "tests/fakes/seeded_rounds.h"

// A long queue drained against the sandbox while everything goes wrong now and then.

namespace idkiosk {
namespace {

class DrainTest : public SandboxFixture {
 protected:
  void SwitchFaultsOn() {
    for (const char* fault : {
             R"({"kind":"drop-after-body","probability":0.01)",
             R"({"kind":"reset","probability":0.02)",
             R"({"kind":"status","status":429,"retry_after":1,"probability":0.05)",
             R"({"kind":"status","status":500,"probability":0.02)",
             R"({"kind":"stale-token","every":200)",
         }) {
      AddFault(std::string(fault) + R"(,"endpoint":"verify","count":0})");
    }
  }
};

// It waits, and does little: half a second behind each refusal, for what may come behind it.
TEST_F(DrainTest, EveryCallEndsAndWhatTheServerBilledIsInTheLedgerToTheRow) {
  const int calls = Rounds(1000);
  ASSERT_TRUE(StartLogging(LogLevel::kError, ""));
  options_.billing.breaker_after = 0;
  OpenQueue();
  for (int i = 0; i < calls; ++i) {
    ASSERT_TRUE(queue_->Accept(Call(Endpoint::kVerify, kTestNin), {}));
  }
  ASSERT_TRUE(client_->Login());
  SwitchFaultsOn();
  int waits = 0;
  int64_t resident_early = 0;
  const auto wait = [&](MonotonicTime time) {
    EXPECT_GT(time, clock_.Now()) << "a busy loop";
    clock_.Advance(time - clock_.Now());
    if (++waits == 20) resident_early = ResidentMemory();
    return time > MonotonicTime();
  };
  const auto started = std::chrono::steady_clock::now();
  const auto attempts = worker_->DeliverAll(clock_.Now() + std::chrono::hours(70), wait);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  ASSERT_TRUE(attempts) << attempts.error().message;

  const auto stats = queue_->Stats();
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->In(CallState::kPending) + stats->In(CallState::kSending) +
                stats->In(CallState::kDamaged),
            0);
  EXPECT_EQ(stats->In(CallState::kDone) + stats->In(CallState::kUnknown), calls);
  const LedgerSum ours = queue_->Sum(LedgerBy::kTotal, std::nullopt)->front();
  EXPECT_EQ(ours.billed_yes + ours.billed_maybe, Billed());
  EXPECT_EQ(ours.billed_yes, stats->In(CallState::kDone));
  EXPECT_EQ(ours.billed_maybe, stats->In(CallState::kUnknown));
  // One login for each token that died, and the first.
  EXPECT_LE(Requests("login"), Requests("verify") / 200 + 1);
  EXPECT_TRUE(resident_early == 0 || ResidentMemory() - resident_early < 5 << 20);
  std::printf("%d calls, %d attempts, %d waits, %lld unknown, %.0f calls a second\n", calls,
              *attempts, waits, static_cast<long long>(stats->In(CallState::kUnknown)),
              calls / took.count());
}

}  // namespace
}  // namespace idkiosk
