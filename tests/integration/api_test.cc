#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "platform/base/bytes.h"
#include "tests/app/ui/raw_client.h"
#include "tests/integration/exit_codes.h"
#include "tests/integration/kiosk_fixture.h"
#include "tests/integration/steps.h"

// 'idkiosk run' as it is installed, asked by other programs through its socket: by curl, as the
// document shows it.
namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

class ApiTest : public KioskFixture {
 protected:
  ApiTest() {
    StartSandbox();
    Provision(fmt::format(R"("api": {{ "socket": "{}" }},)", Socket()));
  }

  [[nodiscard]] std::string Socket() const { return folder_ / "api.sock"; }

  std::unique_ptr<Process> Start(const std::vector<std::string>& variables = {}) {
    return std::make_unique<Process>(
        KioskCommand({"run", "--camera", "synthetic", "--start-page", folder_ / "start.html"}), "",
        variables);
  }
  void Run() {
    // The reasons are known from the beginning.
    ASSERT_EQ(Kiosk({"reasons"}).exit_code, 0);
    kiosk_ = Start();
    ASSERT_TRUE(kiosk_->AwaitErr("ready: ")) << kiosk_->err();
  }

  struct Answer {
    int status = 0;  // 0: none came
    std::string body;
  };
  Answer Curl(std::vector<std::string> more, const std::string& path) const {
    std::vector<std::string> command = {"curl",   "--silent",    "--unix-socket",
                                        Socket(), "--write-out", "\n%{http_code}"};
    command.insert(command.end(), more.begin(), more.end());
    command.push_back("http://localhost" + path);
    const Finished done = RunProgram(command);
    const size_t end = done.out.rfind('\n');
    if (end == std::string::npos) return {};
    return {std::stoi(done.out.substr(end + 1)), done.out.substr(0, end)};
  }
  Answer Post(const std::string& body, const std::string& key) {
    WriteFile(folder_ / "body.json", body);
    return Curl({"--header", "Content-Type: application/json", "--header",
                 "Idempotency-Key: " + key, "--data-binary", "@" + (folder_ / "body.json")},
                "/v1/checks");
  }
  static std::string ReferenceIn(const Answer& answer) {
    return Text(Parse(answer.body), "/reference");
  }
  // The kiosk's browser, which has its page open as long as this is there.
  [[nodiscard]] std::unique_ptr<RawClient> OpenPage() const {
    const StartPage start(ReadFile(folder_ / "start.html"));
    auto page = std::make_unique<RawClient>(start.port);
    page->Send(fmt::format("GET /events HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n", start.host,
                           CookieIn(start.Post())));
    page->ReadUntil("data: ");
    return page;
  }
  // Asks until the check is in none of the states in which the kiosk works on it.
  JsonDocument AwaitEnd(const std::string& reference) {
    for (;;) {
      const Answer answer = Curl({}, "/v1/checks/" + reference);
      EXPECT_EQ(answer.status, 200) << answer.body << kiosk_->err();
      if (answer.status != 200) return {};
      JsonDocument check = Parse(answer.body);
      const std::string state = Text(check, "/state");
      if (state != "pending" && state != "sending") return check;
    }
  }

  std::string WithPictures(const std::vector<std::string>& files) {
    std::string list;
    for (const std::string& each : files) {
      list += fmt::format(R"({}"{}")", list.empty() ? "" : ",",
                          ToBase64(AsBytes(ReadFile(pictures() + "/" + each))));
    }
    return fmt::format(
        R"({{"endpoint":"verify","nin":"{}","reason":"ACCOUNT_OPENING","pictures":[{}]}})",
        test_nin_, list);
  }

  std::unique_ptr<Process> kiosk_;
};

TEST_F(ApiTest, AProgramAsksAndGetsTheAnswer) {
  Run();
  EXPECT_EQ(Curl({}, "/v1/reasons").status, 200);
  const Answer health = Curl({}, "/v1/health");
  EXPECT_THAT(health.body, HasSubstr(R"("part":"queue")"));
  const std::string body = fmt::format(
      R"({{"endpoint":"lookup_nin","nin":"{}","reason":"ACCOUNT_OPENING","case":"B-17","operator":"anna"}})",
      test_nin_);
  const Answer taken = Post(body, "7f0a");
  ASSERT_EQ(taken.status, 202) << taken.body;
  const std::string reference = ReferenceIn(taken);
  const JsonDocument check = AwaitEnd(reference);
  EXPECT_EQ(Text(check, "/verdict"), "verified") << check.root().Print();
  EXPECT_EQ(Text(check, "/case"), "B-17");
  const Answer answer = Curl({}, "/v1/checks/" + reference + "/answer");
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, HasSubstr(R"("answer":{)"));
  EXPECT_EQ(ReferenceIn(Post(body, "7f0a")), reference);
  EXPECT_EQ(Post(body, "another").status, 409);
  EXPECT_EQ(BilledRows(), 1);

  const std::string trail = Kiosk({"audit", "list"}).out;
  EXPECT_THAT(trail, HasSubstr("call.asked"));
  EXPECT_THAT(trail, HasSubstr(fmt::format("api, uid {}", geteuid())));
  kiosk_->Signal(SIGTERM);
  const Finished ended = kiosk_->Wait();
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.err + ended.out + trail, Not(HasSubstr(test_nin_)));
  EXPECT_NE(access(Socket().c_str(), F_OK), 0);
}

// Its numbers begin again, so a program that comes back must be told that it missed something.
TEST_F(ApiTest, AnEventOfAnEarlierStartIsKnownForWhatItIs) {
  const auto events_behind = [&](const std::string& id) {
    RawClient program(Socket());
    program.Send(
        fmt::format("GET /v1/events HTTP/1.1\r\nHost: local\r\nLast-Event-ID: {}\r\n\r\n", id));
    return program.ReadUntil(":\n\n");
  };
  Run();
  const std::string first = events_behind("");
  const size_t at = first.find("\nid: ");
  ASSERT_NE(at, std::string::npos) << first;
  const std::string id = first.substr(at + 5, first.find('\n', at + 5) - at - 5);
  EXPECT_THAT(events_behind(id), Not(HasSubstr("missed")));
  kiosk_->Signal(SIGKILL);
  (void)kiosk_->Wait();
  Run();
  EXPECT_THAT(events_behind(id), HasSubstr("event: missed\ndata: null\n\n"));
}

// A visit keeps nothing of its person before they send: what looks for a person finds no call.
TEST_F(ApiTest, AnErasureTellsOfThePersonWhoIsAtTheScreen) {
  Run();
  const auto page = OpenPage();
  Answer asked;
  do {  // a screen that has just been opened looks whether its camera is there first
    asked = Post(
        fmt::format(
            R"({{"endpoint":"verify","nin":"{}","reason":"ACCOUNT_OPENING","pictures":"camera"}})",
            test_nin_),
        "9c1e");
  } while (asked.body.contains("the screen is closed"));
  ASSERT_EQ(asked.status, 202) << asked.body;
  const Finished erased = Kiosk({"people", "erase", "--yes"}, test_nin_ + "\n");
  EXPECT_EQ(erased.exit_code, 4) << erased.out << erased.err;
  EXPECT_THAT(erased.out, HasSubstr("at this kiosk's screen"));
  EXPECT_THAT(erased.out, HasSubstr("not complete"));
  const Finished other = Kiosk({"people", "erase", "--yes"}, "00000000099\n");
  EXPECT_EQ(other.exit_code, 0) << other.out << other.err;
}

TEST_F(ApiTest, FivePicturesAreJudgedLikeThoseOfTheCommandLine) {
  Run();
  const Answer same = Post(
      WithPictures({"selfie.jpg", "selfie.jpg", "selfie.jpg", "selfie.jpg", "selfie.jpg"}), "same");
  EXPECT_EQ(same.status, 422) << same.body;
  EXPECT_THAT(same.body, HasSubstr("pictures-refused"));
  // One that was exchanged for the selfie, and does not look into the camera.
  const JsonDocument capture = Parse(ReadFile(pictures() + "/capture.json"));
  std::vector<std::string> exchanged;
  for (const JsonView each : capture.root()["pictures"].children()) {
    exchanged.push_back(fmt::format("{}.jpg", each["name"].AsString().value_or("")));
    const bool is_turned = each["shows"].AsString().value_or("").starts_with("turn_");
    if (is_turned && exchanged.front() == "selfie.jpg") std::swap(exchanged[0], exchanged.back());
  }
  const Answer turned = Post(WithPictures(exchanged), "turned");
  EXPECT_EQ(turned.status, 422) << turned.body;
  EXPECT_THAT(turned.body, HasSubstr("selfie: the person does not look into the camera"));
  EXPECT_THAT(turned.body, HasSubstr("pictures[0] is the selfie"));
  EXPECT_EQ(BilledRows(), 0);
  const Answer taken = Post(WithPictures({"selfie.jpg", "liveness-1.jpg", "liveness-2.jpg",
                                          "liveness-3.jpg", "liveness-4.jpg"}),
                            "five");
  ASSERT_EQ(taken.status, 202) << taken.body;
  const JsonDocument check = AwaitEnd(ReferenceIn(taken));
  EXPECT_EQ(Text(check, "/verdict"), "verified");
  EXPECT_EQ(Text(check, "/pictures"), "elsewhere");
  EXPECT_EQ(BilledRows(), 1);
}

// Somebody of api.group, who may ask the running kiosk and reads none of its files.
TEST_F(ApiTest, ATellerAsksFromTheCommandLine) {
  if (geteuid() != 0) GTEST_SKIP() << "processes of other users need root: run this test as root";
  const std::string local = folder_ / "kiosk.local.jsonc";
  std::string settings = ReadFile(local);
  settings.insert(settings.find(R"("socket")"), R"("group": "nogroup", )");
  WriteFile(local, settings);
  for (const std::string& each : {folder_.path(), folder_ / "sandbox"}) {
    ASSERT_EQ(chmod(each.c_str(), 0711), 0) << each;
  }
  for (const std::string& each : {local, folder_ / "sandbox/ca.pem"}) {
    ASSERT_EQ(chmod(each.c_str(), 0644), 0) << each;
  }
  ASSERT_NO_FATAL_FAILURE(Run());
  const auto teller = [&](const std::vector<std::string>& arguments) {
    std::vector<std::string> command = {"setpriv", "--reuid",  "64992",  "--regid",
                                        "64992",   "--groups", "nogroup"};
    for (const auto& each : KioskCommand(arguments)) command.push_back(each);
    return RunProgram(command);
  };
  const Finished reasons = teller({"reasons"});
  EXPECT_EQ(reasons.exit_code, 0) << reasons.err;
  EXPECT_THAT(reasons.out, HasSubstr("ACCOUNT_OPENING"));
  const Finished asked = teller({"check", "--id-number", "20000000001", "--consent", "en"});
  EXPECT_EQ(asked.exit_code, kNotVerified) << asked.err;
  const Finished looked_up = teller({"lookup", "nin", "20000000001", "--reason", "NO_SUCH_REASON"});
  EXPECT_EQ(looked_up.exit_code, kUsage) << looked_up.err;
  EXPECT_THAT(looked_up.err, HasSubstr("NO_SUCH_REASON"));
  EXPECT_EQ(BilledRows(), 1);
}

// The program is killed at steps between a request's coming and its answer. Who asks again with the
// same key gets the same check, and pays once. How many steps a start takes differs a little, so
// each round learns from the one before whether to kill earlier or later.
TEST_F(ApiTest, AKeyMakesOneCheckWhereverTheProgramIsKilled) {
  constexpr uint64_t kSeed = 11;
  constexpr int kKills = 6;
  constexpr size_t kMostRounds = 60;
  ASSERT_EQ(Kiosk({"reasons"}).exit_code, 0);
  const auto body = [](size_t round) {
    return fmt::format(R"({{"endpoint":"check","id_number":"200000000{:02}"}})", round);
  };
  const auto key = [](size_t round) { return fmt::format("round-{}", round); };
  std::set<std::string> references;
  int killed = 0;  // after the request was sent, and before it was answered
  size_t rounds = 0;
  for (size_t at = 0; killed < kKills && rounds < kMostRounds; ++rounds) {
    Steps steps;
    kiosk_ = Start(steps.Variables(kSeed, at));
    const bool ready = kiosk_->AwaitErr("ready: ");
    const size_t begun = steps.Taken().size();
    const Answer first = ready ? Post(body(rounds), key(rounds)) : Answer();
    const size_t answered = steps.Taken().size();
    kiosk_->Signal(SIGKILL);
    (void)kiosk_->Wait();
    if (ready && first.status != 202) {
      ++killed;
      at += 2;
    } else {
      at = ready ? begun + 1 + (answered - begun) / 8 : at + 5;
    }

    kiosk_ = Start();
    ASSERT_TRUE(kiosk_->AwaitErr("ready: ")) << kiosk_->err();
    const Answer again = Post(body(rounds), key(rounds));
    ASSERT_EQ(again.status, 202) << again.body << kiosk_->err();
    if (first.status == 202) {
      EXPECT_EQ(ReferenceIn(first), ReferenceIn(again)) << rounds;
    }
    EXPECT_EQ(Post(body(rounds + 1), key(rounds)).status, 422);
    references.insert(ReferenceIn(again));
    (void)AwaitEnd(ReferenceIn(again));
    kiosk_->Signal(SIGTERM);
    (void)kiosk_->Wait();
  }
  EXPECT_EQ(killed, kKills) << "in " << rounds << " rounds";
  EXPECT_EQ(references.size(), rounds);
  const JsonDocument all = Parse(Kiosk({"queue", "list", "--all", "--json"}).out);
  EXPECT_EQ(all.root().children().size(), rounds);
  EXPECT_LE(BilledRows(), static_cast<int>(rounds));
}

class OlderFileTest : public ApiTest {
 protected:
  // The file is written over, while the program runs, by a copy from before this answered check.
  void SetUp() override {
    const auto file = [this](const char* part) { return folder_ / "state/queue.db" + part; };
    Run();
    (void)AwaitEnd(ReferenceIn(Post(Body(1), "key-1")));
    std::map<std::string, std::string> older;
    for (const char* each : {"", "-wal", "-shm"}) older[file(each)] = ReadFile(file(each));
    const Answer first = Post(Body(2), "key-2");
    ASSERT_EQ(first.status, 202) << first.body;
    answered_ = ReferenceIn(first);
    EXPECT_EQ(Text(AwaitEnd(answered_), "/verdict"), "not_verified");
    ASSERT_EQ(BilledRows(), 2);
    for (const auto& [path, content] : older) {
      std::fstream(path, std::ios::in | std::ios::out | std::ios::binary) << content;
      std::filesystem::resize_file(path, content.size());
    }
  }
  static std::string Body(int number) {
    return fmt::format(R"({{"endpoint":"check","id_number":"2000000000{}"}})", number);
  }

  std::string answered_;  // key-2
};

// It begins anew by itself, and knows from its ledger what was answered since.
TEST_F(OlderFileTest, PaysForNoKeyTwice) {
  EXPECT_NE(Curl({}, "/v1/checks/" + answered_).status, 404);
  Answer again;
  while (again.status != 202) again = Post(Body(2), "key-2");
  EXPECT_EQ(ReferenceIn(again), answered_);
  EXPECT_EQ(Text(AwaitEnd(ReferenceIn(again)), "/verdict"), "not_verified");
  EXPECT_EQ(BilledRows(), 2);
  EXPECT_THAT(kiosk_->err(), HasSubstr("starting again"));
}

TEST_F(OlderFileTest, WhoNoticesItIsToldToComeAgain) {
  const Answer told = Post(Body(2), "key-2");
  EXPECT_EQ(told.status, 503) << "0: none came";
  EXPECT_THAT(told.body, HasSubstr("urn:idkiosk:problem:unavailable"));
}

}  // namespace
}  // namespace idkiosk
