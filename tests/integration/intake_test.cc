// What the command line asks before a camera opens and before anything is kept.
#include <gmock/gmock.h>

#include "tests/integration/exit_codes.h"
#include "tests/integration/kiosk_fixture.h"

namespace idkiosk {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class IntakeCommandTest : public KioskFixture {
 protected:
  // With settings that leave the next call in front of a closed door.
  void Begin(const std::string& settings) {
    ASSERT_NO_FATAL_FAILURE(StartSandbox());
    ASSERT_NO_FATAL_FAILURE(Provision(settings));
  }

  // Every question that this service bills. Opening the camera, or reading a number that is typed,
  // would each end them in another way.
  [[nodiscard]] static std::vector<std::vector<std::string>> Questions() {
    return {
        {"verify", "--nin", "-", "--reason", "ACCOUNT_OPENING", "--camera", "v4l2:/nowhere"},
        {"verify", "--nin", "70123456789", "--reason", "ACCOUNT_OPENING", "--camera",
         "v4l2:/nowhere"},
        {"check", "--id-number", "70123456789"},
        {"lookup", "nin", "70123456789", "--reason", "ACCOUNT_OPENING"},
        {"lookup", "nin-phone", "07000000123", "--reason", "ACCOUNT_OPENING"},
        {"lookup", "phone", "-"},
    };
  }

  void ExpectRefused(int exit_code, const auto& sentence) {
    const int billed = BilledRows();
    const auto kept = [this] {
      const JsonDocument stats = Parse(Kiosk({"queue", "stats"}).out);
      return Text(stats, "/pending") + " wait, " + Text(stats, "/done") + " done";
    };
    const std::string before = kept();
    for (const auto& question : Questions()) {
      const Finished refused = Kiosk(question);
      EXPECT_EQ(refused.exit_code, exit_code) << question[0] << ": " << refused.err;
      EXPECT_THAT(refused.err, sentence) << question[0];
      EXPECT_EQ(refused.out, "") << question[0];
    }
    EXPECT_EQ(kept(), before);
    EXPECT_EQ(BilledRows(), billed);
  }
};

TEST_F(IntakeCommandTest, OpensNoCameraWhileASpendCapHolds) {
  ASSERT_NO_FATAL_FAILURE(Begin(R"("billing": { "calls_per_hour": 1 },)"));
  ASSERT_EQ(Kiosk({"check", "--id-number", test_nin_}).exit_code, kDone);
  ExpectRefused(
      kKept, AllOf(HasSubstr("billing.calls_per_hour = 1 is reached"),
                   ContainsRegex("until 20[0-9-]+T[0-9:.]+Z"), Not(HasSubstr("Kept and sealed"))));
}

TEST_F(IntakeCommandTest, OpensNoCameraWhereThereIsNoRoom) {
  ASSERT_NO_FATAL_FAILURE(Begin(R"("queue": { "max_calls": 1 },)"));
  StopSandbox();
  ASSERT_EQ(Kiosk({"check", "--id-number", test_nin_, "--wait", "0.5"}).exit_code, kKept);
  ASSERT_NO_FATAL_FAILURE(StartSandbox());
  ExpectRefused(kKept, HasSubstr("as many as queue.max_calls allows"));
}

TEST_F(IntakeCommandTest, AsksNothingBeforeAPersonHasLiftedTheBreaker) {
  ASSERT_NO_FATAL_FAILURE(Begin(R"("billing": { "breaker_after": 1 },)"));
  ASSERT_EQ(Sandbox({"fault", "add", "--endpoint", "check", "--kind", "status", "--status", "400"})
                .exit_code,
            kDone);
  EXPECT_EQ(Kiosk({"check", "--id-number", "70999999999"}).exit_code, kNotVerified);
  const Finished refused = Kiosk({"check", "--id-number", test_nin_});
  EXPECT_EQ(refused.exit_code, kNeedsPerson) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("'idkiosk hold lift check:breaker'"));
  EXPECT_EQ(Posts(test_nin_), 0);
  const Finished lifted = Kiosk({"hold", "lift"});
  EXPECT_EQ(lifted.exit_code, kDone);
  EXPECT_THAT(lifted.err, HasSubstr("No call waits: the next one that is accepted goes first"));
  EXPECT_EQ(Kiosk({"check", "--id-number", test_nin_}).exit_code, kDone);
}

}  // namespace
}  // namespace idkiosk
