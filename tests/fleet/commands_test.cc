#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <map>

#include "platform/base/bytes.h"
#include "tests/fleet/headquarters.h"
#include "tests/integration/kiosk_fixture.h"

// Signed commands from idkiosk-fleetctl to kiosks as they are installed, over a real broker, which
// may be evil.
namespace idkiosk {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// One of several kiosks at the same sandbox.
struct FleetKiosk {
  std::string folder;
  std::unique_ptr<Process> program;
  std::unique_ptr<Process> agent;

  [[nodiscard]] std::string socket() const { return folder + "/api.sock"; }
  [[nodiscard]] std::string config() const { return folder + "/kiosk.jsonc"; }
};

class FleetCommandsTest : public KioskFixture {
 protected:
  void SetUp() override {
    if (!Postgres::IsInstalled() || !Broker::IsInstalled()) {
      GTEST_SKIP() << "PostgreSQL or Mosquitto is not installed: run tools/setup";
    }
    postgres_ = std::make_unique<Postgres>();
    broker_ = std::make_unique<Broker>();
    for (const char* name : {"k1", "k2", "k3"}) {
      broker_->Enrol(name, std::string("DNS:") + name);
    }
    broker_->Start();
    ingest_ = std::make_unique<Process>(
        std::vector<std::string>{bin_ + "/idkiosk-fleet-ingest", "--broker", "127.0.0.1", "--port",
                                 broker_->headquarters_port(), "--ca", broker_->ca(),
                                 "--certificate", broker_->certificate("headquarters"), "--key",
                                 broker_->key("headquarters"), "--database", postgres_->where()});
    StartSandbox();
    for (const char* name : {"alice", "bob", "mallory"}) {
      const Finished made = RunProgram({"openssl", "ecparam", "-name", "prime256v1", "-genkey",
                                        "-noout", "-out", KeyFile(name)});
      ASSERT_EQ(made.exit_code, 0) << made.err;
    }
  }

  [[nodiscard]] std::string KeyFile(const std::string& name) const {
    return folder_ / (name + ".pem");
  }
  [[nodiscard]] std::string KeyLine(const std::string& name) {
    const Finished line = RunProgram({bin_ + "/idkiosk-fleetctl", "key-line", name, KeyFile(name)});
    EXPECT_EQ(line.exit_code, 0) << line.err;
    return line.out.substr(0, line.out.find('\n'));
  }

  void StartKiosk(const std::string& name) {
    FleetKiosk& kiosk = kiosks_[name];
    kiosk.folder = folder_ / name;
    fs::create_directory(kiosk.folder);
    fs::copy_file(fs::current_path() / "config/kiosk.jsonc", kiosk.config());
    WriteFile(kiosk.folder + "/kiosk.local.jsonc",
              fmt::format(R"({{"state_folder":"{0}/state","api":{{"socket":"{0}/api.sock"}},)"
                          R"("headquarters":{{"tenant":"bank","kiosk":"{1}","groups":["branches"],)"
                          R"("keys":["{2}","{3}"]}},"service":{{"profile":"{4}/sandbox.jsonc"}}}})",
                          kiosk.folder, name, KeyLine("alice"), KeyLine("bob"), ProfileFolder()));
    const std::string message = kiosk.folder + "/onboarding.json";
    ASSERT_EQ(Sandbox({"onboard", "--environment", "sandbox", "--out", message}).exit_code, 0);
    test_nin_ = Text(Parse(ReadFile(message)), "/test_nin");
    for (const auto& command : {std::vector<std::string>{"vault", "init"},
                                {"provision", "--onboarding", message},
                                {"reasons"}}) {
      std::vector<std::string> whole = {bin_ + "/idkiosk", "--config", kiosk.config()};
      whole.insert(whole.end(), command.begin(), command.end());
      const Finished done = RunProgram(whole);
      ASSERT_EQ(done.exit_code, 0) << done.err;
    }
    Run(kiosk);
    WriteFile(kiosk.folder + "/fleet.jsonc",
              fmt::format(R"({{"broker":"mqtts://127.0.0.1:{}","tenant":"bank","kiosk":"{}",)"
                          R"("ca_file":"{}","certificate":"{}","key":"{}","api_socket":"{}",)"
                          R"("state_folder":"{}/fleet","reconnect_within":1}})",
                          broker_->port(), name, broker_->ca(), broker_->certificate(name),
                          broker_->key(name), kiosk.socket(), kiosk.folder));
    kiosk.agent = std::make_unique<Process>(std::vector<std::string>{
        bin_ + "/idkiosk-fleet", "--config", kiosk.folder + "/fleet.jsonc"});
    // It has said which groups it is of.
    Await(fmt::format("select count(*) from setting where kiosk = '{}' and key = "
                      "'headquarters.groups'",
                      name),
          "1");
  }
  void Run(FleetKiosk& kiosk) {
    kiosk.program = std::make_unique<Process>(std::vector<std::string>{
        bin_ + "/idkiosk", "--config", kiosk.config(), "run", "--camera", "synthetic"});
    ASSERT_TRUE(kiosk.program->AwaitErr("ready: ")) << kiosk.program->err();
  }

  // Asks headquarters until they say that.
  void Await(const std::string& statement, const std::string& answer) {
    while (postgres_->Ask(statement) != answer) {
      for (const auto& [name, kiosk] : kiosks_) {
        ASSERT_TRUE(!kiosk.agent || kill(kiosk.agent->id(), 0) == 0) << kiosk.agent->err();
        ASSERT_EQ(kill(kiosk.program->id(), 0), 0) << kiosk.program->err();
      }
      usleep(100'000);
    }
  }
  std::string Get(const FleetKiosk& kiosk, const std::string& target) {
    return RunProgram(
               {"curl", "--silent", "--unix-socket", kiosk.socket(), "http://localhost" + target})
        .out;
  }
  // A lookup through the local API.
  void Check(const FleetKiosk& kiosk) {
    const Finished done = RunProgram(
        {"curl", "--silent", "--unix-socket", kiosk.socket(), "--header",
         "Content-Type: application/json", "--data",
         fmt::format(
             R"({{"endpoint":"lookup_nin","nin":"{}","reason":"ACCOUNT_OPENING","ask_again":true}})",
             test_nin_),
         "http://localhost/v1/checks"});
    const std::string reference = Text(Parse(done.out), "/reference");
    ASSERT_EQ(reference.size(), 6U) << done.out;
    while (Text(Parse(Get(kiosk, "/v1/checks/" + reference)), "/state") != "done") usleep(50'000);
  }

  Finished Ctl(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), bin_ + "/idkiosk-fleetctl");
    return RunProgram(arguments);
  }
  // With what it takes to reach broker and database.
  Finished CtlThere(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--database", postgres_->where()});
    arguments.insert(arguments.end(),
                     {"--broker", "127.0.0.1", "--port", broker_->headquarters_port(), "--ca",
                      broker_->ca(), "--certificate", broker_->certificate("headquarters"),
                      "--broker-key", broker_->key("headquarters")});
    return Ctl(std::move(arguments));
  }
  // Signs a command by alice, on a machine that is not connected to anything. Returns its file.
  std::string Sign(std::vector<std::string> more, const std::string& by = "alice") {
    const std::string file = folder_ / fmt::format("command-{}.json", ++files_);
    std::vector<std::string> whole = {"sign",  "--tenant", "bank", "--key", by + "=" + KeyFile(by),
                                      "--out", file};
    whole.insert(whole.end(), more.begin(), more.end());
    const Finished done = Ctl(whole);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return file;
  }
  // The broker itself says this, whatever its rules are.
  void Forge(const std::string& topic, const std::string& payload, bool each_line = false) {
    std::vector<std::string> command = {"mosquitto_pub",
                                        "-V",
                                        "5",
                                        "-h",
                                        "127.0.0.1",
                                        "-p",
                                        broker_->headquarters_port(),
                                        "--cafile",
                                        broker_->ca(),
                                        "--cert",
                                        broker_->certificate("headquarters"),
                                        "--key",
                                        broker_->key("headquarters"),
                                        "-q",
                                        "1",
                                        "-t",
                                        topic};
    command.insert(command.end(), {each_line ? "-l" : "-s"});
    const Finished done = RunProgram(command, payload);
    EXPECT_EQ(done.exit_code, 0) << done.err;
  }
  std::string Audit(const std::string& kiosk, const std::string& event) {
    return postgres_->Ask(
        fmt::format("select count(*) from record where kiosk = '{}' and journal = 'audit' and "
                    "body ->> 'event' = '{}'",
                    kiosk, event));
  }

  std::unique_ptr<Postgres> postgres_;
  std::unique_ptr<Broker> broker_;
  std::unique_ptr<Process> ingest_;
  std::map<std::string, FleetKiosk> kiosks_;
  int files_ = 0;
};

// What no kiosk would take is said to who signs it, as 'idkiosk config check' says it of a file.
TEST_F(FleetCommandsTest, SettingsThatNoKioskWouldTakeAreNotSigned) {
  const std::string file = folder_ / "refused.json";
  const auto sign = [&](const std::string& setting) {
    return Ctl({"sign", "--tenant", "bank", "--kiosk", "k1", "--action", "settings", "--key",
                "alice=" + KeyFile("alice"), "--out", file, "--set", setting});
  };
  for (const auto& [setting, why] : std::map<std::string, std::string>{
           {"ui.idel=1 min", "ui.idel: there is no such key; did you mean ui.idle?"},
           {"ui.idle=1 fortnight", "ui.idle: must be a duration"},
           {"ui.idle=2 s", "ui.idle: must be "},
           {"camera.width=7", "camera.width: must be "},
           {"camera.width=\"wide\"", "camera.width: must be "},
           {"ui.sound=loud", "ui.sound: must be true or false"},
           {"log.level=all", "log.level: must be "},
           {"service.base_url=https://evil.example/",
            "headquarters may not change service.base_url"}}) {
    const Finished done = sign(setting);
    EXPECT_EQ(done.exit_code, 2) << setting;
    EXPECT_THAT(done.err, HasSubstr(why)) << setting;
    EXPECT_FALSE(fs::exists(file)) << setting;
  }
  for (const char* good :
       {"ui.idle=1 min", "ui.idle=null", "ui.sound=false", "camera.width=1280"}) {
    EXPECT_EQ(sign(good).exit_code, 0) << good;
  }
  // Whoever adds a signature is told as well: the file may come from elsewhere.
  const std::string text =
      R"({"format":"idkiosk-command/1","tenant":"bank","kiosk":"k1","revision":1,)"
      R"("issued":"2026-03-15T12:00:00Z","expires":"2026-03-15T13:00:00Z","action":"settings",)"
      R"("settings":{"queue.retention":"7 fortnights"}})";
  WriteFile(file, fmt::format(
                      R"({{"format":"idkiosk-signed-command/1","document":"{}","signatures":[]}})",
                      ToBase64(AsBytes(text))));
  const std::string before = ReadFile(file);
  const Finished added = Ctl({"countersign", file, "--key", "alice=" + KeyFile("alice")});
  EXPECT_EQ(added.exit_code, 2);
  EXPECT_THAT(added.err, HasSubstr("queue.retention: must be "));
  EXPECT_EQ(ReadFile(file), before);
}

TEST_F(FleetCommandsTest, ARollOutStopsAtAKioskThatIsNotWellAndItTakesTheSettingsBack) {
  for (const char* name : {"k1", "k2", "k3"}) ASSERT_NO_FATAL_FAILURE(StartKiosk(name));

  // Good ones reach all of the group, the first of them before the others.
  const std::string good = Sign({"--group", "branches", "--action", "settings", "--set",
                                 "ui.idle=1 min", "--healthy-within", "30"});
  const Finished all = CtlThere({"roll-out", good, "--step", "1", "--step", "100%"});
  EXPECT_EQ(all.exit_code, 0) << all.out << all.err;
  EXPECT_THAT(all.out, HasSubstr("1 of 3: sent to k1"));
  EXPECT_THAT(all.out, HasSubstr("3 of 3: sent to k2, k3"));
  EXPECT_THAT(all.out, HasSubstr("3 of 3 kiosks have done it"));
  for (const auto& [name, kiosk] : kiosks_) {
    EXPECT_THAT(Get(kiosk, "/v1/settings"), HasSubstr(R"("ui.idle":"1 min")")) << name;
  }
  Await("select count(*) from setting where key = 'ui.idle' and value = '\"1 min\"'", "3");
  EXPECT_EQ(Ctl({"--database", postgres_->where(), "drift"}).exit_code, 0);

  // This one has asked once already, so that a cap of one call an hour holds it: it is not well.
  ASSERT_NO_FATAL_FAILURE(Check(kiosks_["k2"]));
  const std::string bad = Sign({"--group", "branches", "--action", "settings", "--set",
                                "billing.calls_per_hour=1", "--healthy-within", "8"});
  const Finished alone = CtlThere({"roll-out", bad, "--to", "k2", "--step", "100%"});
  EXPECT_EQ(alone.exit_code, 1);
  EXPECT_THAT(alone.out, HasSubstr("needs 2 signatures"));
  ASSERT_EQ(Ctl({"countersign", bad, "--key", "bob=" + KeyFile("bob")}).exit_code, 0);
  const std::string with_good = ReadFile(kiosks_["k2"].folder + "/kiosk.local.jsonc");
  const Finished stopped = CtlThere(
      {"roll-out", bad, "--to", "k2", "--to", "k1", "--to", "k3", "--step", "1", "--step", "100%"});
  EXPECT_EQ(stopped.exit_code, 1) << stopped.out << stopped.err;
  EXPECT_THAT(stopped.out, HasSubstr("k2: rolled_back: the kiosk was not well: queue"));
  EXPECT_THAT(stopped.out, HasSubstr("stopped: 1 of 3 kiosks were asked"));
  EXPECT_EQ(ReadFile(kiosks_["k2"].folder + "/kiosk.local.jsonc"), with_good);
  Await(
      "select string_agg(distinct kiosk, ',') from command where settings ? "
      "'billing.calls_per_hour'",
      "k2");

  // Headquarters' copy of its audit trail says who signed it, and that it was taken back.
  Await(
      "select count(*) from record where kiosk = 'k2' and body ->> 'event' = "
      "'fleet.rolled_back' and body ->> 'by' = 'headquarters (alice, bob)'",
      "1");
  EXPECT_EQ(postgres_->Ask("select count(*) from record where kiosk = 'k2' and body ->> 'event' = "
                           "'fleet.command' and body ->> 'by' = 'headquarters (alice, bob)'"),
            "1");
  // What the kiosk has said while they were on trial it says anew at its next look.
  Await(
      "select count(*) from setting where kiosk = 'k2' and key = 'billing.calls_per_hour' and "
      "value <> '1'",
      "1");
  const Finished drift = Ctl({"--database", postgres_->where(), "drift"});
  EXPECT_EQ(drift.exit_code, 1);
  EXPECT_THAT(drift.out, HasSubstr("billing.calls_per_hour"));
  EXPECT_THAT(drift.out, HasSubstr("k2"));
  EXPECT_THAT(drift.out, Not(HasSubstr("k3")));
  // And it asks again.
  ASSERT_NO_FATAL_FAILURE(Check(kiosks_["k2"]));
}

TEST_F(FleetCommandsTest, AnEvilBrokerCommandsNothing) {
  for (const char* name : {"k1", "k2"}) ASSERT_NO_FATAL_FAILURE(StartKiosk(name));
  const FleetKiosk& kiosk = kiosks_["k1"];
  const std::string topic = "idkiosk/v1/bank/k1/command";
  // One that was carried out once, and one that was never sent and is older.
  const std::string older = Sign({"--kiosk", "k1", "--action", "hold_sending"});
  const std::string once = Sign({"--kiosk", "k1", "--action", "send_log"});
  ASSERT_EQ(CtlThere({"send", once}).exit_code, 0);
  Await("select state from command where kiosk = 'k1' and action = 'send_log'", "done");
  EXPECT_THAT(Ctl({"--database", postgres_->where(), "log", "k1"}).out, HasSubstr("ready: kiosk"));
  Await("select count(*) from record where kiosk = 'k1' and body ->> 'event' = 'fleet.command'",
        "1");

  int attacks = 0;
  const auto attack = [&](const std::string& payload) {
    Forge(topic, payload);
    ++attacks;
  };
  attack(ReadFile(once));                                                            // replayed
  attack(ReadFile(older));                                                           // reordered
  attack(ReadFile(Sign({"--kiosk", "k2", "--action", "hold_sending"})));             // another's
  attack(ReadFile(Sign({"--kiosk", "k1", "--action", "hold_sending"}, "mallory")));  // forged
  attack(ReadFile(Sign({"--group", "abuja", "--action", "hold_sending"})));
  attack(ReadFile(Sign({"--kiosk", "k1", "--action", "erase"})));  // by one
  {
    // Alice's signature under other words.
    std::string text = ReadFile(Sign({"--kiosk", "k1", "--action", "send_log"}));
    const JsonDocument document = Parse(text);
    const auto body = FromBase64(*document.root()["document"].AsString());
    std::string words(AsText(*body));
    words.replace(words.find("send_log"), 8, "restart\"");
    attack(fmt::format(R"({{"format":"idkiosk-signed-command/1","document":"{}","signatures":{}}})",
                       ToBase64(AsBytes(words)), document.root()["signatures"].Print()));
  }
  for (const char* nonsense :
       {"{}", "erase", R"({"action":"erase"})", "\x01\x02\xff", R"([[[[[[[[[[)"}) {
    attack(nonsense);
  }
  attack(std::string(60'000, 'x'));
  // On topics that are not its command's.
  Forge("idkiosk/v1/bank/k1/ack/ledger", ReadFile(once));
  Forge("idkiosk/v1/bank/k2/command", ReadFile(once));
  attacks += 2;
  Await(
      "select count(*) > 8 from record where kiosk = 'k1' and journal = 'audit' and body ->> "
      "'event' = 'fleet.refused'",
      "t");
  Await(
      "select count(*) from record where kiosk = 'k2' and journal = 'audit' and body ->> "
      "'event' = 'fleet.refused' and body ->> 'what' like '%it is for the kiosk k1%'",
      "1");

  // Ten thousand at once; meanwhile people are served.
  constexpr int kFlood = 10'000;
  std::string flood;
  const std::string forged = ReadFile(Sign({"--kiosk", "k1", "--action", "erase"}, "mallory"));
  for (int i = 0; i < kFlood; ++i) flood += forged;
  Forge(topic, flood, true);
  ASSERT_NO_FATAL_FAILURE(Check(kiosk));
  const std::string health = Get(kiosk, "/v1/health");
  EXPECT_THAT(health, HasSubstr(R"("ready":true)"));
  Await(
      "select count(*) > 0 from record where kiosk = 'k1' and body ->> 'what' like '% more, the "
      "last one because%'",
      "t");
  ASSERT_NO_FATAL_FAILURE(Check(kiosk));

  EXPECT_EQ(Audit("k1", "fleet.command"), "1");
  EXPECT_EQ(Audit("k2", "fleet.command"), "0");
  EXPECT_LE(std::stoi(Audit("k1", "fleet.refused")), 60);
  EXPECT_THAT(Get(kiosk, "/v1/holds"), HasSubstr(R"("holds":[])"));
  EXPECT_EQ(kill(kiosk.program->id(), 0), 0);
  RecordProperty("attacks", attacks + kFlood);
}

// Settings on trial, and a program that does not start with them.
class SettingsOnTrialTest : public KioskFixture {
 protected:
  [[nodiscard]] std::string local() const { return folder_ / "kiosk.local.jsonc"; }
};

TEST_F(SettingsOnTrialTest, AProgramThatDoesNotStartWithThemStartsWithThoseOfBefore) {
  StartSandbox();
  Provision();
  const std::string before = ReadFile(local());
  for (const std::string& after :
       {std::string(R"({"ui": {"idle": "1 s"}})"),                        // no settings
        before.substr(0, before.rfind('}')) + R"(, "mode": "nothing"})",  // no good ones
        before.substr(0, before.rfind('}')) + R"(, "tamper": {"gpio_chip": "/dev/null"}})"}) {
    WriteFile(local(), after);
    WriteFile(folder_ / "kiosk.trial.json",
              fmt::format(R"({{"version":1,"command":"00","revision":5,"keys":"ui.idle",)"
                          R"("signed_by":"alice","healthy_within":60,"starts":0,"over":"",)"
                          R"("is_left":false,"after":"{}","before":"{}","bad_before":[]}})",
                          ToBase64(AsBytes(after)), ToBase64(AsBytes(before))));
    Process kiosk(KioskCommand({"run", "--camera", "synthetic"}));
    EXPECT_TRUE(kiosk.AwaitErr("ready: ")) << after << kiosk.err();
    EXPECT_THAT(kiosk.err(), HasSubstr("were taken back: the program did not start"));
    EXPECT_EQ(ReadFile(local()), before);
    kiosk.Signal(SIGTERM);
    EXPECT_EQ(kiosk.Wait().exit_code, 0);
    EXPECT_FALSE(fs::exists(folder_ / "kiosk.trial.json"));
  }
  EXPECT_THAT(Kiosk({"audit", "list"}).out, HasSubstr("fleet.rolled_back"));
}

TEST_F(FleetCommandsTest, FilesThatAreNoneAreNamedAndNotWaitedFor) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::vector<std::vector<std::string>> commands = {
      {"idkiosk-fleetctl", "key-line", "alice", pipe},
      {"idkiosk-fleetctl", "countersign", pipe, "--key", "bob=" + KeyFile("bob")},
      {"idkiosk-fleet-ingest", "--ca", pipe},
      {"idkiosk-fleet-ingest", "--ca", KeyFile("bob")},
      {"idkiosk-fleet-ingest", "--ca", broker_->ca(), "--certificate", pipe, "--key", pipe}};
  for (std::vector<std::string> command : commands) {
    const std::string named = command.back() == pipe ? pipe : KeyFile("bob");
    command.front() = bin_ + "/" + command.front();
    const Finished done = RunProgram(command);
    EXPECT_NE(done.exit_code, 0) << command[1];
    EXPECT_THAT(done.err, HasSubstr(command[1] == "countersign" ? pipe : named)) << command[1];
  }
  const Finished plain =
      RunProgram({bin_ + "/idkiosk-fleet-ingest", "--ca", "", "--broker", "mqtt.bank.example"});
  EXPECT_NE(plain.exit_code, 0);
  EXPECT_THAT(plain.err, HasSubstr("--ca"));
}

// Without broker and database, which nothing here reaches.
class FleetctlTest : public KioskFixture {
 protected:
  Finished Fleetctl(std::vector<std::string> words) {
    words.insert(words.begin(), {bin_ + "/idkiosk-fleetctl", "--database", "host=/nowhere"});
    return RunProgram(words);
  }
};

// Whoever reads the key of somebody who signs commands every kiosk.
TEST_F(FleetctlTest, AKeyThatOthersMayReadSignsNothing) {
  const std::string key = folder_ / "alice.pem";
  const std::string open = folder_ / "public.pem";
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout",
                                 "-out", key},
        {"openssl", "ec", "-in", key, "-pubout", "-out", open}}) {
    const Finished made = RunProgram(command);
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  const std::vector<std::string> sign = {"sign",     "--tenant", "bank",  "--kiosk",     "k1",
                                         "--action", "restart",  "--key", "alice=" + key};
  EXPECT_EQ(Fleetctl(sign).exit_code, 0) << Fleetctl(sign).err;
  ASSERT_EQ(chmod(key.c_str(), 0644), 0);
  for (const auto& words : {sign, std::vector<std::string>{"key-line", "alice", key}}) {
    const Finished refused = Fleetctl(words);
    EXPECT_NE(refused.exit_code, 0) << words[0];
    EXPECT_THAT(refused.err, HasSubstr(key + " is open to other users")) << words[0];
    EXPECT_THAT(refused.err, HasSubstr("chmod 600 " + key)) << words[0];
    EXPECT_THAT(refused.out, testing::IsEmpty()) << words[0];
  }
  ASSERT_EQ(chmod(open.c_str(), 0644), 0);
  EXPECT_EQ(Fleetctl({"key-line", "alice", open}).exit_code, 0) << "everybody may read that one";
}

// It is read from the terminal, or, as here, from what comes in where there is none.
TEST_F(FleetctlTest, AKeysPassPhraseIsNamedWhereItIsMissingOrWrong) {
  const std::string plain = folder_ / "plain.pem";
  const std::string newer = folder_ / "alice.pem";  // PKCS #8
  const std::string older = folder_ / "bob.pem";    // as config/README.md has it made
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout",
                                 "-out", plain},
        {"openssl", "pkcs8", "-topk8", "-in", plain, "-passout", "pass:right", "-out", newer},
        {"openssl", "ec", "-aes256", "-in", plain, "-passout", "pass:right", "-out", older}}) {
    const Finished made = RunProgram(command);
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  for (const std::string& key : {newer, older}) {
    for (const char* typed : {"right\n", "wrong\n", "\n", ""}) {
      const Finished done = RunProgram(
          {"setsid", "--wait", bin_ + "/idkiosk-fleetctl", "key-line", "alice", key}, typed);
      if (std::string_view(typed) == "right\n") {
        EXPECT_EQ(done.exit_code, 0) << done.err;
        continue;
      }
      EXPECT_NE(done.exit_code, 0);
      EXPECT_THAT(done.err, HasSubstr(key + ": its pass phrase is missing or wrong")) << typed;
      EXPECT_THAT(done.err, testing::Not(HasSubstr("P-256"))) << typed;
    }
  }
}

// What no kiosk would take is refused where it was typed.
TEST_F(FleetctlTest, NamesAndStepsThatAreNoneAreNamedBeforeAnythingIsReached) {
  const std::string key = folder_ / "alice.pem";
  const Finished made =
      RunProgram({"openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", key});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  constexpr const char* kForm = "must be 1 to 64 small letters, digits and hyphens";
  const std::vector<std::string> restart = {"--action", "restart", "--key", "alice=" + key};
  const auto sign = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "sign");
    words.insert(words.end(), restart.begin(), restart.end());
    return Fleetctl(words).err;
  };
  EXPECT_THAT(sign({"--tenant", "Bank A", "--kiosk", "k1"}), HasSubstr(kForm));
  EXPECT_THAT(sign({"--tenant", "bank", "--kiosk", "K 1"}), HasSubstr(kForm));
  EXPECT_THAT(sign({"--tenant", "bank", "--group", "a/b"}), HasSubstr(kForm));
  const Finished signer = Fleetctl({"sign", "--tenant", "bank", "--kiosk", "k1", "--action",
                                    "restart", "--key", "Alice B=" + key});
  EXPECT_EQ(signer.exit_code, 2) << signer.out;
  EXPECT_THAT(signer.err, HasSubstr(kForm));
  EXPECT_THAT(Fleetctl({"key-line", "Alice B", key}).err, HasSubstr(kForm));
  EXPECT_THAT(Fleetctl({"send", "order.json", "--to", "k1/x"}).err, HasSubstr(kForm));
  for (const char* step : {"frob", "0", "101%", "10%%"}) {
    const Finished refused = Fleetctl({"roll-out", "order.json", "--step", "1", "--step", step});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("--step: a step is a number of kiosks or a share")) << step;
  }
}

}  // namespace
}  // namespace idkiosk
