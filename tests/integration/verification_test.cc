// One verification, end to end, by the programs as they are installed.
#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "tests/integration/exit_codes.h"
#include "tests/integration/kiosk_fixture.h"

namespace idkiosk {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class VerificationTest : public KioskFixture {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(StartSandbox());
    ASSERT_NO_FATAL_FAILURE(Provision());
  }
};

TEST_F(VerificationTest, VerifiesTheDrawnSitterAndBillsOnce) {
  const Finished verified = RunProgram(VerifyCommand({"--camera", "synthetic"}), test_nin_ + "\n");
  ASSERT_EQ(verified.exit_code, kDone) << verified.err;
  const JsonDocument result = Parse(verified.out);
  EXPECT_EQ(Text(result, "/outcome"), "verified");
  EXPECT_EQ(Text(result, "/pictures"), "drawn");
  EXPECT_THAT(verified.err, testing::HasSubstr("not live: a drawing of a person"));
  EXPECT_EQ(Text(result, "/ledger/billed"), "1");
  EXPECT_EQ(BilledRows(), 1);
  EXPECT_EQ(Posts(test_nin_), 1);
}

TEST_F(VerificationTest, VerifiesFramesThatWereRecorded) {
  const ScratchFolder frames;
  const Finished recorded = Kiosk({"record", "--camera", "synthetic", "--out", frames.path()});
  ASSERT_EQ(recorded.exit_code, kDone) << recorded.err;
  const Finished verified =
      RunProgram(VerifyCommand({"--camera", "images:" + frames.path()}), test_nin_ + "\n");
  ASSERT_EQ(verified.exit_code, kDone) << verified.err;
  EXPECT_EQ(Text(Parse(verified.out), "/pictures"), "recorded");
  EXPECT_EQ(BilledRows(), 1);
}

TEST_F(VerificationTest, VerifiesFivePictures) {
  const Finished verified = Verify(test_nin_);
  ASSERT_EQ(verified.exit_code, kDone) << verified.err;
  EXPECT_EQ(Text(Parse(verified.out), "/outcome"), "verified");
  EXPECT_EQ(Text(Parse(verified.out), "/pictures"), "elsewhere");
  EXPECT_EQ(BilledRows(), 1);
}

using LiveCameraTest = KioskFixture;

// In production, capture.allow_recorded is false unless it is written down.
TEST_F(LiveCameraTest, BillsNobodyForADrawingOrARecording) {
  StartSandbox();
  ASSERT_NO_FATAL_FAILURE(Provision(R"("capture": { "allow_recorded": false },)"));
  const std::vector<std::vector<std::string>> sources = {
      {"--camera", "synthetic"},
      {"--camera", "images:" + pictures()},
      {"--pictures", pictures()},
  };
  for (const auto& source : sources) {
    std::vector<std::string> arguments = {"verify", "--nin", test_nin_, "--reason",
                                          "ACCOUNT_OPENING"};
    arguments.insert(arguments.end(), source.begin(), source.end());
    const Finished refused = Kiosk(arguments);
    EXPECT_EQ(refused.exit_code, kConfiguration) << refused.err;
    EXPECT_THAT(refused.err, HasSubstr("allow_recorded")) << source.back();
  }
  EXPECT_EQ(BilledRows(), 0);
}

TEST_F(VerificationTest, SaysThatSomebodyElseIsNotVerified) {
  const Finished refused = Verify("70999999999");
  EXPECT_EQ(refused.exit_code, kNotVerified) << refused.err;
  EXPECT_EQ(Text(Parse(refused.out), "/outcome"), "not_verified");
  EXPECT_EQ(BilledRows(), 1) << "a failed verification is billed like a successful one";
}

TEST_F(VerificationTest, PointsOutThatTheSameWasAskedBeforeAndAsksWhoeverCanAnswer) {
  const std::vector<std::string> check = KioskCommand({"check", "--id-number", test_nin_});
  const Finished first = RunProgram(check);
  ASSERT_EQ(first.exit_code, kDone) << first.err;
  const std::string reference = Text(Parse(first.out), "/reference");

  // A script cannot be asked: nothing is billed again unless it says so.
  const Finished unsaid = RunProgram(check);
  EXPECT_EQ(unsaid.exit_code, kNeedsPerson) << unsaid.err;
  EXPECT_THAT(unsaid.err, HasSubstr("was asked before"));
  EXPECT_THAT(unsaid.err, HasSubstr("--again"));
  EXPECT_EQ(BilledRows(), 1);
  const Finished second = RunProgram(KioskCommand({"check", "--id-number", test_nin_, "--again"}));
  EXPECT_EQ(second.exit_code, kDone) << second.err;
  EXPECT_THAT(second.err, HasSubstr("was asked before"));
  EXPECT_EQ(Text(Parse(second.out), "/duplicate_of"), reference);
  EXPECT_EQ(BilledRows(), 2);

  // At a terminal, which script(1) makes, nothing is sent without a yes.
  std::string line;
  for (const std::string& word : check) line += "'" + word + "' ";
  const Finished refused = RunProgram({"script", "-qec", line, "/dev/null"}, "no\n");
  EXPECT_EQ(refused.exit_code, kNotVerified) << refused.out;
  EXPECT_THAT(refused.out, HasSubstr("Nothing was sent"));
  EXPECT_EQ(BilledRows(), 2);
}

TEST_F(VerificationTest, SumsUpWhatEachOperatorAsked) {
  const Finished asked = Kiosk(
      {"check", "--id-number", test_nin_, "--operator", "amina.k", "--wait", kAsLongAsItTakes});
  ASSERT_EQ(asked.exit_code, kDone) << asked.err;
  const Finished sums = Kiosk({"--json", "ledger", "sum", "--by", "operator"});
  EXPECT_THAT(sums.out, HasSubstr("amina.k"));
  // The ledger outlives every person's data: nobody's number may get into it.
  const Finished number = Kiosk({"check", "--id-number", test_nin_, "--operator", test_nin_});
  EXPECT_EQ(number.exit_code, 2);
  EXPECT_EQ(BilledRows(), 1);
}

TEST_F(VerificationTest, KeepsTheCallWhileTheServiceIsDownAndFinishesItLater) {
  StopSandbox();
  const Finished kept = Verify(test_nin_, {"--wait", "0.5"});
  EXPECT_EQ(kept.exit_code, kKept) << kept.err;
  EXPECT_EQ(Text(Parse(kept.out), "/state"), "pending");

  ASSERT_NO_FATAL_FAILURE(StartSandbox());
  const Finished delivered = Kiosk({"queue", "deliver", "--wait", kAsLongAsItTakes});
  EXPECT_EQ(delivered.exit_code, kDone) << delivered.err;
  EXPECT_EQ(BilledRows(), 1);
  EXPECT_EQ(Posts(test_nin_), 1);
}

TEST_F(VerificationTest, SaysWhenADeliveryGoesOnThatTheServicePutOff) {
  ASSERT_EQ(Sandbox({"fault", "add", "--endpoint", "verify", "--kind", "status", "--status", "429",
                     "--retry-after", "600"})
                .exit_code,
            0);
  EXPECT_EQ(Verify(test_nin_, {"--wait", "0"}).exit_code, kKept);
  const Finished delivered = Kiosk({"--json", "queue", "deliver", "--wait", "0"});
  EXPECT_EQ(delivered.exit_code, kKept) << delivered.err;
  const std::string until = Text(Parse(delivered.out), "/goes_on_at");
  ASSERT_NE(until, "");
  EXPECT_THAT(delivered.err, HasSubstr("Sending goes on at " + until));
  EXPECT_THAT(delivered.err, HasSubstr("idkiosk queue deliver"));
}

TEST_F(VerificationTest, ADeliveryWithoutAWaitTriesOnceAndSaysWhatWaitsAndUntilWhen) {
  StopSandbox();
  EXPECT_EQ(Verify(test_nin_, {"--wait", "0"}).exit_code, kKept);
  const Finished delivered = Kiosk({"--json", "queue", "deliver"});
  EXPECT_EQ(delivered.exit_code, kKept) << delivered.err;
  const JsonDocument said = Parse(delivered.out);
  EXPECT_EQ(Text(said, "/attempts"), "1") << delivered.err;
  const std::string until = Text(said, "/goes_on_at");
  ASSERT_NE(until, "");
  EXPECT_THAT(delivered.err, AllOf(HasSubstr("1 attempt; 1 wait, 0 need a person."),
                                   HasSubstr("The network or the service's gateway is down"),
                                   HasSubstr("Sending goes on at " + until)));
}

TEST_F(VerificationTest, ADeliveryCountsWhatIsHeldOnce) {
  ASSERT_EQ(Sandbox({"fault", "add", "--endpoint", "verify", "--kind", "status", "--status", "403"})
                .exit_code,
            0);
  EXPECT_EQ(Verify(test_nin_, {"--wait", "0"}).exit_code, kNeedsPerson);
  EXPECT_THAT(Kiosk({"queue", "deliver", "--wait", "0"}).err,
              HasSubstr("0 attempts; 0 wait, 1 need a person."));
}

// The sandbox's answers repeat the attempt's number, and its profile says where.
TEST_F(VerificationTest, TakesTheAnswerOfItsOwnAttemptAndNothingOfAnothers) {
  ASSERT_EQ(Sandbox({"fault", "add", "--endpoint", "check", "--kind", "anothers-answer"}).exit_code,
            0);
  const Finished anothers = Kiosk({"--json", "check", "--id-number", test_nin_});
  EXPECT_EQ(anothers.exit_code, kNeedsPerson) << anothers.err;
  EXPECT_EQ(Text(Parse(anothers.out), "/state"), "unknown");
  const std::string reference = Text(Parse(anothers.out), "/reference");
  EXPECT_NE(Kiosk({"queue", "show", reference, "--answer"}).exit_code, kDone) << "nothing is kept";
  const std::string kept = Kiosk({"ledger", "list", "--jsonl"}).out;
  EXPECT_EQ(Text(Parse(kept), "/service_reference"), "") << kept;
  EXPECT_NE(Text(Parse(kept), "/attempt_id"), "") << kept;

  const Finished own = Kiosk({"--json", "check", "--id-number", test_nin_, "--again"});
  EXPECT_EQ(own.exit_code, kDone) << own.err;
  EXPECT_EQ(Text(Parse(own.out), "/outcome"), "verified");
  EXPECT_EQ(BilledRows(), 2);
}

TEST_F(VerificationTest, NeverResendsACallWhoseAnswerWasLostUntilAPersonSaysSo) {
  ASSERT_EQ(
      Sandbox({"fault", "add", "--endpoint", "verify", "--kind", "drop-after-body"}).exit_code,
      kDone);
  const Finished lost = Verify(test_nin_);
  EXPECT_EQ(lost.exit_code, kNeedsPerson) << lost.err;
  const JsonDocument result = Parse(lost.out);
  EXPECT_EQ(Text(result, "/state"), "unknown");
  EXPECT_THAT(lost.err, AllOf(HasSubstr("The connection broke after the check was sent"),
                              HasSubstr("may bill 100.00 once more"), HasSubstr("give-up")));
  EXPECT_EQ(Posts(test_nin_), 1);

  EXPECT_EQ(Kiosk({"queue", "deliver", "--wait", "1"}).exit_code, kNeedsPerson);
  EXPECT_EQ(Posts(test_nin_), 1) << "delivering again resends nothing";

  const std::string reference = Text(result, "/reference");
  const Finished unasked = Kiosk({"queue", "retry", reference});
  EXPECT_EQ(unasked.exit_code, kNeedsPerson);
  EXPECT_THAT(unasked.err, HasSubstr("may bill twice"));
  EXPECT_EQ(Posts(test_nin_), 1);

  const Finished retried = Kiosk({"queue", "retry", reference, "--yes"});
  EXPECT_EQ(retried.exit_code, kDone) << retried.err;
  EXPECT_THAT(retried.err, HasSubstr("may bill twice"));
  EXPECT_EQ(Posts(test_nin_), 2);
  EXPECT_EQ(BilledRows(), 2) << "the first one did arrive";
}

TEST_F(VerificationTest, EndsADeliveryAfterTheCallThatIsOnItsWay) {
  StopSandbox();
  for (int i = 1; i <= 6; ++i) {
    const std::string number = fmt::format("7000000000{}", i);
    EXPECT_EQ(Kiosk({"check", "--id-number", number, "--wait", "0"}).exit_code, kKept);
  }
  ASSERT_NO_FATAL_FAILURE(StartSandbox());
  ASSERT_EQ(Sandbox({"fault", "add", "--endpoint", "check", "--kind", "delay", "--delay-ms", "2000",
                     "--count", "0"})
                .exit_code,
            kDone);
  int billed = 0;
  for (const int number : {SIGTERM, SIGHUP}) {  // the second: its terminal was closed
    Process deliver(KioskCommand({"queue", "deliver", "--wait", kAsLongAsItTakes}));
    while (BilledRows() == billed) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    deliver.Signal(number);
    EXPECT_EQ(deliver.Wait().exit_code, kKept);
    EXPECT_LE(BilledRows() - billed, 2) << "the one on its way, and perhaps one approved with it";
    billed = BilledRows();
  }
}

TEST_F(VerificationTest, TellsAnUnreadableAnswerFromALostOne) {
  ASSERT_EQ(Sandbox({"fault", "add", "--endpoint", "check", "--kind", "html"}).exit_code, kDone);
  const Finished unreadable = Kiosk({"check", "--id-number", test_nin_});
  EXPECT_EQ(unreadable.exit_code, kNeedsPerson);
  EXPECT_THAT(unreadable.err, HasSubstr("Unknown: The answer cannot be read"));
}

TEST_F(VerificationTest, SaysWhereTheAnswerToALookupIs) {
  const Finished found = Kiosk({"lookup", "nin", test_nin_, "--reason", "ACCOUNT_OPENING"});
  ASSERT_EQ(found.exit_code, kDone) << found.err;
  const std::string reference = Text(Parse(found.out), "/reference");
  EXPECT_THAT(found.err, HasSubstr("idkiosk queue show " + reference + " --answer"));
  EXPECT_THAT(found.out + found.err, Not(HasSubstr("Testa")));
  EXPECT_THAT(Kiosk({"queue", "show", reference, "--answer"}).out, HasSubstr("Testa Sandbox"));
}

}  // namespace
}  // namespace idkiosk
