#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <csignal>
#include <future>
#include <set>
#include <thread>

#include "platform/base/file_descriptor.h"
#include "tests/integration/kiosk_fixture.h"
#include "tests/integration/steps.h"

// The command line beside a running kiosk: it asks it through its socket, and nobody reads that
// another process holds the queue.
namespace idkiosk {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

class SideBySideTest : public KioskFixture {
 protected:
  SideBySideTest() { StartSandbox(); }

  void Run(const std::string& more = "") {
    Provision(more);
    // The reasons are known from the beginning.
    ASSERT_EQ(Kiosk({"reasons"}).exit_code, 0);
    kiosk_ = std::make_unique<Process>(
        KioskCommand({"run", "--camera", "synthetic", "--start-page", folder_ / "start.html"}), "");
    ASSERT_TRUE(kiosk_->AwaitErr("ready: ")) << kiosk_->err();
  }
  // A command that must not say who holds what.
  Finished Ask(const std::vector<std::string>& arguments, const std::string& input = "") {
    Finished done = Kiosk(arguments, input);
    EXPECT_THAT(done.err + done.out, Not(AnyOf(HasSubstr("another process"), HasSubstr("held by"))))
        << arguments.front();
    return done;
  }
  Finished LookUp(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {
        "lookup", "nin", "-", "--reason", "ACCOUNT_OPENING", "--wait", kAsLongAsItTakes};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Ask(arguments, test_nin_ + "\n");
  }
  static std::string ReferenceIn(const Finished& done) {
    return Text(Parse(done.out), "/reference");
  }

  std::unique_ptr<Process> kiosk_;
};

TEST_F(SideBySideTest, TheKioskAsksForTheCommandLine) {
  Run();
  struct stat about{};
  ASSERT_EQ(stat((state() + "/api.sock").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777U, 0600U) << "for this user alone";

  const Finished looked = LookUp({"--consent", "en", "--operator", "anna"});
  EXPECT_EQ(looked.exit_code, 0) << looked.err;
  EXPECT_EQ(Text(Parse(looked.out), "/outcome"), "verified");
  EXPECT_THAT(looked.err, HasSubstr("The running kiosk keeps and sends it"));
  const Finished again = LookUp();
  EXPECT_EQ(again.exit_code, 5) << "asking again is billed again: " << again.err;
  EXPECT_THAT(again.err, HasSubstr("asked before"));
  EXPECT_EQ(LookUp({"--again"}).exit_code, 0);
  EXPECT_EQ(BilledRows(), 2);

  const Finished check = Ask({"check", "--id-number", test_nin_, "--wait", kAsLongAsItTakes});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  const Finished face = Verify(test_nin_, {"--wait", kAsLongAsItTakes});
  EXPECT_EQ(face.exit_code, 0) << face.err;
  const Finished drawn = Ask({"verify", "--nin", "-", "--reason", "ACCOUNT_OPENING", "--camera",
                              "synthetic", "--again", "--wait", kAsLongAsItTakes},
                             test_nin_ + "\n");
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_THAT(Ask({"queue", "show", ReferenceIn(drawn)}).out, HasSubstr(R"("pictures": "drawn")"));

  const std::string reference = ReferenceIn(looked);
  EXPECT_THAT(Ask({"queue", "list", "--all"}).out, HasSubstr(reference.substr(0, 3)));
  EXPECT_THAT(Ask({"queue", "show", reference}).out, HasSubstr("\"verdict\""));
  EXPECT_THAT(Ask({"queue", "show", reference, "--answer"}).err, HasSubstr("personal data"));
  EXPECT_THAT(Ask({"ledger", "list"}).out, HasSubstr("billed yes"));
  EXPECT_THAT(Ask({"ledger", "sum"}).out, HasSubstr("5 attempts"));
  EXPECT_THAT(Ask({"ledger", "verify"}).out, HasSubstr("genuine"));
  EXPECT_THAT(Ask({"queue", "stats"}).out, HasSubstr("\"done\""));
  EXPECT_THAT(Ask({"hold", "list"}).err, HasSubstr("Nothing is held"));
  EXPECT_THAT(Ask({"consent", "list"}).out,
              AllOf(HasSubstr(reference.substr(0, 3)), HasSubstr("asked by anna")));
  EXPECT_THAT(Ask({"doctor"}).out, HasSubstr("a kiosk runs, and says of itself: ready"));
  EXPECT_EQ(Ask({"queue", "deliver"}).exit_code, 0);

  // The answers are the same as without a kiosk.
  const std::string list = Ask({"--json", "queue", "list", "--all"}).out;
  const std::string ledger = Ask({"ledger", "list", "--jsonl"}).out;
  const std::string sums = Ask({"--json", "ledger", "sum", "--by", "endpoint"}).out;
  kiosk_->Signal(SIGTERM);
  EXPECT_EQ(kiosk_->Wait().exit_code, 0);
  EXPECT_EQ(Kiosk({"--json", "queue", "list", "--all"}).out, list);
  EXPECT_EQ(Kiosk({"ledger", "list", "--jsonl"}).out, ledger);
  EXPECT_EQ(Kiosk({"--json", "ledger", "sum", "--by", "endpoint"}).out, sums);
}

TEST_F(SideBySideTest, OfManyWhoAskTheSameAtOnceOneIsTakenAndTheOthersNeedAPerson) {
  Run();
  std::vector<std::future<Finished>> asked(6);
  for (auto& each : asked) each = std::async(std::launch::async, [this] { return LookUp(); });
  int taken = 0;
  for (auto& each : asked) {
    const Finished finished = each.get();
    taken += finished.exit_code == 0 ? 1 : 0;
    if (finished.exit_code == 0) continue;
    EXPECT_EQ(finished.exit_code, 5) << finished.err;
    EXPECT_THAT(finished.err, HasSubstr("--again"));
  }
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(BilledRows(), 1);
}

// The kiosk is killed at one step after the other of a check that a command hands over, and starts
// again: the command is told of the one check that was taken, and it is billed once.
TEST_F(SideBySideTest, ACheckIsHandedOverOnceWhereverTheKioskEnds) {
  constexpr uint64_t kSeed = 7;
  constexpr size_t kKills = 8;
  Provision();
  ASSERT_EQ(Kiosk({"reasons"}).exit_code, 0);
  const auto start = [&](const std::vector<std::string>& variables) {
    kiosk_ = std::make_unique<Process>(
        KioskCommand({"run", "--camera", "synthetic", "--start-page", folder_ / "start.html"}), "",
        variables);
    ASSERT_TRUE(kiosk_->AwaitErr("ready: ")) << kiosk_->err();
  };
  const auto look_up = [&] {
    return std::make_unique<Process>(
        KioskCommand({"lookup", "nin", "-", "--reason", "ACCOUNT_OPENING", "--again", "--json",
                      "--wait", kAsLongAsItTakes}),
        test_nin_ + "\n");
  };
  // Which steps a check has.
  Steps whole;
  start(whole.Variables(kSeed, 0));
  const size_t begun = whole.Taken().size();
  EXPECT_EQ(look_up()->Wait().exit_code, 0);
  const size_t ended = whole.Taken().size();
  ASSERT_GT(ended, begun + kKills);
  kiosk_->Signal(SIGTERM);
  (void)kiosk_->Wait();

  std::set<std::string> references;
  for (size_t i = 0; i < kKills; ++i) {
    SCOPED_TRACE(i);
    Steps steps;
    start(steps.Variables(kSeed, begun + 1 + i * (ended - begun) / kKills));
    const auto asking = look_up();
    while (!kiosk_->ended() && !asking->ended()) std::this_thread::yield();
    kiosk_->Signal(SIGKILL);  // where the check took fewer steps
    (void)kiosk_->Wait();
    start({});
    const Finished told = asking->Wait();
    EXPECT_THAT(told.err, Not(HasSubstr("Nothing was sent")));
    EXPECT_THAT(told.exit_code, AnyOf(0, 5)) << told.err;  // 5: what was on its way is unknown
    references.insert(ReferenceIn(told));
    kiosk_->Signal(SIGTERM);
    (void)kiosk_->Wait();
  }
  EXPECT_EQ(references.size(), kKills);
  EXPECT_FALSE(references.contains(""));
  EXPECT_LE(BilledRows(), static_cast<int>(kKills) + 1);
  const JsonDocument all = Parse(Kiosk({"queue", "list", "--all", "--json"}).out);
  EXPECT_EQ(all.root().children().size(), kKills + 1);
}

TEST_F(SideBySideTest, DecidesAboutWhatIsUnknownThroughTheKiosk) {
  Provision();
  ASSERT_EQ(Kiosk({"reasons"}).exit_code, 0);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(Sandbox({"fault", "add", "--endpoint", "lookup_nin", "--kind", "drop-after-body"})
                  .exit_code,
              0);
  }
  const Finished first = Kiosk({"lookup", "nin", test_nin_, "--reason", "ACCOUNT_OPENING"});
  ASSERT_EQ(first.exit_code, 5) << first.err;
  const Finished second =
      Kiosk({"lookup", "nin", test_nin_, "--reason", "LOAN_APPLICATION", "--again"});
  ASSERT_EQ(second.exit_code, 5) << second.err;
  kiosk_ = std::make_unique<Process>(
      KioskCommand({"run", "--camera", "synthetic", "--start-page", folder_ / "start.html"}), "");
  ASSERT_TRUE(kiosk_->AwaitErr("ready: ")) << kiosk_->err();

  const Finished csv = Ask({"queue", "list", "--unknown-csv"});
  EXPECT_THAT(csv.out, HasSubstr(ReferenceIn(first)));
  WriteFile(folder_ / "reply.csv",
            fmt::format("reference,outcome\n{},verified\n", ReferenceIn(first)));
  const Finished imported = Ask({"queue", "import", folder_ / "reply.csv", "--yes"});
  EXPECT_THAT(imported.err,
              HasSubstr("1 settled, each line of the reply. 1 call is still unknown."))
      << imported.err;
  const Finished refused = Ask({"queue", "retry", ReferenceIn(second)});
  EXPECT_EQ(refused.exit_code, 5) << "nobody said yes to the price";
  EXPECT_THAT(refused.err, HasSubstr("may bill twice"));
  const Finished retried = Ask({"queue", "retry", ReferenceIn(second), "--yes"});
  EXPECT_EQ(retried.exit_code, 0) << retried.err;
  EXPECT_THAT(Ask({"audit", "list"}).out, AllOf(HasSubstr("call.settled"), HasSubstr("api, uid")));
}

TEST_F(SideBySideTest, WhoFindsAnotherCommandSendingIsToldThatNothingWasKept) {
  Provision();
  const FileDescriptor sending(open((state() + "/queue.lock").c_str(), O_RDWR | O_CREAT, 0600));
  struct flock whole{};
  whole.l_type = F_WRLCK;
  ASSERT_EQ(fcntl(sending.get(), F_OFD_SETLK, &whole), 0);
  const Finished check = Kiosk({"check", "--id-number", test_nin_, "--wait", "0"});
  EXPECT_EQ(check.exit_code, 4);
  EXPECT_THAT(check.err, HasSubstr("This check was not kept: ask again later"));
}

TEST_F(SideBySideTest, ErasesAPersonOnRequestWithAReceipt) {
  Run();
  const Finished looked = LookUp();
  ASSERT_EQ(looked.exit_code, 0) << looked.err;
  const std::string reference = ReferenceIn(looked);
  const Finished refused = Ask({"people", "erase"}, test_nin_ + "\n");
  EXPECT_EQ(refused.exit_code, 5) << "nobody said yes";
  const Finished erased = Ask({"people", "erase", "--yes"}, test_nin_ + "\n");
  EXPECT_EQ(erased.exit_code, 0) << erased.err;
  EXPECT_THAT(erased.out,
              AllOf(HasSubstr(reference), HasSubstr("What must stay"), Not(HasSubstr(test_nin_))));
  EXPECT_NE(Ask({"queue", "show", reference, "--answer"}).exit_code, 0);
  EXPECT_THAT(Ask({"ledger", "list"}).out, HasSubstr("billed yes"));
  EXPECT_THAT(Ask({"audit", "list"}).out, HasSubstr("person.erased"));
  const Finished none = Ask({"--json", "people", "erase", "--yes"}, test_nin_ + "\n");
  EXPECT_THAT(none.out, HasSubstr("\"calls\":[]"));
  EXPECT_EQ(Ask({"people", "erase", "--yes"}, "123\n").exit_code, 2);

  kiosk_->Signal(SIGTERM);
  EXPECT_EQ(kiosk_->Wait().exit_code, 0);
  // As of a variable that is not set.
  EXPECT_EQ(Kiosk({"people", "erase", "--yes", "--reference", ""}, test_nin_ + "\n").exit_code, 2);
  EXPECT_EQ(Kiosk({"people", "erase", "--yes", "--reference", reference}).exit_code, 0);
}

TEST_F(SideBySideTest, ProbesAnUnbilledCallAndRefusesTheOthers) {
  Provision();
  const Finished reasons = Kiosk({"probe", "reasons"});
  EXPECT_EQ(reasons.exit_code, 0) << reasons.err;
  EXPECT_THAT(reasons.out, AllOf(HasSubstr("> X-API-KEY: [api_key]"), HasSubstr("< HTTP 200"),
                                 HasSubstr("/data/0/code")));
  for (const auto& [name, secret] : secrets_) {
    EXPECT_THAT(reasons.out + reasons.err, Not(HasSubstr(secret))) << name;
  }
  const Finished billed = Kiosk({"probe", "lookup_nin"});
  EXPECT_EQ(billed.exit_code, 2);
  EXPECT_THAT(billed.err, HasSubstr("billed"));
  EXPECT_EQ(BilledRows(), 0);
}

}  // namespace
}  // namespace idkiosk
