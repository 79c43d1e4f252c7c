#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <set>
#include <sstream>

#include "platform/posix/system_clock.h"
#include "tests/fakes/seeded_rounds.h"
#include "tests/fleet/headquarters.h"
#include "tests/integration/kiosk_fixture.h"

// A kiosk and headquarters as they are installed, with a real broker and a real database between
// and behind them.
namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

class FleetProgramsTest : public KioskFixture {
 protected:
  void SetUp() override {
    if (!Postgres::IsInstalled() || !Broker::IsInstalled()) {
      GTEST_SKIP() << "PostgreSQL or Mosquitto is not installed: run tools/setup";
    }
    postgres_ = std::make_unique<Postgres>();
    broker_ = std::make_unique<Broker>();
    broker_->Enrol("k1", "DNS:k1");
    broker_->Start();
    StartIngest();
    StartSandbox();
    Provision(fmt::format(R"("api": {{ "socket": "{}" }},)", Socket()));
    ASSERT_EQ(Kiosk({"reasons"}).exit_code, 0);
    StartKiosk();
    StartAgent();
  }

  [[nodiscard]] std::string Socket() const { return folder_ / "api.sock"; }

  void StartIngest() {
    ingest_ = std::make_unique<Process>(
        std::vector<std::string>{bin_ + "/idkiosk-fleet-ingest", "--broker", "127.0.0.1", "--port",
                                 broker_->headquarters_port(), "--ca", broker_->ca(),
                                 "--certificate", broker_->certificate("headquarters"), "--key",
                                 broker_->key("headquarters"), "--database", postgres_->where()});
  }
  void StartKiosk() {
    kiosk_ = std::make_unique<Process>(KioskCommand({"run", "--camera", "synthetic"}));
    ASSERT_TRUE(kiosk_->AwaitErr("ready: ")) << kiosk_->err();
  }
  void StopKiosk() {
    kiosk_->Signal(SIGTERM);
    kiosk_->Wait();
  }
  void StartAgent() {
    WriteFile(folder_ / "fleet.jsonc",
              fmt::format(R"({{"broker":"mqtts://127.0.0.1:{}","tenant":"bank","kiosk":"k1",)"
                          R"("ca_file":"{}","certificate":"{}","key":"{}","api_socket":"{}",)"
                          R"("state_folder":"{}","reconnect_within":1}})",
                          broker_->port(), broker_->ca(), broker_->certificate("k1"),
                          broker_->key("k1"), Socket(), folder_ / "fleet"));
    agent_ = std::make_unique<Process>(
        std::vector<std::string>{bin_ + "/idkiosk-fleet", "--config", folder_ / "fleet.jsonc"});
  }

  // Another program of the board asks for a check. Returns its reference.
  std::string Check(const std::string& nin) {
    const Finished done = RunProgram(
        {"curl", "--silent", "--unix-socket", Socket(), "--header",
         "Content-Type: application/json", "--data",
         fmt::format(
             R"({{"endpoint":"lookup_nin","nin":"{}","reason":"ACCOUNT_OPENING","ask_again":true}})",
             nin),
         "http://localhost/v1/checks"});
    const JsonDocument document = Parse(done.out);
    const std::string reference = Text(document, "/reference");
    EXPECT_EQ(reference.size(), 6U) << done.out;
    return reference;
  }
  std::string StateOf(const std::string& reference) {
    return Text(Parse(RunProgram({"curl", "--silent", "--unix-socket", Socket(),
                                  "http://localhost/v1/checks/" + reference})
                          .out),
                "/state");
  }
  // What the agent had in memory at most, in bytes.
  [[nodiscard]] int64_t MostMemoryOfAgent() const {
    std::ifstream status(fmt::format("/proc/{}/status", agent_->id()));
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6)) << 10;
    }
    ADD_FAILURE() << "it has ended: " << agent_->err();
    return 0;
  }
  static constexpr int64_t kMostMemory = 15 << 20;

  // Asks headquarters until they say that.
  void Await(const std::string& statement, const std::string& answer) {
    while (postgres_->Ask(statement) != answer) {
      ASSERT_TRUE(IsRunning(*agent_)) << agent_->err();
      usleep(100'000);
    }
  }
  static bool IsRunning(const Process& process) { return kill(process.id(), 0) == 0; }
  // The number of the ledger's newest record, by the kiosk itself, which tells some at a time.
  std::string NewestOfKiosk() {
    std::string newest = "0";
    while (true) {
      const Finished done = RunProgram({"curl", "--silent", "--unix-socket", Socket(),
                                        "http://localhost/v1/journals/ledger?after=" + newest});
      const JsonDocument document = Parse(done.out);
      const auto records = document.root()["records"].children();
      if (records.empty()) return newest;
      newest = records.back()["number"].Print();
    }
  }
  void ExpectWholeLedger() {
    EXPECT_EQ(postgres_->Ask("select count(*) = max(number) and count(distinct mac) = count(*) "
                             "from record where journal = 'ledger'"),
              "t");
    EXPECT_EQ(postgres_->Ask("select count(*) from alarm"), "0");
    EXPECT_EQ(
        postgres_->Ask("select string_agg(reference || ' ' || billed, ',' order by reference) "
                       "from attempt"),
        ReferencesOfKiosk());
  }
  // "KD7Q2M yes,...", as the kiosk's own ledger lists them.
  std::string ReferencesOfKiosk() {
    std::vector<std::string> lines;
    // A month may have ended meanwhile.
    const WallTime now = SystemClock().WallNow();
    for (const std::string& month :
         std::set<std::string>{FormatRfc3339(now - std::chrono::hours(1)).substr(0, 7),
                               FormatRfc3339(now).substr(0, 7)}) {
      std::istringstream jsonl(RunProgram({"curl", "--silent", "--unix-socket", Socket(),
                                           "http://localhost/v1/ledger?month=" + month})
                                   .out);
      for (std::string line; std::getline(jsonl, line);) {
        const JsonDocument document = Parse(line);
        lines.push_back(fmt::format("{} {}", document.root()["reference"].AsString().value_or("?"),
                                    document.root()["billed"].AsString().value_or("?")));
      }
    }
    std::ranges::sort(lines);
    return fmt::format("{}", fmt::join(lines, ","));
  }

  std::unique_ptr<Postgres> postgres_;
  std::unique_ptr<Broker> broker_;
  std::unique_ptr<Process> ingest_;
  std::unique_ptr<Process> kiosk_;
  std::unique_ptr<Process> agent_;
};

TEST_F(FleetProgramsTest, ACheckIsInHeadquartersDatabaseWithNothingOfThePerson) {
  // Until the first records have gone through, nobody knows whether both sides are connected.
  Await("select count(*) > 0 from record where journal = 'audit'", "t");
  const std::string reference = Check(test_nin_);
  while (StateOf(reference) != "done") usleep(20'000);
  const SystemClock clock;
  const MonotonicTime answered = clock.Now();
  Await("select reference || ' ' || billed || ' ' || rule from attempt",
        reference + " yes verified");
  EXPECT_LT(clock.Now() - answered, std::chrono::seconds(5));
  Await("select count(*) from record where journal = 'audit' and body ->> 'event' = 'call.asked'",
        "1");
  Await("select ready and not gone from kiosk where kiosk = 'k1'", "t");
  Await("select count(*) > 5 from metric where kiosk = 'k1'", "t");
  ExpectWholeLedger();
  const std::string all = postgres_->Ask("select * from record") +
                          postgres_->Ask("select * from kiosk") +
                          postgres_->Ask("select * from metric") + agent_->err() + ingest_->err();
  EXPECT_THAT(all, Not(HasSubstr(test_nin_)));
  for (const auto& [name, secret] : secrets_) EXPECT_THAT(all, Not(HasSubstr(secret))) << name;

  const Finished list =
      RunProgram({bin_ + "/idkiosk-fleetctl", "--database", postgres_->where(), "list"});
  EXPECT_THAT(list.out, HasSubstr("k1"));
  EXPECT_LT(MostMemoryOfAgent(), kMostMemory);
  agent_.reset();  // its will says so
  while (postgres_->Ask("select gone from kiosk") != "t") usleep(100'000);
}

// Whatever is killed, each record is kept once, in its order. At night the broker is killed 50
// times, and those who take messages 100 times.
TEST_F(FleetProgramsTest, KillsOfEachPartLoseNothingAndDoubleNothing) {
  const int rounds = Rounds(6, 300);
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    ASSERT_NO_FATAL_FAILURE(Check(test_nin_));
    switch (round % 6) {
      case 0:
        broker_->Kill();
        broker_->Start();
        break;
      case 1:
      case 4:
        ingest_.reset();
        StartIngest();
        break;
      case 2:
        agent_.reset();
        StartAgent();
        break;
      case 3:
        postgres_->Kill();
        postgres_->Start();
        break;
      default:
        kiosk_.reset();
        StartKiosk();
    }
  }
  ASSERT_FALSE(HasFailure());
  Await("select count(*) from attempt where ended is not null", fmt::format("{}", rounds));
  Await("select number from journal where journal = 'ledger'", NewestOfKiosk());
  ExpectWholeLedger();
  EXPECT_LT(MostMemoryOfAgent(), kMostMemory);
}

// A broker that neither answers nor hangs up, and one that is there again later.
TEST_F(FleetProgramsTest, WhileTheBrokerHangsPeopleAreServedAndItIsToldLater) {
  const std::string before = Check(test_nin_);
  Await("select reference from attempt where ended is not null", before);
  broker_->Signal(SIGSTOP);
  for (int i = 0; i < 5; ++i) {
    const std::string reference = Check(test_nin_);
    while (StateOf(reference) != "done") usleep(20'000);
  }
  EXPECT_EQ(postgres_->Ask("select count(*) from attempt"), "1");
  broker_->Signal(SIGCONT);
  Await("select count(*) from attempt where ended is not null", "6");
  ExpectWholeLedger();
}

// A kiosk speaks for itself alone, whatever it claims.
TEST_F(FleetProgramsTest, TheBrokerLetsAKioskWriteUnderItsOwnNameAlone) {
  broker_->Enrol("k2", "DNS:k2");
  int attacks = 0;
  for (const char* topic : {"k1/state", "k1/ledger", "k1/ack/ledger", "k2/ack/ledger",
                            "k2/command/erase", "k1/metrics", "k1/audit"}) {
    const Finished done =
        RunProgram({"mosquitto_pub", "-V", "5", "-h", "127.0.0.1", "-p", broker_->port(),
                    "--cafile", broker_->ca(), "--cert", broker_->certificate("k2"), "--key",
                    broker_->key("k2"), "-q", "1", "-t", std::string("idkiosk/v1/bank/") + topic,
                    "-m", R"({"gone":true,"records":[]})"});
    EXPECT_THAT(done.err + done.out, HasSubstr("Not authorized")) << topic;
    ++attacks;
  }
  // And without a certificate of the fleet's CA nobody says anything.
  const Finished stranger =
      RunProgram({"mosquitto_pub", "-h", "127.0.0.1", "-p", broker_->port(), "--cafile",
                  broker_->ca(), "-t", "idkiosk/v1/bank/k1/state", "-m", "{}"});
  EXPECT_NE(stranger.exit_code, 0);
  RecordProperty("attacks", attacks + 1);
}

}  // namespace
}  // namespace idkiosk
