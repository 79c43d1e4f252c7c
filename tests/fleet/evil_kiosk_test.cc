#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <sstream>

#include "platform/base/bytes.h"
#include "platform/base/json.h"
#include "tests/fleet/headquarters.h"
#include "tests/integration/kiosk_fixture.h"

// One kiosk is somebody else's by now. It has its certificate, and says what it likes on its own
// topics: headquarters stay up, and what they show of every other kiosk stays as it was.
namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Said {
  std::string what;  // the end of its topic
  std::string payload;
};

std::string MacOf(int number) { return fmt::format("{:064x}", number); }

std::string Record(int number, const std::string& entries) {
  return fmt::format(R"({{"records":[{{"number":{},"mac_before":"{}","mac":"{}","entries":{}}}]}})",
                     number, MacOf(number - 1), MacOf(number), entries);
}

// An attempt's members that are not as usual: NAME and JSON text.
using Unusual = std::vector<std::pair<std::string, std::string>>;

std::string Attempt(const Unusual& unusual, const std::string& reference = "EVIL00") {
  Unusual members = {{"started_at", R"("2026-03-15T11:59:00.000Z")"},
                     {"reference", "\"" + reference + "\""},
                     {"attempt", "1"},
                     {"endpoint", R"("verify")"},
                     {"operator", R"("anna")"},
                     {"case", R"("B-1")"},
                     {"stage", R"("sent")"},
                     {"http_status", "0"},
                     {"billed", R"("maybe")"},
                     {"rule", R"("in_flight")"},
                     {"price", R"("100.00")"},
                     {"currency", R"("NGN")"},
                     {"attempt_id", R"("a1")"},
                     {"service_reference", R"("")"}};
  JsonWriter json;
  json.BeginArray().BeginObject().Field("kind", "attempt").Key("attempt").BeginObject();
  for (auto& [name, text] : members) {
    for (const auto& [other, value] : unusual) {
      if (other == name) text = value;
    }
    if (!text.empty()) json.Key(name).Raw(text);
  }
  return json.EndObject().EndObject().EndArray().Take();
}

std::vector<Said> Evil() {
  std::vector<Said> said;
  for (
      const char* state :
      {"", "7", "[]", "null", "\"x\"", R"({"gone":"maybe"})", R"({"gone":{"a":1}})",
       R"({"version":"1","health":7})", R"({"version":"1","health":{"ready":true,"parts":7}})",
       R"({"version":"1","health":{"ready":true,"parts":{"part":"camera"}}})",
       R"({"version":"1","health":{"ready":true,"parts":"camera"}})",
       R"({"version":"1","health":{"ready":"yes","parts":[]}})", R"({"version":{"a":[1,2]}})",
       R"({"version":"1","health":{"ready":false,"parts":[7,null,[],{"part":7,"state":"bad"}]}})",
       R"({"version":"<script>alert(1)</script>","health":{"ready":false,"parts":[{"part":"<img src=x onerror=alert(1)>","state":"bad","text":"\u001b[2J\u202e"}]}})"}) {
    said.push_back({"state", state});
  }
  said.push_back({"metrics", R"({"full":"yes","values":{}})"});
  for (const char* values : {R"(7)",
                             R"([1])",
                             R"({"a":"12"})",
                             R"({"a":null})",
                             R"({"a":{"b":1}})",
                             R"({"a":1e400})",
                             R"({"a":-1e400})",
                             R"({"a":NaN})",
                             R"({"":1})",
                             R"({"a b":1})",
                             R"({"a\n# TYPE b gauge":1})",
                             R"({"a} 1\nidkiosk_up{kiosk=\"k1\"":1})",
                             R"({"a{kiosk=\"k1\"}":1})",
                             R"({"a{tenant=\"other\",x=\"1\"}":1})",
                             R"({"a{__name__=\"up\"}":1})",
                             R"({"a{x=\"1\",x=\"2\"}":1})",
                             R"({"a{x=\"1\nb 2\"}":1})",
                             R"({"a{x=\"\\\"}":1})",
                             R"({"1a":1})",
                             R"({"a{}":1})",
                             R"({"ä":1})"}) {
    said.push_back({"metrics", fmt::format(R"({{"full":false,"values":{}}})", values)});
  }
  // Of the right form, and no number of calls.
  for (const char* value : {"9999999999999999999", "-5", "1e308", "1e100000", "0.4"}) {
    said.push_back(
        {"metrics",
         fmt::format(
             R"({{"full":false,"values":{{"idkiosk_queue_calls{{state=\"pending\"}}":{0},"idkiosk_queue_calls{{state=\"unknown\"}}":{0}}}}})",
             value)});
  }
  for (const char* pair : {"1e308,1e-308", "1e308,1", "1,0", "-1,1", "0,-0.0"}) {
    const std::string text = pair;
    const size_t comma = text.find(',');
    said.push_back(
        {"metrics",
         fmt::format(
             R"({{"full":false,"values":{{"idkiosk_frames_total":{},"idkiosk_capture_seconds_sum":{}}}}})",
             text.substr(0, comma), text.substr(comma + 1))});
  }
  for (const Unusual& unusual :
       std::vector<Unusual>{{{"price", R"("NaN")"}},
                            {{"price", R"("-100000.00")"}},
                            {{"price", R"("Infinity")"}},
                            {{"price", R"("1e11")"}},
                            {{"price", "1e400"}},
                            {{"price", "{}"}},
                            {{"price", R"("")"}},
                            {{"price", ""}},
                            {{"http_status", "9999999999999999999"}},
                            {{"http_status", R"("12")"}},
                            {{"attempt", "[1]"}},
                            {{"attempt", "1.5"}},
                            {{"started_at", R"("infinity")"}},
                            {{"started_at", R"("now")"}},
                            {{"started_at", R"("2026-13-45T99:00:00Z")"}},
                            {{"started_at", R"("294276-01-01T00:00:00Z")"}},
                            {{"started_at", "1764000000"}},
                            {{"currency", R"("=A1")"}},
                            {{"currency", R"("NGN, 1 USD")"}},
                            {{"endpoint", R"("<b>")"}},
                            {{"billed", R"("never")"}},
                            {{"operator", "null"}}}) {
    said.push_back({"ledger", Record(1, Attempt(unusual))});
  }
  for (const char* record :
       {R"({"records":7})", R"({"records":{"number":1}})", R"({})", R"({"records":[7]})",
        R"({"records":[{"number":"1","mac_before":"x","mac":"y","entries":[]}]})",
        R"({"records":[{"number":1e400}]})", R"({"records":[{"number":9999999999999999999}]})",
        R"({"records":[{"number":1,"mac_before":null,"mac":{},"entries":[]}]})"}) {
    said.push_back({"ledger", record});
    said.push_back({"audit", record});
  }
  said.push_back({"ledger", Record(1, "7")});
  said.push_back({"ledger", Record(1, "[7]")});
  said.push_back({"ledger", Record(1, R"([{"kind":"attempt"}])")});
  said.push_back({"ledger", Record(1, R"([{"kind":"attempt","attempt":7}])")});
  // What a ledger may say, and what must not harm who reads it.
  said.push_back(
      {"ledger", Record(1, Attempt({{"started_at", R"("9999-12-31T23:59:59Z")"}}, "EVIL01"))});
  said.push_back(
      {"ledger", Record(2, Attempt({{"started_at", R"("1900-01-01T00:00:00Z")"}}, "EVIL02"))});
  said.push_back(
      {"ledger", Record(3, Attempt({{"billed", R"("no")"},
                                    {"operator", R"("=cmd|' /C calc'!A0")"},
                                    {"case", R"("\u001b]0;x\u0007, \"quoted\"\r\n=1+1")"},
                                    {"rule", "\"@SUM(1)\""},
                                    {"service_reference", R"("<img src=x>;=1+1")"}},
                                   "EVIL03"))});
  for (
      const char* reply :
      {R"(7)", R"([])", R"({"command":7})", R"({"command":"x","revision":"1"})",
       R"({"reason":{"a":1}})",
       R"({"command":"%","revision":1e400,"action":"%","state":"failed","reason":"","signed_by":"","time":"now"})"}) {
    said.push_back({"reply", reply});
  }
  for (const char* settings : {R"(7)", R"([])", R"({"headquarters.groups":7})", R"({"<b>":1})",
                               R"({"a":[1e400,1e100000]})"}) {
    said.push_back({"settings", settings});
  }
  return said;
}

class EvilKioskTest : public KioskFixture {
 protected:
  void SetUp() override {
    if (!Postgres::IsInstalled() || !Broker::IsInstalled()) {
      GTEST_SKIP() << "PostgreSQL or Mosquitto is not installed: run tools/setup";
    }
    postgres_ = std::make_unique<Postgres>();
    // No day and no month ends while it runs.
    postgres_->StopClockAt("2026-03-15 12:00:00Z");
    broker_ = std::make_unique<Broker>();
    for (const char* name : {"good", "evil"}) broker_->Enrol(name, std::string("DNS:") + name);
    broker_->Start();
    ingest_ = std::make_unique<Process>(
        std::vector<std::string>{bin_ + "/idkiosk-fleet-ingest", "--broker", "127.0.0.1", "--port",
                                 broker_->headquarters_port(), "--ca", broker_->ca(),
                                 "--certificate", broker_->certificate("headquarters"), "--key",
                                 broker_->key("headquarters"), "--database", postgres_->where()});
    ASSERT_TRUE(ingest_->AwaitErr("connected to the broker")) << ingest_->err();
    map_ = std::make_unique<Process>(std::vector<std::string>{
        bin_ + "/idkiosk-fleetctl", "--database", postgres_->where(), "serve"});
    ASSERT_TRUE(map_->AwaitOut("\n")) << map_->err();
    page_ = map_->out().substr(0, map_->out().find('\n'));
  }

  void Say(const std::string& kiosk, const Said& said) {
    const std::string file = folder_ / "payload";
    WriteFile(file, said.payload);
    const Finished done = RunProgram(
        {"mosquitto_pub", "-V", "5", "-h", "127.0.0.1", "-p", broker_->port(), "--cafile",
         broker_->ca(), "--cert", broker_->certificate(kiosk), "--key", broker_->key(kiosk), "-q",
         "1", "-t", fmt::format("idkiosk/v1/bank/{}/{}", kiosk, said.what), "-f", file});
    ASSERT_EQ(done.exit_code, 0) << done.err;
  }
  // Until everything that was said is taken or refused: messages are taken in their order.
  void AwaitVersion(const std::string& kiosk, const std::string& version) {
    ASSERT_NO_FATAL_FAILURE(Say(
        kiosk, {"state", fmt::format(R"({{"version":"{}","health":{{"ready":true,"parts":[]}}}})",
                                     version)}));
    while (postgres_->Ask(fmt::format("select version from kiosk where kiosk = '{}'", kiosk)) !=
           version) {
      ASSERT_EQ(kill(ingest_->id(), 0), 0) << ingest_->err();
      usleep(50'000);
    }
  }
  // What a page or a program answers; nothing where it fails.
  [[nodiscard]] std::string Get(const std::string& path) {
    const Finished done = RunProgram({"curl", "--silent", "--fail", page_ + path.substr(1)});
    EXPECT_EQ(done.exit_code, 0) << path;
    return done.out;
  }
  [[nodiscard]] std::string Ctl(std::vector<std::string> command) {
    command.insert(command.begin(), {bin_ + "/idkiosk-fleetctl", "--database", postgres_->where()});
    const Finished done = RunProgram(command);
    EXPECT_LE(done.exit_code, 1) << command[3] << ": " << done.err;
    return done.out;
  }
  static std::string LinesWith(const std::string& text, const std::string& what) {
    std::string found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.contains(what)) found += line + "\n";
    }
    return found;
  }
  // Everything that headquarters show of the good kiosk, but when it was heard.
  [[nodiscard]] std::string ViewOfGood() {
    const auto fleet = JsonDocument::Parse(Get("/fleet.json"));
    EXPECT_TRUE(fleet);
    if (!fleet) return "";
    std::string view;
    for (const JsonView each : fleet->root()["kiosks"].children()) {
      if (each["kiosk"].AsString() != "good") continue;
      for (const char* name : {"health", "version", "waiting", "need_person", "today", "complaint",
                               "frames_a_second"}) {
        view += fmt::format("{}: {}\n", name, each[name].AsString().value_or("?"));
      }
    }
    for (const JsonView each : fleet->root()["money"].children()) {
      view += fmt::format("money: {}\n", each["cost"].AsString().value_or("?"));
    }
    view += LinesWith(Get("/metrics"), "kiosk=\"good\"");
    view += LinesWith(Ctl({"ledger", "--month", "2026-03"}), ",good,");
    for (const JsonView each : fleet->root()["alarms"].children()) {
      if (each["kiosk"].AsString() == "good") view += "alarm: " + each.Print() + "\n";
    }
    EXPECT_THAT(Ctl({"list"}), HasSubstr("good"));
    EXPECT_THAT(Ctl({"alarms"}), HasSubstr("TENANT"));
    (void)Ctl({"silent"});
    (void)Ctl({"drift"});
    (void)Ctl({"commands"});
    return view;
  }

  std::unique_ptr<Postgres> postgres_;
  std::unique_ptr<Broker> broker_;
  std::unique_ptr<Process> ingest_;
  std::unique_ptr<Process> map_;
  std::string page_;
};

TEST_F(EvilKioskTest, WhateverOneKioskSendsTheFiguresOfAnotherStayRight) {
  ASSERT_NO_FATAL_FAILURE(Say("good", {"ledger", Record(1, Attempt({}, "GOOD01"))}));
  ASSERT_NO_FATAL_FAILURE(Say(
      "good",
      {"metrics",
       R"({"full":true,"values":{"idkiosk_queue_calls{state=\"pending\"}":7,"idkiosk_visits_total":3,"idkiosk_frames_total":90,"idkiosk_capture_seconds_sum":12}})"}));
  ASSERT_NO_FATAL_FAILURE(AwaitVersion("good", "2.0"));
  ASSERT_NO_FATAL_FAILURE(AwaitVersion("evil", "0"));
  const std::string before = ViewOfGood();
  ASSERT_THAT(before, HasSubstr("today: 100.00 NGN"));
  ASSERT_THAT(before, HasSubstr("waiting: 7"));
  ASSERT_THAT(before, HasSubstr("frames_a_second: 7.5"));
  int count = 0;
  for (const Said& said : Evil()) {
    ASSERT_NO_FATAL_FAILURE(Say("evil", said));
    // Each on its own: a later message of the same kind would mend what an earlier one broke.
    ASSERT_NO_FATAL_FAILURE(AwaitVersion("good", fmt::format("2.{}", ++count)));
    const std::string shown = Get("/fleet.json");
    EXPECT_TRUE(JsonDocument::Parse(shown)) << said.payload;
    EXPECT_THAT(Ctl({"list"}), HasSubstr("good")) << said.payload;
    EXPECT_THAT(Get("/metrics"), Not(HasSubstr("kiosk=\"k1\""))) << said.payload;
  }
  ASSERT_NO_FATAL_FAILURE(AwaitVersion("good", "2.0"));
  EXPECT_EQ(ViewOfGood(), before);
  EXPECT_EQ(kill(ingest_->id(), 0), 0) << ingest_->err();
  EXPECT_EQ(kill(map_->id(), 0), 0) << map_->err();
  EXPECT_GE(count, 40);
  RecordProperty("attacks", count);
}

// What Prometheus reads: each line a name, labels of which none stands twice, and a number.
TEST_F(EvilKioskTest, PrometheusIsToldOnlyWhatItCanRead) {
  for (const Said& said : Evil()) {
    if (said.what != "metrics") continue;
    ASSERT_NO_FATAL_FAILURE(Say("evil", said));
  }
  ASSERT_NO_FATAL_FAILURE(AwaitVersion("evil", "end"));
  std::istringstream lines(Get("/metrics"));
  const testing::Matcher<std::string> readable = testing::MatchesRegex(
      "[a-zA-Z_:][a-zA-Z0-9_:]*[{]tenant=\"bank\",kiosk=\"evil\"(,state=\"[a-z]+\")?[}] "
      "-?[0-9.]+(e[+-]?[0-9]+)?");
  for (std::string line; std::getline(lines, line);) EXPECT_THAT(line, readable);
}

// A spreadsheet and a terminal show a ledger's texts, and do nothing that these say.
TEST_F(EvilKioskTest, TheLedgerAsCsvHoldsNoFormulaAndMovesNoCursor) {
  for (const Said& said : Evil()) {
    if (said.what != "ledger") continue;
    ASSERT_NO_FATAL_FAILURE(Say("evil", said));
  }
  ASSERT_NO_FATAL_FAILURE(AwaitVersion("evil", "end"));
  const std::string csv = Ctl({"ledger", "--month", "2026-03"});
  EXPECT_THAT(csv, HasSubstr(",EVIL03,1,verify,'=cmd|' /C calc'!A0,"
                             "\"?]0;x?, \"\"quoted\"\"?\?=1+1\",sent,0,no,'@SUM(1),100.00,NGN,a1,"
                             "\"<img src=x>;=1+1\"\r\n"));
  EXPECT_THAT(csv, Not(HasSubstr("EVIL01")));
  EXPECT_THAT(csv, Not(HasSubstr("\x1b")));
  // Money that is in no month that anybody looks at is an alarm.
  EXPECT_THAT(Ctl({"alarms"}), HasSubstr("EVIL01, is dated 9999-12-31T23:59:59Z"));
  EXPECT_THAT(Ctl({"alarms"}), HasSubstr("EVIL02, is dated 1900-01-01T00:00:00Z"));
}

// One that sends nonsense for days fills neither the disk nor the list of alarms.
TEST_F(EvilKioskTest, OneKiosksAlarmsHideNobodyElses) {
  ASSERT_NO_FATAL_FAILURE(Say("good", {"metrics", "nonsense"}));
  ASSERT_NO_FATAL_FAILURE(AwaitVersion("good", "1"));
  for (int i = 0; i < 60; ++i) {
    ASSERT_NO_FATAL_FAILURE(
        Say("evil", {"metrics", fmt::format(R"({{"values":{{"a{}":"x{}"}}}})", i, i)}));
  }
  ASSERT_NO_FATAL_FAILURE(AwaitVersion("evil", "end"));
  EXPECT_EQ(postgres_->Ask("select count(*) <= 20 from alarm where kiosk = 'evil'"), "t");
  EXPECT_THAT(LinesWith(Get("/fleet.json"), "\"kiosk\":\"good\",\"what\":"),
              Not(testing::IsEmpty()));
}

// A page of another site whose name leads to 127.0.0.1 reads nothing of the fleet.
TEST_F(EvilKioskTest, ThePageAnswersToItsOwnNameAlone) {
  const auto status = [this](const std::string& host, const std::string& path) {
    return RunProgram({"curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}",
                       "--header", "Host: " + host, page_ + path})
        .out;
  };
  const std::string port =
      page_.substr(page_.rfind(':') + 1, page_.rfind('/') - page_.rfind(':') - 1);
  for (const char* path : {"", "fleet.json", "metrics", "map.js"}) {
    EXPECT_EQ(status("127.0.0.1:" + port, path), "200") << path;
    EXPECT_EQ(status("localhost:" + port, path), "200") << path;
    for (const std::string& host : std::vector<std::string>{
             "evil.example", "evil.example:" + port, "127.0.0.1.evil.example:" + port, "127.0.0.1",
             "127.0.0.1:1", "[::1]:" + port}) {
      EXPECT_EQ(status(host, path), "421") << host << " " << path;
    }
    EXPECT_NE(status("", path), "200") << path;
  }
}

// Behind a web server or a tunnel it has other names, with that one's port or none.
TEST_F(EvilKioskTest, ThePageAnswersToTheNamesThatItIsGiven) {
  Process page({bin_ + "/idkiosk-fleetctl", "--database", postgres_->where(), "serve", "--name",
                "Fleet.bank.example", "--name", "localhost"});
  ASSERT_TRUE(page.AwaitOut("\n")) << page.err();
  const std::string address = page.out().substr(0, page.out().find('\n'));
  const auto status = [&address](const std::string& host) {
    return RunProgram({"curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}",
                       "--header", "Host: " + host, address + "fleet.json"})
        .out;
  };
  for (const char* host :
       {"fleet.bank.example", "FLEET.bank.example:8443", "localhost", "localhost:9000"}) {
    EXPECT_EQ(status(host), "200") << host;
  }
  for (const char* host : {"evil.example", "fleet.bank.example.evil.example", "fleet.bank.example:",
                           "127.0.0.1", "fleet.bank.example:1:2", "fleet.bank.example@evil.example",
                           "fleet.bank.example:http", "localhost:9000000", "bank.example"}) {
    EXPECT_EQ(status(host), "421") << host;
  }
  for (const char* wrong : {"https://fleet.bank.example", "fleet.bank.example:8443", "*", "a b"}) {
    const Finished done = RunProgram(
        {bin_ + "/idkiosk-fleetctl", "--database", postgres_->where(), "serve", "--name", wrong});
    EXPECT_EQ(done.exit_code, 2) << wrong;
    EXPECT_THAT(done.err, HasSubstr("is no name of a host")) << wrong;
  }
}

// As the unit starts it, with what /etc/default/idkiosk-headquarters says of the database.
std::vector<std::string> CommandOfUnit(const std::string& unit, const std::string& folder,
                                       const std::map<std::string, std::string>& variables) {
  std::istringstream lines(ReadFile(std::string(FLEET_CONFIG) + "/../systemd/" + unit));
  std::vector<std::string> command;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("ExecStart=")) continue;
    std::istringstream words(line.substr(line.find('=') + 1));
    for (std::string word; words >> word;) {
      if (word.starts_with("${")) {
        command.push_back(variables.at(word.substr(2, word.size() - 3)));
      } else if (word.starts_with("$")) {
        std::istringstream several(variables.at(word.substr(1)));
        for (std::string each; several >> each;) command.push_back(each);
      } else {
        command.push_back(word);
      }
    }
  }
  EXPECT_FALSE(command.empty()) << unit;
  if (!command.empty()) command[0] = folder + "/" + command[0].substr(command[0].rfind('/') + 1);
  return command;
}

// Everybody on a machine may read every process's command line.
TEST_F(EvilKioskTest, TheDatabasesPasswordStandsOnNoCommandLine) {
  const std::string where = postgres_->where() + " password=kept-off-command-lines";
  const std::map<std::string, std::string> variables = {
      {"DATABASE", where},
      {"PAGE_PORT", "0"},
      {"PAGE", "--name fleet.bank.example"},
      {"INGEST", fmt::format("--broker 127.0.0.1 --port {} --ca {} --certificate {} --key {} "
                             "--name another",
                             broker_->headquarters_port(), broker_->ca(),
                             broker_->certificate("headquarters"), broker_->key("headquarters"))}};
  const auto line = [](const Process& of) {
    return ReadFile(fmt::format("/proc/{}/cmdline", of.id()));
  };
  Process page(CommandOfUnit("idkiosk-fleet-page.service", bin_, variables), "",
               {"DATABASE=" + where});
  Process taking(CommandOfUnit("idkiosk-fleet-ingest.service", bin_, variables), "",
                 {"DATABASE=" + where});
  ASSERT_TRUE(page.AwaitOut("\n")) << page.err();
  ASSERT_TRUE(taking.AwaitErr("connected to the broker")) << taking.err();
  for (const Process* each : {&page, &taking}) {
    EXPECT_THAT(line(*each), HasSubstr("idkiosk-fleet"));
    EXPECT_THAT(line(*each), Not(HasSubstr("kept-off-command-lines")));
  }
  page_ = page.out().substr(0, page.out().find('\n'));
  ASSERT_NO_FATAL_FAILURE(AwaitVersion("good", "1"));
  EXPECT_THAT(Get("/fleet.json"), HasSubstr("\"kiosk\":\"good\""));
}

}  // namespace
}  // namespace idkiosk
