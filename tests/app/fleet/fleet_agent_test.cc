#include "app/fleet/fleet_agent.h"

#include <gmock/gmock.h>

#include <map>
#include <vector>

#include "platform/base/json.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// A kiosk with a ledger of so many records.
class FakeKiosk final : public KioskApi {
 public:
  Result<std::string> Get(const std::string& target) override {
    if (!runs) return Fail(ErrorCode::kUnavailable, "idkiosk does not answer");
    if (target == "/v1/health") return health;
    if (target == "/v1/metrics") return metrics;
    if (target == "/v1/settings") return settings;
    if (target == "/v1/fleet/commands") return fmt::format(R"({{"commands":[{}]}})", replies);
    const bool is_ledger = target.starts_with("/v1/journals/ledger?after=");
    const int64_t last = is_ledger ? records : audit_records;
    int64_t number = std::stoll(target.substr(target.find('=') + 1));
    JsonWriter json;
    json.BeginObject().Key("records").BeginArray();
    for (int count = 0; number < last && count < 100; ++count) {
      ++number;
      json.BeginObject().Field("number", number).Field("mac", MacOf(number));
      json.Field("entries", entries).EndObject();
    }
    return json.EndArray().EndObject().Take();
  }
  Result<std::string> Post(const std::string& target, const std::string& body) override {
    if (!runs) return Fail(ErrorCode::kUnavailable, "idkiosk does not answer");
    EXPECT_EQ(target, "/v1/fleet/commands");
    brought.push_back(body);
    if (is_busy) return Fail(ErrorCode::kExhausted, "busy");
    return fmt::format(R"({{"command":"{}","state":"on_trial"}})", body);
  }
  static std::string MacOf(int64_t number) { return fmt::format("mac-{}", number); }

  bool runs = true;
  bool is_busy = false;
  std::vector<std::string> brought;
  std::string replies;  // of /v1/fleet/commands
  std::string settings = R"({"ui.idle":"45 s"})";
  int64_t records = 0;  // of the ledger
  int64_t audit_records = 0;
  std::string entries;  // of each record
  std::string health =
      R"({"ready":true,"parts":[{"part":"room","state":"good","text":"3 GB","mend":""},)"
      R"({"part":"printer","state":"note","text":"no paper","mend":"paper"}]})";
  std::string metrics = "idkiosk_up 1\n";
};

class FakeBroker final : public BrokerLink {
 public:
  [[nodiscard]] bool connected() const override { return is_connected; }
  [[nodiscard]] Status Publish(const std::string& topic, std::string_view payload) override {
    if (!is_connected || is_full) return Fail(ErrorCode::kUnavailable, "not connected");
    sent.emplace_back(topic.substr(topic.rfind('/') + 1), payload);
    return {};
  }
  // Numbers of the records that came, in their order, since this was asked.
  std::vector<int64_t> Records() {
    std::vector<int64_t> numbers;
    for (const auto& [what, payload] : std::exchange(sent, {})) {
      if (what != "ledger") continue;
      const auto document = JsonDocument::Parse(payload);
      for (const JsonView each : document->root()["records"].children()) {
        numbers.push_back(*each["number"].AsInteger());
      }
    }
    return numbers;
  }
  int Count(std::string_view what) const {
    return static_cast<int>(
        std::ranges::count(sent, what, [](const auto& each) { return each.first; }));
  }

  bool is_connected = true;
  bool is_full = false;
  std::vector<std::pair<std::string, std::string>> sent;
};

class FleetAgentTest : public testing::Test {
 protected:
  FleetAgentTest() { Start(); }

  void Start() {
    agent_.emplace(FleetAgent::Dependencies{settings_, kiosk_, files_, clock_, "1.2"});
    ASSERT_TRUE(agent_->Load());
    agent_->Connected();
  }
  void Step(Duration later = {}) {
    clock_.Advance(later);
    agent_->Step(broker_);
  }
  void Acknowledge(int64_t number, const std::string& mac) {
    agent_->Received("idkiosk/v1/bank/k1/ack/ledger",
                     fmt::format(R"({{"number":{},"mac":"{}"}})", number, mac));
  }
  void Acknowledge(int64_t number) { Acknowledge(number, FakeKiosk::MacOf(number)); }

  FleetSettings settings_{.tenant = "bank", .kiosk = "k1", .state_folder = "/fleet"};
  FakeKiosk kiosk_;
  FakeFileSystem files_;
  FakeClock clock_;
  FakeBroker broker_;
  std::optional<FleetAgent> agent_;
};

TEST_F(FleetAgentTest, SendsEachRecordOnceInOrderWhileTheyAreAcknowledged) {
  kiosk_.records = 250;
  std::vector<int64_t> all;
  for (int i = 0; i < 5; ++i) {
    Step(seconds(3));
    for (const int64_t each : broker_.Records()) all.push_back(each);
    if (!all.empty()) Acknowledge(all.back());
  }
  ASSERT_THAT(all, SizeIs(250));
  for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], static_cast<int64_t>(i) + 1);
  kiosk_.records = 251;
  Step(seconds(3));
  EXPECT_THAT(broker_.Records(), testing::ElementsAre(251));
}

TEST_F(FleetAgentTest, ABrokerThatAnswersNothingGetsTheSameAgainAndNothingBehindIt) {
  kiosk_.records = 250;
  for (int i = 0; i < 20; ++i) {
    Step(minutes(6));
    EXPECT_EQ(broker_.Records().back(), 100);
  }
}

TEST_F(FleetAgentTest, GoesOnAfterAStartWhereHeadquartersAre) {
  kiosk_.records = 10;
  Step();
  Acknowledge(10);
  broker_.sent.clear();
  kiosk_.records = 12;
  Start();
  Step();
  EXPECT_THAT(broker_.Records(), testing::ElementsAre(11, 12));
}

TEST_F(FleetAgentTest, ACursorThatIsDamagedOrGoneCostsNothingButRecordsThatAreKnown) {
  kiosk_.records = 3;
  for (const char* content : {"{", R"({"ledger":-5})", R"({"ledger":"x"})", "", R"([1])"}) {
    ASSERT_TRUE(
        files_.WriteDurably("/fleet/acknowledged.json", AsBytes(content), FileAccess::kOwnerOnly));
    Start();
    Step(hours(1));
    EXPECT_THAT(broker_.Records(), testing::ElementsAre(1, 2, 3)) << content;
  }
  // Headquarters say that they have them: it jumps there.
  Acknowledge(3);
  Step(seconds(3));
  EXPECT_THAT(broker_.Records(), IsEmpty());
}

// What an evil broker forges costs no record.
TEST_F(FleetAgentTest, AnAcknowledgementOfRecordsThatWereNotSentNeedsTheirProof) {
  kiosk_.records = 120;
  Step();
  Acknowledge(120, "mac-119");
  Acknowledge(5000);
  agent_->Received("idkiosk/v1/bank/k1/ack/ledger", "{}");
  agent_->Received("idkiosk/v1/bank/k1/ack/ledger", R"({"number":-1,"mac":""})");
  agent_->Received("idkiosk/v1/bank/k1/ack/ledger", std::string(5000, '['));
  agent_->Received("idkiosk/v1/bank/other/ack/ledger", R"({"number":120,"mac":"mac-120"})");
  agent_->Received("idkiosk/v1/bank/k1/command/erase", "{}");
  broker_.sent.clear();
  Step(seconds(20));
  EXPECT_EQ(broker_.Records().front(), 1);
  Acknowledge(120);
  kiosk_.records = 121;
  Step(seconds(3));
  EXPECT_THAT(broker_.Records(), testing::ElementsAre(121));
}

TEST_F(FleetAgentTest, TellsItsStateWhenItChangesAndEveryFiveMinutes) {
  Step();
  ASSERT_EQ(broker_.Count("state"), 1);
  EXPECT_THAT(broker_.sent.front().second, HasSubstr(R"("version":"1.2")"));
  EXPECT_THAT(broker_.sent.front().second, HasSubstr("no paper"));
  EXPECT_THAT(broker_.sent.front().second, Not(HasSubstr("3 GB")));
  // A number in a sentence is no change.
  kiosk_.health.replace(kiosk_.health.find("no paper"), 8, "7 sheets");
  for (int i = 0; i < 29; ++i) Step(seconds(10));
  EXPECT_EQ(broker_.Count("state"), 1);
  Step(seconds(10));
  EXPECT_EQ(broker_.Count("state"), 2);
  kiosk_.health =
      R"({"ready":false,"parts":[{"part":"camera","state":"bad","text":"","mend":""}]})";
  Step(seconds(10));
  EXPECT_EQ(broker_.Count("state"), 3);
  kiosk_.runs = false;
  Step(seconds(10));
  EXPECT_EQ(broker_.Count("state"), 4);
  EXPECT_THAT(broker_.sent.back().second, HasSubstr(R"("running":false)"));
}

TEST_F(FleetAgentTest, AfterALostConnectionAllIsToldAnew) {
  kiosk_.records = 5;
  Step();
  broker_.sent.clear();
  broker_.is_connected = false;
  agent_->Disconnected();
  Step(hours(24 * 7));
  EXPECT_THAT(broker_.sent, IsEmpty());
  broker_.is_connected = true;
  agent_->Connected();
  Step();
  EXPECT_EQ(broker_.Count("state"), 1);
  EXPECT_EQ(broker_.Count("metrics"), 1);
  EXPECT_THAT(broker_.Records(), SizeIs(5));
}

TEST_F(FleetAgentTest, BringsCommandsAndTellsWhatBecameOfThem) {
  Step();
  broker_.sent.clear();
  agent_->Received("idkiosk/v1/bank/k1/command", "one");
  agent_->Received("idkiosk/v1/bank/k2/command", "of another");
  agent_->Received("idkiosk/v1/bank/k1/command/erase", "of no topic");
  Step();
  EXPECT_THAT(kiosk_.brought, testing::ElementsAre("one"));
  EXPECT_EQ(broker_.Count("reply"), 1);
  EXPECT_THAT(broker_.sent.back().second, HasSubstr("on_trial"));
  // What has not changed is told once.
  kiosk_.replies = R"({"command":"one","state":"on_trial"})";
  Step(seconds(10));
  EXPECT_EQ(broker_.Count("reply"), 1);
  kiosk_.replies = R"({"command":"one","state":"done"})";
  Step(seconds(10));
  Step(seconds(10));
  EXPECT_EQ(broker_.Count("reply"), 2);
  EXPECT_THAT(broker_.sent.back().second, HasSubstr("done"));
  // And again after a lost connection, of which nobody knows what arrived.
  agent_->Disconnected();
  agent_->Connected();
  Step();
  EXPECT_EQ(broker_.Count("reply"), 3);
}

TEST_F(FleetAgentTest, AReplyThatCouldNotLeaveIsToldOnceItCan) {
  agent_->Received("idkiosk/v1/bank/k1/command", "one");
  broker_.is_full = true;
  Step();
  broker_.is_full = false;
  Step();
  Step();
  EXPECT_EQ(broker_.Count("reply"), 1);
  EXPECT_THAT(kiosk_.brought, testing::ElementsAre("one", "one"));
}

TEST_F(FleetAgentTest, AKioskThatStartsGetsItsCommandsOnceItRuns) {
  kiosk_.runs = false;
  agent_->Received("idkiosk/v1/bank/k1/command", "one");
  for (int i = 0; i < 5; ++i) Step(seconds(1));
  EXPECT_THAT(kiosk_.brought, IsEmpty());
  kiosk_.runs = true;
  Step();
  Step();
  EXPECT_THAT(kiosk_.brought, testing::ElementsAre("one"));
}

TEST_F(FleetAgentTest, AFloodIsDroppedAndOneThatIsBusyIsNotAskedAgain) {
  kiosk_.runs = false;
  for (int i = 0; i < 10'000; ++i) agent_->Received("idkiosk/v1/bank/k1/command", "evil");
  kiosk_.runs = true;
  kiosk_.is_busy = true;
  Step();
  Step();
  EXPECT_THAT(kiosk_.brought, SizeIs(FleetAgent::kMostCommands));
  EXPECT_EQ(broker_.Count("reply"), 0);
}

TEST_F(FleetAgentTest, TellsItsSettingsWhenTheyChange) {
  Step();
  EXPECT_EQ(broker_.Count("settings"), 1);
  for (int i = 0; i < 10; ++i) Step(minutes(1));
  EXPECT_EQ(broker_.Count("settings"), 1);
  kiosk_.settings = R"({"ui.idle":"60 s"})";
  Step(minutes(1));
  EXPECT_EQ(broker_.Count("settings"), 2);
  EXPECT_THAT(broker_.sent.back().second, HasSubstr("60 s"));
}

// Each check is three records of the ledger and three of the audit trail, and the kiosk's memory is
// another in each minute.
TEST_F(FleetAgentTest, AMonthOfThirtyChecksADayIsLessThanTwentyMegabytes) {
  constexpr int kDays = 30;
  constexpr int kMinutesBetweenChecks = 24 * 60 / 30;
  // Topic, MQTT, TLS, TCP and IP; and the same of what acknowledges it.
  constexpr size_t kAroundAMessage = 270;
  kiosk_.entries = std::string(400, 'x');
  size_t bytes = 0;
  for (int minute = 0; minute < kDays * 24 * 60; ++minute) {
    const int checks = minute / kMinutesBetweenChecks;
    kiosk_.records = 3 * checks;
    kiosk_.audit_records = 3 * checks;
    kiosk_.metrics = fmt::format(
        "idkiosk_queue_calls{{state=\"done\"}} {0}\nidkiosk_sessions_total {0}\n"
        "idkiosk_attempts_total{{result=\"verified\"}} {0}\n"
        "process_resident_memory_bytes {1}\n",
        checks, 69'726'208 + 4096 * (minute % 50));
    for (int i = 0; i < 6; ++i) {
      Step(seconds(10));
      for (const auto& [what, payload] : std::exchange(broker_.sent, {})) {
        bytes += payload.size() + kAroundAMessage;
        if (what != "ledger" && what != "audit") continue;
        const int64_t last = what == "ledger" ? kiosk_.records : kiosk_.audit_records;
        const std::string told =
            fmt::format(R"({{"number":{},"mac":"{}"}})", last, FakeKiosk::MacOf(last));
        bytes += told.size() + kAroundAMessage;
        agent_->Received("idkiosk/v1/bank/k1/ack/" + what, told);
      }
    }
  }
  RecordProperty("bytes", static_cast<int>(bytes));
  EXPECT_LT(bytes, 20'000'000U);
  EXPECT_GT(bytes, 900U * 6 * 400) << "the checks were among them";
}

// Nothing is kept meanwhile but how far headquarters are, and then each record leaves once.
TEST_F(FleetAgentTest, AWeekWithoutANetworkLosesNothingAndTakesNoRoom) {
  constexpr int kChecks = 7 * 30;
  std::vector<int64_t> all;
  const auto take = [&] {
    const auto numbers = broker_.Records();
    all.insert(all.end(), numbers.begin(), numbers.end());
    if (!numbers.empty()) Acknowledge(numbers.back());
  };
  kiosk_.records = 3;
  Step();
  take();
  const auto paths = files_.paths();
  broker_.is_connected = false;
  agent_->Disconnected();
  for (int check = 0; check < kChecks; ++check) {
    kiosk_.records += 3;
    for (int i = 0; i < 48; ++i) Step(minutes(1));
  }
  EXPECT_THAT(broker_.sent, IsEmpty());
  EXPECT_EQ(files_.paths(), paths);
  broker_.is_connected = true;
  agent_->Connected();
  for (int i = 0; i < 20; ++i, Step(seconds(2))) take();
  ASSERT_THAT(all, SizeIs(3 * (kChecks + 1)));
  for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], static_cast<int64_t>(i) + 1);
}

// Where it cannot write down how far headquarters are, a start sends again what they have.
TEST_F(FleetAgentTest, AFullDiskCostsNothingButRecordsThatAreKnown) {
  kiosk_.records = 100;
  Step();
  Acknowledge(100);
  broker_.sent.clear();
  files_.set_capacity(0);
  for (int i = 0; i < 3; ++i) {
    kiosk_.records += 100;
    Step(seconds(3));
    EXPECT_EQ(broker_.Records().front(), kiosk_.records - 99);
    Acknowledge(kiosk_.records);
  }
  Start();
  Step();
  EXPECT_EQ(broker_.Records().front(), 101);
  Acknowledge(400);
  kiosk_.records = 401;
  Step(seconds(3));
  EXPECT_THAT(broker_.Records(), testing::ElementsAre(401));
}

}  // namespace
}  // namespace idkiosk
